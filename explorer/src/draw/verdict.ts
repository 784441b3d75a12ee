// Verdict: whether one total is larger than another, in one sentence, as the library says it (view.compare).

import type { Facts } from "../engine/facts.ts";
import type { Figure } from "../engine/types.ts";
import { digitsOf, formatNumber } from "./format.ts";

export function verdictOf(
  difference: Figure,
  one: string,
  other: string,
  { measure, counted }: Pick<Facts, "measure" | "counted">,
): string {
  const isCount = measure === "COUNT(*)";
  const [more, fewer, what] = isCount ? ["more", "fewer", counted] : ["a larger", "a smaller", measure];
  const { value, low, high } = difference;
  const unsure = `Cannot tell whether ${one} or ${other} has ${more} ${what}`;
  if (value !== null && Number.isNaN(value)) return `${unsure}: no row can be in one of them.`;
  if (value === null || low === null || high === null) return `${unsure}: the error is unknown.`;
  const print = (number: number) => formatNumber(number, digitsOf(difference));
  if (low === 0 && high === 0) return `${one} and ${other} are the same.`;
  if (low <= 0 && high >= 0) return `${unsure}: the difference is ${print(low)} to ${print(high)} (95 %).`;
  const word = low > 0 ? more : fewer;
  const [near, far] = low > 0 ? [low, high] : [-high, -low];
  const by = isCount ? `${print(Math.abs(value))} ${word}` : `by ${print(Math.abs(value))}`;
  return `${one} has ${word} ${what} than ${other}: ${by} (${print(near)} to ${print(far)}, 95 %).`;
}
