// Conditions: trees of AND, OR and NOT, as WHERE, FILTER and HAVING have them.

import { CannotAsk } from "../engine/condition.js";
import { CAN, Cursor } from "./cursor.js";
import { excerpt } from "./tokens.js";

const MIRROR = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const AFTER = ["AND", "OR", ")", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", ";", ""];

/** Reads conditions; what can be compared comes from `term`, which reads dimensions and measures. */
export class Conditions extends Cursor {
  /** What follows WHERE: a tree of conditions on dimensions. */
  where() {
    return this.either(() => this.condition());
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

  /** One condition on a dimension. */
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
