// Condition: positions that a comparison with values covers (space/kind.py). What cannot be asked is told in a sentence.

import type { Attribute } from "./attribute.ts";
import { complement } from "./intervals.ts";
import type { Interval, Intervals } from "./types.ts";

export const DAY = 86_400_000; // milliseconds
export const DAY_ALONE = /^\s*\d{4}-\d\d-\d\d\s*$/; // a date without a time of day

/** What the reader asked cannot be answered; the message says why and what can. */
export class CannotAsk extends Error {}

/** Positions from low to high, ends in unless `after` low or `before` high; null: an end is open. */
export function between(
  attribute: Attribute,
  low: string | null,
  high: string | null,
  { after = false, before = false } = {},
): Intervals {
  if (!attribute.ordered) throw new CannotAsk(`${attribute.name} has no order; ask for values, not for a range`);
  const [lowest, highest] = [low, high].map((end) => (end === null ? null : tickOf(attribute, end)));
  if (lowest !== null && highest !== null && lowest > highest) {
    throw new CannotAsk(`${attribute.name}: the range is reversed, ${low} is above ${high}`);
  }
  const from = after ? dayAfter(attribute, low, lowest) : lowest;
  const to = before ? highest : dayAfter(attribute, high, highest);
  const start = from === null ? attribute.edge(0) : firstValue(attribute, from, after);
  const stop = to === null ? attribute.edge(attribute.count) : firstValue(attribute, to, !before);
  return [positionsOf(attribute, start, Math.max(start, stop))].filter(([one, other]) => one < other);
}

/** Positions of one value. */
export function equalTo(attribute: Attribute, value: string): Intervals {
  if (attribute.other && value === attribute.otherName) return [[attribute.count, attribute.count + 1]];
  if (!attribute.ordered) {
    const code = attribute.codes.get(attribute.type === "boolean" ? truth(value) : value);
    if (code === undefined) throw new CannotAsk(`${attribute.name} has no value '${value}'; ${known(attribute)}`);
    return [[code, code + 1]];
  }
  if (isWholeDay(attribute, value)) return between(attribute, value, value);
  const tick = tickOf(attribute, value);
  if (attribute.step) {
    const start = Math.floor(tick / attribute.step) * attribute.step;
    return [positionsOf(attribute, start, start + attribute.step)];
  }
  positionsOf(attribute, tick, tick);
  const code = Math.min(Math.floor(attribute.positionOf(tick)), attribute.count - 1);
  return [[code, code + 1]];
}

export function isMissing(attribute: Attribute): Intervals {
  if (!attribute.missing) throw new CannotAsk(`${attribute.name} has no missing values: its schema drops them`);
  return [[attribute.missingCode, attribute.missingCode + 1]];
}

/** All positions of values that are there, except these. */
export function otherThan(attribute: Attribute, intervals: Intervals): Intervals {
  return complement(intervals, attribute.missingCode);
}

function tickOf(attribute: Attribute, value: string): number {
  const tick = attribute.parse(value);
  if (tick === null) throw new CannotAsk(`${attribute.name}: cannot read '${value}' as ${attribute.type}`);
  return tick;
}

/** Whether a text names a day of moments: then it stands for all of them, also as the last one of a range. */
function isWholeDay({ type }: Attribute, text: string): boolean {
  return type === "timestamp" && DAY_ALONE.test(text);
}

/** Where the day that a text names ends; the tick if it names a moment. */
function dayAfter(attribute: Attribute, text: string | null, tick: number | null): number | null {
  return tick !== null && text !== null && isWholeDay(attribute, text) ? tick + DAY : tick;
}

/** The first value at a tick or, with `after`, beyond it; the tick itself on a continuum. */
function firstValue({ step }: Attribute, tick: number, after: boolean): number {
  if (!step) return tick;
  return (after ? Math.floor(tick / step) + 1 : Math.ceil(tick / step)) * step;
}

function positionsOf(attribute: Attribute, start: number, stop: number): Interval {
  const first = attribute.edge(0);
  const last = attribute.edge(attribute.count);
  if (start > last || stop < first || (attribute.step && (start === last || stop === first))) {
    const range = `${attribute.text(first)} to ${attribute.text(last - attribute.step)}`;
    throw new CannotAsk(`${attribute.name} lies in ${range}; the range asked is outside`);
  }
  return [attribute.positionOf(start), attribute.positionOf(stop)];
}

function known({ names }: Attribute): string {
  return names.length <= 12 ? `known: ${names.join(", ")}` : `there are ${names.length} to choose from`;
}

function truth(value: string): string {
  const text = value.trim().toLowerCase();
  if (["false", "f", "no", "n", "0"].includes(text)) return "false";
  return ["true", "t", "yes", "y", "1"].includes(text) ? "true" : text;
}
