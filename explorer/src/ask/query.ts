// Query: a question in SQL, answered.

import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { runSteps } from "../engine/steps.ts";
import type { Figure, Interval } from "../engine/types.ts";
import { attributeOf, boxesOf } from "./boxes.ts";
import { groupTotals, MOST_ROWS, type Row } from "./group_totals.ts";
import { filterRows, type Key, type TermColumn } from "./having.ts";
import { heldInSql, type Measure, measureOf } from "./measures.ts";
import { parse } from "./parse.ts";
import { keyRead, keyValue, Question } from "./question.ts";
import type { Asked, Item, MeasureTerm, NameTerm, Ordering, PlaceTerm, Term } from "./syntax.ts";

/** A column of keys: what to show, and what to sort by. */
export interface KeyColumn {
  name: string;
  text(row: Row): string;
  key(row: Row): number;
}

export interface MeasureColumn extends Omit<Measure, "title"> {
  name: string;
}

export type Column = KeyColumn | MeasureColumn;

export interface Result {
  columns: Column[];
  rows: Row[];
}

/** An item of the list: an attribute, or a measure as it was asked and as it is worked out. */
interface Listed {
  alias: string | null;
  attribute: Attribute | null;
  asked: MeasureTerm | null;
  measure: Measure | null;
  column: Column;
}

type Named = Item & { attribute: Attribute | null };

/** The answer to a question; its measures are worked out when they are asked for. */
export function query(view: Engine, sql: string, { simultaneous = false } = {}): Result {
  const asked = parse(sql);
  const engine = view.jointly(1);
  const named = asked.items.map(
    (item): Named => ({ ...item, attribute: item.name ? attributeOf(item.name, engine) : null }),
  );
  const group = groupOf(asked.group, named, engine);
  const boxes = boxesOf(asked.where, engine);
  const question = new Question(engine, boxes, group, asked.having !== null);
  const items = named.map((item) => listItem(item, question));
  if (!items.some((item) => item.measure))
    throw new CannotAsk(`list ${heldInSql(engine.facts.measure)} too: a view holds totals, not rows`);
  const term = (target: Term) => columnOf(target, items, question);
  let rows = rowsOf(question);
  if (simultaneous || asked.simultaneous) engine.together = rows.length * measuresOf(asked.items);
  if (asked.having) rows = filterRows(asked.having, rows, term);
  sortRows(rows, asked.order, term);
  const end = asked.limit === null ? rows.length : asked.offset + asked.limit;
  return { columns: items.map((item) => item.column), rows: rows.slice(asked.offset, end) };
}

/** How many different measures are listed. */
function measuresOf(items: Item[]): number {
  return new Set(items.flatMap((item) => (item.measure ? [measureKey(item.measure, item.text)] : []))).size;
}

/** The same for measures that are written alike. */
function measureKey(measure: Asked, text: string): string {
  return JSON.stringify([text, measure]);
}

function groupOf(targets: Term[], items: Named[], engine: Engine): Attribute[] {
  const found = targets.map((target) => {
    const item = itemOf(target, items);
    const attribute = item ? item.attribute : target.name && attributeOf(target.name, engine);
    if (!attribute) throw new CannotAsk("GROUP BY takes attributes");
    return attribute;
  });
  return [...new Set(found)];
}

/** An item of the list with its column. */
function listItem(item: Named, question: Question): Listed {
  const { alias, attribute } = item;
  if (item.measure) {
    const measure = cacheFigures(measureOf(item, question));
    return { alias, attribute, asked: item, measure, column: { ...measure, name: alias ?? measure.title } };
  }
  if (!attribute) throw new CannotAsk("SELECT takes attributes and measures, not numbers");
  const place = question.group.indexOf(attribute);
  if (place < 0) throw new CannotAsk(`${attribute.name} must be in GROUP BY to be listed`);
  return { alias, attribute, asked: null, measure: null, column: keyColumn(alias ?? attribute.name, place) };
}

export function keyColumn(name: string, place: number): KeyColumn {
  return { name, text: (row) => row.labels[place], key: (row) => row.bins[place][0] };
}

