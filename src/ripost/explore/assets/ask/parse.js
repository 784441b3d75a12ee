// Parse: one SELECT as a tree. What is not known here is refused in a sentence that says what is.

import { CannotAsk } from "../engine/condition.js";
import { CAN } from "./cursor.js";
import { Terms } from "./terms.js";
import { excerpt, tokensOf } from "./tokens.js";

const MIRROR = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const AFTER = ["AND", "OR", ")", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", ";", ""];

/** {items, where, group, having, order, limit, offset, simultaneous}: items are terms, where and having trees of conditions. */
export function parse(sql) {
  return new Parser(tokensOf(sql)).query();
}

class Parser extends Terms {
  query() {
    this.expect("SELECT");
    if (this.peek().upper === "DISTINCT") this.refuse("DISTINCT");
    const items = this.list(() => this.item());
    this.expect("FROM");
    const table = this.name("the table, which is called view");
    if (table.text.toLowerCase() !== "view")
      throw new CannotAsk(`there is one table here, view; not ${excerpt(table.text)}`);
    const simultaneous = this.take("(");
    if (simultaneous) {
      this.expect("SIMULTANEOUS");
      this.expect(")");
    }
    if (this.peek().kind === "sign" && this.peek().text === ",") this.refuse("more than one table");
    const where = this.take("WHERE") ? this.either(() => this.condition()) : null;
    const group = this.takeBoth("GROUP", "BY") ? this.list(() => this.term()) : [];
    const having = this.take("HAVING") ? this.either(() => this.comparison()) : null;
    const order = this.takeBoth("ORDER", "BY") ? this.list(() => this.ordering()) : [];
    const limit = this.take("LIMIT") ? this.whole("LIMIT") : null;
    const offset = this.take("OFFSET") ? this.whole("OFFSET") : 0;
    this.take(";");
    if (this.peek().kind !== "end") this.refuse(this.peek().text);
    return { items, where, group, having, order, limit, offset, simultaneous };
  }

  /** A dimension or a measure, perhaps with another name. */
  item() {
    const term = this.term();
    const next = this.peek();
    const named = this.take("AS") || next.kind === "quoted" || (next.kind === "word" && next.upper !== "FROM");
    return { ...term, alias: named ? this.name("a name after AS").text : null };
  }

  ordering() {
    const term = this.term();
    const down = this.take("DESC");
    if (!down) this.take("ASC");
    let nullsFirst = false;
    if (this.take("NULLS")) {
      nullsFirst = this.take("FIRST");
      if (!nullsFirst) this.expect("LAST");
    }
    return { ...term, down, nullsFirst };
  }

  either(atom) {
    const parts = [this.both(atom)];
    while (this.take("OR")) parts.push(this.both(atom));
    return parts.length === 1 ? parts[0] : { kind: "or", parts };
  }

  both(atom) {
    const parts = [this.negation(atom)];
    while (this.take("AND")) parts.push(this.negation(atom));
    return parts.length === 1 ? parts[0] : { kind: "and", parts };
  }

  negation(atom) {
    this.enter();
    let found;
    if (this.take("NOT")) found = { kind: "not", part: this.negation(atom) };
    else if (this.take("(")) {
      found = this.either(atom);
      this.expect(")");
    } else found = atom();
    this.depth -= 1;
    return found;
  }

  /** One condition of WHERE, on a dimension. */
  condition() {
    if (this.isValue()) {
      const value = this.value();
      const sign = this.sign();
      return { kind: "compare", sign: MIRROR[sign] ?? sign, name: this.name("a dimension"), value };
    }
    const { name, text, number } = this.term();
    if (!name) throw new CannotAsk(`WHERE takes dimensions; put ${excerpt(text ?? String(number))} into HAVING`);
    if (AFTER.includes(this.peek().upper)) return { kind: "compare", sign: "=", name, value: "true", alone: true };
    return this.tested(
      () => this.value(),
      (rest) => ({ name, ...rest }),
    );
  }

  /** One condition of HAVING, on anything that can be listed. */
  comparison() {
    const operand = () => (this.isValue() ? { value: this.value() } : this.term());
    const left = operand();
    return this.tested(operand, (rest) => ({ left, ...rest }));
  }

  /** What follows the left side of a condition. */
  tested(value, node) {
    if (this.take("IS")) {
      const negated = this.take("NOT");
      this.expect("NULL");
      return negate(negated, node({ kind: "null" }));
    }
    const negated = this.take("NOT");
    if (this.take("BETWEEN")) {
      const low = value();
      this.expect("AND");
      return negate(negated, node({ kind: "between", low, high: value() }));
    }
    if (this.take("IN")) {
      this.expect("(");
      const values = this.list(value);
      this.expect(")");
      return negate(negated, node({ kind: "in", values }));
    }
    if (negated) throw new CannotAsk(`after NOT comes BETWEEN or IN; ${CAN}`);
    return node({ kind: "compare", sign: this.sign(), value: value() });
  }
}

function negate(negated, part) {
  return negated ? { kind: "not", part } : part;
}
