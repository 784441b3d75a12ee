// Types that most of the page shares.

import type { SumFacts, UnionSumFacts } from "./facts.ts";
import type { Sums } from "./measure.ts";

/** Positions on the code axis from the first up to, not including, the second. */
export type Interval = [number, number];

/** Sorted, disjoint intervals. */
export type Intervals = Interval[];

/** Intervals of some axes, by the number of the axis; an axis that is not listed is free. */
export type Selection = { [axis: string]: Intervals };

/** Disjoint selections. */
export type Region = Selection[];

export interface KnownAnswer {
  value: number;
  stderr: number;
  low: number;
  high: number;
  reach: number; // half-width of the interval before it is cut at 0
  note?: string; // what a reader should know
}

/** An answer of whose error nothing is known (reach NaN), or of which nothing that was measured tells (infinite). */
export interface UnknownError {
  value: number;
  stderr: null;
  low: null;
  high: null;
  reach: number;
  note?: string;
}

export type Answer = KnownAnswer | UnknownError;

/** A figure of a table: an end, or the value, is null if there is none. */
export interface Figure {
  value: number | null;
  low: number | null;
  high: number | null;
  stderr?: number | null;
  note?: string;
}

/** Totals of combinations of bins of some axes; `within` keeps these axes to the selection too. */
export interface Totals {
  histogram(axis: number, bins: Interval[], selection: Selection): Float64Array;
  grid(axes: number[], bins: Interval[][], selection: Selection, options?: { within?: boolean }): Float64Array;
}

/** Answers to selections, or to disjoint ones together, and values of bins. The value of a mean of nothing is NaN. */
export interface Answering {
  answer(selection: Selection | Region, value?: number): Answer;
  histogram(axis: number, bins: Interval[], selection: Selection): Float64Array;
  grid(axes: number[], bins: Interval[][], selection: Selection): Float64Array;
}

/** What a view holds, ready to answer regions. */
export interface Content {
  rows: Totals;
  answer(region: Region, value?: number): Answer;
  note?(region: Region, further?: number[]): string;
  sums?(facts: SumFacts | UnionSumFacts): Sums; // of a measure, where the view has any
}
