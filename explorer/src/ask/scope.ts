// Scope: what the expressions of a SELECT stand for, once its keys are known (query/scope.py).

import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import type { Measure } from "../engine/measure.ts";
import { intersect, unite } from "../engine/region.ts";
import type { Region } from "../engine/types.ts";
import { type Aggregate, aggregateOf, hasAggregate, MEASURES, splitFactor } from "./aggregate.ts";
import { boxesOf, EVERYTHING } from "./boxes.ts";
import { Cases, isColumn } from "./case.ts";
import { type Asked, heldInSql } from "./measures.ts";
import { type BinaryExpr, type CallExpr, type Expr, textOf, walk } from "./syntax.ts";
import { attributeOf, keyText, measureOf, numberOf, whatIsKnown } from "./terms.ts";
import { excerpt } from "./tokens.ts";

const COMPARISONS =
  "ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*), or for each measure " +
  "in a column of its own";

/** A key by its number, whether keys stand for all, or a measure. */
export type Term = { key: number } | { grouping: number[] } | { measure: number };

export class Scope {
  readonly measures: Asked[] = [];
  private readonly numbers = new Map<string, number>(); // of the measures, by their text

  /** `named` are the expressions of the list by their names; `plain` says that windows see what WHERE selects. */
  constructor(
    private readonly engine: Engine,
    private readonly texts: string[],
    private readonly named: Map<string, Expr>,
    private readonly plain: boolean,
  ) {}

  /** What an expression stands for. */
  term(expr: Expr): Term {
    const key = this.findKey(expr);
    if (key !== null) return { key };
    if (expr.kind === "call" && ["GROUPING", "GROUPING_ID"].includes(expr.name))
      return { grouping: expr.args.map((one) => this.keyOf(one, "GROUPING")) };
    if (expr.kind === "column") {
      const { name } = measureOf(expr, this.engine) ?? attributeOf(expr, this.engine);
      throw new CannotAsk(`${name} must be in GROUP BY, or in one of ${MEASURES}`);
    }
    const text = keyText(expr, this.engine);
    const known = this.numbers.get(text);
    if (known !== undefined) return { measure: known };
    this.measures.push(this.asked(expr));
    this.numbers.set(text, this.measures.length - 1);
    return { measure: this.measures.length - 1 };
  }

  private findKey(expr: Expr): number | null {
    const resolved = resolveName(expr, this.named, this.engine);
    const place = this.texts.indexOf(keyText(resolved, this.engine));
    return place < 0 ? null : place;
  }

  private keyOf(expr: Expr, word: string): number {
    const found = this.findKey(expr);
    if (found === null) throw new CannotAsk(`${word} takes what stands in GROUP BY, got ${excerpt(textOf(expr))}`);
    return found;
  }

  /** The measure that an expression asks for, which numbers may multiply or divide. */
  private asked(expr: Expr): Asked {
    if (expr.kind === "call" && expr.name === "ROUND" && expr.args.length)
      return { kind: "rounded", of: this.asked(expr.args[0]), decimals: decimalsOf(expr.args[1]) };
    const [factor, inner] = splitFactor(expr);
    if (factor !== 1) return scaled(this.asked(inner), factor);
    if (inner.kind === "call") return this.call(inner);
    if (inner.kind === "binary" && hasAggregate(inner)) return this.arithmetic(inner);
    throw new CannotAsk(`cannot answer ${excerpt(textOf(expr))}; ask for attributes in GROUP BY, or for ${MEASURES}`);
  }

  private call(call: CallExpr): Asked {
    if (call.name === "ROUND") return this.asked(call);
    if (call.name === "SHARE") {
      if (call.filter) throw new CannotAsk("SHARE takes no FILTER; ask COUNT(*) FILTER (WHERE …) / COUNT(*)");
      return { kind: "share", within: this.partition(call.over ?? []) };
    }
    if (call.over) throw new CannotAsk(`cannot answer ${excerpt(textOf(call))} by itself; ask SHARE(*)`);
    return this.aggregate(call, call.filter ? boxesOf(call.filter, this.engine) : EVERYTHING);
  }

