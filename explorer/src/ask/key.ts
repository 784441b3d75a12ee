// Key: an attribute cut into labelled parts, one for each group that it makes (query/key.py).

import type { Attribute } from "../engine/attribute.ts";
import { binLength, type Period, periodEdges, periodNamed, printPeriod } from "../engine/calendar.ts";
import { CannotAsk, DAY } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import type { Interval, Intervals } from "../engine/types.ts";
import { type Expr, textOf } from "./syntax.ts";
import { attributeOf, isPlain, type Plain, plainValue } from "./terms.ts";
import { excerpt } from "./tokens.ts";

const MOST_PARTS = 100_000;
const PARTS =
  "YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND WEEKDAY DAYOFWEEK ISODOW DOY DAYOFWEEKISO DAYOFMONTH " +
  "DAYOFYEAR WEEKOFYEAR";
const SPAN = /^\s*(\d+)\s*(second|minute|hour|day|week|month|quarter|year)s?\s*$/;
const KEYS =
  "an attribute, width(attribute, 10), FLOOR(attribute / 10) * 10, EXTRACT(month FROM attribute) or " +
  "DATE_TRUNC('month', attribute)";

/** What a part is called, to compare and to sort by; null if it is what is missing. Days and moments are ticks. */
export type Label = number | string | null;

/** One axis in disjoint parts. */
export interface Key {
  attribute: Attribute;
  kind: "number" | "string" | "day" | "moment"; // of the labels
  labels: Label[];
  texts: string[]; // of the labels, to show
  parts: Intervals[];
}

/** The key that an expression names. */
export function keyOf(expr: Expr, engine: Engine): Key {
  if (expr.kind === "column") return byCode(attributeOf(expr, engine));
  const found = derivedKey(expr, engine);
  if (found) return found;
  if (expr.kind === "case")
    throw new CannotAsk("cannot group by CASE … END; ask COUNT(*) FILTER (WHERE …) for each of its cases");
  throw new CannotAsk(`cannot group by ${excerpt(textOf(expr))}; ask for ${KEYS}`);
}

/** The key of an expression of one column; null if it is nothing of the kind. */
export function derivedKey(expr: Expr, engine: Engine): Key | null {
  if (expr.kind === "extract") return byPart(attributeOf(expr.of, engine), expr.part);
  if (expr.kind === "binary") {
    const multiple = multipleOf(expr.left, expr.right) ?? multipleOf(expr.right, expr.left);
    if (expr.sign !== "*" || !multiple) return null;
    const [column, divisor, factor] = multiple;
    if (plainValue(divisor).text !== plainValue(factor).text)
      throw new CannotAsk(`cannot group by ${excerpt(textOf(expr))}; divide and multiply by the same width`);
    return byWidth(attributeOf(column, engine), plainValue(factor));
  }
  if (expr.kind !== "call") return null;
  const [one, other] = expr.args;
  if (expr.name === "WIDTH" && expr.args.length === 2 && isPlain(other))
    return byWidth(attributeOf(one, engine), plainValue(other));
  if (expr.name === "DATE_TRUNC" && one?.kind === "text") return byPeriod(attributeOf(other, engine), one.text);
  if (["DATE_PART", "DATEPART"].includes(expr.name) && one?.kind === "text")
    return byPart(attributeOf(other, engine), one.text);
  return PARTS.split(" ").includes(expr.name) && expr.args.length === 1
    ? byPart(attributeOf(one, engine), expr.name)
    : null;
}

/** The column and the widths of FLOOR(x / 10) * 10 or (x // 10) * 10. */
function multipleOf(floor: Expr, factor: Expr): [column: Expr, divisor: Expr, factor: Expr] | null {
  const isFloor = floor.kind === "call" && floor.name === "FLOOR";
  const ratio = isFloor ? floor.args[0] : floor;
  if (ratio?.kind !== "binary" || ratio.sign !== (isFloor ? "/" : "//") || !isPlain(factor) || !isPlain(ratio.right))
    return null;
  return [ratio.left, ratio.right, factor];
}

