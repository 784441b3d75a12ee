// Mixture: components that are independent across axes (estimate/mixture.py), so that sums over boxes are products.
//
// A component has a share of each bin of an axis. Inside a bin content lies as the density of the axis says, evenly
// where the bin has no mass. So what a question has of a component is a sum over bins: share of the bin times the share
// of the bin that lies in the question, and the second is the same for all components.

import { AxisIndex, type BinShares } from "./axis_index.ts";
import type { MixtureFacts, Numbers } from "./facts.ts";
import { IntervalCache } from "./interval_cache.ts";
import { Rows } from "./rows.ts";
import type { Interval, Intervals, Selection } from "./types.ts";

export class Mixture {
  readonly total: number; // that the mixture stands for
  readonly weights: Float64Array; // (k,)
  readonly bins: AxisIndex[];
  private readonly shares: Float64Array[]; // of each axis (bins, k)
  private readonly below: Float64Array[]; // of each axis (bins + 1, k)
  private readonly masses: IntervalCache<Float64Array>[];

  constructor({ total, weights, edges, levels }: MixtureFacts, masses: (Float64Array | null)[] | null) {
    this.total = total;
    this.weights = weights;
    this.bins = edges.map((ends, axis) => binIndex(Float64Array.from<number>(ends), masses?.[axis] ?? null));
    this.shares = levels.map((level) => sharesOf(level, weights.length));
    this.below = this.shares.map((share) => runningSums(share, weights.length));
    this.masses = edges.map(() => new IntervalCache(weights.length));
  }

  /** Mass of each component where an axis lies in intervals, (k,); the same list is looked at once. */
  mass(axis: number, intervals: Intervals): Float64Array {
    return this.masses[axis].of(intervals, () => this.massOf(axis, intervals));
  }

  /** Bins that lie wholly in the question are taken together, by running sums. */
  private massOf(axis: number, intervals: Intervals): Float64Array {
    const count = this.weights.length;
    const inside = this.bins[axis].covered(intervals);
    const found = new Float64Array(count);
    for (let bin = 0; bin < inside.length; bin += 1) {
      if (inside[bin] === 0) continue;
      const first = bin;
      while (bin + 1 < inside.length && inside[bin] === 1 && inside[bin + 1] === 1) bin += 1;
      if (first < bin) addDifference(found, this.below[axis], first * count, (bin + 1) * count);
      else addTimes(found, this.shares[axis], bin * count, inside[bin]);
    }
    return found;
  }

  /** What each component has in a selection, some axes left free, (k,); together it is the mixture's total. */
  private components(selection: Selection, except: number[] = []): Float64Array {
    const found = this.weights.map((weight) => weight * this.total);
    for (const key of Object.keys(selection)) {
      const axis = Number(key);
      if (!except.includes(axis)) multiply(found, this.mass(axis, selection[axis]));
    }
    return found;
  }

  /** The mixture's total in a selection. */
  value(selection: Selection): number {
    return sum(this.components(selection));
  }

  /** Add the mixture's part to totals of all combinations of bins of some axes, as `Rows.grid` has them. */
  addGrid(
    found: Float64Array,
    axes: number[],
    bins: Interval[][],
    selection: Selection,
    { within = false }: { within?: boolean } = {},
  ): Float64Array {
    const spreads = axes.map((axis, i) => this.bins[axis].spread(bins[i], within ? (selection[axis] ?? null) : null));
    const count = this.weights.length;
    const last = axes.length - 1;
    const masses = axes.slice(0, last).map((axis, i) => massesOf(this.shares[axis], spreads[i], bins[i].length, count));
    const place = (depth: number, at: number, components: Float64Array) => {
      if (depth === last) {
        addSpread(found, at * bins[last].length, this.shares[axes[last]], spreads[last], components);
        return;
      }
      for (let bin = 0; bin < bins[depth].length; bin += 1) {
        const kept = Float64Array.from(components);
        multiply(kept, masses[depth].subarray(bin * count, (bin + 1) * count));
        place(depth + 1, at * bins[depth].length + bin, kept);
      }
    };
    const components = this.components(selection, axes);
    if (axes.length) place(0, 0, components);
    else found[0] += sum(components);
    return found;
  }
}

