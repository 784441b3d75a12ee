// Cells: a value for every cell of the domain, with errors by buckets or by a measured matrix; and synthetic records.

import { answerOf, unknownError, Z } from "./answer.ts";
import type { BucketFacts, MatrixFacts, Numbers, SampleFacts } from "./facts.ts";
import { type Cover, indexesOfCells, Rows } from "./rows.ts";
import { Tree, TreeCovariance, variancesOf } from "./tree.ts";
import type { Answer, Content, Region } from "./types.ts";

class Cells {
  readonly rows: Rows;

  constructor(
    facts: { values: Float64Array },
    protected readonly sizes: number[],
  ) {
    this.rows = new Rows(indexesOfCells(codesOfCells(sizes, facts.values.length), sizes), facts.values);
  }

  protected total(covers: Cover[]): number {
    return totalOf(this.rows, covers);
  }
}

/** Sets of cells that share one noisy total (view/content/buckets.py). */
export class Buckets extends Cells implements Content {
  private readonly bucket: Numbers;
  private readonly covariance: TreeCovariance;
  private readonly size: Float64Array; // cells of each bucket
  private readonly totals: Float64Array;

  constructor(facts: BucketFacts, sizes: number[]) {
    super(facts, sizes);
    this.bucket = facts.bucket;
    const tree = new Tree(facts.axis, facts.cut);
    this.covariance = new TreeCovariance(tree, variancesOf(facts.measured, facts.variances));
    this.size = new Float64Array(tree.leaves);
    this.totals = new Float64Array(tree.leaves);
    this.bucket.forEach((bucket, cell) => {
      this.size[bucket] += 1;
      this.totals[bucket] += facts.values[cell];
    });
  }

  /** A bucket that lies partly in the question counts as one clump. */
  answer(boxes: Region): Answer {
    const share = new Float64Array(this.size.length);
    let value = 0;
    for (const cover of boxes.map((box) => this.rows.cover(box))) {
      for (let cell = 0; cell < this.bucket.length; cell += 1) {
        let weight = 1;
        for (const [axis, ratio] of cover) weight *= ratio[this.rows.sides[axis].which[cell]];
        share[this.bucket[cell]] += weight;
        value += weight * this.rows.values[cell];
      }
    }
    let model = 0;
    for (let b = 0; b < share.length; b += 1) {
      share[b] = Math.min(share[b] / this.size[b], 1);
      model += this.totals[b] ** 2 * share[b] * (1 - share[b]);
    }
    return answerOf(value, this.covariance.ofWeights(share), model, Z);
  }
}

/** Cells estimated from noisy products with a public matrix (view/content/matrix.py, estimate/stack.py). */
export class Matrix extends Cells implements Content {
  private readonly bases: Float64Array[]; // per axis (size, size), row by row
  private readonly inverse: Float64Array; // 1 over the eigenvalue of each set of axes, (2,) * d, the first axis slowest
  private readonly variance: number;

  constructor(facts: MatrixFacts, sizes: number[]) {
    super(facts, sizes);
    this.bases = facts.bases;
    this.inverse = facts.inverse;
    this.variance = facts.variance;
  }

  /** Boxes were measured together, so all their pairs count. */
  answer(boxes: Region): Answer {
    const covers = boxes.map((box) => this.rows.cover(box));
    const turned = covers.map((cover) => this.turned(new Map(cover)));
    let noise = 0;
    turned.forEach((one, i) => {
      turned.slice(i).forEach((other, j) => {
        noise += (j ? 2 : 1) * this.covariance(one, other);
      });
    });
    return answerOf(this.total(covers), noise * this.variance, 0, Z);
  }

  /** Of each axis, the weights of a box in the basis of that axis. */
  private turned(ratioOf: Map<number, Float64Array>): Float64Array[] {
    return this.sizes.map((size, axis) => inBasis(this.bases[axis], size, this.weights(axis, ratioOf.get(axis))));
  }

  private covariance(one: Float64Array[], other: Float64Array[]): number {
    let left = this.inverse;
    one.forEach((mine, axis) => {
      const first = mine[0] * other[axis][0];
      let others = 0;
      for (let i = 1; i < mine.length; i += 1) others += mine[i] * other[axis][i];
      const half = left.length / 2;
      const next = new Float64Array(half);
      for (let i = 0; i < half; i += 1) next[i] = first * left[i] + others * left[half + i];
      left = next;
    });
    return left[0];
  }

  /** Share of each code in its order. */
  private weights(axis: number, ratio: Float64Array | undefined): Float64Array {
    const weights = new Float64Array(this.sizes[axis]).fill(1);
    this.rows.sides[axis].lower.forEach((code, interval) => {
      if (ratio) weights[code] = ratio[interval];
    });
    return weights;
  }
}

/** Synthetic records: nothing is known of their error (view/content/sample.py). */
export class Sample implements Content {
  readonly rows: Rows;

  constructor(facts: SampleFacts, sizes: number[]) {
    const count = facts.values.length;
    const codes = sizes.map((_, axis) => facts.coords.subarray(axis * count, (axis + 1) * count));
    this.rows = new Rows(indexesOfCells(codes, sizes), facts.values);
  }

  answer(boxes: Region): Answer {
    return unknownError(
      totalOf(
        this.rows,
        boxes.map((box) => this.rows.cover(box)),
      ),
    );
  }
}

function totalOf(rows: Rows, covers: Cover[]): number {
  return covers.reduce((sum, cover) => sum + rows.weighted(cover).reduce((part, value) => part + value, 0), 0);
}

/** Weights of codes as coordinates in a basis, (size,). */
function inBasis(basis: Float64Array, size: number, weights: Float64Array): Float64Array {
  const found = new Float64Array(size);
  for (let code = 0; code < size; code += 1) {
    if (weights[code] === 0) continue;
    for (let column = 0; column < size; column += 1) found[column] += weights[code] * basis[code * size + column];
  }
  return found;
}

/** Codes of all cells in row-major order, axis by axis. */
function codesOfCells(sizes: number[], count: number): Int32Array[] {
  let step = count;
  return sizes.map((size) => {
    step /= size;
    const codes = new Int32Array(count);
    for (let cell = 0; cell < count; cell += 1) codes[cell] = Math.floor(cell / step) % size;
    return codes;
  });
}