/** Every code by itself, labelled by its name or by where its bin begins. */
function byCode(attribute: Attribute): Key {
  checkNumber(attribute, attribute.size);
  const codes = Array.from({ length: attribute.count }, (_, code) => code);
  const labels = codes.map((code) => (attribute.ordered ? attribute.edge(code) : attribute.names[code]));
  return finish(
    attribute,
    labels,
    codes.map((code): Intervals => [[code, code + 1]]),
  );
}

/** Bins of one width, each labelled by where it begins: a multiple of the width, or a moment. */
function byWidth(attribute: Attribute, { text }: Plain): Key {
  const { name } = attribute;
  if (attribute.isCalendar) return bySpan(attribute, text);
  if (!attribute.ordered)
    throw new CannotAsk(`${name} has no order, so it has no bins of a width; group by ${name} itself`);
  const width = Number(text);
  if (!(width > 0 && width < 1e300) || (attribute.type === "integer" && width % 1))
    throw new CannotAsk(`the width of bins of ${name} must be a ${attribute.type} above 0, got ${excerpt(text)}`);
  const start = Math.floor(attribute.edge(0) / width);
  const count = Math.ceil(attribute.edge(attribute.count) / width) - start;
  checkNumber(attribute, count);
  return byEdges(
    attribute,
    Array.from({ length: count + 1 }, (_, i) => (start + i) * width),
  );
}

function bySpan(attribute: Attribute, text: string): Key {
  const [, number, unit] = SPAN.exec(text.toLowerCase()) ?? [];
  const period = periodNamed(unit ?? "");
  if (!period || !Number(number))
    throw new CannotAsk(
      `${attribute.name}: a width of dates is a number and a period, such as '2 weeks', got ${excerpt(text)}`,
    );
  if (period.months) {
    const [edges, step] = [edgesOf(attribute, "month"), period.months * Number(number)];
    const inner = edges.slice(0, -1).filter((edge) => monthNumber(edge) % step === 0);
    return byEdges(attribute, [...new Set([edges[0], ...inner, edges[edges.length - 1]])]);
  }
  const length = period.length * Number(number);
  if (attribute.type === "date" && length % DAY)
    throw new CannotAsk(`${attribute.name} is a date, so its bins last whole days, got ${excerpt(text)}`);
  const [first, last] = [attribute.edge(0), attribute.edge(attribute.count)];
  const count = Math.ceil((last - first) / length);
  checkNumber(attribute, count);
  return byEdges(
    attribute,
    Array.from({ length: count + 1 }, (_, i) => first + i * length),
  );
}

function monthNumber(tick: number): number {
  return new Date(tick).getUTCFullYear() * 12 + new Date(tick).getUTCMonth();
}

/** Periods of the calendar, such as months, each labelled by when it begins. */
function byPeriod(attribute: Attribute, name: string): Key {
  return byEdges(attribute, edgesOf(attribute, name));
}

/** A part of the calendar, such as the month of any year or the hour of any day, labelled by its number. */
function byPart(attribute: Attribute, name: string): Key {
  const edges = edgesOf(attribute, name);
  const period = periodNamed(name) as Period;
  const spans = new Map<number, Interval[]>();
  for (let i = 0; i + 1 < edges.length; i += 1) {
    const number = period.at(new Date(edges[i]));
    const [begin, end] = [edges[i], edges[i + 1]].map((tick) => attribute.positionOf(tick));
    const found = spans.get(number) ?? [];
    spans.set(number, found);
    const last = found[found.length - 1];
    if (last?.[1] === begin) last[1] = end;
    else if (begin < end) found.push([begin, end]);
  }
  const labels = [...spans.keys()].filter((number) => spans.get(number)?.length).sort((a, b) => a - b);
  return finish(
    attribute,
    labels,
    labels.map((label) => spans.get(label) ?? []),
    labels.map(String),
    "number",
  );
}

