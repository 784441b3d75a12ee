// Parse: SELECT dimensions, COUNT(*) FROM view WHERE … GROUP BY … ORDER BY … LIMIT …

import { CannotAsk } from "../engine/condition.js";
import { excerpt, tokensOf } from "./tokens.js";

export const CAN =
  "what can be asked: SELECT COUNT(*) and dimensions FROM view WHERE conditions (AND, OR, NOT, =, <>, <, <=, >, >=, " +
  "BETWEEN, IN, IS NULL) GROUP BY dimensions ORDER BY … LIMIT …";
const COMPARE = ["=", "<>", "!=", "<", "<=", ">", ">="];
const MIRROR = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const RESERVED = [
  "SELECT",
  "FROM",
  "WHERE",
  "GROUP",
  "ORDER",
  "LIMIT",
  "BY",
  "AND",
  "OR",
  "NOT",
  "AS",
  "HAVING",
  "JOIN",
];
const DEEPEST = 200;

/** {items, where, group, order, limit}: items are {name} or {measure}, where is a tree of conditions or null. */
export function parse(sql) {
  return new Parser(tokensOf(sql)).query();
}

class Parser {
  constructor(tokens) {
    this.tokens = tokens;
    this.at = 0;
    this.depth = 0;
  }

  query() {
    this.expect("SELECT");
    if (this.peek().upper === "DISTINCT") this.refuse("DISTINCT");
    const items = this.list(() => this.item());
    this.expect("FROM");
    const table = this.name("the table, which is called view");
    if (table.text.toLowerCase() !== "view")
      throw new CannotAsk(`there is one table here, view; not ${excerpt(table.text)}`);
    if (this.peek().kind === "sign" && this.peek().text === ",") this.refuse("more than one table");
    const where = this.take("WHERE") ? this.either() : null;
    const group = this.takeBoth("GROUP", "BY") ? this.list(() => this.target()) : [];
    const order = this.takeBoth("ORDER", "BY") ? this.list(() => this.ordering()) : [];
    const limit = this.take("LIMIT") ? this.whole("LIMIT") : null;
    this.take(";");
    if (this.peek().kind !== "end") this.refuse(this.peek().text);
    return { items, where, group, order, limit };
  }

  /** A dimension or the measure, perhaps with another name. */
  item() {
    const target = this.target();
    const next = this.peek();
    const named = this.take("AS") || (["word", "quoted"].includes(next.kind) && !RESERVED.includes(next.upper));
    return { ...target, alias: named ? this.name("a name after AS").text : null };
  }

  /** A dimension, the measure, or the number of an item. */
  target() {
    const token = this.peek();
    if (token.kind === "number") return { number: this.whole("a place in the list") };
    if (token.kind === "sign" && token.text === "*")
      throw new CannotAsk("SELECT * has no rows to show here: ask for COUNT(*)");
    const name = this.name("a dimension or COUNT(*)");
    if (!this.take("(")) return { name };
    const call = name.text.toUpperCase();
    if (call === "COUNT") {
      this.expect("*");
      this.expect(")");
      return { measure: "COUNT(*)" };
    }
    if (call !== "SUM") throw new CannotAsk(`${name.text}() is not known here; ${CAN}`);
    const column = this.name("a column").text;
    this.expect(")");
    return { measure: `SUM(${column})` };
  }

  ordering() {
    const target = this.target();
    const down = this.take("DESC");
    if (!down) this.take("ASC");
    if (this.take("NULLS")) this.refuse("NULLS FIRST or LAST");
    return { ...target, down };
  }

  either() {
    const parts = [this.both()];
    while (this.take("OR")) parts.push(this.both());
    return parts.length === 1 ? parts[0] : { kind: "or", parts };
  }

  both() {
    const parts = [this.negation()];
    while (this.take("AND")) parts.push(this.negation());
    return parts.length === 1 ? parts[0] : { kind: "and", parts };
  }

  negation() {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new CannotAsk("the conditions are nested too deeply");
    const found = this.take("NOT") ? { kind: "not", part: this.negation() } : this.condition();
    this.depth -= 1;
    return found;
  }

