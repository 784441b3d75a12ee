// Terms: what stands in SELECT, GROUP BY, HAVING and ORDER BY: a dimension, a place in the list, or a measure.

import { CannotAsk } from "../engine/condition.js";
import { CAN, Cursor, MORE } from "./cursor.js";
import { excerpt } from "./tokens.js";

const QUANTILES = ["MEDIAN", "QUANTILE", "QUANTILE_CONT", "QUANTILE_DISC", "PERCENTILE_CONT", "APPROX_QUANTILE"];
const SETS = ["ROLLUP", "CUBE", "GROUPING"];
const PARTS = ["WIDTH", "FLOOR", "EXTRACT", "DATE_TRUNC", "DATE_PART", "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR"];

/** Reads terms: {name}, {number} or {measure: {kind, of, within, scale}, text}. */
export class Terms extends Cursor {
  term() {
    this.enter();
    const found = this.termHere();
    this.depth -= 1;
    return found;
  }

  termHere() {
    const token = this.peek();
    if (token.kind === "number") return this.placed();
    if (token.kind === "sign" && token.text === "*")
      throw new CannotAsk("SELECT * has no rows to show here: ask for COUNT(*)");
    const name = this.name("a dimension or COUNT(*)");
    if (!this.take("(")) return { name };
    return this.scaled(this.shared(this.called(name)), 1);
  }

  /** A number: the place of an item in the list, or a factor before a share. */
  placed() {
    if (this.tokens[this.at + 1].text !== "*") return { number: this.whole("a place in the list") };
    const factor = Number(this.next().text);
    this.expect("*");
    const { measure, text } = this.term();
    if (measure?.kind !== "share") throw new CannotAsk(`only a share can be multiplied by a number; ${CAN}`);
    return { measure: { ...measure, scale: measure.scale * factor }, text };
  }

  called({ text }) {
    const call = text.toUpperCase();
    if (call === "CAST") {
      const inner = this.term();
      this.expect("AS");
      this.name("a type");
      this.expect(")");
      return inner;
    }
    if (call === "SHARE") return this.shareOf();
    if (QUANTILES.includes(call)) throw new CannotAsk(`${text}() is not known here; the table of quantiles tells it`);
    if (SETS.includes(call) || PARTS.includes(call)) this.defer(`${text}()`);
    if (!["COUNT", "SUM", "AVG", "MEAN"].includes(call)) throw new CannotAsk(`${text}() is not known here; ${CAN}`);
    if (call === "COUNT" && this.take("*")) {
      this.expect(")");
      return total("count", null, "COUNT(*)");
    }
    if (this.peek().upper === "DISTINCT")
      throw new CannotAsk("the view holds no distinct values; ask COUNT(*), or group by the dimension");
    const of = this.name("a dimension");
    this.expect(")");
    const kind = call === "MEAN" ? "avg" : call.toLowerCase();
    return total(kind, of, `${kind.toUpperCase()}(${of.text})`);
  }

  /** SHARE(*), perhaps OVER (PARTITION BY …). */
  shareOf() {
    this.take("*");
    this.expect(")");
    const within = this.take("OVER") ? this.window() : [];
    return { measure: { kind: "share", of: null, within, scale: 1, written: "SHARE" }, text: "SHARE(*)" };
  }

  /** A total over the sum of all totals is a share. */
  shared(part) {
    if (this.peek().upper === "FILTER") this.defer("FILTER");
    if (!this.take("/")) return part;
    const refusal = `only COUNT(*) / SUM(COUNT(*)) OVER () can be divided, or ask SHARE(*); ${CAN}`;
    this.expect("SUM");
    this.expect("(");
    const whole = this.term();
    this.expect(")");
    if (!part.measure || whole.text !== part.text || part.measure.kind === "avg") throw new CannotAsk(refusal);
    if (!this.take("OVER")) throw new CannotAsk(refusal);
    const { kind, of } = part.measure;
    return { measure: { kind: "share", of, whole: kind, within: this.window(), scale: 1, written: "OVER" }, text: "share" };
  }

  scaled(term) {
    if (term.measure?.kind !== "share" || !this.take("*")) return term;
    const token = this.next();
    if (token.kind !== "number") throw new CannotAsk(`a share is multiplied by a number, not ${excerpt(token.text)}`);
    return { ...term, measure: { ...term.measure, scale: term.measure.scale * Number(token.text) } };
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

function total(kind, of, text) {
  return { measure: { kind, of }, text };
}
