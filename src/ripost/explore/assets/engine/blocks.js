// Blocks: the leaves of a tree with noisy totals (view/content/tree.py).

import { Z, answerOf } from "./answer.js";
import { clumped, scattered, stretchGroups, unionGroups, usualScatter } from "./clumps.js";
import { Rows } from "./rows.js";
import { Spread, Tree, variancesOf } from "./tree.js";

const WHOLE = 1 - 1e-12; // whatever shares of boxes that fill a block round to

export class Blocks {
  constructor(facts, sizes) {
    this.sizes = sizes;
    this.tree = new Tree(facts.axis, facts.cut);
    this.record = facts.record; // the most that one record adds to a value
    this.model = facts.errorModel; // null if values hold noise alone
    this.rows = this.rowsOf(this.tree.sides(sizes, facts.density), facts);
    this.spread = new Spread(this.tree, variancesOf(facts.measured, facts.variances));
    this.totals = this.tree.addUp(this.rows.values);
    const { count } = this.tree;
    this.stacks = { nodes: new Int32Array(count), out: new Int32Array(count), inner: new Int32Array(count) };
    if (this.model) {
      this.records = facts.values.map((value) => value / this.record);
      this.scatter = this.records.map((records) => usualScatter(records, this.model));
    }
  }

  /** Blocks with what is added up of them. */
  rowsOf(sides, facts) {
    return new Rows(sides, facts.values);
  }

  /** The answer to disjoint selections {axis: intervals} together. */
  answer(boxes) {
    const found = this.summed(boxes);
    const { value, noise, partly, share, groups } = found;
    if (!this.model) return answerOf(value, noise, clumped(this.rows.values, partly, share, groups), Z);
    const [known, cut] = boxes.length === 1 ? this.ofHistogram(boxes[0], Object.keys(boxes[0])) : [Infinity, 0];
    const model = this.scattered(found) + this.cutOff(cut, value) + this.unmeasured(found, boxes);
    const inside = Math.min(model, Math.max(known - noise, 0));
    return answerOf(value, Math.min(noise, known), inside, this.model.z);
  }

  /** The value, the variance of its noise, and blocks that lie partly in the boxes; null if `enough` stopped it. */
  summed(boxes, enough = Infinity) {
    const covers = boxes.map((box) => this.rows.cover(box));
    const found = boxes.length === 1 ? this.descend(covers[0], boxes[0], enough) : this.unite(covers);
    return found && { ...found, noise: this.spread.atRoot() };
  }

  /** The variance of how content lies inside blocks that are partly in the question. */
  scattered({ partly, share, groups }) {
    return scattered(this.records, this.scatter, partly, share, groups, this.model) * this.record ** 2;
  }

  /** As `descend`, for any number of boxes: their shares of a block add up. */
  unite(covers) {
    const { sides, values } = this.rows;
    const weights = new Float64Array(values.length);
    const shares = covers.map((cover) => Float64Array.from(values, (_, row) => shareOf(cover, sides, row)));
    for (const share of shares) for (let row = 0; row < weights.length; row += 1) weights[row] += share[row];
    const partly = [];
    let value = 0;
    for (let row = 0; row < weights.length; row += 1) {
      if (weights[row] >= WHOLE) weights[row] = 1;
      else if (weights[row] > 0) partly.push(row);
      value += weights[row] * values[row];
    }
    this.spread.ofWeights(weights);
    const met = shares.map((share) => partly.map((row) => share[row] > 0));
    return { value, partly, share: partly.map((row) => weights[row]), groups: unionGroups(sides, covers, partly, met) };
  }