/** Where periods begin and end; CannotAsk if the attribute does not tell them apart. */
function edgesOf(attribute: Attribute, name: string): number[] {
  const period = periodNamed(name);
  if (!attribute.isCalendar)
    throw new CannotAsk(`${attribute.name} is no date, so it has no ${name}; group by ${attribute.name} itself`);
  if (!period)
    throw new CannotAsk(`${attribute.name} has no part ${excerpt(name)}; ask for year, month, week, day or hour`);
  if (attribute.type === "date" && period.length < DAY)
    throw new CannotAsk(`${attribute.name} is a date without a time of day, so it has no ${name}`);
  if (binLength(attribute) > period.length)
    throw new CannotAsk(
      `the bins of ${attribute.name} are longer, so its ${name} is not known; ask for a longer period`,
    );
  const edges = periodEdges(attribute, period, MOST_PARTS);
  if (!edges) throw new CannotAsk(`${attribute.name} has too many such periods; ask for a longer one`);
  return edges;
}

/** Parts between edges in ticks, labelled by where they begin. */
function byEdges(attribute: Attribute, edges: number[]): Key {
  const bins: [number, Interval][] = [];
  for (let i = 0; i + 1 < edges.length; i += 1) {
    const bin: Interval = [attribute.positionOf(edges[i]), attribute.positionOf(edges[i + 1])];
    if (bin[0] < bin[1]) bins.push([edges[i], bin]);
  }
  const texts = bins.map(([, bin]) =>
    attribute.isCalendar ? printPeriod(attribute, bin) : attribute.describeRange(...bin),
  );
  return finish(
    attribute,
    bins.map(([start]) => start),
    bins.map(([, bin]) => [bin]),
    texts,
  );
}

/** A key with the codes for other and missing values added; with an `(other)`, all labels are words. */
function finish(
  attribute: Attribute,
  labels: (number | string)[],
  parts: Intervals[],
  texts?: string[],
  kind: Key["kind"] = kindOf(attribute),
): Key {
  const { special, other, count } = attribute;
  const isValue = attribute.ordered && kind === kindOf(attribute); // of the attribute, not the number of a period
  const write = (label: number | string) => (isValue ? attribute.text(Number(label)) : String(label));
  const all = [...labels, ...special.map((code) => (other && code === count ? attribute.otherName : null))];
  return {
    attribute,
    kind: other ? "string" : kind,
    labels: all.map((label, i) => (other && i < labels.length ? write(labels[i]) : label)),
    texts: [
      ...(texts ?? labels.map((_, code) => attribute.describe(code))),
      ...special.map((code) => attribute.describe(code)),
    ],
    parts: [...parts, ...special.map((code): Intervals => [[code, code + 1]])].map((part) => attribute.positions(part)),
  };
}

function kindOf({ type, ordered, isCalendar }: Attribute): Key["kind"] {
  if (!ordered) return "string";
  return isCalendar ? (type === "date" ? "day" : "moment") : "number";
}

/** A key of bins that are shown under texts. */
export function keyOfBins(attribute: Attribute, bins: Interval[], texts: string[]): Key {
  return { attribute, kind: "number", labels: bins.map(([low]) => low), texts, parts: bins.map((bin) => [bin]) };
}

/** A plain value as a label of a key; a moment beside days is one of them. */
export function labelLike({ kind, attribute }: Key, { text }: Plain): number | string {
  if (kind === "string") return text;
  const found = kind === "number" ? Number(text) : attribute.parse(text);
  if (found === null || !Number.isFinite(found) || text.trim() === "")
    throw new CannotAsk(`${attribute.name} cannot be compared with ${excerpt(text)}`);
  return found;
}

function checkNumber({ name }: Attribute, count: number): void {
  if (count > MOST_PARTS) {
    const groups = count.toLocaleString("en-US");
    throw new CannotAsk(`${name} falls into ${groups} groups, too many to group by; ask for width(${name}, …)`);
  }
}
