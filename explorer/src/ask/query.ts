// Query: a question in SQL, answered. A SELECT asks the view, or the rows of the result of another SELECT.

import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { boxesOf } from "./boxes.ts";
import { groupingOf } from "./grouping.ts";
import { filterRows, type Values } from "./having.ts";
import { type Measure, measureOf } from "./measures.ts";
import { nameOf } from "./naming.ts";
import { hasExtremes, selectRows } from "./nested.ts";
import { parse } from "./parse.ts";
import { Question, type Row } from "./question.ts";
import {
  atPlace,
  type Column,
  checkNames,
  columnValues,
  keyColumn,
  namedValues,
  type Result,
  sortRows,
} from "./result.ts";
import { Scope, type Term } from "./scope.ts";
import { type Expr, type Grouping, type Select, textOf, walk } from "./syntax.ts";
import { excerpt } from "./tokens.ts";

const DOMAIN_VALUES = "DISTINCT lists the values of the public domain; whether rows have them, only counts can tell";

/** The answer to a question; its measures are worked out when they are asked for. */
export function query(view: Engine, sql: string, { simultaneous = false } = {}): Result {
  return answer(view, parse(sql), new Map(), simultaneous);
}

/** A SELECT and the results that it may name. */
interface Named {
  select: Select;
  known: Map<string, Named>;
}

function answer(view: Engine, select: Select, outer: Map<string, Named>, simultaneous: boolean): Result {
  const known = new Map(outer);
  for (const [name, inner] of select.named) known.set(name, { select: inner, known: new Map(known) });
  const source = sourceOf(select, known, view);
  if (!source) return askView(view, select, simultaneous || select.from.simultaneous);
  return selectRows(select, answer(view, source.select, source.known, simultaneous || hasExtremes(select)));
}

/** The SELECT that another asks; null if it asks the view. Names of it in front of columns are removed. */
function sourceOf(select: Select, known: Map<string, Named>, view: Engine): Named | null {
  const { table, alias, simultaneous } = select.from;
  const name = typeof table === "string" ? table.toLowerCase() : "";
  const inFront = [name, alias.toLowerCase()];
  for (const expr of expressionsOf(select))
    for (const part of walk(expr))
      if (part.kind === "column" && part.table && inFront.includes(part.table.toLowerCase())) part.table = null;
  if (typeof table !== "string") return { select: table, known };
  const found = known.get(name);
  if (found && !simultaneous) return found;
  const { tables } = view.facts;
  if (tables.includes(name)) return null;
  const others = [...tables, ...known.keys()].filter((one) => one !== "view").slice(0, 5);
  throw new CannotAsk(`there is no table ${excerpt(table)}; ask FROM ${["view", ...others.map(excerpt)].join(" or ")}`);
}

function expressionsOf({ items, order, where, having, group }: Select): Expr[] {
  const grouped = Array.isArray(group) ? group.flatMap(groupedBy) : [];
  return [...items, ...order].map(({ expr }) => expr).concat(where ?? [], having ?? [], grouped);
}

function groupedBy({ parts }: Grouping): Expr[] {
  return parts.flatMap((part) => (Array.isArray(part) ? part : groupedBy(part)));
}

/** What the view answers. Simultaneous intervals are those of all groups, because HAVING and LIMIT choose after the
 * noise.
 */
function askView(view: Engine, select: Select, simultaneous: boolean): Result {
  const engine = view.jointly(1);
  if (select.items.some(({ expr }) => expr.kind === "star"))
    throw new CannotAsk("the view holds no rows, so it has no *; ask for COUNT(*), and for attributes in GROUP BY");
  const { keys, texts, sets } = groupingOf(select, engine);
  const named = new Map(
    select.items.flatMap(({ expr, alias }) => (alias ? [[alias.toLowerCase(), expr] as const] : [])),
  );
  const scope = new Scope(engine, texts, named, select.having === null && sets.length === 1);
  const terms = select.items.map(({ expr }) => scope.term(expr));
  const question = new Question(engine, boxesOf(select.where, engine), keys, sets);
  const rows = question.rows;
  if (simultaneous) engine.together = rows.length * scope.measures.length;
  const made = new Map<number, Measure>();
  const columnOf = (term: Term, name: string): Column => {
    if ("key" in term) return keyColumn(name, keys[term.key], term.key);
    if ("grouping" in term) return groupingColumn(name, term.grouping);
    const measure = made.get(term.measure) ?? measureOf(scope.measures[term.measure], question);
    made.set(term.measure, measure);
    return { ...measure, name };
  };
  const columns = select.items.map(({ expr, alias }, i) => columnOf(terms[i], alias ?? termName(expr, terms[i])));
  const values = (expr: Expr): Values => namedValues(expr, columns) ?? columnValues(columnOf(scope.term(expr), ""));
  const kept = select.having ? filterRows(select.having, rows, values) : [...rows];
  sortRows(kept, select.order, (expr) => atPlace(expr, columns) ?? values(expr));
  const end = select.limit === null ? undefined : select.offset + select.limit;
  const note = select.distinct && scope.measures.length === 0 ? DOMAIN_VALUES : "";
  return { columns: checkNames(columns), rows: kept.slice(select.offset, end), note };

  function termName(expr: Expr, term: Term): string {
    if ("key" in term) return expr.kind === "column" ? keys[term.key].attribute.name : textOf(expr);
    return "grouping" in term ? "grouping" : nameOf(expr, scope.measures[term.measure], engine);
  }
}

/** Which of some keys stand for all, as bits, the last key's lowest. */
function groupingColumn(name: string, keys: number[]): Column {
  const bits = (row: Row) => keys.reduce((sum, key) => 2 * sum + Number(row.places[key] === null), 0);
  return { name, kind: "number", text: (row) => String(bits(row)), key: bits };
}
