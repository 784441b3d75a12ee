// Measured: the sum or the mean of a measure, asked for like the number of rows (answering/measured_answers.py).

import type { Engine } from "./engine.ts";
import { ZERO } from "./impossible.ts";
import type { Measure } from "./measure.ts";
import { gridOf, histogramOf } from "./totals.ts";
import type { Answer, Answering, Interval, KnownAnswer, Region, Selection, UnknownError } from "./types.ts";

export type What = "sum" | "mean";

/** The sum or the mean of a measure; null stands for the number of rows. */
export type Quantity = { what: What; measure: Measure } | null;

const NO_MEAN: UnknownError = { value: NaN, stderr: null, low: null, high: null, reach: NaN }; // where no row can lie

export class Measured implements Answering {
  /** Intervals hold together as those of the engine do. */
  constructor(
    private readonly engine: Engine,
    readonly measure: Measure,
    readonly what: What,
  ) {}

  /** The answer to a selection, or to disjoint ones together. A mean without rows is NaN. */
  answer(selection: Selection | Region): Answer {
    const region = Array.isArray(selection) ? selection : [selection];
    const { engine, measure } = this;
    const counted = engine.counted(region);
    if (counted.low === null) return { ...counted, value: NaN };
    if (counted === ZERO) return this.what === "sum" ? ZERO : NO_MEAN;
    const above = measure.sums.totals(region, counted.value, engine.total);
    const error = Math.sqrt(above.variance);
    const around = measure.sums.z * error * engine.longer; // of the sum, if the count were known
    const rows = { ...counted, reach: counted.reach * engine.longer };
    return this.what === "sum"
      ? this.sum(rows, above.value, error, around)
      : this.mean(rows, above.value, error, around);
  }

  private sum(rows: KnownAnswer, above: number, error: number, around: number): KnownAnswer {
    const { min, max } = this.measure;
    const mean = this.meanOf(rows.value, above);
    const value = min * rows.value + above;
    const stderr = Math.hypot(mean * rows.stderr, error);
    const reach = Math.max(Math.hypot(mean * rows.reach, around), this.least / 2);
    const [least, most] = [min >= 0 ? 0 : -Infinity, max <= 0 ? 0 : Infinity];
    const within = (end: number) => Math.max(Math.min(end, most), least);
    const low = Math.min(within(value - reach), value); // values are not cut off, so that groups add up
    const high = Math.max(within(value + reach), value);
    return { ...rows, value, stderr, low, high, reach };
  }

  private mean(rows: KnownAnswer, above: number, error: number, around: number): KnownAnswer {
    const { min, max } = this.measure;
    const mean = this.meanOf(rows.value, above);
    const sure = rows.value - rows.reach;
    const reach = sure > 0 ? Math.max(around, this.least / 2) / sure : Infinity;
    const [low, high] = [Math.max(mean - reach, min), Math.min(mean + reach, max)];
    const [value, stderr] = rows.value > 0 ? [mean, error / rows.value] : [NaN, Infinity];
    return { ...rows, value, stderr, low, high, reach: Math.min(reach, max - min) };
  }

  /** The width that an interval of a sum has at least. */
  private get least(): number {
    return this.measure.shortest * this.engine.wider;
  }

  /** The mean of so many rows, which lies in the range of the measure; its lower end without rows. */
  private meanOf(rows: number, above: number): number {
    const { min, max } = this.measure;
    return rows > 0 ? Math.min(Math.max(min + above / rows, min), max) : min;
  }

  /** The value alone, from the number of rows and what they add above the least value. */
  private valueOf(rows: number, above: number): number {
    if (this.what === "sum") return this.measure.min * rows + above;
    return rows > 0 ? this.meanOf(rows, above) : NaN;
  }

  /** The value of a region whose number of rows is known. */
  value(region: Region, rows: number): number {
    return this.valueOf(rows, this.measure.sums.totals(region, rows, this.engine.total).value);
  }

  histogram(axis: number, bins: Interval[], selection: Selection): Float64Array {
    const rows = this.engine.histogram(axis, bins, selection);
    const above = histogramOf(this.measure.sums.rows, axis, bins, selection);
    return rows.map((count, i) => this.valueOf(count, above[i]));
  }

  grid(axes: number[], bins: Interval[][], selection: Selection, options?: { within?: boolean }): Float64Array {
    const rows = this.engine.grid(axes, bins, selection, options);
    const above = gridOf(this.measure.sums.rows, axes, bins, selection, options);
    return rows.map((count, i) => this.valueOf(count, above[i]));
  }
}
