// Tree: cuts in preorder (a parent, its left part, its right part), the boxes they make, and the noise in them.

import { AxisIndex } from "./axis_index.ts";
import type { Numbers } from "./facts.ts";
import { type Cover, type Rows, shareOf } from "./rows.ts";
import type { Selection } from "./types.ts";

/** What is done with the nodes that a selection meets, a node before those below it. */
export interface Visitor {
  /** A node of which a share lies in the selection: 0, 1, or another of a block. True ends the visit. */
  settle(node: number, share: number): boolean;
  /** A node that the selection cuts, whose parts are visited. */
  enter?(node: number): void;
}

/** The different intervals of the leaves on an axis, and which of them each leaf has. */
interface Spans {
  lower: Float64Array;
  upper: Float64Array;
  which: Int32Array;
}

/** Nodes numbered in preorder. The left child of i is i + 1. */
export class Tree {
  readonly count: number;
  readonly leaves: number;
  readonly right: Int32Array; // number of the right child
  readonly leaf: Int32Array; // which leaf a node is, in order
  private readonly own: Int32Array; // the interval of a node on the axis that its parent cut
  private readonly cutting: Int32Array; // the interval of a node on the axis that it is cut itself
  private spans: Spans[] | null = null;
  private readonly waiting: Int32Array; // nodes of a visit
  private readonly out: Int32Array; // on how many axes each of them sticks out

  /** The axis on which each node is cut, -1 where it is not, and where. */
  constructor(
    readonly axis: Numbers,
    readonly cut: Numbers,
  ) {
    this.count = axis.length;
    this.right = new Int32Array(this.count);
    this.leaf = new Int32Array(this.count).fill(-1);
    this.own = new Int32Array(this.count);
    this.cutting = new Int32Array(this.count);
    const size = new Int32Array(this.count);
    for (let i = this.count - 1; i >= 0; i -= 1) {
      size[i] = 1;
      if (axis[i] < 0) continue;
      this.right[i] = i + 1 + size[i + 1];
      size[i] += size[i + 1] + size[this.right[i]];
    }
    let leaves = 0;
    for (let i = 0; i < this.count; i += 1) if (axis[i] < 0) this.leaf[i] = leaves++;
    this.leaves = leaves;
    this.waiting = new Int32Array(this.count);
    this.out = new Int32Array(this.count);
  }

  /** The value of every node, from those of the leaves. */
  addUp(values: Numbers): Float64Array {
    const total = new Float64Array(this.count);
    for (let i = this.count - 1; i >= 0; i -= 1) {
      total[i] = this.axis[i] < 0 ? values[this.leaf[i]] : total[i + 1] + total[this.right[i]];
    }
    return total;
  }

  /** Sides of the leaves, with the mass along each axis. */
  sides(sizes: number[], masses: (Float64Array | null)[] | null): AxisIndex[] {
    this.spans ??= this.findSpans(sizes);
    return this.spans.map(({ lower, upper, which }, a) => new AxisIndex(lower, upper, which, masses?.[a] ?? null));
  }

  /** Visit what a selection meets: nodes that lie in it or outside, and leaves that lie partly in it.
   *
   * Where a node lies is told by codes and not by mass: a block without mass on an axis is even there, even if what
   * holds it is not.
   */
  visit({ sides }: Rows, cover: Cover, selection: Selection, visitor: Visitor): void {
    const touch: (Uint8Array | null)[] = new Array(sides.length).fill(null);
    for (const [axis] of cover) touch[axis] = sides[axis].touched(selection[axis]);
    const { axis, right, own, cutting, leaf, waiting, out } = this;
    let count = 1;
    waiting[0] = 0;
    out[0] = cover.filter(([bound]) => (touch[bound]?.[0] ?? 2) < 2).length; // axes on which a node sticks out
    while (count) {
      count -= 1;
      const node = waiting[count];
      const sticking = out[count];
      if (sticking === 0) {
        if (visitor.settle(node, 1)) return;
      } else if (axis[node] < 0) {
        if (visitor.settle(node, shareOf(cover, sides, leaf[node]))) return;
      } else {
        visitor.enter?.(node);
        const along = touch[axis[node]];
        for (let child = node + 1, turn = 0; turn < 2; child = right[node], turn += 1) {
          const how = along ? along[own[child]] : 1;
          if (how === 0) {
            if (visitor.settle(child, 0)) return;
            continue;
          }
          waiting[count] = child;
          out[count] = along && how === 2 && along[cutting[node]] < 2 ? sticking - 1 : sticking;
          count += 1;
        }
      }
    }
  }

