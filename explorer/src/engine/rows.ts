// Rows: boxes with values, seen axis by axis. All kinds of view are rows; they differ in their errors.

import { AxisIndex } from "./axis_index.ts";
import type { Numbers } from "./facts.ts";
import type { Interval, Selection, Totals } from "./types.ts";

/** Of each bound axis the share of each interval that lies in a selection. */
export type Cover = [axis: number, ratio: Float64Array][];

/** Rows of a view: a side for each axis, and a value for each row. */
export class Rows implements Totals {
  constructor(
    readonly sides: AxisIndex[],
    readonly values: Numbers,
  ) {}

  /** Ratios by interval for a selection {axis: intervals}, as [axis, ratios] pairs. */
  cover(selection: Selection, except: number[] = []): Cover {
    const asked = Object.keys(selection)
      .map(Number)
      .filter((axis) => !except.includes(axis));
    return asked.map((axis) => [axis, this.sides[axis].covered(selection[axis])]);
  }

  /** What each row has in a selection, (rows,). */
  weighted(cover: Cover): Float64Array {
    const found = Float64Array.from(this.values);
    for (const [axis, ratio] of cover) {
      const { which } = this.sides[axis];
      for (let row = 0; row < found.length; row += 1) found[row] *= ratio[which[row]];
    }
    return found;
  }

  /** Totals of bins of one axis, where all other axes keep to the selection. */
  histogram(axis: number, bins: Interval[], selection: Selection): Float64Array {
    const side = this.sides[axis];
    const weighted = this.weighted(this.cover(selection, [axis]));
    const byInterval = new Float64Array(side.count);
    for (let row = 0; row < weighted.length; row += 1) byInterval[side.which[row]] += weighted[row];
    const { first, bin, share } = side.spread(bins);
    const found = new Float64Array(bins.length);
    for (let s = 0; s < side.count; s += 1) {
      for (let k = first[s]; k < first[s + 1]; k += 1) found[bin[k]] += byInterval[s] * share[k];
    }
    return found;
  }

  /** Totals of all combinations of bins of some axes, the last axis fastest; `within` keeps those axes too. */
  grid(
    axes: number[],
    bins: Interval[][],
    selection: Selection,
    { within: keep = false }: { within?: boolean } = {},
  ): Float64Array {
    const sides = axes.map((axis) => this.sides[axis]);
    const spreads = axes.map((axis, i) => sides[i].spread(bins[i], keep ? (selection[axis] ?? null) : null));
    const weighted = this.weighted(this.cover(selection, axes));
    const found = new Float64Array(bins.reduce((product, list) => product * list.length, 1));
    const place = (depth: number, row: number, at: number, amount: number) => {
      if (depth === axes.length) {
        found[at] += amount;
        return;
      }
      const { first, bin, share } = spreads[depth];
      const s = sides[depth].which[row];
      const width = bins[depth].length;
      for (let k = first[s]; k < first[s + 1]; k += 1) place(depth + 1, row, at * width + bin[k], amount * share[k]);
    };
    for (let row = 0; row < weighted.length; row += 1) if (weighted[row] !== 0) place(0, row, 0, weighted[row]);
    return found;
  }
}

/** The share of a row that lies in a selection. */
export function shareOf(cover: Cover, sides: AxisIndex[], row: number): number {
  let product = 1;
  for (const [axis, ratio] of cover) product *= ratio[sides[axis].which[row]];
  return product;
}

const WHOLE = 1 - 1e-12; // whatever shares of boxes that fill a block round to

/** The share of each row that lies in disjoint boxes together, from its shares in each of them. */
export function sumShares(shares: Float64Array[], rows: number): Float64Array {
  const found = new Float64Array(rows);
  for (const share of shares) for (let row = 0; row < rows; row += 1) found[row] += share[row];
  for (let row = 0; row < rows; row += 1) if (found[row] >= WHOLE) found[row] = 1;
  return found;
}

/** Sides of rows that are single cells: their intervals are codes. */
export function indexesOfCells(codes: Numbers[], sizes: number[]): AxisIndex[] {
  return sizes.map((_, axis) => {
    const seen = new Map<number, number>();
    const lower: number[] = [];
    const which = new Int32Array(codes[axis].length);
    for (let row = 0; row < which.length; row += 1) {
      const code = codes[axis][row];
      let place = seen.get(code);
      if (place === undefined) {
        place = lower.length;
        seen.set(code, place);
        lower.push(code);
      }
      which[row] = place;
    }
    return new AxisIndex(
      Float64Array.from(lower),
      Float64Array.from(lower, (code) => code + 1),
      which,
      null,
    );
  });
}
