// Distribution: how an ordered attribute is spread in a region, as far as a view can tell (query/distribution.py).
//
// The estimate is the total of each bin, none below 0, with values spread evenly inside a bin. Its band comes of
// intervals: at an edge between bins, let S lie on the side that has less, of N in all. Whenever both of their intervals
// hold, the share S / N lies between S_low / N_high and S_high / N_low. Inside a bin nothing is known, so bounds of
// quantiles take its ends. Bounds of means take the average of a bin's values to be anywhere in the bin, in each bin
// independently of the others.

import { jointFactor } from "./answer.ts";
import type { Attribute } from "./attribute.ts";
import { lastAtMost } from "./axis_index.ts";
import type { Engine } from "./engine.ts";
import { merge, overlap } from "./intervals.ts";
import type { Steps } from "./steps.ts";
import type { Answer, Figure, Interval, Intervals, Region, Selection } from "./types.ts";

const MOST_BINS = 20_000;
const MOST_EDGES = 50; // at which the band of a mean is worked out
const NEAR = [0, 0.003, 0.01, 0.03, 0.1]; // how far from a wanted quantile edges are looked at
const TAILS = [0.8, 0.6, 0.4, 0.2, 0.1]; // and at which parts of what lies below it, and above
const IN_BIN = 1.96 / Math.sqrt(12); // 95 % half-width of a mean that is uniform over each of many bins, over their width

/** At least and at most which share lies below each edge between bins. */
interface Band {
  atLeast(edge: number): number;
  atMost(edge: number): number;
}

const NOTHING: Figure = { value: null, low: null, high: null };

export class Distribution {
  readonly codes: number[] = []; // of the bins
  readonly first: number[] = []; // the smallest value of the region in each
  readonly last: number[] = []; // the largest
  readonly mass: Float64Array; // the total of each, none below 0
  readonly total: number;
  readonly each: number; // codes of a bin
  private readonly attribute: Attribute;
  private whole: Answer | null = null;

  constructor(
    private readonly engine: Engine,
    private readonly axis: number,
    private readonly region: Region,
  ) {
    this.attribute = engine.attributes[axis];
    const { count } = this.attribute;
    this.each = Math.max(1, Math.ceil(count / MOST_BINS));
    for (const span of overlap(merge(region.flatMap((box) => box[axis] ?? [[0, count]])), [[0, count]])) this.add(span);
    const spans = this.codes.map((code): Interval => [code, Math.min(code + this.each, count)]);
    this.mass = new Float64Array(spans.length);
    for (const box of region) {
      const found = engine.grid([axis], [spans], box, { within: true });
      for (let i = 0; i < spans.length; i += 1) this.mass[i] += found[i];
    }
    this.mass = this.mass.map((value) => Math.max(value, 0));
    this.total = this.mass.reduce((sum, value) => sum + value, 0);
  }

