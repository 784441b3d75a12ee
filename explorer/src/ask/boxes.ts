// Boxes: what a condition selects, as selections {axis: intervals} that share no cell (query/condition.py).

import type { Attribute } from "../engine/attribute.ts";
import { between, CannotAsk, equalTo, isMissing, otherThan } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { merge } from "../engine/intervals.ts";
import { intersect, unite } from "../engine/region.ts";
import type { Intervals, Region } from "../engine/types.ts";
import { derivedKey, type Key, labelLike } from "./key.ts";
import { matchingPositions } from "./pattern.ts";
import { type CompareExpr, type Expr, textOf } from "./syntax.ts";
import { attributeOf, isPlain, plainValue } from "./terms.ts";
import { excerpt } from "./tokens.ts";

export const EVERYTHING: Region = [{}];
const MIRROR: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const OPPOSITE: Record<string, string> = { "=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">" };
export const TESTS: Record<string, (a: number | string, b: number | string) => boolean> = {
  "=": (a, b) => a === b,
  "<>": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};
const CONDITIONS =
  "ask for conditions joined by AND, OR and NOT, each on one attribute, with =, <>, <, <=, >, >=, BETWEEN, IN, LIKE or IS NULL";

/** Where a condition is true or, if negated, where it is false. As in SQL, a missing value satisfies IS NULL only. */
export function boxesOf(where: Expr | null, engine: Engine, negated = false): Region {
  if (where === null) return EVERYTHING;
  if (where.kind === "not") return boxesOf(where.of, engine, !negated);
  if (where.kind === "and" || where.kind === "or") {
    const parts = where.parts.map((part) => boxesOf(part, engine, negated));
    return (where.kind === "and") !== negated
      ? parts.reduce((one, other) => intersect(one, other))
      : unite(parts, engine.sizes); // De Morgan
  }
  const [axis, intervals] = tested(where, engine, negated);
  return intervals.length ? [{ [axis]: intervals }] : [];
}

/** Axis and positions of one condition. */
function tested(node: Expr, engine: Engine, negated: boolean): [number, Intervals] {
  if (node.kind === "column") {
    const attribute = attributeOf(node, engine);
    if (attribute.type !== "boolean")
      throw new CannotAsk(`${attribute.name} is no condition by itself; compare it with a value`);
    return [attribute.axis, equalTo(attribute, String(!negated))];
  }
  const turned = node.kind === "compare" ? mirrored(node) : node;
  const of = turned.kind === "compare" ? turned.left : "of" in turned ? turned.of : null;
  if (!of || !["compare", "between", "in", "is null", "like"].includes(turned.kind))
    throw new CannotAsk(`cannot answer ${excerpt(textOf(node))}; ${CONDITIONS}`);
  const key = of.kind === "column" || turned.kind === "like" ? null : derivedKey(of, engine);
  if (key) return [key.attribute.axis, ofLabels(key, turned, negated)];
  if (of.kind === "call" && ["COUNT", "SUM", "AVG"].includes(of.name))
    throw new CannotAsk(`WHERE takes attributes; put ${excerpt(textOf(of))} into HAVING`);
  const attribute = attributeOf(of, engine);
  return [attribute.axis, attribute.positions(positions(turned, attribute, negated))];
}

/** A comparison with its attribute on the left. */
function mirrored(node: CompareExpr): CompareExpr {
  const { sign, left, right } = node;
  return isPlain(left) ? { ...node, sign: MIRROR[sign] ?? sign, left: right, right: left } : node;
}

/** Positions that one condition on an attribute covers. */
function positions(node: Expr, attribute: Attribute, negated: boolean): Intervals {
  const value = (expr: Expr) => plainValue(expr).text;
  const either = (found: Intervals) => (negated ? otherThan(attribute, found) : found);
  if (node.kind === "compare") {
    const sign = negated ? OPPOSITE[node.sign] : node.sign;
    const given = value(node.right);
    if (sign === "=") return equalTo(attribute, given);
    if (sign === "<>") return otherThan(attribute, equalTo(attribute, given));
    if (sign[0] === "<") return between(attribute, null, given, { before: sign === "<" });
    return between(attribute, given, null, { after: sign === ">" });
  }
  if (node.kind === "between") return either(between(attribute, value(node.low), value(node.high)));
  if (node.kind === "in") return either(merge(node.values.flatMap((one) => equalTo(attribute, value(one)))));
  if (node.kind === "like") return matchingPositions(attribute, node, negated);
  return negated ? [[0, attribute.missingCode]] : isMissing(attribute);
}

/** Positions of the parts whose labels satisfy a condition, for conditions on more than a bare column. */
function ofLabels(key: Key, node: Expr, negated: boolean): Intervals {
  const like = (expr: Expr) => labelLike(key, plainValue(expr));
  const test = labelTest(node, like);
  const found = key.parts.filter((_, i) => {
    const label = key.labels[i];
    if (node.kind === "is null") return (label === null) !== negated;
    return label !== null && test(label) !== negated;
  });
  return merge(found.flat());
}

function labelTest(node: Expr, like: (expr: Expr) => number | string): (label: number | string) => boolean {
  if (node.kind === "compare") {
    const value = like(node.right);
    return (label) => TESTS[node.sign](label, value);
  }
  if (node.kind === "between") {
    const [low, high] = [like(node.low), like(node.high)];
    return (label) => low <= label && label <= high;
  }
  const listed = node.kind === "in" ? node.values.map(like) : [];
  return (label) => listed.includes(label);
}
