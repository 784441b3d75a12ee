// Blocks: the leaves of a tree with noisy totals (view/content/tree.py).

import { answerOf, Z } from "./answer.ts";
import type { AxisIndex } from "./axis_index.ts";
import type { BlockFacts, ErrorModel, SumFacts } from "./facts.ts";
import { boundedAxes, lengthOf } from "./intervals.ts";
import { BlockSums } from "./measure.ts";
import { type Cover, Rows, shareOf, sumShares } from "./rows.ts";
import { Tree, TreeCovariance, variancesOf } from "./tree.ts";
import type { Answer, Content, Region, Selection } from "./types.ts";
import { noteOf, unmeasuredVariance } from "./unmeasured.ts";
import { clustered, type Groups, intervalGroups, scattered, unionGroups, usualScatter } from "./within_block.ts";

/** The value of some boxes, and blocks that lie partly in them with their shares. */
interface Summed {
  value: number;
  partly: number[];
  share: number[];
  groups: Groups;
}

/** What of a block, of which a share lies in the question, relies on how its content lies inside. */
function reliedShare(share: number, model: ErrorModel): number {
  return share < 1 ? Math.min(share, (model.outside_weight ?? Infinity) * (1 - share)) : 0;
}

export class Blocks implements Content {
  readonly rows: Rows;
  private readonly model: ErrorModel | null; // null if values hold noise alone
  private readonly record: number; // the most that one row adds to a value
  private readonly covariance: TreeCovariance;
  private readonly tree: Tree;
  private readonly totals: Float64Array;
  private readonly records: Float64Array;
  private readonly scatter: Float64Array;
  private readonly inner: Int32Array; // nodes that a question cuts

  /** `rowsOf` makes the blocks with what is added up of them. */
  constructor(
    private readonly facts: BlockFacts,
    protected readonly sizes: number[],
    rowsOf: (sides: AxisIndex[]) => Rows = (sides) => new Rows(sides, facts.values),
  ) {
    const model = facts.errorModel;
    this.model = model;
    this.tree = new Tree(facts.axis, facts.cut);
    this.record = facts.record;
    this.rows = rowsOf(this.tree.sides(sizes, facts.density));
    this.covariance = new TreeCovariance(this.tree, variancesOf(facts.measured, facts.variances));
    this.totals = this.tree.addUp(this.rows.values);
    this.inner = new Int32Array(this.tree.count);
    this.records = facts.values.map((value) => value / this.record);
    this.scatter = this.records.map((records) => (model ? usualScatter(records, model) : 0));
  }

  /** The sums of a measure over these blocks. */
  sums(facts: SumFacts): BlockSums {
    return new BlockSums(facts, this.tree, this.facts, this.sizes);
  }

  /** The answer to disjoint selections {axis: intervals} together. */
  answer(boxes: Region): Answer {
    const found = this.summed(boxes);
    const { value, noise, partly, share, groups } = found;
    const { model } = this;
    if (!model) return answerOf(value, noise, clustered(this.rows.values, partly, share, groups), Z);
    const [box, ...others] = boxes;
    const alone = box && others.length === 0;
    const [known, cut] = alone ? this.ofHistogram(box, boundedAxes(box, this.sizes), model) : [Infinity, 0];
    const part = partly.reduce((sum, row, k) => sum + this.rows.values[row] * reliedShare(share[k], model), 0);
    const whole = { total: this.totals[0], record: this.record, axes: this.rows.sides, sizes: this.sizes };
    const unmeasured = unmeasuredVariance(part, boxes, whole, model);
    const unknown = this.scattered(found, model) + this.cutOff(cut, value, model) + unmeasured;
    const inside = Math.min(unknown, Math.max(known - noise, 0));
    const answer = answerOf(value, Math.min(noise, known), inside, model.z);
    const several = boxes.some((each) => boundedAxes(each, this.sizes).length > 1);
    const note = several ? noteOf(part, value, model) : "";
    return note ? { ...answer, note } : answer;
  }

  /** What a reader should know of a question; if it bounds further axes, of its answers by all of their codes together:
   * these cut each block of several codes.
   */
  note(boxes: Region, further: number[] = []): string {
    const { model, rows, sizes } = this;
    if (!model || (model.note_share ?? null) === null) return "";
    const grouped = further.filter((axis) => sizes[axis] > 1);
    if (!grouped.length) return this.answer(boxes).note ?? "";
    if (boxes.every((box) => new Set([...boundedAxes(box, sizes), ...grouped]).size < 2)) return "";
    let [value, part] = [0, 0];
    this.sharesOf(boxes.map((box) => rows.cover(box, grouped))).total.forEach((share, row) => {
      const cut = grouped.some((axis) => rows.sides[axis].lengthOf(row) > 1);
      value += share * rows.values[row];
      part += (cut ? share : reliedShare(share, model)) * rows.values[row];
    });
    return noteOf(part, value, model);
  }

