// Mean: the mean and the sum of an ordered attribute in a union of selections (query/distribution.py).
//
// The estimate is the total of each bin, none below 0, by the middles of bins. Its bounds put all content as far down,
// and as far up, as the shares below some edges allow at once. The average of a bin's values is anywhere in the bin, in
// each bin independently of the others.

import { jointFactor } from "./answer.ts";
import { lastAtMost } from "./axis_index.ts";
import { type BinEnds, binsOf } from "./distribution.ts";
import type { Engine } from "./engine.ts";
import { merge, overlap } from "./intervals.ts";
import type { Steps } from "./steps.ts";
import type { Figure, Interval, Intervals, KnownAnswer, Region, Selection } from "./types.ts";

const MOST_EDGES = 50;
const IN_BIN = 1.96 / Math.sqrt(12); // 95 % half-width of a mean that is uniform over each of many bins, over their width

/** A mean and a sum, null if there is nothing, and the masses of bins they come from. */
interface Mean {
  value: number | null;
  sum: number | null;
  total: number;
  mass: Float64Array;
  bins: BinEnds;
}

/** At least and at most which share lies below each of some edges, and the count of all. */
interface Band {
  chosen: number[];
  low: number[];
  high: number[];
  count: KnownAnswer;
}

export function meanOf(engine: Engine, axis: number, boxes: Region): Mean {
  const attribute = engine.attributes[axis];
  const whole: Intervals = [[0, attribute.count]];
  const bins = binsOf(attribute, merge(boxes.flatMap((box) => box[axis] ?? whole)));
  const mass = new Float64Array(bins.codes.length);
  const spans = bins.codes.map((code): Interval => [code, Math.min(code + bins.each, attribute.count)]);
  for (const box of boxes) {
    const found = engine.grid([axis], [spans], box, { within: true });
    for (let i = 0; i < mass.length; i += 1) mass[i] += found[i];
  }
  let total = 0;
  let weighted = 0;
  for (let i = 0; i < mass.length; i += 1) {
    mass[i] = Math.max(mass[i], 0);
    total += mass[i];
    weighted += mass[i] * ((bins.first[i] + bins.last[i]) / 2);
  }
  return { value: total > 0 ? weighted / total : null, sum: total > 0 ? weighted : null, total, mass, bins };
}

/** The mean, or the sum, with its bounds, step by step: each edge is a question. */
export function* boundedMean(engine: Engine, axis: number, boxes: Region, { sum = false } = {}): Steps<Figure> {
  const found = meanOf(engine, axis, boxes);
  const value = sum ? found.sum : found.value;
  if (value === null || found.value === null) return { value: null, low: null, high: null };
  const band = yield* bandOf(engine, axis, boxes, found);
  if (band === null) return { value, low: null, high: null };
  const ends = meanBounds(found, found.value, band, jointFactor(engine.together));
  if (!sum) return { value, low: ends[0], high: ends[1] };
  const corners = ends.flatMap((end) => [end * band.count.low, end * band.count.high]);
  return { value, low: Math.min(value, ...corners), high: Math.max(value, ...corners) };
}

/** The band; null if nothing is known of errors. */
function* bandOf(engine: Engine, axis: number, boxes: Region, { mass, total, bins }: Mean): Steps<Band | null> {
  const { count } = engine.attributes[axis];
  const kept = (low: number, high: number) => {
    const met = boxes.map((box): Selection => ({ ...box, [axis]: overlap(box[axis] ?? [[0, count]], [[low, high]]) }));
    return engine.answer(met.filter((box) => box[axis].length));
  };
  const all = kept(0, count);
  if (all.low === null) return null;
  const chosen = edgesOf(mass, total);
  const low: number[] = [];
  const high: number[] = [];
  let upTo = 0;
  let at = 0;
  for (const edge of chosen) {
    while (at < edge) upTo += mass[at++];
    const below = upTo <= total / 2;
    const code = bins.codes[edge];
    const side = below ? kept(0, code) : kept(code, count);
    if (side.low === null) return null;
    const least = all.high > 0 ? Math.min(side.low / all.high, 1) : 0;
    const most = all.low > 0 ? Math.min(side.high / all.low, 1) : 1;
    low.push(below ? least : 1 - most);
    high.push(below ? most : 1 - least);
    yield;
  }
  return { chosen, low, high, count: all };
}

/** The ends of the mean's interval: the band and unknown values inside bins at once, none beyond the ends of bins. */
function meanBounds({ mass, total, bins }: Mean, value: number, band: Band, longer: number): Interval {
  const middle = bins.first.map((first, i) => (first + bins.last[i]) / 2);
  const [low, high] = movedMeans(middle, middle, value, band);
  const [lowest, highest] = movedMeans(bins.first, bins.last, value, band);
  const squares = bins.first.map((first, i) => ((mass[i] * (bins.last[i] - first)) / total) ** 2);
  const inside = IN_BIN * longer * Math.sqrt(squares.reduce((sum, one) => sum + one, 0));
  return [
    Math.max(lowest, value - Math.hypot(value - low, inside)),
    Math.min(highest, value + Math.hypot(high - value, inside)),
  ];
}

/** The mean with all content as far down, and as far up, as the band allows at all edges at once. */
function movedMeans(first: number[], last: number[], value: number, { chosen, low, high }: Band): Interval {
  const edges = first.length;
  const atLeast = (edge: number) => (edge === edges ? 1 : (low[lastAtMost(chosen, edge)] ?? 0));
  const atMost = (edge: number) => (edge === 0 ? 0 : (high[lastAtMost(chosen, edge - 1) + 1] ?? 1));
  let down = 0;
  let before = 0; // the largest bound so far
  for (let i = 0; i < edges; i += 1) {
    const next = Math.max(before, atMost(i + 1));
    down += first[i] * (next - before);
    before = next;
  }
  let up = 0;
  let after = atLeast(edges); // the smallest bound from here on
  for (let i = edges - 1; i >= 0; i -= 1) {
    const next = Math.min(after, atLeast(i));
    up += last[i] * (after - next);
    after = next;
  }
  return [Math.min(value, down), Math.max(value, up)];
}

/** Inner edges at which to work out the band: all if they are few, else some by estimated mass. */
function edgesOf(mass: Float64Array, total: number): number[] {
  if (mass.length <= MOST_EDGES || !(total > 0)) {
    return Array.from({ length: Math.max(0, Math.min(mass.length, MOST_EDGES) - 1) }, (_, i) => i + 1);
  }
  const edges = new Set<number>();
  let upTo = 0;
  let at = -1;
  for (let k = 0; k < MOST_EDGES; k += 1) {
    const wanted = k / (MOST_EDGES - 1);
    while (at < mass.length && (at < 0 || upTo / total < wanted)) {
      at += 1;
      if (at < mass.length) upTo += mass[at];
    }
    edges.add(at).add(at + 1);
  }
  return [...edges].filter((edge) => edge > 0 && edge < mass.length).sort((a, b) => a - b);
}
