import assert from "node:assert/strict";
import { test } from "node:test";
import { intersect, mergeBoxes, subtract, unite } from "../src/engine/region.ts";
import type { Intervals, Region } from "../src/engine/types.ts";

const SIZES = [5, 4, 3];

/** How many of the boxes of a region hold each cell. */
function covered(region: Region): number[] {
  const found: number[] = [];
  for (let x = 0; x < SIZES[0]; x += 1)
    for (let y = 0; y < SIZES[1]; y += 1)
      for (let z = 0; z < SIZES[2]; z += 1) {
        const inside = (axis: number, code: number, intervals: Intervals = [[0, SIZES[axis]]]) =>
          intervals.some(([low, high]) => low <= code && code < high);
        found.push(region.filter((box) => [x, y, z].every((code, axis) => inside(axis, code, box[axis]))).length);
      }
  return found;
}

/** Regions from a fixed sequence of numbers. */
function* regions(): Generator<Region> {
  let state = 7;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  for (let k = 0; k < 60; k += 1) {
    const boxes: Region[] = [];
    for (let b = 0; b <= next(3); b += 1) {
      const box: { [axis: string]: Intervals } = {};
      SIZES.forEach((size, axis) => {
        const low = next(size);
        if (next(3)) box[axis] = [[low, low + 1 + next(size - low)]];
      });
      boxes.push([box]);
    }
    yield unite(boxes, SIZES);
  }
}

test("regions are disjoint, and cut and joined as sets of cells", () => {
  const all = [...regions()];
  for (const [i, one] of all.entries()) {
    const other = all[(i + 1) % all.length];
    const [a, b] = [covered(one), covered(other)];
    assert.ok(a.every((times) => times <= 1));
    assert.deepEqual(
      covered(intersect(one, other)),
      a.map((times, cell) => times * b[cell]),
    );
    assert.deepEqual(
      covered(subtract(one, other, SIZES)),
      a.map((times, cell) => times * (1 - b[cell])),
    );
    assert.deepEqual(
      covered(unite([one, other], SIZES)),
      a.map((times, cell) => Math.max(times, b[cell])),
    );
    assert.deepEqual(covered(mergeBoxes(one)), a);
  }
});