/** A measure whose figures are worked out once a row. */
function cacheFigures(measure: Measure): Measure {
  const values = new Map<Row, number | null>();
  const figures = new Map<Row, Figure>();
  return {
    ...measure,
    value(row) {
      const known = values.get(row);
      const found = known === undefined ? measure.value(row) : known;
      values.set(row, found);
      return found;
    },
    *figure(row) {
      const found = figures.get(row) ?? (yield* measure.figure(row));
      figures.set(row, found);
      return found;
    },
  };
}

/** How to get the value of a term of HAVING or ORDER BY from a row, and how to read what it is compared with. */
function columnOf(target: Term, items: Listed[], question: Question): TermColumn {
  const item = itemOf(target, items);
  const measure = item?.measure ?? (target.measure && alike(target, items, question));
  if (measure) return { get: (row) => measure.value(row), read: readNumber };
  const ends = !item && target.name ? byEnd(target, items) : null;
  if (ends) return { get: (row) => runSteps(ends.measure.figure(row))[ends.end], read: readNumber };
  const attribute = item ? item.attribute : target.name && attributeOf(target.name, question.engine);
  if (!attribute) throw new CannotAsk("only what can be listed can be compared or ordered by");
  const place = question.group.indexOf(attribute);
  if (place < 0) throw new CannotAsk(`${attribute.name} must be in GROUP BY to be compared or ordered by`);
  return { get: (row) => keyValue(attribute, row.bins[place]), read: (text) => keyRead(attribute, text) };
}

/** The measure of the list that a term writes again, or a new one. */
function alike(target: MeasureTerm, items: Listed[], question: Question): Measure {
  const wanted = measureKey(target.measure, target.text);
  const same = items.find(({ asked }) => asked && measureKey(asked.measure, asked.text) === wanted);
  return same?.measure ?? cacheFigures(measureOf(target, question));
}

/** The figure whose low or high end a name such as n_low means. */
function byEnd({ name }: NameTerm, items: Listed[]): { measure: Measure; end: "low" | "high" } | null {
  for (const { alias, measure } of items) {
    for (const end of ["low", "high"] as const)
      if (measure && alias && `${alias}_${end}`.toLowerCase() === name.text.toLowerCase()) return { measure, end };
  }
  return null;
}

function readNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number))
    throw new CannotAsk(`a measure is compared with a number, not '${text}'`);
  return number;
}

/** The item of the list that a term means by its place or its name. */
function itemOf<I extends { alias: string | null }>(target: Term, items: I[]): I | undefined {
  if (target.number !== undefined) return atPlace(target, items);
  const { name } = target;
  return name ? items.find((item) => item.alias?.toLowerCase() === name.text.toLowerCase()) : undefined;
}

function atPlace<I>({ number }: PlaceTerm, items: I[]): I {
  const item = items[number - 1];
  if (!item) throw new CannotAsk(`there is no item ${number} in the list`);
  return item;
}

/** By the first term, then the next; what is missing comes last unless it is asked for first. */
function sortRows(rows: Row[], order: Ordering[], term: (target: Term) => TermColumn): void {
  const keys = order.map((target) => ({ ...target, get: term(target).get }));
  const isNull = (key: Key) => Number(key === null);
  const compare = ({ get, down, nullsFirst }: (typeof keys)[number], a: Row, b: Row) => {
    const [one, other] = [get(a), get(b)];
    if (one === null || other === null) return (isNull(one) - isNull(other)) * (nullsFirst ? -1 : 1);
    return (one < other ? -1 : Number(one > other)) * (down ? -1 : 1);
  };
  rows.sort((a, b) => keys.reduce((found, key) => found || compare(key, a, b), 0));
}

function rowsOf({ engine, boxes, group }: Question): Row[] {
  const axes = group.map((attribute) => attribute.axis);
  if (boxes.length) return groupTotals(engine, boxes, axes, group.map(codesOf));
  return axes.length ? [] : [{ labels: [], bins: [], value: 0, answer: null }];
}

function codesOf(attribute: Attribute): Interval[] {
  if (attribute.size > MOST_ROWS) {
    throw new CannotAsk(`${attribute.name} has ${attribute.size.toLocaleString("en-US")} values, too many to group by`);
  }
  return Array.from({ length: attribute.size }, (_, code): Interval => [code, code + 1]);
}
