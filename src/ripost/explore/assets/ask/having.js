// Having: which rows of a result to keep, in SQL's logic of three values: true, false, and null for unknown.

import { CannotAsk } from "../engine/condition.js";

const TESTS = {
  "=": (a, b) => a === b,
  "<>": (a, b) => a !== b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

/** Rows for which a tree of conditions is true; `column(term)` gives {get(row), read(text)} of a term. */
export function kept(node, rows, column) {
  const test = testOf(node, column);
  return rows.filter((row) => test(row) === true);
}

function testOf(node, column) {
  if (node.kind === "not") {
    const inner = testOf(node.part, column);
    return (row) => opposite(inner(row));
  }
  if (node.kind === "and" || node.kind === "or") {
    const parts = node.parts.map((part) => testOf(part, column));
    return (row) => joined(parts, row, node.kind === "or");
  }
  const sides = [node.left, node.value, node.low, node.high, ...(node.values ?? [])];
  const known = sides.filter((side) => side && side.value === undefined).map(column);
  if (known.length === 0) throw new CannotAsk("HAVING compares what can be listed with values");
  const read = (side) => (side.value === undefined ? column(side).get : constant(known[0].read(side.value)));
  const left = read(node.left);
  if (node.kind === "null") return (row) => left(row) === null;
  if (node.kind === "between") {
    const [low, high] = [read(node.low), read(node.high)];
    const ends = [(row) => compared(">=", left(row), low(row)), (row) => compared("<=", left(row), high(row))];
    return (row) => joined(ends, row, false);
  }
  if (node.kind === "in") {
    const each = node.values.map(read).map((value) => (row) => compared("=", left(row), value(row)));
    return (row) => joined(each, row, true);
  }
  const right = read(node.value);
  return (row) => compared(node.sign, left(row), right(row));
}

function constant(value) {
  return () => value;
}

function compared(sign, a, b) {
  return a === null || b === null ? null : TESTS[sign](a, b);
}

function opposite(truth) {
  return truth === null ? null : !truth;
}

/** AND or OR: the decisive value wins, else unknown wins. */
function joined(tests, row, decisive) {
  let unknown = false;
  for (const test of tests) {
    const truth = test(row);
    if (truth === decisive) return decisive;
    if (truth === null) unknown = true;
  }
  return unknown ? null : !decisive;
}
