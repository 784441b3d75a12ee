// Rows: boxes with values, seen axis by axis as stretches. All kinds of view are rows; they differ in their errors.
//
// The share of a box that a question covers is a product of one ratio an axis, and that ratio depends on the box's
// stretch of that axis alone. Few stretches are different, so ratios are worked out by stretch and looked up by row.

import { overlap } from "./intervals.js";
import { Remembered } from "./remembered.js";

const ROUNDING = 1e-12; // of a share of a stretch; view/axis_index.py has the same

/** One axis: the different stretches that rows span, which of them each row has, and the mass that lies along it. */
export class Side {
  constructor(lower, upper, which, mass) {
    this.lower = lower; // (stretches,), codes
    this.upper = upper;
    this.which = which; // (rows,): the stretch of each
    this.count = lower.length;
    this.shares = new Remembered(this.count);
    this.touches = new Remembered(this.count);
    this.mass = mass; // (codes,), or null where content lies evenly
    this.prefix = mass && prefixOf(mass);
    this.start = new Float64Array(this.count); // ends on the ruler: mass before them, or codes where there is none
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

  /** Mass before a position. Inside a code mass lies evenly. */
  at(position) {
    const code = Math.min(Math.floor(position), this.mass.length - 1);
    return this.prefix[code] + (position - code) * this.mass[code];
  }

  /** Share of each stretch that sorted, disjoint intervals cover, (stretches,); the same list is looked at once. */
  covered(intervals) {
    return this.shares.of(intervals, () => this.coverage(intervals));
  }

  coverage(intervals) {
    const share = new Float64Array(this.count);
    const rulers = this.rulers(intervals);
    for (let s = 0; s < this.count; s += 1) share[s] = this.ratio(s, rulers);
    return share;
  }

  /** Intervals on both rulers: that of mass, and that of codes for stretches without mass. */
  rulers(intervals) {
    const massive = this.mass && rulerOf(intervals, (position) => this.at(position));
    return {
      intervals,
      begins: intervals.map(([low]) => low),
      massive,
      even: rulerOf(intervals, (position) => position),
    };
  }

  /** Share of one stretch that intervals cover. */
  ratio(s, { intervals, begins, massive, even }) {
    if (intervals.length === 0) return 0;
    const begun = lastAtMost(begins, this.lower[s]);
    if (begun >= 0 && this.upper[s] <= intervals[begun][1]) return 1; // whatever sums of masses round to
    const ruler = this.flat[s] ? even : massive;
    const before = within(ruler, begun, this.lower[s]);
    const after = within(ruler, lastAtMost(begins, this.upper[s]), this.upper[s]);
    const share = (after - before) / (this.stop[s] - this.start[s]);
    return share > 1 - ROUNDING ? 1 : share > ROUNDING ? share : 0; // not by how masses were summed
  }

  /** How intervals lie to each stretch, whatever the mass: 0 apart from it, 2 all over it, else 1. */
  touched(intervals) {
    return this.touches.of(intervals, () => this.touching(intervals));
  }

  touching(intervals) {
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

  /** For each stretch the bins that it meets and its share in each: flat arrays, those of s from `first[s]` on. */
  spread(bins, allowed = null) {
    const first = new Int32Array(this.count + 1);
    const bin = [];
    const share = [];
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

/** Rows of a view: a side for each axis, and a value for each row. */
export class Rows {
  constructor(sides, values) {
    this.sides = sides;
    this.values = values;
  }

  /** Ratios by stretch for a selection {axis: intervals}, as [axis, ratios] pairs. */
  cover(selection, except = []) {
    const asked = Object.keys(selection)
      .map(Number)
      .filter((axis) => !except.includes(axis));
    return asked.map((axis) => [axis, this.sides[axis].covered(selection[axis])]);
  }

  /** What each row has in a selection, (rows,). */
  weighted(cover) {
    const found = Float64Array.from(this.values);
    for (const [axis, ratio] of cover) {
      const { which } = this.sides[axis];
      for (let row = 0; row < found.length; row += 1) found[row] *= ratio[which[row]];
    }
    return found;
  }

  /** Totals of bins of one axis, where all other axes keep to the selection. */
  histogram(axis, bins, selection) {
    const side = this.sides[axis];
    const weighted = this.weighted(this.cover(selection, [axis]));
    const byStretch = new Float64Array(side.count);
    for (let row = 0; row < weighted.length; row += 1) byStretch[side.which[row]] += weighted[row];
    const { first, bin, share } = side.spread(bins);
    const found = new Float64Array(bins.length);
    for (let s = 0; s < side.count; s += 1) {
      for (let k = first[s]; k < first[s + 1]; k += 1) found[bin[k]] += byStretch[s] * share[k];
    }
    return found;
  }

  /** Totals of all combinations of bins of some axes, the last axis fastest; `within` keeps those axes too. */
  grid(axes, bins, selection, { within: keep = false } = {}) {
    const sides = axes.map((axis) => this.sides[axis]);
    const spreads = axes.map((axis, i) => sides[i].spread(bins[i], keep ? (selection[axis] ?? null) : null));
    const weighted = this.weighted(this.cover(selection, axes));
    const found = new Float64Array(bins.reduce((product, list) => product * list.length, 1));
    const place = (depth, row, at, amount) => {
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

/** Sides of rows that are single cells: their stretches are codes. */
export function sidesOfCells(codes, sizes) {
  return sizes.map((size, axis) => {
    const seen = new Map();
    const lower = [];
    const which = new Int32Array(codes[axis].length);
    for (let row = 0; row < which.length; row += 1) {
      const code = codes[axis][row];
      if (!seen.has(code)) {
        seen.set(code, lower.length);
        lower.push(code);
      }
      which[row] = seen.get(code);
    }
    return new Side(
      Float64Array.from(lower),
      Float64Array.from(lower, (code) => code + 1),
      which,
      null,
    );
  });
}

function prefixOf(mass) {
  const prefix = new Float64Array(mass.length + 1);
  for (let code = 0; code < mass.length; code += 1) prefix[code + 1] = prefix[code] + mass[code];
  return prefix;
}

/** Ends of intervals on a ruler, and what lies in the intervals before each. */
function rulerOf(intervals, at) {
  const low = intervals.map((interval) => at(interval[0]));
  const high = intervals.map((interval) => at(interval[1]));
  const before = [0];
  for (let i = 0; i < low.length; i += 1) before.push(before[i] + (high[i] - low[i]));
  return { low, high, before, at };
}

/** What of the intervals lies before a position; `begun` is the last interval that starts at or before it. */
function within(ruler, begun, position) {
  if (begun < 0) return 0;
  return ruler.before[begun] + (Math.min(ruler.at(position), ruler.high[begun]) - ruler.low[begun]);
}

/** Index of the last sorted number that is at most x, or -1. */
export function lastAtMost(sorted, x) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
