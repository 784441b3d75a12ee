// Arithmetic: what a tree of minus, times and divided-by asks for: a share, or the difference or the ratio of two totals.

import { CannotAsk } from "../engine/condition.ts";
import type { Aggregate, Arithmetic, Asked, MeasureTerm, Operation, SummedOver, Term } from "./syntax.ts";

const COMPARE = "ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*)";

/** The term that a tree stands for. */
export function termOf(tree: Arithmetic): Term {
  if ("name" in tree || "measure" in tree) return tree;
  if ("number" in tree) return placeOf(tree.number);
  const { factor, inner } = splitFactor(tree);
  if ("measure" in inner && inner.measure) return scaleShare(inner, factor);
  if (!("sign" in inner)) throw new CannotAsk(`cannot answer this by itself; ${COMPARE}`);
  if (inner.sign === "/" && "whole" in inner.right) return shareOver(factor, inner.left, inner.right);
  return compareTotals(factor, inner);
}

function placeOf(number: number): Term {
  if (!Number.isInteger(number)) throw new CannotAsk("a place in the list needs a whole number");
  return { number };
}

/** A number before or behind a tree, and the tree. */
function splitFactor(tree: Arithmetic): { factor: number; inner: Arithmetic } {
  if (!("sign" in tree) || tree.sign !== "*") return { factor: 1, inner: tree };
  for (const [number, rest] of [
    [tree.left, tree.right],
    [tree.right, tree.left],
  ]) {
    if (!("number" in number) || number.number === undefined) continue;
    const { factor, inner } = splitFactor(rest);
    return { factor: factor * number.number, inner };
  }
  return { factor: 1, inner: tree };
}

function scaleShare({ measure, text }: MeasureTerm, factor: number): Term {
  if (measure.kind === "share") return { measure: { ...measure, scale: measure.scale * factor }, text };
  throw new CannotAsk(`only a share, a difference or a ratio can be multiplied; ${COMPARE}`);
}

/** A total over the sum of all totals is a share. */
function shareOver(scale: number, left: Arithmetic, { whole, within }: SummedOver): Term {
  const { factor, inner } = splitFactor(left);
  const part = aggregateOf(inner);
  const alike = part?.measure.filter === null && "text" in whole && whole.text === part.text;
  if (!part || !alike || part.measure.kind === "avg")
    throw new CannotAsk(
      "only a total can be divided by its sum OVER (), as in COUNT(*) / SUM(COUNT(*)) OVER (); or ask SHARE(*)",
    );
  const { kind, of } = part.measure;
  const share: Asked = { kind: "share", of, whole: kind, within, scale: scale * factor, written: "OVER" };
  return { measure: share, text: "share" };
}

function compareTotals(scale: number, { sign, left, right }: Operation): Term {
  const isRatio = sign === "/";
  const [first, second] = [splitFactor(left), splitFactor(isRatio && "nullIfZero" in right ? right.nullIfZero : right)];
  const [one, other] = [aggregateOf(first.inner), aggregateOf(second.inner)];
  const fits = isRatio ? second.factor !== 0 : first.factor === second.factor;
  const isTotal = one && other && one.measure.kind !== "avg" && other.measure.kind !== "avg"; // the view knows which sums are
  if (sign === "*" || !fits || !isTotal) throw new CannotAsk(`cannot answer this; ${COMPARE}`);
  const kind = isRatio ? "ratio" : "difference";
  const times = scale * (isRatio ? first.factor / second.factor : first.factor);
  return { measure: { kind, one, other, scale: times }, text: kind };
}

function aggregateOf(tree: Arithmetic): MeasureTerm<Aggregate> | null {
  if (!("measure" in tree) || !tree.measure) return null;
  const { measure, text } = tree;
  return "filter" in measure ? { measure, text } : null;
}