/** Rows whose values correct a mixture: totals are those of both. */
export class CorrectedRows extends Rows {
  constructor(
    sides: AxisIndex[],
    corrections: Float64Array,
    private readonly mixture: Mixture,
  ) {
    super(sides, corrections);
  }

  override histogram(axis: number, bins: Interval[], selection: Selection): Float64Array {
    return this.mixture.addGrid(super.histogram(axis, bins, selection), [axis], [bins], selection);
  }

  override grid(
    axes: number[],
    bins: Interval[][],
    selection: Selection,
    options?: { within?: boolean },
  ): Float64Array {
    return this.mixture.addGrid(super.grid(axes, bins, selection, options), axes, bins, selection, options);
  }
}

/** Bins between edges. */
function binIndex(edges: Float64Array, mass: Float64Array | null): AxisIndex {
  return new AxisIndex(edges.slice(0, -1), edges.slice(1), new Int32Array(0), mass);
}

/** Shares from levels (k, bins): proportional to their squares, each component's sum 1. Here by bin, (bins, k). */
function sharesOf(levels: Numbers, count: number): Float64Array {
  const bins = levels.length / count;
  const shares = new Float64Array(levels.length);
  for (let k = 0; k < count; k += 1) {
    let whole = 0;
    for (let bin = 0; bin < bins; bin += 1) whole += levels[k * bins + bin] ** 2;
    for (let bin = 0; bin < bins; bin += 1) shares[bin * count + k] = levels[k * bins + bin] ** 2 / whole;
  }
  return shares;
}

function runningSums(shares: Float64Array, count: number): Float64Array {
  const below = new Float64Array(shares.length + count);
  for (let i = 0; i < shares.length; i += 1) below[i + count] = below[i] + shares[i];
  return below;
}

/** Mass of each component in each bin of a question, (bins, k), from the bins of the mixture that each one meets. */
function massesOf(shares: Float64Array, { first, bin, share }: BinShares, bins: number, count: number): Float64Array {
  const found = new Float64Array(bins * count);
  for (let own = 0; own < first.length - 1; own += 1) {
    for (let i = first[own]; i < first[own + 1]; i += 1) {
      addTimes(found.subarray(bin[i] * count, (bin[i] + 1) * count), shares, own * count, share[i]);
    }
  }
  return found;
}

/** Totals of the bins of one axis, from what each component has apart from that axis; added from a place on. */
function addSpread(
  found: Float64Array,
  from: number,
  shares: Float64Array,
  { first, bin, share }: BinShares,
  components: Float64Array,
): void {
  const count = components.length;
  for (let own = 0; own < first.length - 1; own += 1) {
    if (first[own] === first[own + 1]) continue;
    let total = 0;
    for (let k = 0; k < count; k += 1) total += components[k] * shares[own * count + k];
    for (let i = first[own]; i < first[own + 1]; i += 1) found[from + bin[i]] += total * share[i];
  }
}

function addTimes(found: Float64Array, numbers: Float64Array, from: number, factor: number): void {
  for (let k = 0; k < found.length; k += 1) found[k] += factor * numbers[from + k];
}

function addDifference(found: Float64Array, below: Float64Array, from: number, to: number): void {
  for (let k = 0; k < found.length; k += 1) found[k] += below[to + k] - below[from + k];
}

function multiply(found: Float64Array, by: Float64Array): void {
  for (let k = 0; k < found.length; k += 1) found[k] *= by[k];
}

function sum(numbers: Float64Array): number {
  let found = 0;
  for (let k = 0; k < numbers.length; k += 1) found += numbers[k];
  return found;
}
