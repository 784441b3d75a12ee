// Calendar: periods of dates, where each begins and which number it has (query/calendar.py). Ticks are milliseconds.

import type { Attribute } from "./attribute.ts";
import type { Interval } from "./types.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const MONDAY = 4 * DAY; // the first one after the start of 1970

export interface Period {
  length: number; // the shortest, in milliseconds
  months: number; // 0 if it does not follow months
  at(moment: Date): number; // its number
}

const even = (length: number, at: Period["at"]): Period => ({ length, months: 0, at });
const following = (months: number, length: number, at: Period["at"]): Period => ({ length: length * DAY, months, at });

const PERIODS: Record<string, Period> = {
  year: following(12, 365, (moment) => moment.getUTCFullYear()),
  quarter: following(3, 90, (moment) => Math.floor(moment.getUTCMonth() / 3) + 1),
  month: following(1, 28, (moment) => moment.getUTCMonth() + 1),
  week: even(7 * DAY, weekOf),
  day: even(DAY, (moment) => moment.getUTCDate()),
  dow: even(DAY, (moment) => moment.getUTCDay()),
  isodow: even(DAY, (moment) => moment.getUTCDay() || 7),
  doy: even(DAY, (moment) => (startOf(PERIODS.day, moment.getTime()) - Date.UTC(moment.getUTCFullYear())) / DAY + 1),
  hour: even(HOUR, (moment) => moment.getUTCHours()),
  minute: even(60 * SECOND, (moment) => moment.getUTCMinutes()),
  second: even(SECOND, (moment) => moment.getUTCSeconds()),
};

const ALIASES: Record<string, string> = {
  weekday: "dow",
  dayofweek: "dow",
  day_of_week: "dow",
  dayofmonth: "day",
  day_of_month: "day",
  dayofyear: "doy",
  day_of_year: "doy",
  dayofweekiso: "isodow",
  day_of_week_iso: "isodow",
  weekofyear: "week",
  week_of_year: "week",
  years: "year",
  months: "month",
  days: "day",
  hours: "hour",
};

/** The period of a name in any of its spellings. */
export function periodNamed(name: string): Period | undefined {
  const lower = name.toLowerCase();
  const known = ALIASES[lower] ?? lower;
  return Object.hasOwn(PERIODS, known) ? PERIODS[known] : undefined;
}

/** The shortest length of a bin of dates: that of a period where the bin is one. */
export function binLength({ bins }: Attribute): number {
  if (!bins.edges) return bins.width;
  const months = Math.max(1, Math.round((bins.edges[1] - bins.edges[0]) / (30.4 * DAY))); // edges are starts of months
  return Object.values(PERIODS).find((period) => period.months === months)?.length ?? 30 * DAY * months;
}

/** The ISO week: the week of its Thursday, counted from the start of the year of that day. */
function weekOf(moment: Date): number {
  const thursday = new Date(startOf(PERIODS.week, moment.getTime()) + 3 * DAY);
  return Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear())) / (7 * DAY)) + 1;
}

/** Where the period begins that a tick lies in. */
function startOf({ months, length }: Period, tick: number): number {
  const moment = new Date(tick);
  if (months) return Date.UTC(moment.getUTCFullYear(), Math.floor(moment.getUTCMonth() / months) * months);
  const from = length === 7 * DAY ? MONDAY : 0;
  return Math.floor((tick - from) / length) * length + from;
}

/** Where the next period begins. */
function nextStart({ months, length }: Period, start: number): number {
  if (!months) return start + length;
  const moment = new Date(start);
  return Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months);
}

/** Where periods begin that meet the range of an attribute, and where the last ends; null if they are too many. */
export function periodEdges(attribute: Attribute, period: Period, most: number): number[] | null {
  const [first, last] = [attribute.edge(0), attribute.edge(attribute.count)];
  if ((last - first) / period.length > 1.2 * most + 2) return null; // a period is hardly longer than its shortest
  const edges = [startOf(period, first)];
  while (edges[edges.length - 1] < last) edges.push(nextStart(period, edges[edges.length - 1]));
  return edges;
}

