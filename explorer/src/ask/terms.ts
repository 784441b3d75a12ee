// Terms: names and plain values, as SQL writes them.

import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk, DAY_ALONE } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import type { Measure } from "../engine/measure.ts";
import { type ColumnExpr, type Expr, textOf } from "./syntax.ts";
import { excerpt } from "./tokens.ts";

/** What a literal stands for, as it is written. */
export interface Plain {
  text: string;
  isText: boolean;
}

/** The attribute that a column names, if it names one; unquoted names may differ in case. */
export function findAttribute({ name, quoted, table }: ColumnExpr, engine: Engine): Attribute | undefined {
  const found = engine.byName.get(name) ?? engine.mapped.get(name);
  if (found || quoted || table) return table ? undefined : found;
  const known = [...engine.attributes, ...engine.mapped.values()];
  const alike = known.filter((one) => one.name.toLowerCase() === name.toLowerCase());
  return alike.length === 1 ? alike[0] : undefined;
}

/** The attribute that an expression is. */
export function attributeOf(expr: Expr, engine: Engine): Attribute {
  if (expr.kind !== "column")
    throw new CannotAsk(`a condition compares an attribute with a value, not ${excerpt(textOf(expr))}`);
  const found = findAttribute(expr, engine);
  if (found) return found;
  if (expr.kind === "column" && measureOf(expr, engine)) throw new CannotAsk(whatIsKnown(expr.name));
  const names = [...engine.attributes, ...engine.mapped.values(), ...engine.measures].map((one) => one.name);
  const hint = names.length <= 12 ? `known: ${names.join(", ")}` : `there are ${names.length} to choose from`;
  throw new CannotAsk(`the view has no attribute ${excerpt(textOf(expr))}; ${hint}`);
}

/** What can be asked of a measure where an attribute is wanted. */
export function whatIsKnown(name: string): string {
  return (
    `${name} is a measure, of which the view knows SUM(${name}) and AVG(${name}); an attribute has quantiles and ` +
    "counts of its values"
  );
}

/** The measure that a column names, by its own name or by that of the table's column; attributes come first. */
export function measureOf(column: ColumnExpr, engine: Engine): Measure | undefined {
  const wanted = column.name.toLowerCase();
  const isAttribute = [...engine.byName.keys(), ...engine.mapped.keys()].some((name) => name.toLowerCase() === wanted);
  if (column.table || isAttribute) return undefined;
  const named = engine.measures.find(({ name }) => name.toLowerCase() === wanted);
  const of = engine.measures.filter((measure) => measure.column.toLowerCase() === wanted);
  return named ?? (of.length === 1 ? of[0] : undefined);
}

/** Whether an expression is a number, a text, true or false, perhaps with a sign or a type. */
export function isPlain(expr: Expr): boolean {
  if (expr.kind === "minus" || expr.kind === "cast") return isPlain(expr.of);
  return expr.kind === "number" || expr.kind === "text" || expr.kind === "boolean";
}

/** The value of a literal; TIMESTAMP '2013-01-31' is a moment, '2013-01-31' a day. */
export function plainValue(expr: Expr): Plain {
  if (expr.kind === "minus") {
    const { text, isText } = plainValue(expr.of);
    if (isText) throw new CannotAsk("a text has no sign; compare with a plain value");
    return { text: text.startsWith("-") ? text.slice(1) : `-${text}`, isText };
  }
  if (expr.kind === "cast") {
    const found = plainValue(expr.of);
    const isMoment = expr.type.startsWith("TIMESTAMP") || expr.type === "DATETIME";
    return isMoment && DAY_ALONE.test(found.text) ? { ...found, text: `${found.text.trim()}T00:00:00` } : found;
  }
  if (expr.kind === "number" || expr.kind === "text") return { text: expr.text, isText: expr.kind === "text" };
  if (expr.kind === "boolean") return { text: String(expr.value), isText: false };
  if (expr.kind === "null") throw new CannotAsk("nothing equals NULL; ask IS NULL or IS NOT NULL");
  if (expr.kind === "column")
    throw new CannotAsk(`expected a value and found ${excerpt(expr.name)}; put text in single quotes, as in 'JFK'`);
  throw new CannotAsk(`${excerpt(textOf(expr))} is not a plain value`);
}

/** The number that a literal stands for; null if it is none. */
export function numberOf(expr: Expr): number | null {
  if (!isPlain(expr)) return null;
  const { text, isText } = plainValue(expr);
  return isText || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}

/** An expression as text that is the same for names in other case. */
export function keyText(expr: Expr, engine: Engine): string {
  return JSON.stringify(expr, (_, part) => {
    if (part?.kind !== "column") return part;
    const attribute = findAttribute(part, engine);
    return attribute ? { attribute: attribute.name } : { column: part.name, table: part.table };
  });
}
