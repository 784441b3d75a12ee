// Aggregate: one aggregate function of SQL, in any of its spellings (query/aggregate.py).

import { CannotAsk } from "../engine/condition.ts";
import { type CallExpr, type Expr, textOf, walk } from "./syntax.ts";
import { numberOf } from "./terms.ts";
import { excerpt } from "./tokens.ts";

export const MEASURES =
  "COUNT(*), SHARE(*), or AVG, MEDIAN, SUM, MIN, MAX and QUANTILE_CONT of an attribute that has an order";
const PLAIN: Record<string, Aggregate["what"]> = {
  COUNT: "count",
  COUNT_IF: "countif",
  COUNTIF: "countif",
  SUM: "sum",
  AVG: "mean",
  MEAN: "mean",
  MIN: "min",
  MAX: "max",
  MEDIAN: "quantile",
  APPROX_MEDIAN: "quantile",
};
const QUANTILES =
  "QUANTILE QUANTILE_CONT QUANTILE_DISC APPROX_QUANTILE PERCENTILE PERCENTILE_APPROX APPROX_PERCENTILE".split(" ");
const PERCENTILES = ["PERCENTILE_CONT", "PERCENTILE_DISC"];

/** What is aggregated, and how. */
export interface Aggregate {
  what: "count" | "countif" | "sum" | "mean" | "quantile" | "min" | "max";
  argument: Expr | null;
  level: number; // of a quantile
}

/** Whether an expression asks for a measure anywhere. */
export function hasAggregate(expr: Expr): boolean {
  for (const part of walk(expr)) {
    if (part.kind !== "call") continue;
    const { name } = part;
    if (Object.hasOwn(PLAIN, name) || QUANTILES.includes(name) || PERCENTILES.includes(name) || name === "SHARE")
      return true;
  }
  return false;
}

/** The aggregate that a call is. */
export function aggregateOf(call: CallExpr): Aggregate {
  const { name, args } = call;
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (plain && args.length <= 1 && !call.sorted) return { what: plain, argument: args[0] ?? null, level: 0.5 };
  if (PERCENTILES.includes(name) && call.sorted) {
    const level = levelOf(args[0]);
    return { what: "quantile", argument: call.sorted, level: call.down ? 1 - level : level };
  }
  if (QUANTILES.includes(name)) return { what: "quantile", argument: args[0], level: levelOf(args[1]) };
  throw new CannotAsk(`cannot answer ${excerpt(textOf(call))}; ask for attributes in GROUP BY, or for ${MEASURES}`);
}

function levelOf(expr: Expr | undefined): number {
  if (!expr) throw new CannotAsk("a quantile needs a level from 0 to 1; write QUANTILE_CONT(attribute, 0.9)");
  const level = numberOf(expr);
  if (level === null || !(level >= 0 && level <= 1))
    throw new CannotAsk(`a quantile is a number from 0 to 1, got ${excerpt(textOf(expr))}`);
  return level;
}

/** The numbers that multiply or divide an expression, as one, and the expression. */
export function splitFactor(expr: Expr): [number, Expr] {
  let [factor, inner] = [1, expr];
  for (;;) {
    if (inner.kind === "cast") inner = inner.of;
    else if (inner.kind === "minus" && numberOf(inner) === null) [factor, inner] = [-factor, inner.of];
    else if (inner.kind === "binary" && inner.sign === "*" && numberOf(inner.left) !== null)
      [factor, inner] = [factor * (numberOf(inner.left) ?? 1), inner.right];
    else if (inner.kind === "binary" && inner.sign === "*" && numberOf(inner.right) !== null)
      [factor, inner] = [factor * (numberOf(inner.right) ?? 1), inner.left];
    else if (inner.kind === "binary" && inner.sign === "/" && numberOf(inner.right))
      [factor, inner] = [factor / (numberOf(inner.right) ?? 1), inner.left];
    else return [factor, inner];
  }
}
