// Impossible: selections that hold impossible cells alone are 0 without an error (answering/impossible.py).

import type { Box } from "./facts.ts";
import type { KnownAnswer, Region, Selection } from "./types.ts";

const ROUNDING = 1e-9; // of shares of cells

export const ZERO: KnownAnswer = { value: 0, stderr: 0, low: 0, high: 0, reach: 0 };

/** Whether the disjoint impossible boxes cover all of each selection of a region. */
export function isImpossible(region: Region, boxes: Box[], sizes: number[]): boolean {
  return (
    boxes.length > 0 && region.length > 0 && region.every((one) => coveredShare(one, boxes, sizes) >= 1 - ROUNDING)
  );
}

/** The share of the cells of a selection that lies in disjoint boxes. */
function coveredShare(selection: Selection, boxes: Box[], sizes: number[]): number {
  let covered = 0;
  for (const box of boxes) {
    let share = 1;
    box.forEach(([low, high], axis) => {
      let [inside, whole] = [0, 0];
      for (const [from, to] of selection[axis] ?? [[0, sizes[axis]]]) {
        inside += Math.max(Math.min(to, high) - Math.max(from, low), 0);
        whole += to - from;
      }
      share *= whole > 0 ? inside / whole : 0;
    });
    covered += share;
  }
  return covered;
}
