// Intervals: positions on the code axis as sorted, disjoint, half-open pairs. Position 2.5 is the middle of code 2.

import type { Interval, Intervals, Selection } from "./types.ts";

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

/** Axes that a selection bounds: those of which it leaves out some codes. */
export function boundedAxes(selection: Selection, sizes: number[]): number[] {
  const axes = Object.keys(selection).map(Number);
  return axes.filter((axis) => lengthOf(selection[axis]) < sizes[axis]);
}

const WHOLE = 1e-9; // an end this close to a whole code counts as one: positions are quotients of floats

/** Whether an end lies inside a code. */
export function isFractional(intervals: Intervals): boolean {
  return intervals.some((ends) => ends.some((end) => Math.abs(end - Math.round(end)) > WHOLE));
}

const inward = new WeakMap<Intervals, Intervals>();
const outward = new WeakMap<Intervals, Intervals>();

/** Intervals with all ends moved inward, or outward, to whole codes: the same list each time. */
export function roundEnds(intervals: Intervals, isOutward: boolean): Intervals {
  if (!isFractional(intervals)) return intervals;
  const rounded = isOutward ? outward : inward;
  const known = rounded.get(intervals);
  if (known) return known;
  const moved = intervals.map(
    ([low, high]): Interval =>
      isOutward
        ? [Math.floor(low + WHOLE), Math.ceil(high - WHOLE)]
        : [Math.ceil(low - WHOLE), Math.floor(high + WHOLE)],
  );
  const found = merge(moved.filter(([low, high]) => low < high));
  rounded.set(intervals, found);
  return found;
}

const alone = new WeakMap<Interval, Intervals>();

/** One bin as intervals: the same list each time, so that what is known of it is found. */
export function intervalsOf(bin: Interval): Intervals {
  const found = alone.get(bin) ?? [bin];
  alone.set(bin, found);
  return found;
}

const parts = new WeakMap<Intervals, WeakMap<Intervals, Intervals>>(); // what of a part lies in intervals

/** What of a part of an axis lies in some intervals, if any are given: the same list each time. */
export function restrictPart(part: Intervals, intervals?: Intervals): Intervals {
  if (!intervals) return part;
  const known = parts.get(part) ?? new WeakMap<Intervals, Intervals>();
  parts.set(part, known);
  const found = known.get(intervals) ?? overlap(part, intervals);
  known.set(intervals, found);
  return found;
}

export function sameIntervals(one: Intervals | undefined, other: Intervals | undefined): boolean {
  if (!one || !other) return one === other;
  return one.length === other.length && one.every(([low, high], i) => low === other[i][0] && high === other[i][1]);
}
