// Words: counts, errors and notes in plain sentences.

import { INDEPENDENT } from "../engine/answer.ts";
import type { Engine } from "../engine/engine.ts";
import type { Facts } from "../engine/facts.ts";
import type { Measure } from "../engine/measure.ts";
import type { Quantity } from "../engine/measured.ts";
import type { Answer, KnownAnswer, Region, Selection } from "../engine/types.ts";
import { isUntold } from "../state/quantity.ts";
import type { Store } from "../state/store.ts";
import { digitsOf, formatAnswer, formatInterval, formatNumber, isNone } from "./format.ts";

export const TOO_FEW = "too few rows";
const ASSUMED = "the numbers mostly assume that they are independent.";

/** What the view holds, as a heading: rows, or the sum of a column. */
export function measureName({ measure, counted }: Facts): string {
  const sum = /^SUM\((.*)\)$/s.exec(measure);
  if (measure === "COUNT(*)") return counted;
  return sum ? `sum of ${sum[1]}` : measure.replace(/^COUNT\((.*)\)$/, "$1");
}

/** What is shown, as a heading: the rows, or a sum or a mean. */
export function shownName({ engine, quantity }: Store): string {
  return quantity ? quantityName(quantity) : measureName(engine.facts);
}

export function quantityName({ what, measure }: NonNullable<Quantity>): string {
  return `${what} of ${measure.name}`;
}

/** How rows add to a measure, in two sentences. */
export function describeMeasure({ min, max, missing }: Measure, { counted }: Facts): string {
  const write = (number: number) => String(Number(number.toPrecision(6)));
  const rest = missing === null ? "are left out" : `count as ${write(missing)}`;
  const rows = `${counted[0].toUpperCase()}${counted.slice(1)}`;
  return `Values from ${write(min)} to ${write(max)}; others count as the nearer end. ${rows} without a value ${rest}.`;
}

/** An answer with its interval; that there are too few rows, where they do not tell a mean. */
export function answerInWords(answer: Answer, quantity: Quantity): string {
  return isUntold(answer, quantity) ? `${TOO_FEW} (95 %: ${formatInterval(answer)})` : formatAnswer(answer);
}

/** What is selected in words: rows, or a sum or a mean, with no more digits than the error allows. */
export function headline(answer: Answer, { engine, quantity }: Store): string {
  if (!quantity) return countInWords(answer, engine.facts);
  const name = quantityName(quantity);
  if (isNone(answer)) return `There is no ${name}: no row can be there`;
  if (answer.low === null) return `The ${name} is about ${formatNumber(answer.value)}; the error is unknown`;
  if (isUntold(answer, quantity)) return `Too few ${engine.facts.counted} to tell the ${name}`;
  return `The ${name} is ${aboutInWords(answer)}`;
}

/** A number that may be negative, and how far the truth may be from it. */
function aboutInWords({ value, low, high }: KnownAnswer): string {
  const half = (high - low) / 2;
  if (!(half > 0)) return formatNumber(value, digitsOf({ value, low, high }));
  const place = 10 ** Math.floor(Math.log10(half));
  const digits = Math.min(9, Math.max(0, -Math.floor(Math.log10(half))));
  const rounded = Math.round(value / place) * place;
  const reach = Math.max(high - rounded, rounded - low);
  const unit = 10 ** (Math.floor(Math.log10(reach)) - 1);
  const farthest = Math.ceil(reach / unit - 1e-9) * unit;
  const finer = Math.min(9, Math.max(0, -Math.floor(Math.log10(unit) + 1e-9)));
  return `about ${formatNumber(rounded, digits)}, give or take ${formatNumber(farthest, finer)}`;
}

/** A total in words, with no more digits than its error allows: "About 336,800 rows, give or take 130".
 *
 * The range that the words give holds the whole interval.
 */
export function countInWords(answer: Answer, facts: Facts): string {
  const isCount = facts.measure === "COUNT(*)";
  const name = measureName(facts);
  const whatIs = (number: string) => (isCount ? `${number} ${name}` : `the ${name} is ${number}`);
  const start = (text: string) => text[0].toUpperCase() + text.slice(1);
  const { value, low, high } = answer;
  if (low === null) return `${start(whatIs(`about ${formatNumber(value)}`))}; the error is unknown`;
  if (high - low < 1) return start(whatIs(isCount ? formatNumber(value) : formatNumber(value, 2)));
  const place = 10 ** Math.max(0, Math.round(Math.log10((high - low) / 2)));
  const rounded = Math.round(value / place) * place;
  if (low <= 0) return start(whatIs(`between 0 and ${formatNumber(roundUp(high))}`));
  const reach = roundUp(Math.max(high - rounded, rounded - low));
  return `${start(whatIs(`about ${formatNumber(rounded)}`))}, give or take ${formatNumber(reach)}`;
}

/** The next number of two digits and zeros. */
function roundUp(number: number): number {
  const place = 10 ** Math.max(0, Math.floor(Math.log10(number)) - 1);
  return Math.ceil(number / place - 1e-9) * place;
}

/** The note on a selection, with the names of its attributes where they are taken as independent. */
export function independenceOf(engine: Engine, boxes: Region, further: number[] = []): string {
  const note = engine.note(boxes, further);
  if (note !== INDEPENDENT) return sentence(note);
  const bounded = boxes.flatMap((box) => Object.keys(box).map(Number));
  const axes = [...new Set([...bounded, ...further])].sort((a, b) => a - b);
  const names = listOf(axes.map((axis) => engine.attributes[axis].title));
  return `How ${names} depend on each other was not measured closely enough here: ${ASSUMED}`;
}

/** A note as a sentence. */
export function sentence(note: string): string {
  return note && `${note[0].toUpperCase()}${note.slice(1)}.`;
}

/** Names as a list in a sentence. */
export function listOf(names: string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** What is selected, in a line. */
export function describeFilters(engine: Engine, filters: Selection): string {
  const parts = Object.entries(filters).map(([axis, intervals]) => {
    const attribute = engine.attributes[Number(axis)];
    return `${attribute.title} ${attribute.describeIntervals(intervals)}`;
  });
  return parts.length ? parts.join("; ") : `all ${engine.facts.counted}`;
}
