// Packed: arrays as text. Python writes little-endian numbers, zlib, base64; here they become typed arrays again.

import type { Numbers } from "./facts.ts";

const ARRAYS = { u1: Uint8Array, f8: Float64Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, u4: Uint32Array };

interface Packed {
  type: keyof typeof ARRAYS;
  data: string;
}

async function unpack(packed: Packed): Promise<Numbers> {
  const bytes = Uint8Array.from(atob(packed.data), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new ARRAYS[packed.type](await new Response(plain).arrayBuffer());
}

/** Facts with everything packed in them unpacked. */
export async function unpackAll(fact: unknown): Promise<unknown> {
  if (fact === null || typeof fact !== "object") return fact;
  if (isPacked(fact)) return unpack(fact);
  if (Array.isArray(fact)) return Promise.all(fact.map(unpackAll));
  const members = Object.entries(fact).map(async ([name, member]) => [name, await unpackAll(member)]);
  return Object.fromEntries(await Promise.all(members));
}

function isPacked(fact: object): fact is Packed {
  return "data" in fact && "type" in fact && String(fact.type) in ARRAYS;
}
