// Packed: arrays as text. Python writes little-endian numbers, zlib, base64; here they become typed arrays again.

const ARRAYS = { f8: Float64Array, i4: Int32Array, i2: Int16Array, u2: Uint16Array, u4: Uint32Array };

/** The typed array in `{type, data}`; null stays null. */
export async function unpack(packed) {
  if (packed === null || packed === undefined) return null;
  const bytes = Uint8Array.from(atob(packed.data), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new ARRAYS[packed.type](await new Response(plain).arrayBuffer());
}

/** An object with every packed member of it unpacked, lists of them too. */
export async function unpackAll(facts) {
  const found = {};
  for (const [name, fact] of Object.entries(facts)) {
    if (Array.isArray(fact)) found[name] = await Promise.all(fact.map((one) => (isPacked(one) ? unpack(one) : one)));
    else found[name] = isPacked(fact) ? await unpack(fact) : fact;
  }
  return found;
}

function isPacked(fact) {
  return fact !== null && typeof fact === "object" && typeof fact.data === "string" && fact.type in ARRAYS;
}
