// Having: which rows of a result to keep, in SQL's logic of three values: true, false, and null for unknown.

import { CannotAsk, DAY, DAY_ALONE } from "../engine/condition.ts";
import { TESTS } from "./boxes.ts";
import type { Label } from "./key.ts";
import { matcherOf } from "./pattern.ts";
import type { Row } from "./question.ts";
import { type Expr, textOf } from "./syntax.ts";
import { isPlain, plainValue } from "./terms.ts";
import { excerpt } from "./tokens.ts";

/** The values of an expression in rows, and how a text is read that they are compared with. */
export interface Values {
  of: (row: Row) => Label;
  kind: "number" | "string" | "day" | "moment";
}

type Truth = boolean | null;
type RowTest = (row: Row) => Truth;
const CAN = "compare what stands in SELECT or GROUP BY with plain values, joined by AND, OR and NOT";

/** Rows for which an expression is true. */
export function filterRows(expr: Expr, rows: Row[], values: (expr: Expr) => Values): Row[] {
  const test = testOf(expr, values);
  return rows.filter((row) => test(row) === true);
}

function testOf(expr: Expr, values: (expr: Expr) => Values): RowTest {
  if (expr.kind === "not") {
    const inner = testOf(expr.of, values);
    return (row) => negate(inner(row));
  }
  if (expr.kind === "and" || expr.kind === "or")
    return combine(
      expr.parts.map((part) => testOf(part, values)),
      expr.kind === "or",
    );
  if (expr.kind === "compare") return compare(expr.sign, expr.left, expr.right, values);
  if (expr.kind === "is null") {
    const { of } = values(expr.of);
    return (row) => of(row) === null;
  }
  if (expr.kind === "between") {
    const ends = [compare(">=", expr.of, expr.low, values), compare("<=", expr.of, expr.high, values)];
    return combine(ends, false);
  }
  if (expr.kind === "in")
    return combine(
      expr.values.map((value) => compare("=", expr.of, value, values)),
      true,
    );
  if (expr.kind === "like") {
    const [{ of, kind }, matches] = [values(expr.of), matcherOf(expr)];
    if (kind !== "string") throw new CannotAsk(`cannot answer ${excerpt(textOf(expr))}; LIKE is about text`);
    return (row) => {
      const text = of(row);
      return text === null ? null : matches(String(text));
    };
  }
  throw new CannotAsk(`cannot answer ${excerpt(textOf(expr))}; ${CAN}`);
}

/** One comparison; a text beside dates is one, and a moment beside a day is its day. */
function compare(sign: string, left: Expr, right: Expr, values: (expr: Expr) => Values): RowTest {
  const sides = [left, right].map((side) => (isPlain(side) ? null : values(side)));
  const known = sides.find((side) => side !== null);
  if (!known) throw new CannotAsk(`cannot answer ${excerpt(textOf(left))} ${sign} …; ${CAN}`);
  const plain = [left, right].flatMap((side) => (isPlain(side) ? [plainValue(side).text] : []));
  const kinds = sides.map((side) => side?.kind ?? known.kind);
  const byDay = kinds.includes("day") || (kinds.includes("moment") && plain.some((text) => DAY_ALONE.test(text)));
  const rounded = (label: Label) => (byDay && typeof label === "number" ? Math.floor(label / DAY) * DAY : label);
  const [one, other] = sides.map((side, i) => {
    if (side) return (row: Row) => rounded(side.of(row));
    const value = rounded(read(known.kind, plainValue(i ? right : left).text));
    return () => value;
  });
  return (row) => {
    const [a, b] = [one(row), other(row)];
    if (a === null || b === null) return null;
    return typeof a === typeof b ? TESTS[sign](a, b) : TESTS[sign](Number(a), Number(b));
  };
}

/** A text as a value of a kind. */
function read(kind: Values["kind"], text: string): Label {
  if (kind === "string") return text;
  const found =
    kind === "number" ? Number(text) : Date.parse(`${text.trim().replace(" ", "T")}${DAY_ALONE.test(text) ? "" : "Z"}`);
  if (text.trim() === "" || !Number.isFinite(found))
    throw new CannotAsk(
      `a ${kind === "number" ? "measure is compared with a number" : "date is compared with a date"}, not '${text}'`,
    );
  return found;
}

function negate(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

/** AND or OR: the decisive value wins, else unknown wins. */
function combine(tests: RowTest[], decisive: boolean): RowTest {
  return (row) => {
    let unknown = false;
    for (const test of tests) {
      const truth = test(row);
      if (truth === decisive) return decisive;
      if (truth === null) unknown = true;
    }
    return unknown ? null : !decisive;
  };
}
