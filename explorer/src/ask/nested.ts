// Nested: a SELECT over the rows of a result: WHERE, ORDER BY and LIMIT, some of its columns, or MIN and MAX of them.

import { CannotAsk } from "../engine/condition.ts";
import { inOneStep } from "../engine/steps.ts";
import type { Figure } from "../engine/types.ts";
import { filterRows } from "./having.ts";
import { figureOf } from "./measures.ts";
import type { Row } from "./question.ts";
import { atPlace, type Column, checkNames, ENDS, isMeasure, namedValues, type Result, sortRows } from "./result.ts";
import { type CallExpr, type Expr, type Item, type Select, textOf, walk } from "./syntax.ts";
import { excerpt } from "./tokens.ts";

const CAN = "over a result ask for its columns, * or MIN and MAX of columns, with WHERE, ORDER BY and LIMIT";

/** Whether a SELECT over a result asks MIN or MAX, for which the intervals of the result hold simultaneously. */
export function hasExtremes({ items }: Select): boolean {
  return items.some(({ expr }) => [...walk(expr)].some(isExtreme));
}

/** What a SELECT asks of the rows of a result. */
export function selectRows(select: Select, inner: Result): Result {
  for (const [word, given] of [
    ["GROUP BY", select.group],
    ["HAVING", select.having],
    ["DISTINCT", select.distinct],
  ])
    if (given) throw new CannotAsk(`cannot answer ${word} over a result; use it in the SELECT from the view; ${CAN}`);
  const values = (expr: Expr) => {
    const found = namedValues(expr, inner.columns);
    if (!found) throw new CannotAsk(`the result has no column ${excerpt(textOf(expr))}; it has ${namesOf(inner)}`);
    return found;
  };
  const rows = select.where ? filterRows(select.where, inner.rows, values) : [...inner.rows];
  const end = select.limit === null ? undefined : select.offset + select.limit;
  if (hasExtremes(select)) {
    if (select.order.length || !select.items.every(({ expr }) => isExtreme(expr)))
      throw new CannotAsk("MIN and MAX of a result make one row; ask for them alone, without ORDER BY");
    const columns = select.items.map((item) => extreme(item, item.expr as CallExpr, inner, rows));
    const only: Row = { places: [], value: 0, answer: null };
    return { columns: checkNames(columns), rows: [only].slice(select.offset, end), note: inner.note };
  }
  const columns = withoutEnds(select.items, inner).flatMap((item) => listed(item, inner));
  const named = new Map(
    select.items.flatMap(({ expr, alias }) => (alias ? [[alias.toLowerCase(), expr] as const] : [])),
  );
  sortRows(rows, select.order, (expr) => {
    const renamed =
      expr.kind === "column" && !namedValues(expr, inner.columns) ? named.get(expr.name.toLowerCase()) : null;
    return atPlace(expr, columns) ?? values(renamed ?? expr);
  });
  return { columns: checkNames(columns), rows: rows.slice(select.offset, end), note: inner.note };
}

function isExtreme(expr: Expr): boolean {
  return expr.kind === "call" && (expr.name === "MIN" || expr.name === "MAX");
}

/** The items without the ends of measures that are shown themselves under their own names. */
function withoutEnds(items: Item[], inner: Result): Item[] {
  const shown = new Set(
    items.flatMap(({ expr, alias }) => (expr.kind === "column" && !alias ? [expr.name.toLowerCase()] : [])),
  );
  const measures = inner.columns.filter((column) => isMeasure(column) && shown.has(column.name.toLowerCase()));
  const ends = measures.flatMap(({ name }) => ENDS.slice(1).map((end) => `${name}${end}`.toLowerCase()));
  return items.filter(({ expr, alias }) => alias || expr.kind !== "column" || !ends.includes(expr.name.toLowerCase()));
}

/** The columns of an item: * is every column. An end of a measure is a column of numbers. */
function listed({ expr, alias }: Item, inner: Result): Column[] {
  if (expr.kind === "star") return inner.columns;
  if (expr.kind !== "column" || expr.table)
    throw new CannotAsk(`cannot answer ${excerpt(textOf(expr))} of a result; ${CAN}`);
  const column = inner.columns.find(({ name }) => name.toLowerCase() === expr.name.toLowerCase());
  if (column) return [{ ...column, name: alias ?? column.name }];
  const values = namedValues(expr, inner.columns);
  if (!values) throw new CannotAsk(`the result has no column ${excerpt(expr.name)}; it has ${namesOf(inner)}`);
  const text = (row: Row) => String(values.of(row) ?? "unknown");
  return [{ name: alias ?? expr.name, kind: values.kind, text, key: values.of }];
}

/** MIN or MAX of a column; of a measure with its ends, which hold because those of all rows hold together. */
function extreme({ alias }: Item, { name, args: [argument] }: CallExpr, inner: Result, rows: Row[]): Column {
  const [column] = listed({ expr: argument, alias: null }, inner);
  const title = alias ?? `${name.toLowerCase()}_${column.name}`;
  const choose = <T extends number | string>(values: T[]) =>
    values.length ? values.reduce((a, b) => (a < b === (name === "MIN") ? a : b)) : null;
  if (!isMeasure(column)) {
    const known = rows.filter((row) => column.key(row) !== null);
    const best = choose(known.map((row) => column.key(row) as number | string));
    const at = known.find((row) => column.key(row) === best);
    return { name: title, kind: column.kind, text: () => (at ? column.text(at) : "none"), key: () => best };
  }
  const figure = (): Figure => {
    const figures = rows.map((row) => figureOf(column, row));
    const known = (end: "value" | "low" | "high") => figures.map((one) => one[end]).filter((one) => one !== null);
    const ends = (["low", "high"] as const).map((end) =>
      known(end).length === rows.length ? choose(known(end)) : null,
    );
    const note = figures.find((one) => one.note)?.note;
    return { value: choose(known("value")), low: ends[0], high: ends[1], note };
  };
  return { ...column, name: title, value: () => figure().value, figure: () => inOneStep(figure) };
}

function namesOf({ columns }: Result): string {
  return columns.map(({ name }) => name).join(", ");
}