  private aggregate(call: CallExpr, condition: Region): Asked {
    if (call.distinct)
      throw new CannotAsk("the view holds no distinct values; ask COUNT(*), or SELECT DISTINCT of the attribute");
    const asked = aggregateOf(call);
    const { argument } = asked;
    if (asked.what === "countif" && argument)
      return this.total("COUNT(*)", intersect(condition, boxesOf(argument, this.engine)));
    const cases = argument && Cases.of(argument, this.engine);
    if (cases) return this.ofCases(asked, cases, condition);
    const counted = !argument || ["star", "number", "text"].includes(argument.kind);
    if (asked.what === "count" && counted) return this.total("COUNT(*)", condition);
    if (!argument) throw new CannotAsk(`${call.name}() needs an attribute`);
    return this.ofColumn(asked, argument, condition);
  }

  /** The measure of a CASE: numbers are counted, an attribute is measured where it applies. */
  private ofCases(asked: Aggregate, cases: Cases, condition: Region): Asked {
    if (asked.what === "count") return this.total("COUNT(CASE …)", intersect(condition, this.present(cases)));
    const number = ["sum", "mean"].includes(asked.what) ? cases.number() : null;
    if (number === null) {
      const [column, where] = cases.column(asked.what === "sum");
      return this.ofColumn(asked, column, intersect(condition, where));
    }
    const [factor, where] = number;
    this.needRows(`${asked.what.toUpperCase()}(CASE …)`);
    const [one, other] = [intersect(condition, where), intersect(condition, cases.there)];
    return scaled(asked.what === "sum" ? { kind: "total", condition: one } : { kind: "ratio", one, other }, factor);
  }

  /** Where a CASE is not NULL; an attribute in it may be missing. */
  private present(cases: Cases): Region {
    const parts = cases.branches.flatMap(({ value, region }) => {
      if (value === null) return [];
      return [isColumn(value) ? intersect(region, this.there(value)) : region];
    });
    return unite(parts, this.engine.sizes);
  }

  private ofColumn(asked: Aggregate, column: Expr, condition: Region): Asked {
    const { engine } = this;
    const held = heldInSql(engine.facts.measure);
    if (asked.what === "sum" && column.kind === "column" && `SUM(${column.name})`.toLowerCase() === held.toLowerCase())
      return { kind: "total", condition };
    if (asked.what === "sum" && column.kind === "number" && column.text === "1")
      return this.total("COUNT(*)", condition);
    if (column.kind !== "column") throw new CannotAsk(`cannot answer ${excerpt(textOf(column))}; ask for ${MEASURES}`);
    const measure = measureOf(column, engine);
    if (measure) return ofMeasure(asked, measure, condition);
    const attribute = attributeOf(column, engine);
    if (asked.what === "count") return this.total("COUNT(*)", intersect(condition, this.there(column)));
    this.needRows(`${asked.what.toUpperCase()}(${attribute.name})`);
    if (!attribute.ordered)
      throw new CannotAsk(
        `${attribute.name} has no order, so it has no mean and no quantiles; ask COUNT(*) and group by it`,
      );
    if (asked.what === "min" || asked.what === "max") return { kind: asked.what, attribute, condition };
    if (asked.what === "countif") throw new CannotAsk("COUNT_IF takes a condition");
    return { kind: asked.what, attribute, level: asked.level, condition };
  }

  /** Where an attribute is not missing. */
  private there(column: Expr): Region {
    const attribute = attributeOf(column, this.engine);
    return [{ [attribute.axis]: attribute.positions([[0, attribute.missingCode]]) }];
  }

  private total(what: string, condition: Region): Asked {
    this.needRows(what);
    return { kind: "total", condition };
  }

  private needRows(what: string): void {
    const held = heldInSql(this.engine.facts.measure);
    if (held !== "COUNT(*)") throw new CannotAsk(`this view tells ${held}, not ${what}`);
  }

