// Mixture: components that are independent across axes (estimate/mixture.py), so that sums over boxes are products.
//
// A component has a share of each bin of an axis. Inside a bin content lies as the density of the axis says, evenly
// where the bin has no mass. So what a question has of a component is a sum over bins: share of the bin times the share
// of the bin that lies in the question, and the second is the same for all components.

import { Remembered } from "./remembered.js";
import { Rows, Side } from "./rows.js";

export class Mixture {
  constructor({ total, weights, edges, levels }, masses) {
    this.total = total; // that the mixture stands for
    this.weights = weights; // (k,)
    this.bins = edges.map((ends, axis) => new Side(ends.slice(0, -1), ends.slice(1), null, masses?.[axis] ?? null));
    this.shares = levels.map((level) => sharesOf(level, weights.length)); // of each axis (bins, k)
    this.below = this.shares.map((share) => runningSums(share, weights.length)); // of each axis (bins + 1, k)
    this.masses = edges.map(() => new Remembered(weights.length));
  }

  /** Mass of each component where an axis lies in intervals, (k,); the same list is looked at once. */
  mass(axis, intervals) {
    return this.masses[axis].of(intervals, () => this.massOf(axis, intervals));
  }

  /** Bins that lie wholly in the question are taken together, by running sums. */
  massOf(axis, intervals) {
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
  components(selection, except = []) {
    const found = this.weights.map((weight) => weight * this.total);
    for (const key of Object.keys(selection)) {
      const axis = Number(key);
      if (!except.includes(axis)) multiply(found, this.mass(axis, selection[axis]));
    }
    return found;
  }

  /** The mixture's total in a selection. */
  value(selection) {
    return sum(this.components(selection));
  }

  /** Add the mixture's part to totals of all combinations of bins of some axes, as `Rows.grid` has them. */
  addGrid(found, axes, bins, selection, { within = false } = {}) {
    const spreads = axes.map((axis, i) => this.bins[axis].spread(bins[i], within ? (selection[axis] ?? null) : null));
    const count = this.weights.length;
    const last = axes.length - 1;
    const masses = axes.slice(0, last).map((axis, i) => massesOf(this.shares[axis], spreads[i], bins[i].length, count));
    const place = (depth, at, components) => {
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
  constructor(sides, corrections, mixture) {
    super(sides, corrections);
    this.mixture = mixture;
  }

  histogram(axis, bins, selection) {
    return this.mixture.addGrid(super.histogram(axis, bins, selection), [axis], [bins], selection);
  }

  grid(axes, bins, selection, options) {
    return this.mixture.addGrid(super.grid(axes, bins, selection, options), axes, bins, selection, options);
  }
}

/** Shares from levels (k, bins): proportional to their squares, each component's sum 1. Here by bin, (bins, k). */
function sharesOf(levels, count) {
  const bins = levels.length / count;
  const shares = new Float64Array(levels.length);
  for (let k = 0; k < count; k += 1) {
    let whole = 0;
    for (let bin = 0; bin < bins; bin += 1) whole += levels[k * bins + bin] ** 2;
    for (let bin = 0; bin < bins; bin += 1) shares[bin * count + k] = levels[k * bins + bin] ** 2 / whole;
  }
  return shares;
}

function runningSums(shares, count) {
  const below = new Float64Array(shares.length + count);
  for (let i = 0; i < shares.length; i += 1) below[i + count] = below[i] + shares[i];
  return below;
}

/** Mass of each component in each bin of a question, (bins, k), from the bins of the mixture that each one meets. */
function massesOf(shares, { first, bin, share }, bins, count) {
  const found = new Float64Array(bins * count);
  for (let own = 0; own < first.length - 1; own += 1) {
    for (let i = first[own]; i < first[own + 1]; i += 1) {
      addTimes(found.subarray(bin[i] * count, (bin[i] + 1) * count), shares, own * count, share[i]);
    }
  }
  return found;
}

/** Totals of the bins of one axis, from what each component has apart from that axis; added from a place on. */
function addSpread(found, from, shares, { first, bin, share }, components) {
  const count = components.length;
  for (let own = 0; own < first.length - 1; own += 1) {
    if (first[own] === first[own + 1]) continue;
    let total = 0;
    for (let k = 0; k < count; k += 1) total += components[k] * shares[own * count + k];
    for (let i = first[own]; i < first[own + 1]; i += 1) found[from + bin[i]] += total * share[i];
  }
}

function addTimes(found, numbers, from, factor) {
  for (let k = 0; k < found.length; k += 1) found[k] += factor * numbers[from + k];
}

function addDifference(found, below, from, to) {
  for (let k = 0; k < found.length; k += 1) found[k] += below[to + k] - below[from + k];
}

function multiply(found, by) {
  for (let k = 0; k < found.length; k += 1) found[k] *= by[k];
}

function sum(numbers) {
  let found = 0;
  for (let k = 0; k < numbers.length; k += 1) found += numbers[k];
  return found;
}
