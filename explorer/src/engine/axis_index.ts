// AxisIndex: one axis of the rows of a view, as the different intervals that rows span.
//
// The share of a row's box that a question covers is a product of one ratio an axis, and that ratio depends on the box's
// interval of that axis alone. Few intervals are different, so ratios are worked out by interval and looked up by row.

import { IntervalCache } from "./interval_cache.ts";
import { overlap } from "./intervals.ts";
import type { Interval, Intervals } from "./types.ts";

const ROUNDING = 1e-12; // of a share of an interval; answering/axis_index.py has the same

const NO_MASS = new Float64Array(0);

/** Ends of intervals on a ruler, what lies in the intervals before each, and where positions lie on the ruler. */
interface Ruler {
  low: number[];
  high: number[];
  before: number[];
  at: (position: number) => number;
}

/** Intervals on the rulers of mass, if there is any, and of codes. */
interface Rulers {
  intervals: Intervals;
  begins: number[];
  massive: Ruler | null;
  even: Ruler;
}

/** For each interval the bins that it meets and its share in each: those of s from `first[s]` on. */
export interface BinShares {
  first: Int32Array;
  bin: Int32Array;
  share: Float64Array;
}

/** One axis: the different intervals that rows span, which of them each row has, and the mass that lies along it. */
export class AxisIndex {
  readonly count: number;
  private readonly shares: IntervalCache<Float64Array>;
  private readonly touches: IntervalCache<Uint8Array>;
  private readonly prefix: Float64Array; // mass before each code
  private readonly start: Float64Array; // ends on the ruler: mass before them, or codes where there is none
  private readonly stop: Float64Array;
  private readonly flat: Uint8Array;

  /** Intervals from `lower` to `upper` in codes; `which` of them each row has; `mass` of each code, null if even. */
  constructor(
    readonly lower: Float64Array,
    readonly upper: Float64Array,
    readonly which: Int32Array,
    readonly mass: Float64Array | null,
  ) {
    this.count = lower.length;
    this.shares = new IntervalCache(this.count);
    this.touches = new IntervalCache(this.count);
    this.prefix = prefixOf(mass ?? NO_MASS);
    this.start = new Float64Array(this.count);
    this.stop = new Float64Array(this.count);
    this.flat = new Uint8Array(this.count).fill(mass ? 0 : 1);
    for (let s = 0; s < this.count; s += 1) {
      if (mass) {
        this.start[s] = this.at(lower[s]);
        this.stop[s] = this.at(upper[s]);
        if (this.stop[s] > this.start[s]) continue;
        this.flat[s] = 1;
      }
      this.start[s] = lower[s];
      this.stop[s] = upper[s];
    }
  }

  /** How many codes a row spans. */
  lengthOf(row: number): number {
    const s = this.which[row];
    return this.upper[s] - this.lower[s];
  }

  /** Mass before a position. Inside a code mass lies evenly. */
  at(position: number): number {
    const mass = this.mass ?? NO_MASS;
    const code = Math.min(Math.floor(position), mass.length - 1);
    return this.prefix[code] + (position - code) * mass[code];
  }

  /** Share of each row interval that the sorted, disjoint intervals of a question cover; a list is looked at once. */
  covered(intervals: Intervals): Float64Array {
    return this.shares.of(intervals, () => this.coverage(intervals));
  }

  private coverage(intervals: Intervals): Float64Array {
    const share = new Float64Array(this.count);
    const rulers = this.rulers(intervals);
    for (let s = 0; s < this.count; s += 1) share[s] = this.ratio(s, rulers);
    return share;
  }

  /** The intervals of a question on both rulers: that of mass, and that of codes for row intervals without mass. */
  private rulers(intervals: Intervals): Rulers {
    const massive = this.mass && rulerOf(intervals, (position) => this.at(position));
    return {
      intervals,
      begins: intervals.map(([low]) => low),
      massive,
      even: rulerOf(intervals, (position) => position),
    };
  }

  /** Share of one row interval that the intervals of a question cover. */
  private ratio(s: number, { intervals, begins, massive, even }: Rulers): number {
    if (intervals.length === 0) return 0;
    const begun = lastAtMost(begins, this.lower[s]);
    if (begun >= 0 && this.upper[s] <= intervals[begun][1]) return 1; // whatever sums of masses round to
    const ruler = this.flat[s] || massive === null ? even : massive;
    const before = within(ruler, begun, this.lower[s]);
    const after = within(ruler, lastAtMost(begins, this.upper[s]), this.upper[s]);
    const share = (after - before) / (this.stop[s] - this.start[s]);
    return share > 1 - ROUNDING ? 1 : share > ROUNDING ? share : 0; // not by how masses were summed
  }

  /** How the intervals of a question lie to each row interval, whatever the mass: 0 apart, 2 all over it, else 1. */
  touched(intervals: Intervals): Uint8Array {
    return this.touches.of(intervals, () => this.touching(intervals));
  }

  private touching(intervals: Intervals): Uint8Array {
    const touch = new Uint8Array(this.count);
    const begins = intervals.map(([low]) => low);
    for (let s = 0; s < this.count; s += 1) {
      const begun = lastAtMost(begins, this.lower[s]);
      if (begun >= 0 && this.upper[s] <= intervals[begun][1]) touch[s] = 2;
      else if (begun >= 0 && this.lower[s] < intervals[begun][1]) touch[s] = 1;
      else if (begun + 1 < begins.length && begins[begun + 1] < this.upper[s]) touch[s] = 1;
    }
    return touch;
  }

  /** For each interval the bins that it meets and its share in each: flat arrays, those of s from `first[s]` on. */
  spread(bins: Interval[], allowed: Intervals | null = null): BinShares {
    const first = new Int32Array(this.count + 1);
    const bin: number[] = [];
    const share: number[] = [];
    const rulers = bins.map((edges) => this.rulers(allowed ? overlap([edges], allowed) : [edges]));
    const starts = bins.map(([low]) => low);
    for (let s = 0; s < this.count; s += 1) {
      for (let b = Math.max(0, lastAtMost(starts, this.lower[s])); b < bins.length; b += 1) {
        if (bins[b][0] >= this.upper[s]) break;
        const part = this.ratio(s, rulers[b]);
        if (part === 0) continue;
        bin.push(b);
        share.push(part);
      }
      first[s + 1] = bin.length;
    }
    return { first, bin: Int32Array.from(bin), share: Float64Array.from(share) };
  }
}

function prefixOf(mass: Float64Array): Float64Array {
  const prefix = new Float64Array(mass.length + 1);
  for (let code = 0; code < mass.length; code += 1) prefix[code + 1] = prefix[code] + mass[code];
  return prefix;
}

/** Ends of intervals on a ruler, and what lies in the intervals before each. */
function rulerOf(intervals: Intervals, at: (position: number) => number): Ruler {
  const low = intervals.map((interval) => at(interval[0]));
  const high = intervals.map((interval) => at(interval[1]));
  const before = [0];
  for (let i = 0; i < low.length; i += 1) before.push(before[i] + (high[i] - low[i]));
  return { low, high, before, at };
}

/** What of the intervals lies before a position; `begun` is the last interval that starts at or before it. */
function within(ruler: Ruler, begun: number, position: number): number {
  if (begun < 0) return 0;
  return ruler.before[begun] + (Math.min(ruler.at(position), ruler.high[begun]) - ruler.low[begun]);
}

/** Index of the last sorted number that is at most x, or -1. */
export function lastAtMost(sorted: ArrayLike<number>, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