  /** A share by OVER, the difference or the ratio of two totals, or a sum over its count, which is a mean. */
  private arithmetic(expr: BinaryExpr): Asked {
    const [[more, one], [less, other]] = [splitFactor(expr.left), splitFactor(neverZero(expr.right))];
    const isRatio = expr.sign === "/" && less !== 0;
    const scale = isRatio ? more / less : more;
    if (isRatio && other.kind === "call" && other.name === "SUM" && other.over && this.isWhole(one, other.args[0])) {
      if (!this.plain)
        throw new CannotAsk("a share by OVER counts what HAVING and ROLLUP leave; ask SHARE(*), which does not");
      return scaled({ kind: "share", within: this.partition(other.over) }, scale);
    }
    const windowed = [...walk(expr)].some((part) => part.kind === "call" && part.over);
    if (hasAggregate(one) && hasAggregate(other) && !windowed) {
      const [first, second] = [this.asked(one), this.asked(other)];
      const found = isRatio ? this.ratio(first, second) : null;
      if (found) return scaled(found, scale);
      if (expr.sign === "-" && more === less && first.kind === "total" && second.kind === "total")
        return scaled({ kind: "difference", one: first.condition, other: second.condition }, scale);
    }
    const advice = expr.sign === "+" ? "join the conditions of one COUNT by OR" : COMPARISONS;
    throw new CannotAsk(`cannot answer ${excerpt(textOf(expr))}; ${advice}`);
  }

  /** Whether a total without a condition is what a window sums up. */
  private isWhole(one: Expr, summed: Expr | undefined): boolean {
    if (!summed || keyText(one, this.engine) !== keyText(summed, this.engine) || one.kind !== "call") return false;
    const asked = this.asked(one);
    return asked.kind === "total" && asked.condition === EVERYTHING;
  }

  private ratio(one: Asked, other: Asked): Asked | null {
    if (other.kind !== "total") return null;
    if (one.kind === "total") return { kind: "ratio", one: one.condition, other: other.condition };
    const isSum = one.kind === "measured" && one.what === "sum";
    if (isSum) return isSame(one.condition, other.condition) ? { ...one, what: "mean" } : null;
    if (one.kind !== "sum") return null;
    const { axis, missingCode } = one.attribute;
    const counted = intersect(one.condition, [{ [axis]: [[0, missingCode]] }]);
    return isSame(counted, other.condition) ? { ...one, kind: "mean" } : null;
  }

  private partition(within: Expr[]): number[] {
    return within.map((one) => this.keyOf(one, "PARTITION BY")).sort((a, b) => a - b);
  }
}

/** What a name of the list stands for; attributes come first. */
export function resolveName(expr: Expr, named: Map<string, Expr>, engine: Engine): Expr {
  if (expr.kind !== "column" || engine.byName.has(expr.name) || engine.mapped.has(expr.name)) return expr;
  return named.get(expr.name.toLowerCase()) ?? expr;
}

function isSame(one: Region, other: Region): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The sum or the mean of a measure; the number of rows that have it is known where others are left out. */
function ofMeasure({ what }: Aggregate, measure: Measure, condition: Region): Asked {
  const { name } = measure;
  if (what === "sum" || what === "mean") return { kind: "measured", what, measure, condition };
  if (what === "count" && measure.missing === null) return { kind: "total", condition };
  throw new CannotAsk(whatIsKnown(name));
}

function scaled(of: Asked, factor: number): Asked {
  return factor === 1 ? of : { kind: "scaled", of, factor };
}

/** The total of NULLIF(total, 0): a ratio to 0 is unknown here anyway. */
function neverZero(expr: Expr): Expr {
  const isIt = expr.kind === "call" && expr.name === "NULLIF" && expr.args.length === 2 && numberOf(expr.args[1]) === 0;
  return isIt ? expr.args[0] : expr;
}

function decimalsOf(expr: Expr | undefined): number {
  const found = expr ? numberOf(expr) : 0;
  if (found === null || !Number.isInteger(found) || Math.abs(found) > 15)
    throw new CannotAsk("ROUND takes a whole number of decimals from -15 to 15");
  return found;
}