  /** The value, the variance of its noise, and blocks that lie partly in the boxes; null if `enough` stopped it. */
  protected summed(boxes: Region): Summed & { noise: number };
  protected summed(boxes: Region, enough: number): (Summed & { noise: number }) | null;
  protected summed(boxes: Region, enough = Infinity) {
    const covers = boxes.map((box) => this.rows.cover(box));
    const found = boxes.length === 1 ? this.descend(covers[0], boxes[0], enough) : this.unite(covers);
    return found && { ...found, noise: this.covariance.atRoot() };
  }

  /** The variance of how content lies inside blocks that are partly in the question. */
  protected scattered({ partly, share, groups }: Summed, model: ErrorModel): number {
    return scattered(this.records, this.scatter, partly, share, groups, model) * this.record ** 2;
  }

  /** The share of each block in each of some boxes, and in all of them together. */
  private sharesOf(covers: Cover[]): { each: Float64Array[]; total: Float64Array } {
    const { sides, values } = this.rows;
    const each = covers.map((cover) => Float64Array.from(values, (_, row) => shareOf(cover, sides, row)));
    return { each, total: sumShares(each, values.length) };
  }

  /** As `descend`, for any number of boxes: their shares of a block add up. */
  private unite(covers: Cover[]): Summed {
    const { sides, values } = this.rows;
    const { each: shares, total: weights } = this.sharesOf(covers);
    const partly: number[] = [];
    let value = 0;
    weights.forEach((weight, row) => {
      if (weight > 0 && weight < 1) partly.push(row);
      value += weight * values[row];
    });
    this.covariance.ofWeights(weights);
    const met = shares.map((share) => partly.map((row) => share[row] > 0));
    return { value, partly, share: partly.map((row) => weights[row]), groups: unionGroups(sides, covers, partly, met) };
  }

  /** The value, the leaves that lie partly in the question with their shares, and the spread made ready.
   *
   * A node that lies in the question adds its whole total, and one that lies outside is left out with all below it.
   * Null as soon as the variance is known to be at least `enough`.
   */
  private descend(cover: Cover, selection: Selection, enough: number): Summed | null {
    const most = enough < Infinity ? enough / this.record ** 2 / (1 - (this.model?.together ?? 0)) : Infinity;
    const { tree, covariance, totals, rows, inner, scatter } = this;
    const partly: number[] = [];
    const share: number[] = [];
    let [apart, split, value] = [0, 0, 0];
    tree.visit(rows, cover, selection, {
      settle(node, part) {
        covariance.settle(node, part);
        if (part === 0) return false;
        value += part * totals[node];
        if (part === 1) return false;
        const row = tree.leaf[node];
        partly.push(row);
        share.push(part);
        if (most === Infinity) return false;
        apart += scatter[row] * part * (1 - part);
        return apart > most;
      },
      enter(node) {
        inner[split] = node;
        split += 1;
      },
    });
    if (apart > most) return null;
    for (let k = split - 1; k >= 0; k -= 1) covariance.join(inner[k]);
    return { value, partly, share, groups: intervalGroups(rows.sides, cover, partly) };
  }

  /** The variance of a question about one axis by itself, as its histogram tells it, and the noise of the codes that it
   * covers; infinite and 0 for more axes. */
  protected ofHistogram(box: Selection, [axis, ...others]: number[], model: ErrorModel): [number, number] {
    const variance = model.histogram_variances[axis] ?? null;
    if (variance === null || others.length) return [Infinity, 0];
    const intervals = box[axis];
    const codes = lengthOf(intervals);
    const rest = this.sizes[axis] - codes;
    const whole = !intervals.some((ends) => ends.some((end) => end % 1));
    const known = whole ? Math.min(codes * variance, rest * variance + this.covariance.root) : Infinity;
    return [known, variance * Math.max(Math.min(codes, rest), 0)];
  }

  /** What the noise of a histogram adds: a value up to its standard deviation may be one that was cut off at 0. */
  protected cutOff(noise: number, value: number, model: ErrorModel): number {
    return model.histogram_weight * Math.max(noise - Math.max(value, 0) ** 2, 0);
  }
}
