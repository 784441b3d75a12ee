// Union: the contents of a series, one after the other along a first axis of periods (answering/content/union.py).
//
// Noise of different releases is independent, so its variances add up. What the model gets wrong is alike in releases of
// similar tables, so any two of these errors count as correlated.

import { unknownError, withReach, Z } from "./answer.ts";
import type { UnionSumFacts } from "./facts.ts";
import { lengthOf, overlap } from "./intervals.ts";
import type { Above, Sums } from "./measure.ts";
import type { Answer, Content, Interval, Intervals, Region, Selection, Totals } from "./types.ts";

/** The content of one period, which regions are publicly 0 there, and what its model covers. */
export interface Part {
  content: Content;
  isZero(region: Region): boolean;
  modeled: boolean; // by an error model, which does not tell noise and model apart in half-widths
  mixed: boolean; // with a mixture, so that standard errors cover the model too
}

export class Union implements Content {
  readonly rows: Totals;
  private readonly values = new WeakMap<Region, Float64Array>(); // of each period, of regions that were answered

  /** `correlation` is that of the model errors of any two periods. */
  constructor(
    private readonly parts: Part[],
    private readonly correlation: number,
  ) {
    this.rows = new UnionRows(parts.map(({ content }) => content.rows));
  }

  answer(region: Region): Answer {
    const [noise, half] = [new ErrorSum(this.correlation), new ErrorSum(this.correlation)];
    const values = new Float64Array(this.parts.length);
    this.values.set(region, values);
    let value = 0;
    let note = "";
    this.parts.forEach(({ content, isZero, modeled, mixed }, code) => {
      const boxes = boxesAt(region, code);
      if (boxes.length === 0 || isZero(boxes)) return;
      const found = content.answer(boxes);
      value += found.value;
      values[code] = found.value;
      note ||= found.note ?? "";
      const stderr = found.stderr ?? found.reach; // unknown, or infinite, as the half-width is
      const beyond = Math.sqrt(Math.max(found.reach ** 2 - (Z * stderr) ** 2, 0));
      noise.add(stderr, mixed ? stderr : 0);
      half.add(found.reach, modeled ? found.reach : beyond);
    });
    const [stderr, reach] = [noise.total, half.total];
    const told = note ? { note } : {};
    if (!Number.isFinite(reach)) return { ...unknownError(value), reach, ...told };
    return withReach({ value, stderr, ...told }, reach);
  }

  note(region: Region, further: number[] = []): string {
    const others = further.filter((axis) => axis > 0).map((axis) => axis - 1);
    const notes = this.parts.map(({ content }, code) => {
      const boxes = boxesAt(region, code);
      return boxes.length ? (content.note?.(boxes, others) ?? "") : "";
    });
    return notes.find((note) => note !== "") ?? "";
  }

  /** The sums of a measure over all periods. */
  sums({ periods }: UnionSumFacts): Sums {
    const parts = this.parts.flatMap(({ content }, code) => content.sums?.(periods[code]) ?? []);
    const all = this.parts.map(({ content }) => content.answer([{}]).value);
    return new UnionSums(parts, all, this.correlation, (region) => this.valuesOf(region));
  }

  /** The value of each period in a region. */
  private valuesOf(region: Region): Float64Array {
    if (!this.values.has(region)) this.answer(region);
    return this.values.get(region) as Float64Array;
  }
}

/** What boxes ask of one period. */
function boxesAt(region: Region, code: number): Region {
  return region.filter((box) => holds(box, code)).map(without);
}

/** The sums of a measure, whose errors add up with a covariance (answering/content/union_measure.py). */
class UnionSums implements Sums {
  readonly rows: Totals;

  /** `all` are the rows of each period, `countsOf` those in a region. */
  constructor(
    private readonly parts: Sums[],
    private readonly all: number[],
    private readonly correlation: number,
    private readonly countsOf: (region: Region) => Float64Array,
  ) {
    this.rows = new UnionRows(parts.map(({ rows }) => rows));
  }

  get z(): number {
    return this.parts[0].z;
  }

  totals(region: Region): Above {
    const [counts, error] = [this.countsOf(region), new ErrorSum(this.correlation)];
    let above = 0;
    this.parts.forEach((part, code) => {
      const boxes = boxesAt(region, code);
      if (boxes.length === 0) return;
      const { value, variance } = part.totals(boxes, counts[code], this.all[code]);
      above += value;
      error.add(Math.sqrt(variance), Math.sqrt(variance));
    });
    return { value: above, variance: error.total ** 2 };
  }
}

/** Squares of errors, added up with the covariance of what comes from the model in them. */
class ErrorSum {
  private squares = 0;
  private alike = 0;
  private own = 0;

  constructor(private readonly correlation: number) {}

  add(error: number, model: number): void {
    this.squares += error ** 2;
    if (!Number.isFinite(model)) return;
    this.alike += model;
    this.own += model ** 2;
  }

  get total(): number {
    return Math.sqrt(this.squares + this.correlation * Math.max(this.alike ** 2 - this.own, 0));
  }
}

/** Totals of the parts, each in the bins of the first axis that hold its code. */
class UnionRows implements Totals {
  constructor(private readonly parts: Totals[]) {}

  histogram(axis: number, bins: Interval[], selection: Selection): Float64Array {
    return this.grid([axis], [bins], selection);
  }

  grid(axes: number[], bins: Interval[][], selection: Selection, options?: { within?: boolean }): Float64Array {
    const found = new Float64Array(bins.reduce((product, list) => product * list.length, 1));
    const depth = axes.indexOf(0);
    const kept = depth < 0 || options?.within ? selection : without0(selection);
    const others = axes.filter((axis) => axis !== 0).map((axis) => axis - 1);
    const lists = bins.filter((_, i) => i !== depth);
    const after = bins.slice(depth + 1).reduce((product, list) => product * list.length, 1); // cells in a row
    this.parts.forEach((part, code) => {
      if (!holds(kept, code)) return;
      const cells = part.grid(others, lists, without(selection), options);
      for (const [place, bin] of depth < 0 ? [[0, null] as const] : bins[depth].entries()) {
        if (bin && !covers([bin], code)) continue;
        const length = bin ? bins[depth].length : 1;
        cells.forEach((value, at) => {
          const to = bin ? (Math.floor(at / after) * length + place) * after + (at % after) : at;
          found[to] += value;
        });
      }
    });
    return found;
  }
}

function holds(box: Selection, code: number): boolean {
  return box[0] === undefined || covers(box[0], code);
}

/** Whether intervals hold all of a code: periods are not cut. */
function covers(intervals: Intervals, code: number): boolean {
  return lengthOf(overlap(intervals, [[code, code + 1]])) === 1;
}

const reduced = new WeakMap<Selection, Selection>();

/** A selection without the first axis, the others moved up: the same one each time. */
function without(box: Selection): Selection {
  const known = reduced.get(box);
  if (known) return known;
  const found: Selection = {};
  for (const [axis, intervals] of Object.entries(box)) {
    if (axis !== "0") found[Number(axis) - 1] = intervals;
  }
  reduced.set(box, found);
  return found;
}

/** A selection in which the first axis is free. */
function without0({ 0: _, ...rest }: Selection): Selection {
  return rest;
}
