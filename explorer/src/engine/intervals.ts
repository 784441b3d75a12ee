// Intervals: positions on the code axis as sorted, disjoint, half-open pairs. Position 2.5 is the middle of code 2.

import type { Interval, Intervals } from "./types.ts";

/** The same positions as disjoint intervals in order. */
export function merge(intervals: Interval[]): Intervals {
  const found: Intervals = [];
  for (const [low, high] of [...intervals].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const last = found[found.length - 1];
    if (last && low <= last[1]) last[1] = Math.max(last[1], high);
    else found.push([low, high]);
  }
  return found;
}

/** Positions in both. */
export function overlap(one: Intervals, other: Intervals): Intervals {
  const found: Intervals = [];
  let i = 0;
  let j = 0;
  while (i < one.length && j < other.length) {
    const low = Math.max(one[i][0], other[j][0]);
    const high = Math.min(one[i][1], other[j][1]);
    if (low < high) found.push([low, high]);
    if (one[i][1] < other[j][1]) i += 1;
    else j += 1;
  }
  return found;
}

/** How many codes intervals cover. */
export function lengthOf(intervals: Intervals): number {
  return intervals.reduce((sum, [low, high]) => sum + high - low, 0);
}

/** Positions from 0 to an end that are in none of these. */
export function complement(intervals: Interval[], end: number): Intervals {
  const found: Intervals = [];
  let from = 0;
  for (const [low, high] of merge(intervals)) {
    if (low > from) found.push([from, Math.min(low, end)]);
    from = Math.max(from, high);
  }
  if (from < end) found.push([from, end]);
  return found;
}

const lists = new WeakMap<Interval, WeakMap<Intervals, Intervals>>(); // of a bin, by the intervals that it was kept to
const NO_INTERVALS: Intervals = [];

/** One bin as intervals, or what of it lies in some: the same list each time, so that what is known of it is found. */
export function restrictBin(bin: Interval, intervals: Intervals = NO_INTERVALS): Intervals {
  const known = lists.get(bin) ?? new WeakMap<Intervals, Intervals>();
  lists.set(bin, known);
  const found = known.get(intervals) ?? (intervals === NO_INTERVALS ? [bin] : overlap([bin], intervals));
  known.set(intervals, found);
  return found;
}

export function sameIntervals(one: Intervals | undefined, other: Intervals | undefined): boolean {
  if (!one || !other) return one === other;
  return one.length === other.length && one.every(([low, high], i) => low === other[i][0] && high === other[i][1]);
}
