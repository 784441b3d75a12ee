// Scale: the ends of an axis of values, so that bars and most of their intervals are seen.

import type { Quantity } from "../engine/measured.ts";
import type { Answer } from "../engine/types.ts";
import { isUntold, rangeOf } from "../state/quantity.ts";

const ROOM = 0.06; // beyond the outermost values
const MOST = 0.6; // that intervals add to an axis

export interface Scale {
  bottom: number;
  top: number;
}

/** The scale of values and, where they are known, their intervals. It holds 0, from which bars begin.
 *
 * Means of too few rows are left out, whose intervals are all of the range, and those where no row can lie.
 */
export function scaleOf(values: ArrayLike<number>, answers: Answer[] | null, quantity: Quantity): Scale {
  const known = Array.from(values, (_, i) => i).filter((i) => !Number.isNaN(values[i]));
  const told = known.filter((i) => !answers || !isUntold(answers[i], quantity));
  const [least, most] = [Math.min, Math.max].map((end) => end(0, ...told.map((i) => values[i])));
  const lowest = answers ? Math.min(0, ...told.map((i) => answers[i].low ?? 0)) : 0;
  const highest = answers ? Math.max(0, ...told.map((i) => answers[i].high ?? 0)) : 0;
  const [min, max] = rangeOf(quantity);
  if (quantity?.what === "mean" && told.length === 0) return { bottom: Math.min(0, min), top: Math.max(0, max) };
  const span = min < 0 ? most - least : most;
  const top = Math.max(most + ROOM * span, Math.min(highest, most + MOST * span));
  const bottom = min < 0 ? Math.min(least - ROOM * span, Math.max(lowest, least - MOST * span)) : 0;
  const kept = { bottom: least < 0 || lowest < 0 ? bottom : 0, top: most > 0 || highest > 0 ? top : 0 };
  return kept.top > kept.bottom ? kept : { bottom: 0, top: 1 };
}

/** Whether an end of an interval lies on the scale; the line to one beyond has no cap. */
export function hasCap({ bottom, top }: Scale, end: number, quantity: Quantity): boolean {
  return quantity === null || (end >= bottom && end <= top);
}

/** Where a value lies between the ends of a scale, from 0 to 1; NaN lies where 0 does, so its bar has no length. */
export function placeOn({ bottom, top }: Scale, value: number): number {
  return Math.min(1, Math.max(0, ((value || 0) - bottom) / (top - bottom)));
}
