// Conditions: trees of AND, OR and NOT, as WHERE, FILTER and HAVING have them.

import { CannotAsk } from "../engine/condition.ts";
import { CAN, Cursor } from "./cursor.ts";
import type { Comparison, Condition, Logic, Operand, Term, Test } from "./syntax.ts";
import { excerpt } from "./tokens.ts";

const MIRROR: Record<string, string> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const AFTER = ["AND", "OR", ")", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", ";", ""];

/** Reads conditions; what can be compared comes from `term`, which reads attributes and measures. */
export abstract class Conditions extends Cursor {
  abstract term(): Term;

  /** What follows WHERE: a tree of conditions on attributes. */
  where(): Logic<Condition> {
    return this.either(() => this.condition());
  }

  either<L>(atom: () => Logic<L>): Logic<L> {
    const parts = [this.both(atom)];
    while (this.take("OR")) parts.push(this.both(atom));
    return parts.length === 1 ? parts[0] : { kind: "or", parts };
  }

  private both<L>(atom: () => Logic<L>): Logic<L> {
    const parts = [this.negation(atom)];
    while (this.take("AND")) parts.push(this.negation(atom));
    return parts.length === 1 ? parts[0] : { kind: "and", parts };
  }

  private negation<L>(atom: () => Logic<L>): Logic<L> {
    this.enter();
    let found: Logic<L>;
    if (this.take("NOT")) found = { kind: "not", part: this.negation(atom) };
    else if (this.take("(")) {
      found = this.either(atom);
      this.expect(")");
    } else found = atom();
    this.depth -= 1;
    return found;
  }

  /** One condition on an attribute. */
  private condition(): Logic<Condition> {
    if (this.isValue()) {
      const value = this.value();
      const sign = this.sign();
      return { kind: "compare", sign: MIRROR[sign] ?? sign, name: this.name("an attribute"), value };
    }
    const term = this.term();
    const { name } = term;
    if (!name)
      throw new CannotAsk(
        `WHERE takes attributes; put ${excerpt(term.measure ? term.text : String(term.number))} into HAVING`,
      );
    if (AFTER.includes(this.peek().upper)) return { kind: "compare", sign: "=", name, value: "true", alone: true };
    return this.tested(
      () => this.value(),
      (test): Condition => ({ name, ...test }),
    );
  }

  /** One condition of HAVING, on anything that can be listed. */
  comparison(): Logic<Comparison> {
    const operand = (): Operand => (this.isValue() ? { value: this.value() } : this.term());
    const left = operand();
    return this.tested(operand, (test): Comparison => ({ left, ...test }));
  }

  /** What follows the left side of a condition. */
  private tested<V, L>(value: () => V, node: (test: Test<V>) => L): Logic<L> {
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

function negate<L>(negated: boolean, part: L): Logic<L> {
  return negated ? { kind: "not", part } : part;
}
