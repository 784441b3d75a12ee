// Engine: a view opened from what the page holds, ready to answer.

import { jointFactor, jointWidth, withMinWidth, withReach } from "./answer.ts";
import { Attribute } from "./attribute.ts";
import { Blocks } from "./blocks.ts";
import { Buckets, Matrix, Sample } from "./cells.ts";
import type {
  BlockFacts,
  Box,
  BucketFacts,
  Facts,
  MatrixFacts,
  MeasureFacts,
  MixedFacts,
  SampleFacts,
  TableFacts,
  UnionFacts,
} from "./facts.ts";
import { shareBounds } from "./fieller.ts";
import { isImpossible, ZERO } from "./impossible.ts";
import { widenInsideBins } from "./inside_bins.ts";
import { intervalsOf } from "./intervals.ts";
import { Mapped } from "./mapped.ts";
import type { Measure } from "./measure.ts";
import { Measured, type What } from "./measured.ts";
import { MixedBlocks } from "./mixed.ts";
import { unpackAll } from "./packed.ts";
import { Tables } from "./tables.ts";
import { gridOf, histogramOf } from "./totals.ts";
import type { Answer, Answering, Content, Interval, KnownAnswer, Region, Selection } from "./types.ts";
import { Union } from "./union.ts";

export class Engine implements Answering {
  readonly attributes: Attribute[];
  readonly sizes: number[];
  readonly byName: Map<string, Attribute>;
  readonly mapped: Map<string, Mapped>; // levels, and what is derived from attributes
  readonly measures: Measure[];
  readonly total: number; // of the whole view
  private readonly names = new Map<number, number[]>(); // of each axis, by total
  together = 1; // intervals that hold the truth all together in 95 of 100 cases

  constructor(
    readonly facts: Facts,
    private readonly content: Content,
    measures: MeasureFacts[] = [],
  ) {
    this.attributes = facts.axes.map((axis, i) => new Attribute(axis, i));
    this.sizes = facts.axes.map((axis) => axis.size);
    this.byName = new Map(this.attributes.map((attribute) => [attribute.name, attribute]));
    const mapped = this.attributes.flatMap((of, i) => (facts.axes[i].maps ?? []).map((map) => new Mapped(map, of)));
    this.mapped = new Map(mapped.map((one) => [one.name, one]));
    this.measures = measures.flatMap((one) => (content.sums ? [{ ...one, sums: content.sums(one.sums) }] : []));
    this.total = this.measures.length ? content.answer([{}]).value : NaN;
  }

  static async open(facts: Facts): Promise<Engine> {
    const sizes = facts.axes.map((axis) => axis.size);
    const content = contentOf((await unpackAll(facts.content)) as Facts["content"], sizes, facts.impossible);
    return new Engine(facts, content, (await unpackAll(facts.measures ?? [])) as MeasureFacts[]);
  }

  /** Value, stderr, low, high and perhaps a note where every listed axis lies in its intervals; errors are null if
   * unknown.
   *
   * A list of selections that share no cell is answered as their union. Some answers come sooner if the value is known
   * from a histogram or a grid.
   */
  answer(selection: Selection | Region, value?: number): Answer {
    const region = Array.isArray(selection) ? selection : [selection];
    const answer = this.counted(region, value);
    if (answer.low === null || answer === ZERO) return answer;
    const longer = this.longer > 1 ? withReach(answer, answer.reach * this.longer) : answer;
    const found = widenInsideBins(longer, region, (rounded) => {
      const { value, reach } = this.counted(rounded);
      return { value, reach: reach * this.longer };
    });
    return found.low === null ? found : withMinWidth(found, this.shortest);
  }

  /** The number of rows in disjoint selections with its 95 % interval, before it is widened. */
  counted(region: Region, value?: number): Answer {
    const { impossible = [] } = this.facts;
    return isImpossible(region, impossible, this.sizes) ? ZERO : this.content.answer(region, value);
  }

  /** A sum or a mean of a measure, to be asked as this engine is. */
  measured(measure: Measure, what: What): Measured {
    return new Measured(this, measure, what);
  }

  /** How many times as long as alone an interval is. */
  get longer(): number {
    return this.together > 1 ? jointFactor(this.together) : 1;
  }

  /** The same of the shortest interval. */
  get wider(): number {
    return this.together > 1 ? jointWidth(this.together) : 1;
  }

  /** The width that an interval has at least. */
  get shortest(): number {
    return this.facts.privacy.shortest * this.wider;
  }

