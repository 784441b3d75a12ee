// Engine: a view opened from what the page holds, ready to answer.

import { jointFactor, jointWidth, withMinWidth, withReach } from "./answer.ts";
import { Attribute } from "./attribute.ts";
import { Blocks } from "./blocks.ts";
import { Buckets, Matrix, Sample } from "./cells.ts";
import type {
  BlockFacts,
  BucketFacts,
  Facts,
  MatrixFacts,
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
import { MixedBlocks } from "./mixed.ts";
import { unpackAll } from "./packed.ts";
import { Tables } from "./tables.ts";
import type { Answer, Content, Interval, KnownAnswer, Region, Selection } from "./types.ts";
import { Union } from "./union.ts";

export class Engine {
  readonly attributes: Attribute[];
  readonly sizes: number[];
  readonly byName: Map<string, Attribute>;
  readonly mapped: Map<string, Mapped>; // levels, and what is derived from attributes
  private readonly names = new Map<number, number[]>(); // of each axis, by total
  together = 1; // intervals that hold the truth all together in 95 of 100 cases

  constructor(
    readonly facts: Facts,
    private readonly content: Content,
  ) {
    this.attributes = facts.axes.map((axis, i) => new Attribute(axis, i));
    this.sizes = facts.axes.map((axis) => axis.size);
    this.byName = new Map(this.attributes.map((attribute) => [attribute.name, attribute]));
    const mapped = this.attributes.flatMap((of, i) => (facts.axes[i].maps ?? []).map((map) => new Mapped(map, of)));
    this.mapped = new Map(mapped.map((one) => [one.name, one]));
  }

  static async open(facts: Facts): Promise<Engine> {
    const sizes = facts.axes.map((axis) => axis.size);
    return new Engine(facts, contentOf((await unpackAll(facts.content)) as Facts["content"], sizes));
  }

  /** Value, stderr, low, high and perhaps a note where every listed axis lies in its intervals; errors are null if
   * unknown.
   *
   * A list of selections that share no cell is answered as their union. Some answers come sooner if the value is known
   * from a histogram or a grid.
   */
  answer(selection: Selection | Region, value?: number): Answer {
    const region = Array.isArray(selection) ? selection : [selection];
    if (isImpossible(region, this.facts.impossible ?? [], this.sizes)) return ZERO;
    const answer = this.content.answer(region, value);
    if (answer.low === null) return answer;
    const factor = this.together > 1 ? jointFactor(this.together) : 1;
    const longer = factor > 1 ? withReach(answer, answer.reach * factor) : answer;
    const found = widenInsideBins(longer, region, (rounded) => {
      const impossible = isImpossible(rounded, this.facts.impossible ?? [], this.sizes);
      const { value, reach } = impossible ? ZERO : this.content.answer(rounded);
      return { value, reach: reach * factor };
    });
    return found.low === null ? found : withMinWidth(found, this.shortest);
  }

  /** The width that an interval has at least. */
  get shortest(): number {
    const { shortest } = this.facts.privacy;
    return this.together > 1 ? shortest * jointWidth(this.together) : shortest;
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
    const [inOrder, places] = sortBins(bins);
    const found = this.content.rows.histogram(axis, inOrder, selection);
    return places ? Float64Array.from(places, (place) => found[place]) : found;
  }

  /** Totals of combinations of bins, all other axes kept to the selection; `within`: those axes too. */
  grid(axes: number[], bins: Interval[][], selection: Selection, options?: { within?: boolean }): Float64Array {
    const sorted = bins.map(sortBins);
    const inOrder = sorted.map(([list]) => list);
    const found = this.content.rows.grid(axes, inOrder, selection, options);
    if (sorted.every(([, places]) => places === null)) return found;
    return found.map((_, at) => {
      let [left, stride, from] = [at, 1, 0];
      for (let i = bins.length - 1; i >= 0; i -= 1) {
        const place = left % bins[i].length;
        from += (sorted[i][1]?.[place] ?? place) * stride;
        stride *= bins[i].length;
        left = Math.floor(left / bins[i].length);
      }
      return found[from];
    });
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

/** Bins in the order of their codes, and where each of the given ones is then; null if they are in order. */
function sortBins(bins: Interval[]): [Interval[], number[] | null] {
  if (bins.every((bin, i) => i === 0 || bins[i - 1][0] <= bin[0])) return [bins, null];
  const order = bins.map((_, i) => i).sort((a, b) => bins[a][0] - bins[b][0]);
  const places: number[] = new Array(bins.length);
  order.forEach((given, place) => {
    places[given] = place;
  });
  return [order.map((i) => bins[i]), places];
}

/** The content of a view of some kind; Python wrote facts that fit it. */
function contentOf(facts: Facts["content"], sizes: number[]): Content {
  const found: unknown = facts;
  if (facts.kind === "union") return unionOf(found as UnionFacts, sizes);
  if (facts.mixture) return new MixedBlocks(found as MixedFacts, sizes);
  if (facts.kind === "blocks") return new Blocks(found as BlockFacts, sizes);
  if (facts.kind === "buckets") return new Buckets(found as BucketFacts, sizes);
  if (facts.kind === "matrix") return new Matrix(found as MatrixFacts, sizes);
  if (facts.kind === "tables") return new Tables(found as TableFacts, sizes);
  return new Sample(found as SampleFacts, sizes);
}

function unionOf({ periods, correlation }: UnionFacts, sizes: number[]): Union {
  const parts = periods.map((facts) => ({
    content: contentOf(facts, sizes.slice(1)),
    modeled: Boolean(facts.errorModel),
    mixed: Boolean(facts.mixture),
  }));
  return new Union(parts, correlation, sizes);
}
