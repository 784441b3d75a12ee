// Unmeasured: errors beyond the noise of blocks, where they alone tell of dependence (answering/dependence_variance.py).

import { INDEPENDENT } from "./answer.ts";
import type { AxisIndex } from "./axis_index.ts";
import type { ErrorModel } from "./facts.ts";
import { boundedAxes, lengthOf } from "./intervals.ts";
import type { Region, Selection } from "./types.ts";
import { usualScatter } from "./within_block.ts";

/** A view as a whole: its total, the most that one row adds to it, and its axes. */
interface Whole {
  total: number;
  record: number;
  axes: AxisIndex[];
  sizes: number[];
}

/** The variance of a region, of which blocks that lie partly in it hold `part`. */
export function unmeasuredVariance(part: number, boxes: Region, whole: Whole, model: ErrorModel): number {
  const { margin_weight: margins, unmeasured_weight: weight, unmeasured_power: power } = model;
  if (!(margins || weight) || !(part > 0)) return 0;
  const bounds = boxes.map((box) => boundedAxes(box, whole.sizes));
  const noises = boxes.map((box, k) => histogramNoise(box, bounds[k], part, whole, model));
  const noise = margins * Math.max(0, ...noises);
  if (bounds.every((axes) => axes.length <= 1)) return noise;
  const { total, record } = whole;
  const share = total > 0 ? Math.min(part / total, 1) : 0;
  const scatter = usualScatter(total / record, model) * record ** 2;
  return noise + weight * scatter * share ** power * (1 - share);
}

/** The note on an answer about several axes, if blocks that lie partly in the question hold most of it; else "". */
export function noteOf(part: number, value: number, model: ErrorModel): string {
  const { note_share: share = null, unmeasured_weight: weight } = model;
  return share !== null && weight && part > share * Math.max(value, 0) ? INDEPENDENT : "";
}

/** The noise of the histograms of the axes that a box bounds, in the part of an answer that relies on them. */
function histogramNoise(box: Selection, axes: number[], part: number, whole: Whole, model: ErrorModel): number {
  let found = 0;
  for (const axis of axes) {
    const variance = model.histogram_variances[axis] ?? null;
    if (variance === null) continue;
    const [index, codes, size] = [whole.axes[axis], lengthOf(box[axis]), whole.sizes[axis]];
    const at = (position: number) => (index.mass ? index.at(position) : position);
    const inside = box[axis].reduce((sum, [low, high]) => sum + at(high) - at(low), 0);
    const rows = at(size) > 0 ? (whole.total * inside) / at(size) : 0;
    found += variance * Math.max(Math.min(codes, size - codes), 0) * (part / Math.max(part, rows)) ** 2;
  }
  return found;
}
