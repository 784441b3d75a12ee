// Measures: what a question asks of each group, as {value, low, high}; null where nothing is known (query/measures.py).

import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk, DAY } from "../engine/condition.ts";
import { difference, ratio } from "../engine/contrast.ts";
import { Distribution } from "../engine/distribution.ts";
import type { Measure as MeasureSums } from "../engine/measure.ts";
import type { What } from "../engine/measured.ts";
import { intersect } from "../engine/region.ts";
import { inOneStep, runSteps, type Steps } from "../engine/steps.ts";
import type { Answer, Figure, Region } from "../engine/types.ts";
import { EVERYTHING } from "./boxes.ts";
import type { Question, Row } from "./question.ts";

const CELLS = "COUNT(non-empty cells)"; // what views of non-empty cells hold; SUM(cells) asks for it
const ROUNDING = 1e-9; // of the last decimal: an end that is a whole number but for the last bits stays

/** The view's own measure as SQL asks for it. */
export function heldInSql(held: string): string {
  return held === CELLS ? "SUM(cells)" : held;
}

/** What is asked, before the groups are known. */
export type Asked =
  | { kind: "total"; condition: Region }
  | { kind: "share"; within: number[] }
  | { kind: "difference" | "ratio"; one: Region; other: Region }
  | { kind: "measured"; what: What; measure: MeasureSums; condition: Region }
  | { kind: "mean" | "sum" | "quantile"; attribute: Attribute; level: number; condition: Region }
  | { kind: "min" | "max"; attribute: Attribute; condition: Region }
  | { kind: "scaled"; of: Asked; factor: number }
  | { kind: "rounded"; of: Asked; decimals: number };

/** A measure: its value in a row at once, and its figure in steps. */
export interface Measure {
  digits: number; // that are shown while its error is unknown
  print?(figure: number): string; // of dates and rounded numbers
  isDate?: boolean;
  isUntold?(figure: Figure): boolean; // whether there are too few rows to tell it
  value(row: Row): number | null;
  figure(row: Row): Steps<Figure>;
}

/** The measure that was asked, of the groups of a question; figures are worked out once a row. */
export function measureOf(asked: Asked, question: Question): Measure {
  const measure = plainMeasure(asked, question);
  const values = new Map<Row, number | null>();
  const figures = new Map<Row, Figure>();
  return {
    ...measure,
    value(row) {
      const found = values.has(row) ? (values.get(row) ?? null) : measure.value(row);
      values.set(row, found);
      return found;
    },
    *figure(row) {
      const found = figures.get(row) ?? (yield* measure.figure(row));
      figures.set(row, found);
      return found;
    },
  };
}

function plainMeasure(asked: Asked, question: Question): Measure {
  switch (asked.kind) {
    case "total":
      return totalMeasure(asked.condition, question);
    case "share":
      return shareMeasure(asked.within, question);
    case "measured":
      return measuredFigure(asked, question);
    case "difference":
    case "ratio":
      return atOnce(asked.kind === "ratio" ? 4 : 0, (row) => {
        const [one, other] = [asked.one, asked.other].map((region) => intersect(question.region(row), region));
        return (asked.kind === "ratio" ? ratio : difference)(question.engine, one, other);
      });
    case "min":
    case "max":
      return extremeMeasure(asked, question);
    case "scaled":
      return changed(measureOf(asked.of, question), asked.factor < 0, (number) => number * asked.factor);
    case "rounded":
      return roundedMeasure(measureOf(asked.of, question), asked.decimals);
    default:
      return distributionMeasure(asked, question);
  }
}

/** A measure whose figure takes one step. */
function atOnce(digits: number, figure: (row: Row) => Figure): Measure {
  return { digits, value: (row) => figure(row).value, figure: (row) => inOneStep(() => figure(row)) };
}

function totalMeasure(condition: Region, question: Question): Measure {
  if (condition === EVERYTHING) return { ...atOnce(0, (row) => question.answer(row)), value: (row) => row.value };
  return atOnce(0, (row) => question.engine.answer(intersect(question.region(row), condition)));
}

/** The sum or the mean of a measure. */
function measuredFigure(
  { measure, what, condition }: Extract<Asked, { kind: "measured" }>,
  question: Question,
): Measure {
  const { engine } = question;
  const alone = condition === EVERYTHING;
  const region = (row: Row) => (alone ? question.region(row) : intersect(question.region(row), condition));
  const known = (number: number) => (Number.isNaN(number) ? null : number);
  const rows = (row: Row) => (alone ? row.value : engine.counted(region(row)).value);
  return {
    ...atOnce(what === "sum" ? 1 : 2, (row): Figure => {
      const answer = engine.measured(measure, what).answer(region(row));
      return { ...answer, value: known(answer.value) };
    }),
    value: (row) => known(engine.measured(measure, what).value(region(row), rows(row))),
  };
}

/** A group's total over that of its parent: what the condition and some of the keys select. */
function shareMeasure(within: number[], question: Question): Measure {
  const known = new Map<string, Answer>();
  const parent = (row: Row): Answer => {
    const key = String(within.map((place) => row.places[place]));
    const found = known.get(key) ?? question.engine.answer(question.region(row, within));
    known.set(key, found);
    return found;
  };
  const shared = (row: Row): Figure => {
    const [part, all] = [question.answer(row), parent(row)];
    const { note } = part;
    const value = all.value ? part.value / all.value : null;
    if (part.low === null || all.low === null) return { value, low: null, high: null, note };
    const [low, high] = question.engine.shareBounds(part, all);
    return { value, low, high, note };
  };
  const value = (row: Row) => (parent(row).value ? row.value / parent(row).value : null);
  return { ...atOnce(4, shared), value };
}

