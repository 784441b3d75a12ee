// The shared vectors of tests/vectors: views as the page holds them, and questions with the answers of the library.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Engine } from "../src/engine/engine.ts";
import type { Facts } from "../src/engine/facts.ts";
import type { Figure, Intervals, Region, Selection } from "../src/engine/types.ts";

export const VIEWS = ["mixture-rows", "mixture-sums"];

/** Boxes of the vectors: of each attribute null where it is free, else intervals. */
export type Boxes = (Intervals | null)[][];

/** A file of tests/vectors. */
export function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../tests/vectors/${name}.json`, import.meta.url), "utf-8"));
}

export function openView(name: string): Promise<Engine> {
  return Engine.open(read<Facts>(`${name}.page`));
}

export function regionOf(boxes: Boxes): Region {
  return boxes.map((box) => {
    const found: Selection = {};
    box.forEach((intervals, axis) => {
      if (intervals) found[axis] = intervals;
    });
    return found;
  });
}

/** The same figures to 1e-9; null in one where it is null in the other. */
export function assertClose(found: Figure, wanted: Figure, about: string): void {
  assert.equal(found.note ?? "", wanted.note ?? "", about);
  for (const end of ["value", "stderr", "low", "high"] as const) {
    const [mine, theirs] = [found[end] ?? null, wanted[end] ?? null];
    const close =
      mine === null || theirs === null
        ? mine === theirs
        : Math.abs(mine - theirs) <= 1e-9 * Math.max(1, Math.abs(theirs));
    assert.ok(close, `${about}: ${end} is ${mine}, not ${theirs}`);
  }
}
