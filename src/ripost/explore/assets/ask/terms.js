// Terms: what stands in SELECT, GROUP BY, HAVING and ORDER BY: a dimension, a place in the list, or a measure.

import { CannotAsk } from "../engine/condition.js";
import { measured } from "./arithmetic.js";
import { Conditions } from "./conditions.js";
import { CAN, MORE } from "./cursor.js";

const QUANTILES = ["MEDIAN", "QUANTILE", "QUANTILE_CONT", "QUANTILE_DISC", "PERCENTILE_CONT", "APPROX_QUANTILE"];
const SETS = ["ROLLUP", "CUBE", "GROUPING"];
const PARTS = ["WIDTH", "FLOOR", "EXTRACT", "DATE_TRUNC", "DATE_PART", "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR"];

/** Reads terms: {name}, {number} or {measure, text}. */
export class Terms extends Conditions {
  term() {
    return measured(this.difference());
  }

  /** Products with minus signs between them, as a tree of {sign, left, right}. */
  difference() {
    this.enter();
    let found = this.product();
    while (this.take("-")) found = { sign: "-", left: found, right: this.product() };
    this.depth -= 1;
    return found;
  }

  product() {
    let found = this.factor();
    while (["*", "/"].includes(this.peek().upper)) found = { sign: this.next().upper, left: found, right: this.factor() };
    return found;
  }

  factor() {
    const token = this.peek();
    if (token.kind === "number") return { number: Number(this.next().text) };
    if (this.take("(")) {
      const inner = this.difference();
      this.expect(")");
      return inner;
    }
    if (token.upper === "*") throw new CannotAsk("SELECT * has no rows to show here: ask for COUNT(*)");
    const name = this.name("a dimension or COUNT(*)");
    return this.take("(") ? this.called(name) : { name };
  }

  called({ text }) {
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
      throw new CannotAsk("the view holds no distinct values; ask COUNT(*), or group by the dimension");
    const of = this.name("a dimension");
    this.expect(")");
    const kind = call === "MEAN" ? "avg" : call.toLowerCase();
    return this.filtered(kind, of, `${kind.toUpperCase()}(${of.text})`);
  }

  /** CAST(… AS type), whose type does not matter here, or NULLIF(…, 0). */
  wrapped(call) {
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
  filtered(kind, of, text) {
    if (!this.take("FILTER")) return { measure: { kind, of, filter: null }, text };
    this.expect("(");
    this.expect("WHERE");
    const filter = this.where();
    this.expect(")");
    return { measure: { kind, of, filter }, text };
  }

  /** SHARE(*), perhaps OVER (PARTITION BY …). */
  shareOf() {
    this.take("*");
    this.expect(")");
    if (this.peek().upper === "FILTER")
      throw new CannotAsk("SHARE takes no FILTER; ask COUNT(*) FILTER (WHERE …) / COUNT(*)");
    const within = this.take("OVER") ? this.window() : [];
    return { measure: { kind: "share", of: null, within, scale: 1, written: "SHARE" }, text: "SHARE(*)" };
  }

  /** SUM(COUNT(*)) OVER (…), by which a total becomes a share. */
  summedOver() {
    const whole = this.term();
    this.expect(")");
    this.expect("OVER");
    return { whole, within: this.window() };
  }

  /** The dimensions of (PARTITION BY …). */
  window() {
    this.expect("(");
    const within = this.takeBoth("PARTITION", "BY") ? this.list(() => this.term()) : [];
    if (this.peek().upper === "ORDER")
      throw new CannotAsk(`a share is OVER () or OVER (PARTITION BY …), without ORDER BY; ${MORE}`);
    this.expect(")");
    return within;
  }
}
