// Mixed: blocks whose values correct a mixture (view/mixed.py, view/error_model.py).

import { answerOf } from "./answer.js";
import { Blocks } from "./blocks.js";
import { CorrectedRows, Mixture } from "./mixture.js";
import { PairErrors } from "./pairs.js";

export class MixedBlocks extends Blocks {
  rowsOf(sides, facts) {
    this.mixture = new Mixture(facts.mixture, facts.density);
    this.pairs = new PairErrors(this.model, this.mixture, this.sizes, this.record);
    return new CorrectedRows(sides, facts.corrections, this.mixture);
  }

  /** The answer to disjoint selections together. If the value is known, blocks are left as soon as tables tell more. */
  answer(boxes, known = null) {
    const { least, rest, cut, byPair } = this.told(boxes);
    const found = byPair && known !== null ? null : this.summed(boxes, known === null ? Infinity : least);
    const value = known ?? boxes.reduce((sum, box) => sum + this.mixture.value(box), found.value);
    const ofBlocks = found && !byPair ? found.noise + this.scattered(found) + this.cutOff(cut, value) : Infinity;
    const variance = Math.min(ofBlocks, least) + rest; // of noise and model, which cannot be told apart
    return { ...answerOf(value, variance, 0, this.model.z), note: this.note(boxes) };
  }

  /** The least variance as histograms and tables of pairs tell it, what comes on top, and the noise of a histogram. */
  told(boxes) {
    const axes = boxes.length === 1 ? this.pairs.bounded(boxes[0]) : null;
    if (axes === null || axes.length > 1) return { ...this.pairs.ofBoxes(boxes), cut: 0 };
    const [least, cut] = this.ofHistogram(boxes[0], axes);
    return { least, rest: 0, cut, byPair: false };
  }

  /** What a reader should know of the answer to some boxes, or nothing; they may bound some further axes. */
  note(boxes, further) {
    return this.pairs.note(boxes, further);
  }
}
