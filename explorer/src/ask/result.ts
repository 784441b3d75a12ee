// Result: the columns and rows that a SELECT gives, which another SELECT may ask.

import { CannotAsk } from "../engine/condition.ts";
import type { Values } from "./having.ts";
import type { Key, Label } from "./key.ts";
import { figureOf, type Measure } from "./measures.ts";
import type { Row } from "./question.ts";
import type { Expr, Ordering } from "./syntax.ts";
import { excerpt } from "./tokens.ts";

export const ENDS = ["", "_low", "_high"]; // of the names of a measure and of the ends of its interval
const PLACES = ["value", "low", "high"] as const;
const ALL = "(all)"; // what a subtotal is called

/** A column of keys: what to show, and what to compare and sort by. */
export interface KeyColumn {
  name: string;
  kind: Key["kind"];
  text(row: Row): string;
  key(row: Row): Label;
}

export interface MeasureColumn extends Measure {
  name: string;
}

export type Column = KeyColumn | MeasureColumn;

export interface Result {
  columns: Column[];
  rows: Row[];
  note?: string;
}

export function isMeasure(column: Column): column is MeasureColumn {
  return "figure" in column;
}

/** The column of a key of a question. */
export function keyColumn(name: string, { kind, labels, texts }: Key, place: number): KeyColumn {
  const at =
    <T>(list: T[], all: T) =>
    (row: Row) => {
      const part = row.places[place];
      return part === null ? all : list[part];
    };
  return { name, kind, text: at(texts, ALL), key: at<Label>(labels, null) };
}

/** The values of a column. */
export function columnValues(column: Column): Values {
  return isMeasure(column)
    ? { kind: column.isDate ? "moment" : "number", of: (row) => column.value(row) }
    : { kind: column.kind, of: (row) => column.key(row) };
}

/** The values of the column that an expression names, or of an end of it, such as n_low; null if it names none. */
export function namedValues(expr: Expr, columns: Column[]): Values | null {
  if (expr.kind !== "column" || expr.table) return null;
  for (const column of columns) {
    const place = ENDS.findIndex((end) => `${column.name}${end}`.toLowerCase() === expr.name.toLowerCase());
    if (place === 0) return columnValues(column);
    if (place > 0 && isMeasure(column))
      return { kind: column.isDate ? "moment" : "number", of: (row) => figureOf(column, row)[PLACES[place]] };
  }
  return null;
}

/** The column that a place in the list means; null if an expression is no place. */
export function atPlace(expr: Expr, columns: Column[]): Values | null {
  if (expr.kind !== "number") return null;
  const column = /^\d{1,5}$/.test(expr.text) ? columns[Number(expr.text) - 1] : undefined;
  if (!column) throw new CannotAsk(`there is no column ${expr.text} in SELECT; it has ${columns.length}`);
  return columnValues(column);
}

/** By the first term, then the next; what is missing comes last unless it is asked for first. */
export function sortRows(rows: Row[], order: Ordering[], values: (expr: Expr) => Values): void {
  const keys = order.map((one) => ({ ...one, of: values(one.expr).of }));
  const compare = ({ of, down, nullsFirst }: (typeof keys)[number], a: Row, b: Row) =>
    compareLabels(of(a), of(b), { down, nullsFirst });
  rows.sort((a, b) => keys.reduce((found, key) => found || compare(key, a, b), 0));
}

/** Below 0 if one label comes before another. */
export function compareLabels(one: Label, other: Label, { down = false, nullsFirst = false } = {}): number {
  const isNull = (label: Label) => Number(label === null);
  if (one === null || other === null) return (isNull(one) - isNull(other)) * (nullsFirst ? -1 : 1);
  return (one < other ? -1 : Number(one > other)) * (down ? -1 : 1);
}

/** The columns, if no two of them, or of their ends, have one name. */
export function checkNames(columns: Column[]): Column[] {
  const seen = new Set<string>();
  for (const column of columns)
    for (const end of isMeasure(column) ? ENDS : ENDS.slice(0, 1)) {
      const name = `${column.name}${end}`;
      if (seen.has(name.toLowerCase()))
        throw new CannotAsk(`two columns would be called ${excerpt(name)}; name one of them with AS`);
      seen.add(name.toLowerCase());
    }
  return columns;
}
