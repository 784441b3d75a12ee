// Boxes: what a condition selects, as selections {axis: intervals} that share no cell.

import { between, CannotAsk, equalTo, isMissing, otherThan } from "../engine/condition.js";
import { complement, merged, overlap, sameIntervals } from "../engine/intervals.js";

const MOST_BOXES = 500;
const OPPOSITE = { "=": "<>", "<>": "=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">" };

/** Disjoint selections for a tree of conditions. As in SQL, a missing value satisfies IS NULL only, negated or not. */
export function boxesOf(where, engine) {
  return where === null ? [{}] : select(where, engine, false);
}

function select(node, engine, negated) {
  if (node.kind === "not") return select(node.part, engine, !negated);
  if (node.kind === "and" || node.kind === "or") {
    const parts = node.parts.map((part) => select(part, engine, negated));
    return (node.kind === "and") !== negated ? parts.reduce(both) : either(parts, engine); // De Morgan
  }
  const attribute = attributeOf(node.name, engine);
  if (node.alone && attribute.type !== "boolean")
    throw new CannotAsk(`${attribute.name} is no condition by itself; compare it with a value`);
  const intervals = positions(node, attribute, negated);
  return intervals.length ? [{ [attribute.axis]: intervals }] : [];
}

/** Positions that one condition covers. */
function positions(node, attribute, negated) {
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
      : merged(node.values.flatMap((value) => equalTo(attribute, value)));
  return negated ? otherThan(attribute, found) : found;
}

/** The attribute of a name; names that are not quoted may differ in case. */
export function attributeOf({ text, quoted }, engine) {
  const found = engine.byName.get(text);
  if (found) return found;
  const alike = engine.attributes.filter((one) => one.name.toLowerCase() === text.toLowerCase());
  if (alike.length === 1 && !quoted) return alike[0];
  const names = engine.attributes.map((one) => one.name);
  const hint = names.length <= 12 ? `known: ${names.join(", ")}` : `there are ${names.length} to choose from`;
  throw new CannotAsk(`the view has no dimension "${text}"; ${hint}`);
}

function both(one, other) {
  const found = [];
  for (const a of one) for (const b of other) found.push(...common(a, b));
  return checked(found);
}

/** What is in any of some unions. Those that keep one and the same axis are one before others are looked at. */
function either(regions, engine) {
  const alone = new Map();
  const rest = [];
  for (const region of regions) {
    const axes = region.length === 1 ? Object.keys(region[0]) : [];
    if (axes.length === 1) alone.set(axes[0], [...(alone.get(axes[0]) ?? []), ...region[0][axes[0]]]);
    else rest.push(region);
  }
  const first = [...alone].map(([axis, intervals]) => [{ [axis]: merged(intervals) }]);
  let found = [];
  for (const region of [...first, ...rest]) {
    let left = region;
    for (const taken of found) left = left.flatMap((part) => without(part, taken, engine));
    found = checked([...found, ...left]);
  }
  return joined(found);
}

/** What is in both selections: one selection, or none. */
function common(a, b) {
  const found = { ...a };
  for (const [axis, intervals] of Object.entries(b)) {
    found[axis] = axis in a ? overlap(a[axis], intervals) : intervals;
    if (found[axis].length === 0) return [];
  }
  return [found];
}

/** What is in a selection and not in another, cut off axis by axis. */
function without(part, box, engine) {
  if (common(part, box).length === 0) return [part];
  const found = [];
  let rest = part;
  for (const [axis, intervals] of Object.entries(box)) {
    const { size } = engine.attributes[axis];
    const whole = rest[axis] ?? [[0, size]];
    const outside = overlap(whole, complement(intervals, size));
    if (outside.length) found.push({ ...rest, [axis]: outside });
    rest = { ...rest, [axis]: overlap(whole, intervals) };
  }
  return found;
}

/** The same with fewer selections: two that differ on one axis alone are one. */
function joined(boxes) {
  const left = [...boxes];
  for (let i = 0; i < left.length; i += 1) {
    const j = left.findIndex((other, k) => k > i && differing(left[i], other).length <= 1);
    if (j < 0) continue;
    const [axis] = [...differing(left[i], left[j]), Object.keys(left[i])[0]];
    left[i] = { ...left[i], [axis]: merged([...left[i][axis], ...left[j][axis]]) };
    left.splice(j, 1);
    i = -1;
  }
  return left;
}

/** Axes on which two selections differ; more than one if they do not keep the same axes. */
function differing(one, other) {
  const axes = Object.keys(one);
  if (String(axes.sort()) !== String(Object.keys(other).sort())) return [0, 0];
  return axes.filter((axis) => !sameIntervals(one[axis], other[axis]));
}

function checked(boxes) {
  if (boxes.length > MOST_BOXES) throw new CannotAsk("the conditions fall into too many parts; ask with fewer ORs");
  return boxes;
}
