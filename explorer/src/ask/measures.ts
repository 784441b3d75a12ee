// Measures: what a question asks of each group, as {value, low, high}; null where nothing is known.

import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk } from "../engine/condition.ts";
import { difference, ratio } from "../engine/contrast.ts";
import type { Engine } from "../engine/engine.ts";
import { boundedMean, meanOf } from "../engine/mean.ts";
import { intersect } from "../engine/region.ts";
import { inOneStep, type Steps } from "../engine/steps.ts";
import type { Answer, Figure, Region } from "../engine/types.ts";
import { attributeOf, boxesOf } from "./boxes.ts";
import type { Row } from "./group_totals.ts";
import type { Question } from "./question.ts";
import type { Aggregate, Compared, MeasureTerm, Share } from "./syntax.ts";

const CELLS = "COUNT(non-empty cells)"; // what views of non-empty cells hold; SUM(cells) asks for it

/** The view's own measure as SQL asks for it. */
export function heldInSql(held: string): string {
  return held === CELLS ? "SUM(cells)" : held;
}

/** A measure: its value in a row at once, and its figure in steps. `digits` are shown while its error is unknown. */
export interface Measure {
  title: string;
  digits: number;
  value(row: Row): number | null;
  figure(row: Row): Steps<Figure>;
}

/** The measure that a term names. */
export function measureOf({ measure, text }: MeasureTerm, question: Question): Measure {
  if (measure.kind === "share") return shareMeasure(measure, question);
  if ("one" in measure) return comparedMeasure(measure, question);
  const condition = totalOf({ measure, text }, question.engine);
  if (condition) return totalMeasure(question, condition, text, measure);
  if (measure.of === null) throw new CannotAsk(`${text} needs an attribute`);
  return spreadMeasure(question, measure, attributeOf(measure.of, question.engine), text);
}

/** What of each group a total counts, as disjoint selections; null for a mean, or a sum of an attribute. */
function totalOf({ measure, text }: MeasureTerm<Aggregate>, engine: Engine): Region | null {
  const held = heldInSql(engine.facts.measure);
  const filter = boxesOf(measure.filter, engine);
  if (text.toLowerCase() === held.toLowerCase()) return filter;
  const attribute = measure.of && attributeOf(measure.of, engine);
  if (held !== "COUNT(*)" || !attribute) throw new CannotAsk(`this view tells ${held}, not ${text}`);
  return measure.kind === "count" ? intersect(filter, [{ [attribute.axis]: [[0, attribute.missingCode]] }]) : null;
}

function totalMeasure(question: Question, condition: Region, text: string, { kind, of, filter }: Aggregate): Measure {
  const plain = filter === null && !(kind === "count" && of);
  const answered = (row: Row) =>
    plain ? question.answer(row) : question.engine.answer(intersect(question.parts(row), condition));
  return {
    title: text,
    digits: 0,
    value: (row) => (plain ? row.value : answered(row).value),
    figure: (row) => inOneStep(() => answered(row)),
  };
}

/** The difference or the ratio of two totals. */
function comparedMeasure({ kind, one, other, scale }: Compared, question: Question): Measure {
  const { engine } = question;
  const [first, second] = [one, other].map((term) => totalOf(term, engine));
  if (!first || !second) throw new CannotAsk("only two totals can be compared, not means or sums of an attribute");
  const compare = kind === "ratio" ? ratio : difference;
  const times = (figure: number | null) => (figure === null ? null : scale * figure);
  const found = (row: Row): Figure => {
    const parts = question.parts(row);
    const { value, low, high, note } = compare(engine, intersect(parts, first), intersect(parts, second));
    return { value: times(value), low: times(low), high: times(high), note };
  };
  return {
    title: kind,
    digits: kind === "ratio" ? 4 : 0,
    value: (row) => found(row).value,
    figure: (row) => inOneStep(() => found(row)),
  };
}

function spreadMeasure(question: Question, { kind, filter }: Aggregate, attribute: Attribute, text: string): Measure {
  const { engine } = question;
  if (!attribute.ordered)
    throw new CannotAsk(`${attribute.name} has no order, so it has no ${kind === "avg" ? "mean" : "sum"}`);
  if (attribute.isCalendar)
    throw new CannotAsk(`${attribute.name} is a date; the table of quantiles tells of it, and ripost query its mean`);
  const sum = kind === "sum";
  const condition = intersect(boxesOf(filter, engine), [{ [attribute.axis]: [[0, attribute.count]] }]);
  const met = (row: Row) => intersect(question.parts(row), condition);
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
function shareMeasure({ of, whole, within: terms, scale, written }: Share, question: Question): Measure {
  const held = heldInSql(question.engine.facts.measure);
  if (written === "OVER") {
    const text = whole === "count" ? "COUNT(*)" : `SUM(${of?.text})`;
    if ((whole === "count" && of) || text.toLowerCase() !== held.toLowerCase())
      throw new CannotAsk(`a share is of ${held} here, or ask SHARE(*)`);
    if (question.filtered)
      throw new CannotAsk("a share by OVER counts what HAVING leaves; ask SHARE(*), which does not");
  }
  const kept = terms.map((term) => question.place(term, "PARTITION BY"));
  const known = new Map<string, Answer>();
  const parent = (row: Row): Answer => {
    const key = kept.map((place) => row.bins[place][0]).join(" ");
    const found = known.get(key) ?? question.engine.answer(question.parts(row, kept));
    known.set(key, found);
    return found;
  };
  const shared = (row: Row): Figure => {
    const [part, all] = [question.answer(row), parent(row)];
    const value = all.value ? (scale * part.value) / all.value : null;
    const { note } = part;
    if (part.low === null || all.low === null) return { value, low: null, high: null, note };
    const [low, high] = question.engine.shareBounds(part, all);
    return { value, low: scale * low, high: scale * high, note };
  };
  return {
    title: "SHARE(*)",
    digits: 4,
    value: (row) => (parent(row).value ? (scale * row.value) / parent(row).value : null),
    figure: (row) => inOneStep(() => shared(row)),
  };
}
