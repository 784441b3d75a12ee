// Arithmetic: what a tree of minus, times and divided-by asks for: a share, or the difference or the ratio of two totals.

import { CannotAsk } from "../engine/condition.js";

const COMPARE = "ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*)";

/** The term {name}, {number} or {measure, text} that a tree stands for. */
export function measured(node) {
  if (node.name || node.measure) return node;
  if (node.number !== undefined) return placed(node);
  const { factor, inner } = scaled(node);
  if (inner.measure) return multiplied(inner, factor);
  if (inner.whole || inner.nullIfZero || !inner.sign) throw new CannotAsk(`cannot answer this by itself; ${COMPARE}`);
  if (inner.sign === "/" && inner.right.whole) return shareOver(factor, inner);
  return compared(factor, inner);
}

function placed({ number }) {
  if (!Number.isInteger(number) || number > 999_999_999) throw new CannotAsk("a place in the list needs a whole number");
  return { number };
}

/** A number before or behind a tree, and the tree. */
function scaled(node) {
  if (node.sign !== "*") return { factor: 1, inner: node };
  const [number, rest] = node.left.number === undefined ? [node.right, node.left] : [node.left, node.right];
  if (number.number === undefined) return { factor: 1, inner: node };
  const { factor, inner } = scaled(rest);
  return { factor: factor * number.number, inner };
}

function multiplied({ measure, text }, factor) {
  if (factor === 1 && measure.kind !== "share") return { measure, text };
  if (measure.kind !== "share") throw new CannotAsk(`only a share, a difference or a ratio can be multiplied; ${COMPARE}`);
  return { measure: { ...measure, scale: measure.scale * factor }, text };
}

/** A total over the sum of all totals is a share. */
function shareOver(scale, { left, right }) {
  const { factor, inner } = scaled(left);
  const { measure, text } = inner;
  const isTotal = measure && measure.kind !== "avg" && measure.kind !== "share" && measure.filter === null;
  if (!isTotal || right.whole.text !== text)
    throw new CannotAsk("only a total can be divided by its sum OVER (), as in COUNT(*) / SUM(COUNT(*)) OVER (); or ask SHARE(*)");
  const { kind, of } = measure;
  const share = { kind: "share", of, whole: kind, within: right.within, scale: scale * factor, written: "OVER" };
  return { measure: share, text: "share" };
}

function compared(scale, { sign, left, right }) {
  const one = scaled(left);
  const other = scaled(right.nullIfZero && sign === "/" ? right.nullIfZero : right);
  const isRatio = sign === "/";
  const fits = isRatio ? other.factor !== 0 : one.factor === other.factor;
  if (sign === "*" || !fits || !isPlain(one.inner) || !isPlain(other.inner))
    throw new CannotAsk(`cannot answer this; ${COMPARE}`);
  const measure = {
    kind: isRatio ? "ratio" : "difference",
    one: one.inner,
    other: other.inner,
    scale: isRatio ? (scale * one.factor) / other.factor : scale * one.factor,
  };
  return { measure, text: measure.kind };
}

/** Whether a tree may be a total: the view knows which sums are. */
function isPlain({ measure }) {
  return measure !== undefined && ["count", "sum"].includes(measure.kind);
}
