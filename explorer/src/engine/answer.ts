// Answer: a number with its error, as view/answer.py defines it. null says that nothing is known of the error.

import type { Answer, KnownAnswer, UnknownError } from "./types.ts";

const MISSING = 0.05; // how often a 95 % interval does not hold the truth
export const Z = 2.12; // 95 % of a Laplace variable, over its standard deviation
export const INDEPENDENT =
  "how these attributes depend on each other was not measured closely enough here: " +
  "the answer mostly takes them as independent";

/** The answer from a value and the variances of its noise and of what is unknown inside blocks. */
export function answerOf(value: number, noise: number, model: number, z: number): Answer {
  const reach = z * Math.sqrt(noise + model);
  if (!Number.isFinite(reach)) return { ...unknownError(value), reach };
  return withReach({ value, stderr: Math.sqrt(noise) }, reach);
}

/** The same with an interval that reaches this far to both sides; none starts below 0, and none collapses there. */
export function withReach(answer: { value: number; stderr: number; note?: string }, reach: number): KnownAnswer {
  const { value } = answer;
  return { ...answer, reach, low: Math.max(0, value - reach), high: Math.max(0, value) + reach };
}

/** How many times as long as alone an interval is that holds the truth together with others, at 95 % (view/answer.py). */
export function jointFactor(count: number): number {
  return Math.log(count / MISSING) / Math.log(1 / MISSING);
}

/** The same of the shortest width that epsilon allows. */
export function jointWidth(count: number): number {
  const odds = (missing: number) => Math.log((1 - missing) / missing);
  return odds(MISSING / count) / odds(MISSING);
}

/** The same with an interval of at least this width, wherever there is noise at all; none starts below 0. */
export function withMinWidth(answer: KnownAnswer, width: number): KnownAnswer {
  const lacking = answer.stderr > 0 ? width - (answer.high - answer.low) : 0;
  if (!(lacking > 0)) return answer;
  const low = Math.max(answer.low - lacking / 2, 0);
  return { ...answer, low, high: Math.max(answer.high + lacking / 2, low + width) };
}

export function unknownError(value: number): UnknownError {
  return { value, stderr: null, low: null, high: null, reach: NaN };
}
