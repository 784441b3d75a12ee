// Measure: what rows add above the least value of a measure, over the blocks of the counts, and how far that is from the
// truth (answering/content/measure.py).

import type { AxisIndex } from "./axis_index.ts";
import type { BlockFacts, MeanErrors, MeasureFacts, SumFacts } from "./facts.ts";
import { CorrectedRows, Mixture } from "./mixture.ts";
import { Rows, shareOf, sumShares } from "./rows.ts";
import type { Tree } from "./tree.ts";
import type { Region, Totals } from "./types.ts";

/** What the rows of a region add above the least value, and the variance of its error if their number is known. */
export interface Above {
  value: number;
  variance: number;
}

/** The sums of a measure in a release, or in a series of them. */
export interface Sums {
  readonly rows: Totals; // of what rows add above the least value
  readonly z: number; // half-width of a 95 % interval in standard deviations

  /** The totals of disjoint boxes together, given their number of rows and that of the view. */
  totals(boxes: Region, rows: number, all: number): Above;
}

/** A measure as the schema states it, with its sums. */
export interface Measure extends Omit<MeasureFacts, "sums"> {
  readonly sums: Sums;
}

export class BlockSums implements Sums {
  readonly rows: Rows;
  private readonly errors: MeanErrors;
  private readonly sides: AxisIndex[];
  private readonly mixture: Mixture | null;
  private readonly above: Float64Array; // of each node
  private readonly variances: Float64Array;
  private readonly spread: Float64Array;

  constructor(
    facts: SumFacts,
    private readonly tree: Tree,
    counts: BlockFacts,
    sizes: number[],
  ) {
    this.errors = facts.errors;
    this.sides = tree.sides(sizes, facts.density);
    this.mixture = facts.mixture && new Mixture(facts.mixture, facts.density);
    this.rows = this.mixture
      ? new CorrectedRows(this.sides, facts.above, this.mixture)
      : new Rows(this.sides, facts.above);
    this.above = tree.addUp(facts.above);
    this.variances = tree.addUp(facts.variances);
    this.spread = tree.addUp(counts.values.map((count) => facts.errors.spread * Math.max(count, 0)));
  }

  get z(): number {
    return this.errors.z;
  }

  totals(boxes: Region, rows: number, all: number): Above {
    const found = { value: 0, variance: this.errorOfModel(rows, all) };
    for (const box of boxes) found.value += this.mixture?.value(box) ?? 0;
    const add = (node: number, share: number) => {
      found.value += this.above[node] * share;
      found.variance += this.variances[node] * share ** 2 + this.spread[node] * share * (1 - share);
    };
    const covers = boxes.map((box) => this.rows.cover(box));
    if (boxes.length === 1) {
      const settle = (node: number, share: number) => {
        if (share > 0) add(node, share);
        return false;
      };
      this.tree.visit(this.rows, covers[0], boxes[0], { settle });
      return found;
    }
    const { leaves, leaf } = this.tree;
    const shares = covers.map((cover) =>
      Float64Array.from({ length: leaves }, (_, row) => shareOf(cover, this.sides, row)),
    );
    const together = sumShares(shares, leaves);
    for (let node = 0; node < leaf.length; node += 1) if (leaf[node] >= 0) add(node, together[leaf[node]]);
    return found;
  }

  /** The variance that blocks do not tell: of the total, and of what no histogram can tell from noise. */
  private errorOfModel(rows: number, all: number): number {
    const { total, histogram, variation } = this.errors;
    const share = Math.min(Math.max(rows / Math.max(all, 1), 0), 1);
    const unseen = Math.min(histogram, variation * Math.max(rows, 0) ** 2);
    return unseen * (1 - share) + total * share ** 2;
  }
}