  /** Spans of the leaves; fills `own` and `cutting`. */
  private findSpans(sizes: number[]): Spans[] {
    const attributes = sizes.length;
    const numbering = sizes.map((size, axis) => new Numbering(this, axis, size));
    const interval = new Int32Array(this.count * attributes);
    const which = sizes.map(() => new Int32Array(this.leaves));
    for (let a = 0; a < attributes; a += 1) interval[a] = numbering[a].of(0, sizes[a]);
    for (let i = 0; i < this.count; i += 1) {
      const row = i * attributes;
      const a = this.axis[i];
      if (a < 0) {
        for (let b = 0; b < attributes; b += 1) which[b][this.leaf[i]] = interval[row + b];
        continue;
      }
      const whole = interval[row + a];
      this.cutting[i] = whole;
      const { lower, upper } = numbering[a];
      const halves = [
        [i + 1, lower[whole], this.cut[i]],
        [this.right[i], this.cut[i], upper[whole]],
      ];
      for (const [child, low, high] of halves) {
        interval.copyWithin(child * attributes, row, row + attributes);
        this.own[child] = interval[child * attributes + a] = numbering[a].of(low, high);
      }
    }
    return numbering.map(({ lower, upper }, a) => ({
      lower: Float64Array.from(lower),
      upper: Float64Array.from(upper),
      which: which[a],
    }));
  }
}

/** Numbers for the intervals of one axis; equal ends have equal numbers. */
class Numbering {
  readonly lower: number[] = [];
  readonly upper: number[] = [];
  private readonly place: Map<number, number>;
  private readonly seen = new Map<number, number>();

  constructor(tree: Tree, axis: number, size: number) {
    const ends = new Set([0, size]);
    for (let i = 0; i < tree.count; i += 1) if (tree.axis[i] === axis) ends.add(tree.cut[i]);
    this.place = new Map([...ends].map((end, i) => [end, i]));
  }

  of(low: number, high: number): number {
    const key = (this.place.get(low) ?? 0) * this.place.size + (this.place.get(high) ?? 0);
    let number = this.seen.get(key);
    if (number === undefined) {
      number = this.lower.length;
      this.seen.set(key, number);
      this.lower.push(low);
      this.upper.push(high);
    }
    return number;
  }
}

/** The variances of a least-squares fit on a tree (estimate/least_squares.py). */
export class TreeCovariance {
  readonly root: number; // variance of the whole
  private readonly share: Float64Array; // part of a parent's error that a node takes over
  private readonly between: Float64Array; // variance that an inner node adds to one child and takes from the other
  private readonly through: Float64Array;
  private readonly inside: Float64Array;

  constructor(
    private readonly tree: Tree,
    variance: Float64Array,
  ) {
    const below = Float64Array.from(variance);
    this.share = new Float64Array(tree.count).fill(1);
    this.between = new Float64Array(tree.count);
    for (let i = tree.count - 1; i >= 0; i -= 1) {
      if (tree.axis[i] < 0) continue;
      const left = i + 1;
      const right = tree.right[i];
      const both = below[left] + below[right];
      below[i] = Number.isFinite(variance[i]) ? variance[i] * ratio(both, variance[i] + both) : both;
      this.share[left] = ratio(below[left], both);
      this.share[right] = ratio(below[right], both);
      this.between[i] = below[right] * this.share[left];
    }
    this.root = below[0];
    this.through = new Float64Array(tree.count);
    this.inside = new Float64Array(tree.count);
  }

  /** Variance of a weighted sum of the leaves. */
  ofWeights(weights: ArrayLike<number>): number {
    const { tree } = this;
    for (let i = tree.count - 1; i >= 0; i -= 1) {
      if (tree.axis[i] < 0) this.settle(i, weights[tree.leaf[i]]);
      else this.join(i);
    }
    return this.atRoot();
  }

  /** A node all of whose leaves have one weight. */
  settle(node: number, weight: number): void {
    this.through[node] = weight;
    this.inside[node] = 0;
  }

  /** An inner node, after its children. */
  join(node: number): void {
    const left = node + 1;
    const right = this.tree.right[node];
    const apart = this.through[left] - this.through[right];
    this.through[node] = this.share[left] * this.through[left] + this.share[right] * this.through[right];
    this.inside[node] = this.inside[left] + this.inside[right] + this.between[node] * apart * apart;
  }

  atRoot(): number {
    return this.inside[0] + this.through[0] ** 2 * this.root;
  }
}

/** The variance of each node's measurement: which of the distinct ones, from 1; 0 was not measured. */
export function variancesOf(number: Numbers, distinct: number[]): Float64Array {
  return Float64Array.from<number>(number, (which) => (which === 0 ? Infinity : distinct[which - 1]));
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0.5;
}
