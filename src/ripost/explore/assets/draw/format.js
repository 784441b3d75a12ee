// Format: numbers in print, with no more digits than their error allows (view/answer.py).

import { Z } from "../engine/answer.js";

// Making a format takes long and using one does not.
const formats = Array.from(
  { length: 10 },
  (_, digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
);
const compactFormat = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A number with so many decimals, in groups of three. */
export function inPrint(number, digits = 0) {
  const text = formats[digits].format(number);
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

/** Decimals worth showing: two digits of the error. */
export function digitsOf({ value, stderr, low, high }) {
  if (low === null) return 0;
  const error = Math.max(stderr ?? 0, high === null ? 0 : (high - low) / 2 / Z);
  if (error === 0) return value === Math.round(value) ? 0 : 3;
  return Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(error))));
}

/** The value of an answer in print. */
export function sayValue(answer) {
  return inPrint(answer.value, digitsOf(answer));
}

/** The interval of an answer in words. */
export function sayRange(answer) {
  if (answer.low === null) return "error unknown";
  const digits = digitsOf(answer);
  return `${inPrint(answer.low, digits)} to ${inPrint(answer.high, digits)}`;
}

export function sayAnswer(answer) {
  return answer.low === null
    ? `${sayValue(answer)} (error unknown)`
    : `${sayValue(answer)} (95 %: ${sayRange(answer)})`;
}

/** A number for an axis: 1.2k, 3.4M. */
export function compact(number) {
  return compactFormat.format(number).replace("K", "k");
}

/** Round numbers from 0 up to a top, about so many. */
export function roundSteps(top, about) {
  if (!(top > 0)) return [0];
  const rough = top / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
  const steps = [];
  for (let k = 0; k * step <= top * 1.0001; k += 1) steps.push(k * step);
  return steps;
}

/** Text that fits a width of so many letters. */
export function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`;
}
