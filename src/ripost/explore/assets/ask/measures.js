// Measures: what a question asks of each group, as {value, low, high}; null where nothing is known.

import { CannotAsk } from "../engine/condition.js";
import { boundedMean, meanOf } from "../engine/mean.js";
import { overlap } from "../engine/intervals.js";
import { attributeOf } from "./boxes.js";

const CELLS = "COUNT(non-empty cells)"; // what views of non-empty cells hold; SUM(cells) asks for it

/** The view's own measure as SQL asks for it. */
export function heldInSql(held) {
  return held === CELLS ? "SUM(cells)" : held;
}

/** The measure that a term names: {title, digits, value(row), figure*(row)}. */
export function measureOf({ measure, text }, question) {
  const { engine } = question;
  const held = heldInSql(engine.facts.measure);
  const isHeld = text.toLowerCase() === held.toLowerCase();
  if (measure.kind === "share") return shareMeasure(measure, question, held);
  if (measure.kind === "count" && !measure.of) {
    if (!isHeld) throw new CannotAsk(`this view tells ${held}, not ${text}`);
    return totalMeasure(question, {}, text);
  }
  if (measure.kind === "sum" && isHeld) return totalMeasure(question, {}, text);
  const attribute = attributeOf(measure.of, engine);
  if (held !== "COUNT(*)") throw new CannotAsk(`this view tells ${held}, not ${text}`);
  if (measure.kind === "count") return totalMeasure(question, { [attribute.axis]: [[0, attribute.missingCode]] }, text);
  return spreadMeasure(question, attribute, measure.kind, text);
}

function totalMeasure(question, condition, text) {
  const { engine } = question;
  const plain = Object.keys(condition).length === 0;
  const answered = (row) => (plain ? question.answer(row) : engine.answer(within(question.parts(row), condition)));
  return {
    title: text,
    digits: 0,
    value: (row) => (plain ? row.value : answered(row).value),
    *figure(row) {
      return answered(row);
    },
  };
}

function spreadMeasure(question, attribute, kind, text) {
  const { engine } = question;
  if (!attribute.ordered)
    throw new CannotAsk(`${attribute.name} has no order, so it has no ${kind === "avg" ? "mean" : "sum"}`);
  if (attribute.isCalendar)
    throw new CannotAsk(`${attribute.name} is a date; the table of quantiles tells of it, and ripost query its mean`);
  const sum = kind === "sum";
  const met = (row) => within(question.parts(row), { [attribute.axis]: [[0, attribute.count]] });
  return {
    title: text,
    digits: 2,
    value: (row) => meanOf(engine, attribute.axis, met(row))[sum ? "sum" : "value"],
    *figure(row) {
      const note = engine.note(met(row), [attribute.axis]);
      return { ...(yield* boundedMean(engine, attribute.axis, met(row), { sum })), note };
    },
  };
}

/** A group's total over that of its parent: what the condition and some of the keys select. */
function shareMeasure({ of, whole, within: terms, scale, written }, question, held) {
  if (written === "OVER") {
    const text = whole === "count" ? "COUNT(*)" : `SUM(${of?.text})`;
    if ((whole === "count" && of) || text.toLowerCase() !== held.toLowerCase())
      throw new CannotAsk(`a share is of ${held} here, or ask SHARE(*)`);
    if (question.filtered) throw new CannotAsk("a share by OVER counts what HAVING leaves; ask SHARE(*), which does not");
  }
  const kept = terms.map((term) => question.place(term, "PARTITION BY"));
  const known = new Map();
  const parent = (row) => {
    const key = kept.map((place) => row.bins[place][0]).join(" ");
    if (!known.has(key)) known.set(key, question.engine.answer(question.parts(row, kept)));
    return known.get(key);
  };
  return {
    title: "SHARE(*)",
    digits: 4,
    value: (row) => (parent(row).value ? (scale * row.value) / parent(row).value : null),
    *figure(row) {
      const [part, all] = [question.answer(row), parent(row)];
      const value = all.value ? (scale * part.value) / all.value : null;
      const { note } = part;
      if (part.low === null || all.low === null) return { value, low: null, high: null, note };
      const [low, high] = question.engine.shareBounds(part, all);
      return { value, low: scale * low, high: scale * high, note };
    },
  };
}

/** What of some selections a further condition leaves. */
function within(boxes, condition) {
  const found = boxes.map((box) => {
    const left = { ...box };
    for (const [axis, intervals] of Object.entries(condition))
      left[axis] = left[axis] ? overlap(left[axis], intervals) : intervals;
    return left;
  });
  return found.filter((box) => Object.keys(condition).every((axis) => box[axis].length));
}
