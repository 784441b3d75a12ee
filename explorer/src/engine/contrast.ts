// Contrast: the difference or the ratio of the totals of two regions, with the covariance of their errors.
//
// Two regions A and B fall into P in A alone, I in both and Q in B alone. A contrast is x P + y I + z Q. The variance of
// a union tells the covariance of two parts. view/contrast.py has the same formulas and explains them.

import type { Engine } from "./engine.ts";
import { leastAndMost } from "./fieller.ts";
import { intersect, mergeBoxes, subtract } from "./region.ts";
import type { Figure, Region } from "./types.ts";

const ROUNDING = 1e-12; // of a square: a half-width is often just the value, where a region may have no rows

/** Figures of P, I, Q, of the unions A and B, and of P and Q together. */
type Six = [number, number, number, number, number, number];

/** Weights of P, I and Q. */
type Weights = [number, number, number];

/** The total of one region less that of another: {value, stderr, low, high, note}; errors are null if unknown. */
export function difference(engine: Engine, one: Region, other: Region): Figure {
  const parts = new Parts(engine, one, other);
  const value = parts.value[0] - parts.value[2];
  const [stderr, reach] = [parts.stderr, parts.reach].map((errors) =>
    Math.min(Math.sqrt(varianceOf(errors, [1, 0, -1])), errors[3] + errors[4]),
  );
  const far = parts.endless ? Infinity : reach;
  return { value, stderr: known(stderr), low: known(value - far), high: known(value + far), note: parts.note };
}

/** The total of one region over that of another, by Fieller: the ratios t at which the interval of A - t B holds 0.
 *
 * An end is null if there is none: `high` where B may be 0. A part of B is at most all of it.
 */
export function ratio(engine: Engine, one: Region, other: Region): Figure {
  const parts = new Parts(engine, one, other);
  const [a, b] = parts.whole;
  const value = b > 0 ? a / b : NaN;
  const stderr = Math.sqrt(varianceOf(parts.stderr, [1, 1 - value, -value])) / Math.abs(b);
  let [low, high] = parts.ratios();
  if (parts.endless) [low, high] = [0, Infinity];
  const [p, i, q] = parts.empty;
  if (q) low = atLeast(low, 1);
  if (p) high = atMost(high, 1);
  if (p && i) [low, high] = [0, 0];
  if (parts.unknown || (i && q)) [low, high] = [NaN, NaN];
  const ends = { low: known(low), high: known(high) };
  const kept = Number.isNaN(value) ? NaN : atMost(atLeast(value, low), high); // an answer below 0 counts as 0
  return { value: known(kept), stderr: known(stderr), ...ends, note: parts.note };
}

/** What a view answers of P, I, Q, A, B, and P and Q together. */
class Parts {
  readonly value: number[]; // of P, I and Q
  readonly whole: number[]; // of A and B
  readonly stderr: Six;
  readonly reach: Six; // half-widths of intervals
  readonly empty: boolean[]; // whether P, I or Q has no cell
  readonly unknown: boolean; // nothing is known of an error
  readonly endless: boolean; // nothing that was measured tells of a region
  readonly note: string;

  constructor(engine: Engine, one: Region, other: Region) {
    const { sizes } = engine;
    const [p, i, q] = [subtract(one, other, sizes), intersect(one, other), subtract(other, one, sizes)];
    const apart = p.length && q.length ? mergeBoxes([...p, ...q]) : [];
    const found = [p, i, q, one, other, apart].map((region) => engine.answer(region));
    const reach = found.map((answer) => engine.reachOf(answer));
    this.empty = [p, i, q].map((region) => region.length === 0);
    this.value = found.slice(0, 3).map((answer) => answer.value);
    this.whole = found.slice(3, 5).map((answer) => answer.value);
    this.unknown = reach.some(Number.isNaN);
    this.endless = reach.includes(Infinity);
    this.reach = reach.map((half) => (half === Infinity ? 0 : half)) as Six;
    this.stderr = found.map((answer, place) => answer.stderr ?? (reach[place] === Infinity ? 0 : NaN)) as Six;
    this.note = found.map((answer) => answer.note ?? "").find(Boolean) ?? "";
  }

  /** Fieller's bounds, no further apart than the intervals of A and B allow by themselves. */
  ratios(): [number, number] {
    const [from, to] = this.accepted((t) => [1, 1 - t, -t]); // A - t B, for ratios from 0 to 1
    const [least, most] = this.accepted((t) => [t, t - 1, -1]); // t A - B, for ratios from 1 on: t is the inverse
    const [low, high] = [atMost(from, 1 / most), atLeast(to, 1 / least)];
    const lowest = this.whole.map((value, k) => Math.max(0, value - this.reach[3 + k]));
    const highest = this.whole.map((value, k) => Math.max(0, value) + this.reach[3 + k]);
    const bottom = atLeast(low, highest[1] > 0 ? lowest[0] / highest[1] : 0);
    const top = atMost(high, lowest[1] > 0 ? highest[0] / lowest[1] : Infinity);
    return bottom <= top ? [bottom, top] : [low, high];
  }

  /** The least and the largest t from 0 to 1 at which the interval of a contrast holds 0; NaN if none does. */
  private accepted(weights: (t: number) => Weights): [number, number] {
    return leastAndMost((t) => {
      const at = weights(t);
      const square = this.value.reduce((sum, value, place) => sum + at[place] * Math.max(0, value), 0) ** 2;
      const above = square - varianceOf(this.reach, at);
      return Math.abs(above) <= ROUNDING * square ? 0 : above;
    });
  }
}

/** The variance of x P + y I + z Q, from the standard deviations of P, I, Q and of the unions A, B, P and Q.
 *
 * Where two weights have opposite signs a positive covariance counts as 0: variances of unions are stated with caution.
 */
function varianceOf([p, i, q, a, b, apart]: Six, [x, y, z]: Weights): number {
  let found = (x * p) ** 2 + (y * i) ** 2 + (z * q) ** 2;
  const unions = [
    [x * y, a, p, i],
    [y * z, b, i, q],
    [x * z, apart, p, q],
  ];
  for (const [weight, union, one, other] of unions) {
    const shared = Math.min(Math.max((union ** 2 - one ** 2 - other ** 2) / 2, -one * other), one * other);
    found += 2 * weight * (weight < 0 ? Math.min(shared, 0) : shared);
  }
  return Math.max(found, 0);
}

/** The smaller number, the larger number; the other one where one is NaN. */
function atMost(a: number, b: number): number {
  return Number.isNaN(a) || b < a ? b : a;
}

function atLeast(a: number, b: number): number {
  return Number.isNaN(a) || b > a ? b : a;
}

function known(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}
