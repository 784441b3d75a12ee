// Facts: what the page holds of a view, as explore/packing.py writes it. Arrays are packed; here is what they become.

import type { Interval } from "./types.ts";

export type Numbers = Uint8Array | Float64Array | Int32Array | Int16Array | Uint16Array | Uint32Array;

export interface Facts {
  title: string;
  measure: string;
  counted: string; // what a row is
  tables: string[]; // what FROM may call the view, in lower case
  rows: number;
  noun: string; // of the rows
  description?: string | null;
  notes?: string[]; // sentences below the title: which rows the figures are of
  cells: string; // how many, in digits
  method: string;
  software: string;
  privacy: PrivacyFacts;
  axes: AxisFacts[];
  impossible?: Box[]; // disjoint boxes that no row lies in
  content: ContentFacts;
  periods?: PeriodFacts; // of a series
  measures?: { name: string }[]; // whose sums and means are known; packed MeasureFacts
}

interface ContentFacts {
  kind: string;
  mixture?: object | null;
  errorModel?: ErrorModel | null;
  periods?: ContentFacts[]; // of a series
}

/** The contents of a series, one of each period. */
export interface UnionFacts {
  periods: ContentFacts[];
  correlation: number; // of what models get wrong in two periods
}

/** The rule that rows were told apart by, and a line for each period. */
interface PeriodFacts {
  rule: string;
  lines: { period: string; method: string; epsilon: number; delta: number; debit: string; digest: string }[];
}

/** Of each attribute the first code and the code after the last. */
export type Box = [number, number][];

interface PrivacyFacts {
  warning: string | null;
  promise: string;
  words: string[];
  definition: string;
  epsilon: number;
  shortest: number; // width of an interval
  delta: number;
  spent: number;
  unit: string;
  entropy: string;
  currency: string;
  ledger: [purpose: string, mechanism: string, price: number][];
  entries: [
    purpose: string,
    mechanism: string,
    statistic: string,
    sensitivity: number,
    price: string,
    blocks: number,
  ][];
}

export interface AxisFacts {
  name: string;
  label: string | null;
  description?: string | null;
  unit: string | null;
  type: string;
  period?: true; // of a series, in the order of time
  size: number; // codes
  count: number; // codes of values that are neither other nor missing
  other: boolean;
  missing: boolean;
  otherName: string;
  missingName: string;
  names?: string[]; // of attributes without an order
  step?: number; // from one value to the next; 0 on a continuum
  bins?: Bins; // of attributes with an order
  maps?: MapFacts[]; // levels, and what is derived from it
}

/** A level, or what is derived from an attribute. */
export interface MapFacts {
  name: string;
  level: boolean;
  names: string[]; // of its groups
  otherName?: string;
  missingName?: string;
  parts: Interval[][]; // positions of each group, and of other and missing values
}

/** Bins by their edges, or of one width. */
export type Bins =
  | { edges: number[]; width?: undefined }
  | { edges?: undefined; start: number; width: number; stop: number };

export interface TreeFacts {
  values: Float64Array; // of the leaves
  axis: Int16Array; // of each node in preorder; -1 where it is not cut
  cut: Numbers;
  variances: number[]; // different ones
  measured: Numbers; // which of them each node has, from 1; 0 was not measured
}

export interface BlockFacts extends TreeFacts {
  density: (Float64Array | null)[] | null;
  errorModel: ErrorModel | null;
  mixture: MixtureFacts | null;
  corrections: Float64Array | null;
  record: number; // the most that one row adds to a value
}

/** A measure as the schema states it, and its sums. */
export interface MeasureFacts {
  name: string;
  column: string; // of the table
  min: number; // of what a row adds
  max: number;
  missing: number | null; // what a row without a value adds; null if it is left out of the view
  shortest: number; // width of an interval of a sum
  sums: SumFacts | UnionSumFacts;
}

/** The sums of a series, those of one release for each period. */
export interface UnionSumFacts {
  periods: SumFacts[];
}

/** The sums of a measure over the blocks of the counts. */
export interface SumFacts {
  errors: MeanErrors;
  above: Float64Array; // what the rows of each block add above `min`, or its correction to the mixture
  variances: Float64Array; // of these, given the counts
  density: (Float64Array | null)[];
  mixture: MixtureFacts | null;
}

/** The error of a mean, in squared units of the measure (answering/content/measure.py). */
export interface MeanErrors {
  z: number;
  total: number;
  histogram: number;
  variation: number;
  spread: number;
}

/** Blocks that correct a mixture. */
export interface MixedFacts extends BlockFacts {
  mixture: MixtureFacts;
  corrections: Float64Array;
  errorModel: ErrorModel;
}

export interface MixtureFacts {
  total: number;
  weights: Float64Array;
  edges: Numbers[];
  levels: Numbers[];
}

export interface BucketFacts extends TreeFacts {
  bucket: Numbers;
}

export interface MatrixFacts {
  values: Float64Array;
  variance: number;
  bases: Float64Array[];
  inverse: Float64Array;
}

export interface TableFacts {
  values: Float64Array; // of the cells of all parts, part by part
  parts: number[][]; // axes of each, by length
  variances: Float64Array; // of each part, for covariances as they are
  covariances: Float64Array[]; // per axis (size, size), row by row
  density: Float64Array[]; // of each axis
  caution: string; // about questions that no table answers
}

export interface SampleFacts {
  values: Numbers;
  coords: Numbers;
}

/** Every constant that an interval needs (estimate/error_model.py). */
export interface ErrorModel {
  scatter: number;
  power: number;
  together: number;
  z: number;
  histogram_variances: (number | null)[];
  histogram_weight: number;
  dependence_weight: number;
  sum_power: number;
  pair_scatter: number;
  centering?: number; // 0 if absent, as in earlier files
  least_noise?: number; // 1 if absent
  most_noise?: number; // 1 if absent
  correction_weight?: number;
  margin_weight: number;
  unmeasured_weight: number;
  unmeasured_power: number;
  outside_weight?: number | null;
  note_share?: number | null; // no notes if absent
  pairs: { axes: [number, number]; variance: number; dependence: number; misfit: number }[];
}
