// Within blocks: what is unknown about how a block's content lies inside it, as a variance (answering/within_block_variance.py).

import type { AxisIndex } from "./axis_index.ts";
import type { ErrorModel, Numbers } from "./facts.ts";
import type { Cover } from "./rows.ts";

const SAFE = 2 ** 52;

/** Rows that are cut alike have the same number, from 0 to `count`. */
export interface Groups {
  of: Float64Array;
  count: number;
}

/** Variance of a split of this many rows, before the factor q (1 - q). */
export function usualScatter(records: number, { scatter, power }: ErrorModel): number {
  const some = Math.max(records, 0);
  return some + scatter * some ** power;
}

/** The variance if content lies in clusters at random places. `partly` are rows that lie partly in the question. */
export function clustered(values: Numbers, partly: number[], share: number[], groups: Groups): number {
  const { of, count } = groups;
  const together = new Float64Array(count);
  const apart = new Float64Array(count);
  const inside = new Float64Array(count);
  for (let k = 0; k < of.length; k += 1) {
    const value = values[partly[k]];
    together[of[k]] += value;
    apart[of[k]] += value * value;
    inside[of[k]] = share[k];
  }
  let found = 0;
  for (let g = 0; g < count; g += 1) found += Math.max(together[g] ** 2, apart[g]) * inside[g] * (1 - inside[g]);
  return found;
}

/** The variance if content is scattered inside blocks as it was seen to be between them. `scatter` is that of each row;
 * blocks cut along the same interval have part of it in common, and `model.together` says how much.
 */
export function scattered(
  records: Float64Array,
  scatter: Float64Array,
  partly: number[],
  share: number[],
  groups: Groups,
  model: ErrorModel,
): number {
  const { of, count } = groups;
  const total = new Float64Array(count);
  const inside = new Float64Array(count);
  let apart = 0;
  for (let k = 0; k < of.length; k += 1) {
    apart += scatter[partly[k]] * share[k] * (1 - share[k]);
    total[of[k]] += records[partly[k]];
    inside[of[k]] = share[k];
  }
  let together = 0;
  for (let g = 0; g < count; g += 1) together += usualScatter(total[g], model) * inside[g] * (1 - inside[g]);
  return (1 - model.together) * apart + model.together * together;
}

/** Which of the rows are cut along the same intervals of the same axes: a number from 0 for each. */
export function intervalGroups(sides: AxisIndex[], cover: Cover, partly: number[]): Groups {
  let of: Float64Array = new Float64Array(partly.length);
  let range = 1;
  for (const [axis, ratio] of cover) {
    const { which, count } = sides[axis];
    if (range * (count + 1) > SAFE) ({ of, count: range } = numberGroups(of));
    for (let k = 0; k < partly.length; k += 1) {
      const interval = which[partly[k]];
      of[k] = of[k] * (count + 1) + (ratio[interval] < 1 ? interval + 1 : 0);
    }
    range *= count + 1;
  }
  return numberGroups(of);
}

/** Which rows are cut alike in every box of a union; `met` tells for each box which of the rows it meets. */
export function unionGroups(sides: AxisIndex[], covers: Cover[], partly: number[], met: boolean[][]): Groups {
  let of: Float64Array = new Float64Array(partly.length);
  covers.forEach((cover, box) => {
    const here = intervalGroups(sides, cover, partly);
    for (let k = 0; k < partly.length; k += 1) of[k] = of[k] * (here.count + 1) + (met[box][k] ? here.of[k] + 1 : 0);
    ({ of } = numberGroups(of));
  });
  return numberGroups(of);
}

function numberGroups(keys: Float64Array): Groups {
  const seen = new Map<number, number>();
  const of = new Float64Array(keys.length);
  for (let k = 0; k < keys.length; k += 1) {
    const number = seen.get(keys[k]) ?? seen.size;
    seen.set(keys[k], number);
    of[k] = number;
  }
  return { of, count: seen.size };
}
