// Format: numbers in print, with no more digits than their error allows (view/answer.py).

import { Z } from "../engine/answer.ts";
import type { Answer, Figure } from "../engine/types.ts";

// Making a format takes long and using one does not.
const formats = Array.from(
  { length: 10 },
  (_, digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const compactFormat = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A number with so many decimals, in groups of three. */
export function formatNumber(number: number, digits = 0): string {
  const text = formats[digits].format(number);
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

/** Decimals worth showing: two digits of the error. */
export function digitsOf({ value, stderr, low, high }: Figure): number {
  if (low === null) return 0;
  const error = Math.max(stderr ?? 0, high === null ? 0 : (high - low) / 2 / Z);
  if (error === 0) return Number.isInteger(value) ? 0 : 3;
  return Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(error))));
}

/** Whether an answer is the mean of cells where no row can lie. */
export function isNone({ value }: Answer): boolean {
  return Number.isNaN(value);
}

/** The value of an answer in print. */
export function formatValue(answer: Answer): string {
  if (isNone(answer)) return "none";
  return formatNumber(answer.value, digitsOf(answer));
}

/** The interval of an answer in words. */
export function formatInterval(answer: Answer): string {
  if (isNone(answer)) return "no row can be there";
  if (answer.low === null) return "error unknown";
  const digits = digitsOf(answer);
  return `${formatNumber(answer.low, digits)} to ${formatNumber(answer.high, digits)}`;
}

export function formatAnswer(answer: Answer): string {
  return answer.low === null
    ? `${formatValue(answer)} (${formatInterval(answer)})`
    : `${formatValue(answer)} (95 %: ${formatInterval(answer)})`;
}

/** A number for an axis: 1.2k, 3.4M. */
export function formatCompact(number: number): string {
  return compactFormat.format(number).replace("K", "k");
}

/** Round numbers from 0, or from a bottom below it, up to a top, about so many. */
export function roundSteps(top: number, about: number, bottom = 0): number[] {
  if (!(top > bottom)) return [0];
  const rough = (top - bottom) / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const steps: number[] = [];
  for (let k = Math.ceil((bottom / step) * 0.9999); k * step <= top + (top - bottom) * 0.0001; k += 1)
    steps.push(k * step + 0);
  return steps;
}

/** Text that fits a width of so many letters. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
