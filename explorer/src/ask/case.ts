// Case: what stands inside an aggregate, as values and the regions where each of them applies (query/case.py).

import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { intersect, subtract, unite } from "../engine/region.ts";
import type { Region } from "../engine/types.ts";
import { boxesOf, EVERYTHING } from "./boxes.ts";
import { type CaseExpr, type ColumnExpr, type Expr, textOf } from "./syntax.ts";
import { isPlain, plainValue } from "./terms.ts";
import { excerpt } from "./tokens.ts";

const ONE_VALUE = "give its THEN and ELSE one attribute, or one number besides 0 and NULL";
const CONDITIONS = ["and", "or", "not", "compare", "between", "in", "is null", "like"];

/** A value, which is a number, a text, an attribute or NULL, and where it applies. */
interface Branch {
  value: number | string | ColumnExpr | null;
  region: Region;
}

export class Cases {
  private constructor(
    private readonly expr: Expr,
    readonly branches: Branch[],
    private readonly engine: Engine,
  ) {}

  /** The branches of CASE, IF, a condition, or a condition as a number; null if it is something else. */
  static of(expr: Expr, engine: Engine): Cases | null {
    let inner = expr;
    while (inner.kind === "cast") inner = inner.of;
    if (inner.kind === "case") return new Cases(expr, branchesOf(inner, engine), engine);
    if (!CONDITIONS.includes(inner.kind) && !(inner !== expr && inner.kind === "column")) return null;
    const [yes, no] = [false, true].map((negated) => boxesOf(inner, engine, negated));
    return new Cases(
      expr,
      [
        { value: 1, region: yes },
        { value: 0, region: no },
      ],
      engine,
    );
  }

  /** Where the value is not NULL. */
  get there(): Region {
    return this.where(({ value }) => value !== null);
  }

  /** The one number besides 0, and where it applies; null if there is an attribute. */
  number(): [number, Region] | null {
    const numbers = this.different([0, null]);
    if (this.columns.length && numbers.length === 0) return null;
    if (this.columns.length || numbers.length > 1 || typeof numbers[0] === "string")
      throw new CannotAsk(`cannot answer ${excerpt(textOf(this.expr))}; ${ONE_VALUE}`);
    const number = Number(numbers[0] ?? 1);
    return [number, this.where(({ value }) => value === number)];
  }

  /** The one attribute, and where it applies; elsewhere the value is NULL or, with `zeros`, may be 0. */
  column(zeros: boolean): [ColumnExpr, Region] {
    const names = new Set(this.columns.map(({ name }) => name.toLowerCase()));
    if (names.size !== 1 || this.different(zeros ? [0, null] : [null]).length)
      throw new CannotAsk(`cannot answer ${excerpt(textOf(this.expr))}; ${zeros ? ONE_VALUE : "leave out its ELSE"}`);
    return [this.columns[0], this.where(({ value }) => isColumn(value))];
  }

  private get columns(): ColumnExpr[] {
    return this.branches.map(({ value }) => value).filter(isColumn);
  }

  /** Different values besides attributes and some others. */
  private different(others: Branch["value"][]): Branch["value"][] {
    const values = this.branches.map(({ value }) => value);
    return [...new Set(values)].filter((value) => !isColumn(value) && !others.includes(value));
  }

  private where(wanted: (branch: Branch) => boolean): Region {
    return unite(
      this.branches.filter(wanted).map(({ region }) => region),
      this.engine.sizes,
    );
  }
}

export function isColumn(value: Branch["value"]): value is ColumnExpr {
  return typeof value === "object" && value !== null;
}

/** The values in order; a branch applies where its condition is true and none before it was. */
function branchesOf({ whens, thens }: CaseExpr, engine: Engine): Branch[] {
  let left = EVERYTHING;
  const found = whens.map((when, i) => {
    const yes = boxesOf(when, engine);
    const region = intersect(left, yes);
    left = subtract(left, yes, engine.sizes);
    return { value: branchValue(thens[i]), region };
  });
  return [...found, { value: branchValue(thens[whens.length]), region: left }];
}

function branchValue(expr: Expr): Branch["value"] {
  if (expr.kind === "null") return null;
  if (expr.kind === "column") return expr;
  if (expr.kind === "boolean") return Number(expr.value);
  if (!isPlain(expr)) throw new CannotAsk(`cannot answer ${excerpt(textOf(expr))} in CASE; ${ONE_VALUE}`);
  const { text, isText } = plainValue(expr);
  return isText ? text : Number(text);
}
