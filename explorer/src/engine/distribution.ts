// Distribution: how an ordered attribute is spread in a selection, as far as a view can tell.
//
// The estimate is the total of each bin, none below 0, with values spread evenly inside a bin. Its band comes of
// intervals: at an edge between bins let B lie below and A above. Whenever both of their intervals hold, the share of
// what lies below is between B_low / (B_low + A_high) and B_high / (B_high + A_low). Inside a bin nothing is known, so
// bounds take its ends.

import type { Attribute } from "./attribute.ts";
import { lastAtMost } from "./axis_index.ts";
import type { Engine } from "./engine.ts";
import { overlap } from "./intervals.ts";
import type { Steps } from "./steps.ts";
import type { Figure, Interval, Intervals, Selection } from "./types.ts";

const MOST_BINS = 20_000;
const MOST_EDGES = 100; // at which a band is worked out, besides those near wanted quantiles
const NEAR = [0, 0.001, 0.003, 0.01, 0.03, 0.1]; // how far from a wanted quantile edges are looked at

/** Bins of `each` codes that a selection meets, with the smallest and the largest value of the selection in each. */
export interface BinEnds {
  codes: number[];
  first: number[];
  last: number[];
  each: number;
}

/** Values below which the given shares lie, at once and without bounds. */
export function quantiles(engine: Engine, axis: number, levels: number[], selection: Selection): (number | null)[] {
  const bins = binsOf(engine.attributes[axis], selection[axis]);
  const masses = massesOf(engine, axis, bins, selection);
  return levels.map((level) => quantileOf(bins, masses, level));
}

/** The same with bounds, {value, low, high} or null for each, step by step: working out a band takes long. */
export function* boundedQuantiles(
  engine: Engine,
  axis: number,
  levels: number[],
  selection: Selection,
): Steps<(Figure | null)[]> {
  const attribute = engine.attributes[axis];
  const bins = binsOf(attribute, selection[axis]);
  const masses = massesOf(engine, axis, bins, selection);
  const chosen = edgesOf(masses, levels);
  const low: (number | null)[] = [];
  const high: (number | null)[] = [];
  const regular = overlap(selection[axis] ?? [[0, attribute.size]], [[0, attribute.count]]);
  for (const edge of chosen) {
    const at = bins.codes[edge];
    const below = engine.answer({ ...selection, [axis]: overlap(regular, [[0, at]]) });
    const above = engine.answer({ ...selection, [axis]: overlap(regular, [[at, attribute.count]]) });
    low.push(shareOrNull(below.low, above.high, 0));
    high.push(shareOrNull(below.high, above.low, 1));
    yield;
  }
  return levels.map((level) => boundQuantile(bins, masses, level, chosen, low, high));
}

/** The bins that a selection meets. */
export function binsOf(attribute: Attribute, intervals: Intervals | undefined): BinEnds {
  const codes: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  const each = Math.max(1, Math.ceil(attribute.count / MOST_BINS));
  for (const [low, high] of overlap(intervals ?? [[0, attribute.size]], [[0, attribute.count]])) {
    for (let code = Math.floor(low / each) * each; code < high; code += each) {
      const begin = attribute.tickAt(Math.max(low, code));
      const end = attribute.tickAt(Math.min(high, code + each, attribute.count)) - attribute.step;
      if (codes[codes.length - 1] === code) last[last.length - 1] = end;
      else {
        codes.push(code);
        first.push(begin);
        last.push(Math.max(begin, end));
      }
    }
  }
  return { codes, first, last, each };
}

function massesOf(engine: Engine, axis: number, { codes, each }: BinEnds, selection: Selection): Float64Array {
  const { count } = engine.attributes[axis];
  const bins = codes.map((code): Interval => [code, Math.min(code + each, count)]);
  return engine.grid([axis], [bins], selection, { within: true }).map((value) => Math.max(value, 0));
}

/** The value of a quantile; null if there is nothing. */
function quantileOf({ first, last }: BinEnds, masses: Float64Array, level: number): number | null {
  const whole = masses.reduce((sum, mass) => sum + mass, 0);
  if (!(whole > 0)) return null;
  let before = 0;
  for (let bin = 0; bin < masses.length; bin += 1) {
    if (masses[bin] > 0 && before + masses[bin] >= level * whole * (1 - 1e-12)) {
      const inside = Math.min(1, Math.max(0, (level * whole - before) / masses[bin]));
      return first[bin] + inside * (last[bin] - first[bin]);
    }
    before += masses[bin];
  }
  return last[last.length - 1];
}

/** Bounds are where the band crosses the level, out to the ends of bins. */
function boundQuantile(
  bins: BinEnds,
  masses: Float64Array,
  level: number,
  chosen: number[],
  low: (number | null)[],
  high: (number | null)[],
): Figure | null {
  const value = quantileOf(bins, masses, level);
  if (value === null) return null;
  if (low.includes(null) || high.includes(null)) return { value, low: null, high: null };
  const count = masses.length;
  const atLeast = (edge: number) => (edge === count ? 1 : (low[lastAtMost(chosen, edge)] ?? 0));
  const atMost = (edge: number) => (edge === 0 ? 0 : (high[lastAtMost(chosen, edge - 1) + 1] ?? 1));
  let from = 0;
  while (from < count - 1 && atMost(from + 1) < level) from += 1;
  let to = count - 1;
  while (to > 0 && atLeast(to) >= level) to -= 1;
  return { value, low: Math.min(value, bins.first[from]), high: Math.max(value, bins.last[to]) };
}

/** Inner edges at which to work out the band: all if they are few, else some by estimated mass. */
function edgesOf(masses: Float64Array, levels: number[]): number[] {
  const whole = masses.reduce((sum, mass) => sum + mass, 0);
  if (masses.length <= MOST_EDGES || !(whole > 0)) {
    return Array.from({ length: Math.max(0, Math.min(masses.length, MOST_EDGES) - 1) }, (_, i) => i + 1);
  }
  const upTo: number[] = [];
  let before = 0;
  for (const mass of masses) {
    before += mass;
    upTo.push(before / whole);
  }
  const even = Array.from({ length: MOST_EDGES }, (_, i) => i / (MOST_EDGES - 1));
  const wanted = [...even, ...levels.flatMap((level) => NEAR.flatMap((far) => [level - far, level + far]))];
  const edges = wanted.flatMap((share) => {
    const at = upTo.findIndex((sum) => sum >= share);
    return at < 0 ? [] : [at, at + 1];
  });
  return [...new Set(edges)].filter((edge) => edge > 0 && edge < masses.length).sort((a, b) => a - b);
}

/** part / (part + rest), or what to say of nothing at all; null if an error is unknown. */
function shareOrNull(part: number | null, rest: number | null, empty: number): number | null {
  if (part === null || rest === null) return null;
  return part + rest === 0 ? empty : part / (part + rest);
}