type Spread = Extract<Asked, { attribute: Attribute; level: number }>;

function distributionMeasure({ kind, attribute, level, condition }: Spread, question: Question): Measure {
  const { engine } = question;
  if (kind === "sum" && attribute.isCalendar)
    throw new CannotAsk(
      `${attribute.name} is a date, so it has no sum; ask AVG(${attribute.name}) or MEDIAN(${attribute.name})`,
    );
  const region = (row: Row) => intersect(question.region(row), condition);
  const spread = (row: Row) => new Distribution(engine, attribute.axis, region(row));
  const date = attribute.isCalendar ? dateMeasure(attribute, kind === "quantile") : null;
  const day = (tick: number | null) => (tick !== null && date?.whole ? Math.floor(tick / DAY) * DAY : tick);
  return {
    digits: 2,
    ...date?.printed,
    value: (row) => day(kind === "quantile" ? spread(row).quantile(level) : spread(row)[kind]()),
    *figure(row) {
      const found = spread(row);
      const figure: Figure =
        kind === "quantile"
          ? (yield* found.boundedQuantiles([level]))[0]
          : yield* kind === "mean" ? found.boundedMean() : found.boundedSum();
      const [value, low, high] = [figure.value, figure.low, figure.high].map(day);
      return { value, low, high, note: engine.note(region(row), [attribute.axis]) };
    },
  };
}

/** How figures about dates are printed; a date has whole days, but for its mean. */
function dateMeasure(attribute: Attribute, isValue: boolean): { whole: boolean; printed: Partial<Measure> } {
  const whole = isValue && attribute.type === "date";
  const moment = (tick: number) => new Date(Math.round(tick)).toISOString().slice(0, 19).replace("T", " ");
  return { whole, printed: { isDate: true, print: whole ? (tick) => attribute.text(tick) : moment } };
}

/** The end of the outermost bin that certainly holds a row; its bounds are the other end of that bin and of the range
 * that the question asks about (query/extremes.py).
 */
function extremeMeasure(
  { kind, attribute, condition }: Extract<Asked, { kind: "min" | "max" }>,
  question: Question,
): Measure {
  const spread = (row: Row) =>
    new Distribution(question.engine, attribute.axis, intersect(question.region(row), condition));
  return atOnce(2, (row) => {
    const { codes, first, last, each } = spread(row);
    const region = intersect(question.region(row), condition);
    const together = question.engine.jointly(question.engine.together * Math.max(1, codes.length));
    const answers = codes.map((code) =>
      together.answer(intersect(region, [{ [attribute.axis]: [[code, Math.min(code + each, attribute.count)]] }])),
    );
    const note = question.engine.note(region, [attribute.axis]);
    if (codes.length === 0 || answers.some(({ low }) => low === null))
      return { value: null, low: null, high: null, note };
    const held = answers.map(({ low }) => (low ?? 0) > 0);
    const at = kind === "max" ? held.lastIndexOf(true) : held.indexOf(true);
    const [start, stop] = [first[0], last[last.length - 1]];
    if (at < 0) return { value: null, low: start, high: stop, note };
    if (kind === "max") return { value: last[at], low: first[at], high: stop, note };
    return { value: first[at], low: start, high: last[at], note };
  });
}

/** A measure whose figures all change alike; they turn round if they get a minus. */
function changed(measure: Measure, turned: boolean, change: (number: number) => number): Measure {
  if (measure.isDate) throw new CannotAsk("a date cannot be multiplied or divided; ask for it as it is");
  const kept = (number: number | null) => (number === null ? null : change(number));
  return {
    digits: Math.max(measure.digits, 2),
    value: (row) => kept(measure.value(row)),
    *figure(row) {
      const { value, low, high, note } = yield* measure.figure(row);
      const ends = turned ? [high, low] : [low, high];
      return { value: kept(value), low: kept(ends[0]), high: kept(ends[1]), note };
    },
  };
}

/** A measure to some decimals; the ends of its interval are rounded outward. */
function roundedMeasure(measure: Measure, decimals: number): Measure {
  if (measure.isDate) throw new CannotAsk("a date cannot be rounded; ask for it as it is");
  const unit = 10 ** decimals;
  const round = (number: number | null, how: (number: number) => number) =>
    number === null ? null : how(number * unit) / unit;
  const nearest = (number: number) => Math.floor(number + 0.5);
  const digits = Math.max(0, decimals);
  return {
    digits,
    print: (number) => number.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    value: (row) => round(measure.value(row), nearest),
    *figure(row) {
      const { value, low, high, note } = yield* measure.figure(row);
      return {
        value: round(value, nearest),
        low: round(low, (number) => Math.floor(number + ROUNDING)),
        high: round(high, (number) => Math.ceil(number - ROUNDING)),
        note,
      };
    },
  };
}

/** The figure of a row, at once. */
export function figureOf(measure: Measure, row: Row): Figure {
  return runSteps(measure.figure(row));
}