  /** The value, the leaves that lie partly in the question with their shares, and the spread made ready.
   *
   * A node that lies in the question adds its whole total, and one that lies outside is left out with all below it.
   * Both are told by codes and not by mass: a block without mass on an axis is even there, even if what holds it is not.
   * Null as soon as the variance is known to be at least `enough`.
   */
  descend(cover, selection, enough) {
    const most = enough < Infinity ? enough / this.record ** 2 / (1 - this.model.together) : Infinity;
    let apart = 0;
    const { tree, spread, totals, rows } = this;
    const touch = new Array(this.sizes.length).fill(null);
    for (const [axis] of cover) touch[axis] = rows.sides[axis].touched(selection[axis]);
    const { axis, right, own, cutting, leaf } = tree;
    const { nodes, out, inner } = this.stacks;
    const partly = [];
    const share = [];
    let [waiting, split, value] = [1, 0, 0];
    nodes[0] = 0;
    out[0] = cover.filter(([bound]) => touch[bound][0] < 2).length; // axes on which a node sticks out
    while (waiting) {
      waiting -= 1;
      const node = nodes[waiting];
      const sticking = out[waiting];
      if (sticking === 0) {
        value += totals[node];
        spread.settle(node, 1);
      } else if (axis[node] < 0) {
        const part = shareOf(cover, rows.sides, leaf[node]);
        value += part * totals[node];
        spread.settle(node, part);
        if (part > 0 && part < 1) {
          partly.push(leaf[node]);
          share.push(part);
          if (most === Infinity) continue;
          apart += this.scatter[leaf[node]] * part * (1 - part);
          if (apart > most) return null;
        }
      } else {
        inner[split] = node;
        split += 1;
        const along = touch[axis[node]];
        for (let child = node + 1, turn = 0; turn < 2; child = right[node], turn += 1) {
          const how = along ? along[own[child]] : 1;
          if (how === 0) {
            spread.settle(child, 0);
            continue;
          }
          nodes[waiting] = child;
          out[waiting] = along && how === 2 && along[cutting[node]] < 2 ? sticking - 1 : sticking;
          waiting += 1;
        }
      }
    }
    for (let k = split - 1; k >= 0; k -= 1) spread.join(inner[k]);
    return { value, partly, share, groups: stretchGroups(rows.sides, cover, partly) };
  }

  /** The variance of a question about one axis by itself, as its histogram tells it, and the noise of the codes that it
   * covers; infinite and 0 for more axes. */
  ofHistogram(box, [axis, ...others]) {
    const variance = this.model.histogram_variances[axis] ?? null;
    if (variance === null || others.length) return [Infinity, 0];
    const intervals = box[axis];
    const codes = lengthOf(intervals);
    const rest = this.sizes[axis] - codes;
    const whole = !intervals.some((ends) => ends.some((end) => end % 1));
    const known = whole ? Math.min(codes * variance, rest * variance + this.spread.root) : Infinity;
    return [known, variance * Math.max(Math.min(codes, rest), 0)];
  }

  /** What histograms and dependence that nothing measured add where blocks alone tell of it (view/unmeasured.py). */
  unmeasured({ partly, share }, boxes) {
    const { margin_weight: margins, unmeasured_weight: weight, unmeasured_power: power } = this.model;
    const bounds = boxes.map((box) => Object.keys(box).filter((axis) => lengthOf(box[axis]) < this.sizes[axis]));
    if (!(margins || weight)) return 0;
    const total = this.totals[0];
    const part = Math.max(0, partly.reduce((sum, row, k) => sum + this.rows.values[row] * share[k], 0));
    if (part === 0) return 0;
    const noise = Math.max(0, ...boxes.map((box, k) => this.margins(box, bounds[k], part, total)));
    if (!bounds.some((axes) => axes.length > 1)) return margins * noise;
    const p = total > 0 ? Math.min(part / total, 1) : 0;
    const whole = usualScatter(Math.max(total / this.record, 0), this.model) * this.record ** 2;
    return margins * noise + weight * whole * p ** power * (1 - p);
  }

  /** The noise of the histograms of the axes that a box bounds, in the part of an answer that relies on them. */
  margins(box, axes, part, total) {
    let found = 0;
    for (const axis of axes) {
      const variance = this.model.histogram_variances[axis] ?? null;
      if (variance === null) continue;
      const [side, codes, size] = [this.rows.sides[axis], lengthOf(box[axis]), this.sizes[axis]];
      const at = (position) => (side.mass ? side.at(position) : position);
      const inside = box[axis].reduce((sum, [low, high]) => sum + at(high) - at(low), 0);
      const rows = at(size) > 0 ? (total * inside) / at(size) : 0;
      found += variance * Math.max(Math.min(codes, size - codes), 0) * (part / Math.max(part, rows)) ** 2;
    }
    return found;
  }

  /** What the noise of a histogram adds: a value up to its standard deviation may be one that was cut off at 0. */
  cutOff(noise, value) {
    return this.model.histogram_weight * Math.max(noise - Math.max(value, 0) ** 2, 0);
  }
}

function lengthOf(intervals) {
  return intervals.reduce((sum, [low, high]) => sum + high - low, 0);
}

function shareOf(cover, sides, row) {
  let product = 1;
  for (const [axis, ratio] of cover) product *= ratio[sides[axis].which[row]];
  return product;
}
