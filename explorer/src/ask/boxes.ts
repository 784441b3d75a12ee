// Boxes: what a condition selects, as selections {axis: intervals} that share no cell.

import type { Attribute } from "../engine/attribute.ts";
import { between, CannotAsk, equalTo, isMissing, otherThan } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { merge } from "../engine/intervals.ts";
import { intersect, unite } from "../engine/region.ts";
import type { Intervals, Region } from "../engine/types.ts";
import type { Condition, Logic, Name } from "./syntax.ts";

const OPPOSITE: Record<string, string> = {
  "=": "<>",
  "<>": "=",
  "!=": "=",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

/** Disjoint selections for a tree of conditions. As in SQL, a missing value satisfies IS NULL only, negated or not. */
export function boxesOf(where: Logic<Condition> | null, engine: Engine): Region {
  return where === null ? [{}] : select(where, engine, false);
}

function select(node: Logic<Condition>, engine: Engine, negated: boolean): Region {
  if (node.kind === "not") return select(node.part, engine, !negated);
  if ("parts" in node) {
    const parts = node.parts.map((part) => select(part, engine, negated));
    return (node.kind === "and") !== negated
      ? parts.reduce((one, other) => intersect(one, other))
      : unite(parts, engine.sizes); // De Morgan
  }
  const attribute = attributeOf(node.name, engine);
  if (node.alone && attribute.type !== "boolean")
    throw new CannotAsk(`${attribute.name} is no condition by itself; compare it with a value`);
  const intervals = positions(node, attribute, negated);
  return intervals.length ? [{ [attribute.axis]: intervals }] : [];
}

/** Positions that one condition covers. */
function positions(node: Condition, attribute: Attribute, negated: boolean): Intervals {
  if (node.kind === "compare") {
    const sign = negated ? OPPOSITE[node.sign] : node.sign;
    if (sign === "=") return equalTo(attribute, node.value);
    if (sign === "<>" || sign === "!=") return otherThan(attribute, equalTo(attribute, node.value));
    if (sign[0] === "<") return between(attribute, null, node.value, { before: sign === "<" });
    return between(attribute, node.value, null, { after: sign === ">" });
  }
  if (node.kind === "null") return negated ? [[0, attribute.missingCode]] : isMissing(attribute);
  const found =
    node.kind === "between"
      ? between(attribute, node.low, node.high)
      : merge(node.values.flatMap((value) => equalTo(attribute, value)));
  return negated ? otherThan(attribute, found) : found;
}

/** The attribute of a name; names that are not quoted may differ in case. */
export function attributeOf({ text, quoted }: Name, engine: Engine): Attribute {
  const found = engine.byName.get(text);
  if (found) return found;
  const alike = engine.attributes.filter((one) => one.name.toLowerCase() === text.toLowerCase());
  if (alike.length === 1 && !quoted) return alike[0];
  const names = engine.attributes.map((one) => one.name);
  const hint = names.length <= 12 ? `known: ${names.join(", ")}` : `there are ${names.length} to choose from`;
  throw new CannotAsk(`the view has no attribute "${text}"; ${hint}`);
}
