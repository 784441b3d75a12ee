// Engine: a view opened from what the page holds, ready to answer.

import { jointFactor, jointWidth, noShorter, reaching } from "./answer.js";
import { Attribute } from "./attribute.js";
import { Blocks } from "./blocks.js";
import { Buckets, Matrix, Sample } from "./cells.js";
import { keptBin } from "./intervals.js";
import { MixedBlocks } from "./mixed.js";
import { unpackAll } from "./packed.js";
import { shareBounds } from "./fieller.js";

const KINDS = { blocks: Blocks, mixed: MixedBlocks, buckets: Buckets, matrix: Matrix, sample: Sample };

export class Engine {
  constructor(facts, content) {
    this.facts = facts;
    this.attributes = facts.axes.map((axis, i) => new Attribute(axis, i));
    this.sizes = facts.axes.map((axis) => axis.size);
    this.content = content;
    this.together = 1; // intervals that hold the truth all together in 95 of 100 cases
    this.byName = new Map(this.attributes.map((attribute) => [attribute.name, attribute]));
  }

  static async open(facts) {
    const sizes = facts.axes.map((axis) => axis.size);
    const kind = facts.content.mixture ? "mixed" : facts.content.kind;
    return new Engine(facts, new KINDS[kind](await unpackAll(facts.content), sizes));
  }

  /** Value, stderr, low, high and perhaps a note where every listed axis lies in its intervals; errors are null if
   * unknown.
   *
   * A list of selections that share no cell is answered as their union. Some answers come sooner if the value is known
   * from a histogram or a grid.
   */
  answer(selection, value) {
    const answer = this.content.answer(Array.isArray(selection) ? selection : [selection], value);
    if (answer.low === null) return answer;
    const longer = this.together > 1 ? reaching(answer, answer.reach * jointFactor(this.together)) : answer;
    return noShorter(longer, this.shortest);
  }

  /** The width that an interval has at least. */
  get shortest() {
    const { shortest } = this.facts.privacy;
    return this.together > 1 ? shortest * jointWidth(this.together) : shortest;
  }

  /** The ends of the interval of a part over its whole, from their answers. */
  shareBounds(part, whole) {
    return shareBounds(part.value, this.reachOf(part), whole.value, this.reachOf(whole));
  }

  /** The half-width of an answer's interval before it is cut at 0: NaN if unknown, infinite if nothing tells of it. */
  reachOf({ reach, stderr }) {
    return Math.max(reach, stderr > 0 ? this.shortest / 2 : 0);
  }

  /** The same engine, with intervals of which this many hold together. */
  jointly(count) {
    return Object.assign(Object.create(Engine.prototype), this, { together: count });
  }

  /** A sentence that a reader should know of questions that bound disjoint selections and some further axes; or "". */
  note(boxes, further) {
    return this.content.note?.(boxes, further) ?? "";
  }

  /** Totals of bins of an axis, all other axes kept to the selection. */
  histogram(axis, bins, selection) {
    return this.content.rows.histogram(axis, bins, selection);
  }

  /** Totals of combinations of bins, all other axes kept to the selection; `within`: those axes too. */
  grid(axes, bins, selection, options) {
    return this.content.rows.grid(axes, bins, selection, options);
  }

  /** The selection with some axes kept to one bin each; with `within`, to what of the bin was selected already. */
  narrowed(selection, axes, bins, { within = false } = {}) {
    const found = { ...selection };
    axes.forEach((axis, i) => {
      found[axis] = keptBin(bins[i], within ? selection[axis] : undefined);
    });
    return found;
  }
}