/** Bins of periods, as positions of codes; null if they are more than `most` or would cut a code. */
export function periodBins(
  attribute: Attribute,
  name: string,
  most: number,
  window: Interval = [0, attribute.count],
): Interval[] | null {
  const period = PERIODS[name];
  if ((attribute.tickAt(window[1]) - attribute.tickAt(window[0])) / period.length > 1.2 * most + 2) return null;
  const bins: Interval[] = [];
  const end = attribute.tickAt(window[1]);
  for (let at = startOf(period, attribute.tickAt(window[0])); at < end; ) {
    const next = nextStart(period, at);
    const [low, high] = [at, next].map((tick) => attribute.positionOf(tick));
    const bin: Interval = [Math.max(low, window[0]), Math.min(high, window[1])];
    if (bin[0] % 1 || bin[1] % 1) return null;
    if (bin[0] < bin[1]) bins.push(bin);
    at = next;
  }
  return bins.length <= most ? bins : null;
}

/** What a bin stands for: a whole period by its name, such as 2013-04, else its first and last value. */
export function printPeriod(attribute: Attribute, [low, high]: Interval): string {
  const name = periodOf(attribute, [low, high]);
  return name ? nameStart(name, attribute.tickAt(low)) : attribute.describeRange(low, high);
}

/** The period that a bin is, if it is a whole one. A range up to 23:59:59 lacks no more than a second of its last. */
function periodOf(attribute: Attribute, bin: Interval): string | undefined {
  const [from, to] = bin.map((position) => attribute.tickAt(position));
  const lacks = (period: Period) => nextStart(period, from) - to;
  const most = bin[1] === attribute.count ? SECOND : 0;
  return NAMED.find((one) => {
    const period = PERIODS[one];
    return startOf(period, from) === from && lacks(period) >= 0 && lacks(period) <= most;
  });
}

/** Which bars hold part of a period alone, in words: bars at the ends, where the others are whole. */
export function partialEnds(attribute: Attribute, bins: Interval[]): string {
  const period = bins.length > 2 && periodOf(attribute, bins[1]);
  if (!period) return "";
  const ends = { first: bins[0], last: bins[bins.length - 1] };
  const found = Object.entries(ends).filter(([, bin]) => periodOf(attribute, bin) === undefined);
  if (found.length === 0) return "";
  const names = found.map(([name]) => name).join(" and the ");
  return `The ${names} bar ${found.length > 1 ? "hold" : "holds"} only part of a ${period}.`;
}

const NAMED = ["year", "quarter", "month", "week", "day", "hour"];

function nameStart(period: string, tick: number): string {
  const text = new Date(tick).toISOString();
  if (period === "year") return text.slice(0, 4);
  if (period === "quarter") return `${text.slice(0, 4)} Q${PERIODS.quarter.at(new Date(tick))}`;
  if (period === "month") return text.slice(0, 7);
  if (period === "week") return `week of ${text.slice(0, 10)}`;
  return period === "day" ? text.slice(0, 10) : text.slice(0, 16).replace("T", " ");
}

/** Where a bin begins, in few letters: the months of months, the hours of hours. */
export function briefStart(attribute: Attribute, bins: Interval[], bin: Interval): string {
  const ticks = bins.map(([low]) => attribute.tickAt(low));
  const inner = ticks.slice(1); // the first may begin inside a period
  const all = (name: string) => inner.every((tick) => startOf(PERIODS[name], tick) === tick);
  const text = new Date(attribute.tickAt(bin[0])).toISOString();
  if (all("year")) return text.slice(0, 4);
  if (all("month")) return text.slice(0, 7);
  if (all("day")) return text.slice(0, 10);
  const days = (ticks[ticks.length - 1] - ticks[0]) / DAY;
  return days <= 1 ? text.slice(11, 16) : text.slice(5, 16).replace("T", " ");
}
