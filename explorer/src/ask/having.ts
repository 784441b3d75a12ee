// Having: which rows of a result to keep, in SQL's logic of three values: true, false, and null for unknown.

import { CannotAsk } from "../engine/condition.ts";
import type { Row } from "./group_totals.ts";
import type { Comparison, Logic, Operand, Term } from "./syntax.ts";

/** What rows are compared and sorted by: a number, a text, or null if it is missing. */
export type Key = number | string | null;

/** How to get the value of a term from a row, and how to read what it is compared with. */
export interface TermColumn {
  get: (row: Row) => Key;
  read: (text: string) => Key;
}

type Truth = boolean | null;
type RowTest = (row: Row) => Truth;

const TESTS: Record<string, (a: number | string, b: number | string) => boolean> = {
  "=": (a, b) => a === b,
  "<>": (a, b) => a !== b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** Rows for which a tree of conditions is true. */
export function filterRows(node: Logic<Comparison>, rows: Row[], column: (term: Term) => TermColumn): Row[] {
  const test = testOf(node, column);
  return rows.filter((row) => test(row) === true);
}

function testOf(node: Logic<Comparison>, column: (term: Term) => TermColumn): RowTest {
  if (node.kind === "not") {
    const inner = testOf(node.part, column);
    return (row) => negate(inner(row));
  }
  if ("parts" in node) {
    const parts = node.parts.map((part) => testOf(part, column));
    return (row) => combine(parts, row, node.kind === "or");
  }
  const known = sidesOf(node).flatMap((side) => ("value" in side ? [] : [column(side)]));
  if (known.length === 0) throw new CannotAsk("HAVING compares what can be listed with values");
  const read = (side: Operand) => ("value" in side ? constant(known[0].read(side.value)) : column(side).get);
  const left = read(node.left);
  if (node.kind === "null") return (row) => left(row) === null;
  if (node.kind === "between") {
    const [low, high] = [read(node.low), read(node.high)];
    const ends: RowTest[] = [(row) => compare(">=", left(row), low(row)), (row) => compare("<=", left(row), high(row))];
    return (row) => combine(ends, row, false);
  }
  if (node.kind === "in") {
    const each = node.values.map(read).map(
      (value): RowTest =>
        (row) =>
          compare("=", left(row), value(row)),
    );
    return (row) => combine(each, row, true);
  }
  const right = read(node.value);
  return (row) => compare(node.sign, left(row), right(row));
}

function sidesOf(node: Comparison): Operand[] {
  if (node.kind === "compare") return [node.left, node.value];
  if (node.kind === "between") return [node.left, node.low, node.high];
  return node.kind === "in" ? [node.left, ...node.values] : [node.left];
}

function constant(value: Key): (row: Row) => Key {
  return () => value;
}

function compare(sign: string, a: Key, b: Key): Truth {
  return a === null || b === null ? null : TESTS[sign](a, b);
}

function negate(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

/** AND or OR: the decisive value wins, else unknown wins. */
function combine(tests: RowTest[], row: Row, decisive: boolean): Truth {
  let unknown = false;
  for (const test of tests) {
    const truth = test(row);
    if (truth === decisive) return decisive;
    if (truth === null) unknown = true;
  }
  return unknown ? null : !decisive;
}