  /** The ends of the interval of a part over its whole, from their answers. */
  shareBounds(part: KnownAnswer, whole: KnownAnswer): [number, number] {
    return shareBounds(part.value, this.reachOf(part), whole.value, this.reachOf(whole));
  }

  /** The half-width of an answer's interval before it is cut at 0: NaN if unknown, infinite if nothing tells of it. */
  reachOf({ reach, stderr }: Answer): number {
    return Math.max(reach, stderr !== null && stderr > 0 ? this.shortest / 2 : 0);
  }

  /** The same engine, with intervals of which this many hold together. */
  jointly(count: number): Engine {
    return Object.assign(Object.create(Engine.prototype) as Engine, this, { together: count });
  }

  /** A sentence that a reader should know of questions that bound disjoint selections and some further axes; or "". */
  note(boxes: Region, further: number[]): string {
    return this.content.note?.(boxes, further) ?? "";
  }

  /** Axes of which a table of pairs was measured. */
  get measuredPairs(): [number, number][] {
    const { content } = this.facts;
    const measured = (part: Facts["content"]) => (part.mixture ? (part.errorModel?.pairs ?? []) : []);
    if (!content.periods) return measured(content).map(({ axes }) => axes);
    const pairs = content.periods.flatMap(measured).map(({ axes: [one, other] }) => `${one + 1},${other + 1}`);
    return [...new Set(pairs)].map((pair) => pair.split(",").map(Number) as [number, number]);
  }

  /** The levels of an attribute, the coarsest first. */
  levelsOf(attribute: Attribute): Mapped[] {
    return [...this.mapped.values()].filter(({ of, isLevel }) => isLevel && of === attribute);
  }

  /** Codes of names, those with the largest totals of the whole view first; periods of a series in their order. */
  largestNames(axis: number): number[] {
    const known = this.names.get(axis);
    if (known) return known;
    const codes = Array.from({ length: this.attributes[axis].count }, (_, code) => code);
    if (this.attributes[axis].isPeriod) return codes;
    const bins = codes.map((code): Interval => [code, code + 1]);
    const totals = this.histogram(axis, bins, {});
    codes.sort((a, b) => totals[b] - totals[a]);
    this.names.set(axis, codes);
    return codes;
  }

  /** Totals of bins of an axis, all other axes kept to the selection. */
  histogram(axis: number, bins: Interval[], selection: Selection): Float64Array {
    return histogramOf(this.content.rows, axis, bins, selection);
  }

  /** Totals of combinations of bins, all other axes kept to the selection; `within`: those axes too. */
  grid(axes: number[], bins: Interval[][], selection: Selection, options?: { within?: boolean }): Float64Array {
    return gridOf(this.content.rows, axes, bins, selection, options);
  }

  /** The selection with some axes kept to one bin each. */
  narrowed(selection: Selection, axes: number[], bins: Interval[]): Selection {
    const found = { ...selection };
    axes.forEach((axis, i) => {
      found[axis] = intervalsOf(bins[i]);
    });
    return found;
  }
}

/** The content of a view of some kind; Python wrote facts that fit it. */
function contentOf(facts: Facts["content"], sizes: number[], impossible: Box[] = []): Content {
  const found: unknown = facts;
  if (facts.kind === "union") return unionOf(found as UnionFacts, sizes, impossible);
  if (facts.mixture) return new MixedBlocks(found as MixedFacts, sizes);
  if (facts.kind === "blocks") return new Blocks(found as BlockFacts, sizes);
  if (facts.kind === "buckets") return new Buckets(found as BucketFacts, sizes);
  if (facts.kind === "matrix") return new Matrix(found as MatrixFacts, sizes);
  if (facts.kind === "tables") return new Tables(found as TableFacts, sizes);
  return new Sample(found as SampleFacts, sizes);
}

/** The contents of a series; cells are impossible in all periods or in none. */
function unionOf({ periods, correlation }: UnionFacts, sizes: number[], impossible: Box[]): Union {
  const [shape, boxes] = [sizes.slice(1), impossible.map((box) => box.slice(1))];
  const parts = periods.map((facts) => ({
    content: contentOf(facts, shape),
    isZero: (region: Region) => isImpossible(region, boxes, shape),
    modeled: Boolean(facts.errorModel),
    mixed: Boolean(facts.mixture),
  }));
  return new Union(parts, correlation);
}
