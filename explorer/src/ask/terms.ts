// Terms: what stands in SELECT, GROUP BY, HAVING and ORDER BY: an attribute, a place in the list, or a measure.

import { CannotAsk } from "../engine/condition.ts";
import { termOf } from "./arithmetic.ts";
import { Conditions } from "./conditions.ts";
import { CAN, MORE } from "./cursor.ts";
import type { Aggregate, Arithmetic, Name, Term } from "./syntax.ts";

const QUANTILES = ["MEDIAN", "QUANTILE", "QUANTILE_CONT", "QUANTILE_DISC", "PERCENTILE_CONT", "APPROX_QUANTILE"];
const SETS = ["ROLLUP", "CUBE", "GROUPING"];
const PARTS = [
  "WIDTH",
  "FLOOR",
  "EXTRACT",
  "DATE_TRUNC",
  "DATE_PART",
  "YEAR",
  "QUARTER",
  "MONTH",
  "WEEK",
  "DAY",
  "HOUR",
];

/** Reads terms. */
export class Terms extends Conditions {
  term(): Term {
    return termOf(this.difference());
  }

  /** Products with minus signs between them, as a tree of {sign, left, right}. */
  private difference(): Arithmetic {
    this.enter();
    let found = this.product();
    while (this.take("-")) found = { sign: "-", left: found, right: this.product() };
    this.depth -= 1;
    return found;
  }

  private product(): Arithmetic {
    let found = this.factor();
    while (["*", "/"].includes(this.peek().upper))
      found = { sign: this.next().upper, left: found, right: this.factor() };
    return found;
  }

  private factor(): Arithmetic {
    const token = this.peek();
    if (token.kind === "number") return { number: Number(this.next().text) };
    if (this.take("(")) {
      const inner = this.difference();
      this.expect(")");
      return inner;
    }
    if (token.upper === "*") throw new CannotAsk("SELECT * has no rows to show here: ask for COUNT(*)");
    const name = this.name("an attribute or COUNT(*)");
    return this.take("(") ? this.called(name) : { name };
  }

  private called({ text }: Name): Arithmetic {
    const call = text.toUpperCase();
    if (call === "CAST" || call === "NULLIF") return this.wrapped(call);
    if (call === "SHARE") return this.shareOf();
    if (QUANTILES.includes(call)) throw new CannotAsk(`${text}() is not known here; the table of quantiles tells it`);
    if (SETS.includes(call) || PARTS.includes(call)) this.defer(`${text}()`);
    if (!["COUNT", "SUM", "AVG", "MEAN"].includes(call)) throw new CannotAsk(`${text}() is not known here; ${CAN}`);
    if (call === "SUM" && this.tokens[this.at + 1].text === "(") return this.summedOver();
    if (call === "COUNT" && this.take("*")) {
      this.expect(")");
      return this.filtered("count", null, "COUNT(*)");
    }
    if (this.peek().upper === "DISTINCT")
      throw new CannotAsk("the view holds no distinct values; ask COUNT(*), or group by the attribute");
    const of = this.name("an attribute");
    this.expect(")");
    const kind = call === "COUNT" ? "count" : call === "SUM" ? "sum" : "avg";
    return this.filtered(kind, of, `${kind.toUpperCase()}(${of.text})`);
  }

  /** CAST(… AS type), whose type does not matter here, or NULLIF(…, 0). */
  private wrapped(call: string): Arithmetic {
    const inner = this.difference();
    if (call === "CAST") {
      this.expect("AS");
      this.name("a type");
      this.expect(")");
      return inner;
    }
    this.expect(",");
    if (this.next().text !== "0") throw new CannotAsk(`NULLIF is known with 0 alone; ${CAN}`);
    this.expect(")");
    return { nullIfZero: inner };
  }

  /** A total, mean or sum, perhaps with FILTER (WHERE …). */
  private filtered(kind: Aggregate["kind"], of: Name | null, text: string): Term {
    if (!this.take("FILTER")) return { measure: { kind, of, filter: null }, text };
    this.expect("(");
    this.expect("WHERE");
    const filter = this.where();
    this.expect(")");
    return { measure: { kind, of, filter }, text };
  }

  /** SHARE(*), perhaps OVER (PARTITION BY …). */
  private shareOf(): Term {
    this.take("*");
    this.expect(")");
    if (this.peek().upper === "FILTER")
      throw new CannotAsk("SHARE takes no FILTER; ask COUNT(*) FILTER (WHERE …) / COUNT(*)");
    const within = this.take("OVER") ? this.window() : [];
    return { measure: { kind: "share", of: null, whole: "", within, scale: 1, written: "SHARE" }, text: "SHARE(*)" };
  }

  /** SUM(COUNT(*)) OVER (…), by which a total becomes a share. */
  private summedOver(): Arithmetic {
    const whole = this.term();
    this.expect(")");
    this.expect("OVER");
    return { whole, within: this.window() };
  }

  /** The attributes of (PARTITION BY …). */
  private window(): Term[] {
    this.expect("(");
    const within = this.takeBoth("PARTITION", "BY") ? this.list(() => this.term()) : [];
    if (this.peek().upper === "ORDER")
      throw new CannotAsk(`a share is OVER () or OVER (PARTITION BY …), without ORDER BY; ${MORE}`);
    this.expect(")");
    return within;
  }
}