  condition() {
    if (this.take("(")) {
      const inside = this.either();
      this.expect(")");
      return inside;
    }
    if (this.isValue()) {
      const value = this.value();
      const sign = this.sign();
      return { kind: "compare", sign: MIRROR[sign] ?? sign, name: this.name("a dimension"), value };
    }
    const name = this.name("a dimension");
    if (this.take("IS")) {
      const negated = this.take("NOT");
      this.expect("NULL");
      return negate(negated, { kind: "null", name });
    }
    const negated = this.take("NOT");
    if (this.take("BETWEEN")) {
      const low = this.value();
      this.expect("AND");
      return negate(negated, { kind: "between", name, low, high: this.value() });
    }
    if (this.take("IN")) {
      this.expect("(");
      const values = this.list(() => this.value());
      this.expect(")");
      return negate(negated, { kind: "in", name, values });
    }
    if (negated) throw new CannotAsk(`after NOT comes BETWEEN or IN; ${CAN}`);
    return { kind: "compare", sign: this.sign(), name, value: this.value() };
  }

  sign() {
    const token = this.next();
    if (!COMPARE.includes(token.text))
      throw new CannotAsk(`cannot read ${excerpt(token.text)} as a comparison; ${CAN}`);
    return token.text;
  }

  /** Whether a value comes next, and not a dimension, which may be called date or true. */
  isValue() {
    const token = this.peek();
    const after = this.tokens[this.at + 1];
    if (["text", "number"].includes(token.kind) || ["-", "+"].includes(token.upper)) return true;
    return this.isTyped() || (["TRUE", "FALSE"].includes(token.upper) && COMPARE.includes(after?.text));
  }

  isTyped() {
    return ["DATE", "TIMESTAMP"].includes(this.peek().upper) && this.tokens[this.at + 1].kind === "text";
  }

  /** The text of a value, as it is written. */
  value() {
    if (this.isTyped()) this.next();
    const sign = this.take("-") ? "-" : "";
    if (!sign) this.take("+");
    const token = this.next();
    if (token.kind === "number" || (token.kind === "text" && !sign)) return sign + token.text;
    if (["TRUE", "FALSE"].includes(token.upper) && !sign) return token.text.toLowerCase();
    if (token.upper === "NULL") throw new CannotAsk("nothing equals NULL; ask IS NULL or IS NOT NULL");
    throw new CannotAsk(`expected a value and found ${excerpt(token.text)}; put text in single quotes, as in 'JFK'`);
  }

  name(what) {
    const token = this.next();
    const fine = token.kind === "quoted" || (token.kind === "word" && !RESERVED.includes(token.upper));
    if (!fine) throw new CannotAsk(`expected ${what} and found ${excerpt(token.text)}; ${CAN}`);
    return { text: token.text, quoted: token.kind === "quoted" };
  }

  whole(what) {
    const token = this.next();
    if (token.kind !== "number" || !/^\d{1,9}$/.test(token.text)) throw new CannotAsk(`${what} needs a whole number`);
    return Number(token.text);
  }

  list(one) {
    const found = [one()];
    while (this.take(",")) found.push(one());
    return found;
  }

  peek() {
    return this.tokens[this.at];
  }

  next() {
    const token = this.tokens[this.at];
    if (token.kind !== "end") this.at += 1;
    return token;
  }

  take(upper) {
    if (this.peek().upper !== upper) return false;
    this.at += 1;
    return true;
  }

  takeBoth(first, second) {
    if (!this.take(first)) return false;
    this.expect(second);
    return true;
  }

  expect(upper) {
    if (!this.take(upper)) throw new CannotAsk(`expected ${upper} and found ${excerpt(this.peek().text)}; ${CAN}`);
  }

  refuse(what) {
    throw new CannotAsk(`${excerpt(what)} is not known here; ${CAN}`);
  }
}

function negate(negated, part) {
  return negated ? { kind: "not", part } : part;
}
