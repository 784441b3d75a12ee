// Mixed: blocks whose values correct a mixture (view/mixed.py, view/error_model.py).

import { answerOf } from "./answer.ts";
import { Blocks } from "./blocks.ts";
import type { ErrorModel, MixedFacts } from "./facts.ts";
import { boundedAxes } from "./intervals.ts";
import { CorrectedRows, Mixture } from "./mixture.ts";
import { PairErrors, type PairVariance } from "./pairs.ts";
import type { Answer, Region } from "./types.ts";

export class MixedBlocks extends Blocks {
  private readonly mixture: Mixture;
  private readonly errorModel: ErrorModel;
  private readonly pairs: PairErrors;

  constructor(facts: MixedFacts, sizes: number[]) {
    const mixture = new Mixture(facts.mixture, facts.density);
    super(facts, sizes, (sides) => new CorrectedRows(sides, facts.corrections, mixture));
    this.mixture = mixture;
    this.errorModel = facts.errorModel;
    this.pairs = new PairErrors(facts.errorModel, mixture, sizes, facts.record);
  }

  /** The answer to disjoint selections together. If the value is known, blocks are left as soon as tables tell more. */
  override answer(boxes: Region, known: number | null = null): Answer {
    const { least, rest, cut, byPair } = this.told(boxes);
    const found = byPair && known !== null ? null : this.summed(boxes, known === null ? Infinity : least);
    const { errorModel } = this;
    const mixed = known === null || byPair ? boxes.reduce((sum, box) => sum + this.mixture.value(box), 0) : 0;
    const value = known ?? mixed + (found?.value ?? 0);
    const correction = byPair ? value - mixed : 0;
    const ofBlocks =
      found && !byPair
        ? found.noise + this.scattered(found, errorModel) + this.cutOff(cut, value, errorModel)
        : Infinity;
    const moved = (errorModel.correction_weight ?? 0) * correction ** 2;
    const variance = Math.min(ofBlocks, least) + rest + moved; // of noise and model, which cannot be told apart
    return { ...answerOf(value, variance, 0, errorModel.z), note: this.note(boxes) };
  }

  /** The least variance as histograms and tables of pairs tell it, what comes on top, and the noise of a histogram. */
  private told(boxes: Region): PairVariance & { cut: number } {
    const axes = boxes.length === 1 ? boundedAxes(boxes[0], this.sizes) : null;
    if (axes === null || axes.length > 1) return { ...this.pairs.ofBoxes(boxes), cut: 0 };
    const [least, cut] = this.ofHistogram(boxes[0], axes, this.errorModel);
    return { least, rest: 0, cut, byPair: false };
  }

  /** What a reader should know of the answer to some boxes, or nothing; they may bound some further axes. */
  note(boxes: Region, further: number[] = []): string {
    return this.pairs.note(boxes, further);
  }
}