  /** The bins of a span; one that the span before ended in goes on. */
  private add([low, high]: Interval): void {
    const { attribute, codes, first, last, each } = this;
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

  /** The value below which a share lies; null if there is nothing. */
  quantile(level: number): number | null {
    const wanted = level * this.total;
    let before = 0;
    for (let bin = 0; bin < this.mass.length; bin += 1) {
      const here = this.mass[bin];
      if (here > 0 && before + here >= wanted * (1 - 1e-12)) {
        const inside = Math.min(1, Math.max(0, (wanted - before) / here));
        return this.first[bin] + inside * (this.last[bin] - this.first[bin]);
      }
      before += here;
    }
    return null;
  }

  /** The sum of values by the middles of bins. */
  sum(): number | null {
    if (!(this.total > 0)) return null;
    return this.mass.reduce((sum, mass, i) => sum + mass * ((this.first[i] + this.last[i]) / 2), 0);
  }

  mean(): number | null {
    const sum = this.sum();
    return sum === null ? null : sum / this.total;
  }

  /** Quantiles with bounds: where the band crosses the level, out to the ends of bins. */
  *boundedQuantiles(levels: number[]): Steps<Figure[]> {
    const band = yield* this.band(levels);
    return levels.map((level) => {
      const value = this.quantile(level);
      if (value === null || !band) return { ...NOTHING, value };
      let from = 0;
      while (from < this.mass.length - 1 && band.atMost(from + 1) < level) from += 1;
      let to = this.mass.length - 1;
      while (to > 0 && band.atLeast(to) >= level) to -= 1;
      return { value, low: Math.min(value, this.first[from]), high: Math.max(value, this.last[to]) };
    });
  }

  /** The mean with bounds that allow for the band and for unknown values inside bins at once. */
  *boundedMean(): Steps<Figure> {
    const value = this.mean();
    const band = value === null ? null : yield* this.band([]);
    if (value === null || !band) return { ...NOTHING, value };
    const middle = this.first.map((first, i) => (first + this.last[i]) / 2);
    const [low, high] = boundMean(middle, middle, value, band);
    const [lowest, highest] = boundMean(this.first, this.last, value, band); // all values at the same end of their bins
    const parts = this.first.map((first, i) => (this.mass[i] * (this.last[i] - first)) / this.total);
    const inside = IN_BIN * jointFactor(this.engine.together) * Math.hypot(...parts);
    return {
      value,
      low: Math.max(lowest, value - Math.hypot(value - low, inside)),
      high: Math.min(highest, value + Math.hypot(high - value, inside)),
    };
  }

  /** The sum with bounds that hold whenever those of the mean and of the total do. */
  *boundedSum(): Steps<Figure> {
    const value = this.sum();
    const { low, high } = yield* this.boundedMean();
    const all = this.answerAll();
    if (value === null || low === null || high === null || all.low === null) return { ...NOTHING, value };
    const corners = [low, high].flatMap((end) => [end * all.low, end * all.high]);
    return { value, low: Math.min(value, ...corners), high: Math.max(value, ...corners) };
  }

  private answerAll(): Answer {
    this.whole ??= this.answerOf([0, this.attribute.count]);
    return this.whole;
  }

  private answerOf(span: Interval): Answer {
    const whole: Intervals = [[0, this.attribute.count]];
    const met = this.region.map(
      (box): Selection => ({ ...box, [this.axis]: overlap(box[this.axis] ?? whole, [span]) }),
    );
    return this.engine.answer(met.filter((box) => box[this.axis].length));
  }

  /** The band, edge by edge; null if nothing is known of errors. */
  private *band(levels: number[]): Steps<Band | null> {
    const all = this.answerAll();
    if (all.low === null) return null;
    const chosen = this.edges(levels);
    const [low, high]: number[][] = [[], []];
    let [upTo, at] = [0, 0];
    for (const edge of chosen) {
      while (at < edge) upTo += this.mass[at++];
      const below = upTo <= this.total / 2;
      const code = this.codes[edge];
      const side = this.answerOf(below ? [0, code] : [code, this.attribute.count]);
      if (side.low === null) return null;
      const least = all.high > 0 ? Math.min(side.low / all.high, 1) : 0;
      const most = all.low > 0 ? Math.min(side.high / all.low, 1) : 1;
      low.push(below ? least : 1 - most);
      high.push(below ? most : 1 - least);
      yield;
    }
    const bins = this.mass.length; // shares rise, so the last bound below and the next above hold in between
    return {
      atLeast: (edge) => (edge === bins ? 1 : (low[lastAtMost(chosen, edge)] ?? 0)),
      atMost: (edge) => (edge === 0 ? 0 : (high[lastAtMost(chosen, edge - 1) + 1] ?? 1)),
    };
  }

  /** Inner edges at which to work out the band: those near wanted quantiles, else some by estimated mass. */
  private edges(levels: number[]): number[] {
    const bins = this.mass.length;
    if ((levels.length === 0 && bins <= MOST_EDGES) || !(this.total > 0))
      return Array.from({ length: Math.max(0, Math.min(bins, MOST_EDGES) - 1) }, (_, i) => i + 1);
    const near = levels.flatMap((level) => NEAR.flatMap((far) => [level - far, level + far]));
    const tails = levels.flatMap((level) => TAILS.flatMap((part) => [level * part, 1 - (1 - level) * part]));
    const even = Array.from({ length: MOST_EDGES }, (_, i) => i / (MOST_EDGES - 1));
    const shares: number[] = [];
    this.mass.reduce((sum, mass, i) => {
      shares[i] = (sum + mass) / this.total;
      return sum + mass;
    }, 0);
    const found = (levels.length ? [...near, ...tails] : even).flatMap((wanted) => {
      const at = firstAtLeast(shares, wanted);
      return [at, at + 1];
    });
    return [...new Set(found)].filter((edge) => edge > 0 && edge < bins).sort((a, b) => a - b);
  }
}

/** The first place in a sorted list whose number is not below another; the length if there is none. */
function firstAtLeast(sorted: number[], wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The mean with all content as far down, and as far up, as the band allows at all edges at once. */
function boundMean(lowest: number[], highest: number[], value: number, band: Band): Interval {
  let [down, below] = [0, 0]; // the largest bound so far
  lowest.forEach((low, i) => {
    const next = Math.max(below, band.atMost(i + 1));
    down += low * (next - below);
    below = next;
  });
  let [up, above] = [0, 1]; // the smallest bound from here on
  for (let i = highest.length - 1; i >= 0; i -= 1) {
    const next = Math.min(above, band.atLeast(i));
    up += highest[i] * (above - next);
    above = next;
  }
  return [Math.min(value, down), Math.max(value, up)];
}
