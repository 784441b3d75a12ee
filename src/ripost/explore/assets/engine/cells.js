// Cells: a value for every cell of the domain, with errors by buckets or by a measured matrix; and synthetic records.

import { Z, answerOf, unknownError } from "./answer.js";
import { Rows, sidesOfCells } from "./rows.js";
import { Spread, Tree, variancesOf } from "./tree.js";

class Cells {
  constructor(facts, sizes) {
    this.sizes = sizes;
    this.rows = new Rows(sidesOfCells(codesOfCells(sizes, facts.values.length), sizes), facts.values);
  }

  total(cover) {
    return this.rows.weighted(cover).reduce((sum, value) => sum + value, 0);
  }
}

/** Sets of cells that share one noisy total (view/content/buckets.py). */
export class Buckets extends Cells {
  constructor(facts, sizes) {
    super(facts, sizes);
    this.bucket = facts.bucket;
    const tree = new Tree(facts.axis, facts.cut);
    this.spread = new Spread(tree, variancesOf(facts.measured, facts.variances));
    this.size = new Float64Array(tree.leaves);
    this.totals = new Float64Array(tree.leaves);
    this.bucket.forEach((bucket, cell) => {
      this.size[bucket] += 1;
      this.totals[bucket] += facts.values[cell];
    });
  }

  /** A bucket that lies partly in the question counts as one clump. */
  answer(selection) {
    const cover = this.rows.cover(selection);
    const share = new Float64Array(this.size.length);
    let value = 0;
    for (let cell = 0; cell < this.bucket.length; cell += 1) {
      let weight = 1;
      for (const [axis, ratio] of cover) weight *= ratio[this.rows.sides[axis].which[cell]];
      share[this.bucket[cell]] += weight;
      value += weight * this.rows.values[cell];
    }
    let model = 0;
    for (let b = 0; b < share.length; b += 1) {
      share[b] = Math.min(share[b] / this.size[b], 1);
      model += this.totals[b] ** 2 * share[b] * (1 - share[b]);
    }
    return answerOf(value, this.spread.ofWeights(share), model, Z);
  }
}

/** Cells estimated from noisy products with a public matrix (view/content/matrix.py, estimate/stack.py). */
export class Matrix extends Cells {
  constructor(facts, sizes) {
    super(facts, sizes);
    this.bases = facts.bases; // per axis (size, size), row by row
    this.inverse = facts.inverse; // 1 over the eigenvalue of each set of axes, (2,) * d, the first axis slowest
    this.variance = facts.variance;
  }

  answer(selection) {
    const cover = this.rows.cover(selection);
    const ratioOf = new Map(cover);
    let left = this.inverse;
    this.sizes.forEach((size, axis) => {
      const [first, others] = squares(this.bases[axis], size, this.weights(axis, ratioOf.get(axis)));
      const half = left.length / 2;
      const next = new Float64Array(half);
      for (let i = 0; i < half; i += 1) next[i] = first * left[i] + others * left[half + i];
      left = next;
    });
    return answerOf(this.total(cover), left[0] * this.variance, 0, Z);
  }

  /** Share of each code in its order. */
  weights(axis, ratio) {
    const weights = new Float64Array(this.sizes[axis]).fill(1);
    if (ratio) this.rows.sides[axis].lower.forEach((code, stretch) => (weights[code] = ratio[stretch]));
    return weights;
  }
}

/** Synthetic records: nothing is known of their error (view/content/sample.py). */
export class Sample {
  constructor(facts, sizes) {
    const count = facts.values.length;
    const codes = sizes.map((_, axis) => facts.coords.subarray(axis * count, (axis + 1) * count));
    this.rows = new Rows(sidesOfCells(codes, sizes), facts.values);
  }

  answer(selection) {
    return unknownError(this.rows.weighted(this.rows.cover(selection)).reduce((sum, value) => sum + value, 0));
  }
}

/** Squares of weights in a basis: of the first vector, and of the others together. */
function squares(basis, size, weights) {
  let others = 0;
  let first = 0;
  for (let column = 0; column < size; column += 1) {
    let dot = 0;
    for (let code = 0; code < size; code += 1) dot += weights[code] * basis[code * size + column];
    if (column === 0) first = dot * dot;
    else others += dot * dot;
  }
  return [first, others];
}

/** Codes of all cells in row-major order, axis by axis. */
function codesOfCells(sizes, count) {
  let step = count;
  return sizes.map((size) => {
    step /= size;
    const codes = new Int32Array(count);
    for (let cell = 0; cell < count; cell += 1) codes[cell] = Math.floor(cell / step) % size;
    return codes;
  });
}
