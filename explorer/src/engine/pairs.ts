// Pairs: the variance of answers by a mixture, as the tables of pairs of axes that it was fitted to tell it.

import { INDEPENDENT } from "./answer.ts";
import type { AxisIndex } from "./axis_index.ts";
import type { ErrorModel } from "./facts.ts";
import { IntervalCache } from "./interval_cache.ts";
import { boundedAxes, lengthOf } from "./intervals.ts";
import type { Mixture } from "./mixture.ts";
import type { Intervals, Region, Selection } from "./types.ts";
import { usualScatter } from "./within_block.ts";

const FIGURES = 4; // of an axis kept to intervals

/** Figures of one axis kept to intervals, with f the share of a bin that is kept and m the share of the axis in the bin. */
interface AxisFigures {
  share: number; // sum of m f
  cells: number; // sum of f^2
  mean: number; // (sum of f)^2 over the number of bins
  cut: number; // sum of m f (1 - f)
  histogram: number; // noise of the histogram of the axis
}

/** The least variance by a table of two axes, infinite if there is none; what comes on top; and whether all boxes bound
 * just a measured pair, whose table then tells all.
 */
export interface PairVariance {
  least: number;
  rest: number;
  byPair: boolean;
}

export class PairErrors {
  private readonly within: Float64Array[]; // of each axis (bins,)
  private readonly figures: IntervalCache<AxisFigures>[];

  /** `record` is the most that one row adds to a value. */
  constructor(
    private readonly model: ErrorModel,
    private readonly mixture: Mixture,
    private readonly sizes: number[],
    private readonly record: number,
  ) {
    this.within = mixture.bins.map((side, axis) => shareOfBins(side, sizes[axis]));
    this.figures = sizes.map(() => new IntervalCache(FIGURES));
  }

  /** As `ofBox`, of disjoint boxes together: their standard deviations add up. */
  ofBoxes(boxes: Region): PairVariance {
    let [least, rest, byPair] = [0, 0, true];
    for (const box of boxes) {
      const found = this.ofBox(box);
      least += Math.sqrt(found.least);
      rest += Math.sqrt(found.rest);
      byPair &&= found.byPair;
    }
    return { least: least ** 2, rest: rest ** 2, byPair };
  }

  private ofBox(box: Selection): PairVariance {
    const axes = boundedAxes(box, this.sizes);
    const along = new Map(axes.map((axis): [number, AxisFigures] => [axis, this.along(axis, box[axis])]));
    const whole = this.mixture.total;
    let least = Infinity;
    let dependence = 0;
    const { sum_power: sumPower, centering = 0 } = this.model;
    const cellsOf = ({ cells, mean }: AxisFigures) => Math.max(0, cells - centering * mean);
    for (const { axes: pair, variance, dependence: phi, misfit } of this.pairsIn(along)) {
      const [one, other] = pair.map((axis) => this.along(axis, box[axis]));
      const kept = productOf(along, pair);
      const cut = this.scatter(whole * (one.cut * other.share + other.cut * one.share));
      const content = this.ofPair(box, pair);
      const split = this.scatter(content) * kept * Math.max(1 - kept, 0);
      const noise = misfit * variance * (cellsOf(one) * cellsOf(other)) ** sumPower;
      least = Math.min(
        least,
        kept ** 2 * (this.farFromIndependent(noise, Math.abs(content - whole * one.share * other.share)) + cut) + split,
      );
      dependence = Math.max(dependence, kept ** 2 * phi * whole ** 2 * dependent(one, other));
    }
    let histograms = 0;
    for (const [axis, { histogram }] of along) histograms += histogram * productOf(along, [axis]) ** 2;
    const { dependence_weight: dependenceWeight, histogram_weight: histogramWeight } = this.model;
    const byPair = axes.length === 2 && least < Infinity;
    return { least, rest: dependenceWeight * dependence + histogramWeight * histograms, byPair };
  }

  /** What a reader should know of a question, or nothing; it may bound some further axes. */
  note(boxes: Region, further: number[]): string {
    const unmeasured = (axes: Set<number>) => axes.size > 1 && this.pairsIn(axes).length === 0;
    const axesOf = (box: Selection) => new Set([...boundedAxes(box, this.sizes), ...further]);
    return boxes.some((box) => unmeasured(axesOf(box))) ? INDEPENDENT : "";
  }

  /** Measured pairs of some axes. */
  private pairsIn(axes: { has(axis: number): boolean }): ErrorModel["pairs"] {
    return this.model.pairs.filter(({ axes: [i, j] }) => axes.has(i) && axes.has(j));
  }

  /** Figures of one axis kept to intervals: the same list is looked at once. */
  private along(axis: number, intervals: Intervals): AxisFigures {
    return this.figures[axis].of(intervals, () => this.figuresOf(axis, intervals));
  }

  private figuresOf(axis: number, intervals: Intervals): AxisFigures {
    const within = this.within[axis];
    const inside = this.mixture.bins[axis].covered(intervals);
    const found = { share: 0, cells: 0, mean: 0, cut: 0, histogram: 0 };
    for (let bin = 0; bin < inside.length; bin += 1) {
      found.share += within[bin] * inside[bin];
      found.cells += inside[bin] ** 2;
      found.mean += inside[bin];
      found.cut += within[bin] * inside[bin] * (1 - inside[bin]);
    }
    found.mean = found.mean ** 2 / inside.length;
    const codes = lengthOf(intervals);
    const fewer = Math.max(0, Math.min(codes, this.sizes[axis] - codes)); // those outside tell as much
    found.histogram = (this.model.histogram_variances[axis] ?? 0) * fewer;
    return found;
  }

  /** A noise variance, from the least to the most of it by the mixture's distance from independent axes. */
  private farFromIndependent(noise: number, distance: number): number {
    const { least_noise: least = 1, most_noise: most = 1 } = this.model;
    return noise === 0 ? 0 : noise * (least + (most - least) * (distance / (distance + Math.sqrt(noise))));
  }

  /** The mixture's answer to two axes of a box alone. */
  private ofPair(box: Selection, [i, j]: [number, number]): number {
    const { weights, total } = this.mixture;
    const one = this.mixture.mass(i, box[i]);
    const other = this.mixture.mass(j, box[j]);
    let found = 0;
    for (let k = 0; k < weights.length; k += 1) found += weights[k] * one[k] * other[k];
    return total * found;
  }

  private scatter(content: number): number {
    return this.model.pair_scatter * usualScatter(content / this.record, this.model) * this.record ** 2;
  }
}

/** How much two axes may depend on each other where a question cuts bins of a table. */
function dependent(one: AxisFigures, other: AxisFigures): number {
  if (one.share === 0 || other.share === 0) return 0;
  const cut = Math.min(1, one.cut / one.share + other.cut / other.share) ** 2;
  return cut * one.share * other.share * (1 - one.share) * (1 - other.share);
}

/** The product of the shares of all axes but some. */
function productOf(along: Map<number, AxisFigures>, except: number[]): number {
  let product = 1;
  for (const [axis, { share }] of along) if (!except.includes(axis)) product *= share;
  return product;
}

/** Share of an axis that lies in each bin, by its density. */
function shareOfBins(side: AxisIndex, size: number): Float64Array {
  const mass = side.mass?.reduce((sum, one) => sum + one, 0) ?? 0;
  const inside = (low: number, high: number) =>
    mass > 0 ? (side.at(high) - side.at(low)) / mass : (high - low) / size;
  return Float64Array.from(side.lower, (low, bin) => inside(low, side.upper[bin]));
}
