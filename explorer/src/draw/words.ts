// Words: counts, errors and notes in plain sentences.

import type { Engine } from "../engine/engine.ts";
import type { Facts } from "../engine/facts.ts";
import type { Answer, Region, Selection } from "../engine/types.ts";
import { formatNumber } from "./format.ts";

/** What the view holds, as a heading: rows, or the sum of a column. */
export function measureName({ measure, counted }: Facts): string {
  const sum = /^SUM\((.*)\)$/s.exec(measure);
  if (measure === "COUNT(*)") return counted;
  return sum ? `sum of ${sum[1]}` : measure.replace(/^COUNT\((.*)\)$/, "$1");
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

/** That attributes of a selection were never measured together, with their names; empty where some were. */
export function independenceOf(engine: Engine, boxes: Region, further: number[] = []): string {
  if (engine.note(boxes, further) === "") return "";
  const bounded = boxes.flatMap((box) => Object.keys(box).map(Number));
  const axes = [...new Set([...bounded, ...further])].sort((a, b) => a - b);
  return independenceWords(axes.map((axis) => engine.attributes[axis].title));
}

function independenceWords(titles: string[]): string {
  const names = listOf(titles);
  const rest = "the numbers assume that they are independent.";
  return titles.length === 2
    ? `${names} were never measured together: ${rest}`
    : `No two of ${names} were measured together: ${rest}`;
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
