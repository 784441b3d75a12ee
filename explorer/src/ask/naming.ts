// Naming: what the columns of a result are called that were given no name (query/naming.py).

import type { Engine } from "../engine/engine.ts";
import { splitFactor } from "./aggregate.ts";
import { Cases } from "./case.ts";
import type { Asked } from "./measures.ts";
import { type Expr, walk } from "./syntax.ts";
import { findAttribute } from "./terms.ts";

/** The name of a measure. */
export function nameOf(expr: Expr, asked: Asked, engine: Engine): string {
  switch (asked.kind) {
    case "rounded":
      return nameOf(expr.kind === "call" ? expr.args[0] : expr, asked.of, engine);
    case "scaled": {
      const name = nameOf(splitFactor(expr)[1], asked.of, engine);
      return ["share", "difference", "ratio"].includes(asked.of.kind) ? name : `scaled_${name}`;
    }
    case "share":
    case "difference":
    case "ratio":
      return asked.kind;
    case "min":
    case "max":
      return `${asked.kind}_${asked.attribute.name}`;
    case "measured":
      return `${asked.what === "sum" ? "sum" : "avg"}_${asked.measure.name}`;
    case "mean":
    case "sum":
    case "quantile": {
      const isMedian = [...walk(expr)].some((part) => part.kind === "call" && part.name === "MEDIAN");
      const word = { mean: "avg", sum: "sum", quantile: `q${Number((100 * asked.level).toPrecision(6))}` }[asked.kind];
      return `${isMedian ? "median" : word}_${asked.attribute.name}`;
    }
    default:
      return totalName(expr, engine);
  }
}

function totalName(expr: Expr, engine: Engine): string {
  const calls = [...walk(expr)].filter((part) => part.kind === "call");
  const word = calls.some(({ name }) => name === "SUM") ? "sum" : "count";
  if (expr.kind !== "call" || expr.filter || !expr.args[0] || Cases.of(expr.args[0], engine)) return word;
  const [column] = expr.args;
  return column.kind === "column" ? `${word}_${findAttribute(column, engine)?.name ?? column.name}` : word;
}
