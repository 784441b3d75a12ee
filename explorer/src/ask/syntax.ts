// Syntax: the trees that a question is read into.

/** A column as it is written; unquoted names may differ in case. */
export interface ColumnExpr {
  kind: "column";
  table: string | null;
  name: string;
  quoted: boolean;
}

/** A function: its arguments, and what follows them. */
export interface CallExpr {
  kind: "call";
  name: string; // in capitals
  args: Expr[];
  distinct: boolean;
  sorted: Expr | null; // WITHIN GROUP (ORDER BY …)
  down: boolean; // … DESC
  filter: Expr | null; // FILTER (WHERE …)
  over: Expr[] | null; // OVER (PARTITION BY …)
}

/** The values of a CASE in order; `thens` has one more, that of ELSE. */
export interface CaseExpr {
  kind: "case";
  whens: Expr[];
  thens: Expr[];
}

export interface BinaryExpr {
  kind: "binary";
  sign: string; // + - * / //
  left: Expr;
  right: Expr;
}

export interface CompareExpr {
  kind: "compare";
  sign: string; // = <> < <= > >=
  left: Expr;
  right: Expr;
}

export interface LikeExpr {
  kind: "like";
  of: Expr;
  pattern: Expr;
  fold: boolean;
  escaping: string; // the letter of ESCAPE, if any
}

export type Expr =
  | { kind: "number" | "text"; text: string }
  | { kind: "boolean"; value: boolean }
  | { kind: "null" | "star" }
  | ColumnExpr
  | CallExpr
  | CaseExpr
  | BinaryExpr
  | CompareExpr
  | LikeExpr
  | { kind: "and" | "or" | "list"; parts: Expr[] }
  | { kind: "not" | "minus" | "is null"; of: Expr }
  | { kind: "between"; of: Expr; low: Expr; high: Expr }
  | { kind: "in"; of: Expr; values: Expr[] }
  | { kind: "cast"; of: Expr; type: string }
  | { kind: "extract"; part: string; of: Expr };

export interface Item {
  expr: Expr;
  alias: string | null;
}

export interface Ordering {
  expr: Expr;
  down: boolean;
  nullsFirst: boolean;
}

/** A part of GROUP BY: keys that stand together, or those that ROLLUP, CUBE or GROUPING SETS combine. */
export interface Grouping {
  how: "plain" | "rollup" | "cube" | "sets";
  parts: (Expr[] | Grouping)[];
}

/** What a SELECT asks: a table by its name, or the result of another SELECT. */
export interface Source {
  table: string | Select;
  alias: string;
  simultaneous: boolean;
}

export interface Select {
  named: [name: string, select: Select][]; // WITH
  distinct: boolean;
  items: Item[];
  from: Source;
  where: Expr | null;
  group: Grouping[] | "all" | null;
  having: Expr | null;
  order: Ordering[];
  limit: number | null;
  offset: number;
}

/** An expression and all that it is made of. */
export function* walk(expr: Expr): Generator<Expr> {
  yield expr;
  for (const given of Object.values(expr))
    for (const part of Array.isArray(given) ? given : [given]) if (part?.kind) yield* walk(part);
}

const texts = new WeakMap<Expr, string>();

/** Remember how an expression is written. */
export function written<E extends Expr>(expr: E, text: string): E {
  texts.set(expr, text);
  return expr;
}

/** An expression as it is written, for messages and for the names of columns. */
export function textOf(expr: Expr): string {
  return texts.get(expr) ?? "…";
}
