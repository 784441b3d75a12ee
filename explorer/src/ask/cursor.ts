// Cursor: a place in a list of tokens, and the small steps that every part of a question is read by.

import { CannotAsk } from "../engine/condition.ts";
import type { Name } from "./syntax.ts";
import { excerpt, type Token } from "./tokens.ts";

export const CAN =
  "what can be asked: SELECT attributes, COUNT(*), SHARE(*), COUNT, AVG or SUM of an attribute, each perhaps with FILTER " +
  "(WHERE …), and the difference or the ratio of two totals FROM view " +
  "WHERE conditions (AND, OR, NOT, =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL) GROUP BY attributes HAVING … " +
  "ORDER BY … LIMIT …";
export const MORE = "ripost query and view.sql can answer it";
const DEEPEST = 200; // levels of brackets, calls and NOTs
export const COMPARE = ["=", "<>", "!=", "<", "<=", ">", ">="];
export const RESERVED =
  "SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET BY AND OR NOT AS JOIN OVER PARTITION FILTER UNION".split(" ");

export class Cursor {
  protected at = 0;
  protected depth = 0;

  constructor(protected readonly tokens: Token[]) {}

  /** Go one level deeper into brackets, calls or NOTs. */
  protected enter(): void {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new CannotAsk("the question is nested too deeply");
  }

  /** Whether a value comes next, and not an attribute, which may be called date or true. */
  protected isValue(): boolean {
    const token = this.peek();
    const after = this.tokens[this.at + 1];
    if (token.kind === "number") return !["*", "/"].includes(after.upper); // else a factor
    if (token.kind === "text" || ["-", "+"].includes(token.upper)) return true;
    return this.isTyped() || (["TRUE", "FALSE"].includes(token.upper) && COMPARE.includes(after.text));
  }

  private isTyped(): boolean {
    return ["DATE", "TIMESTAMP"].includes(this.peek().upper) && this.tokens[this.at + 1].kind === "text";
  }

  /** The text of a value, as it is written. */
  protected value(): string {
    if (this.isTyped()) this.next();
    const sign = this.take("-") ? "-" : "";
    if (!sign) this.take("+");
    const token = this.next();
    if (token.kind === "number" || (token.kind === "text" && !sign)) return sign + token.text;
    if (["TRUE", "FALSE"].includes(token.upper) && !sign) return token.text.toLowerCase();
    if (token.upper === "NULL") throw new CannotAsk("nothing equals NULL; ask IS NULL or IS NOT NULL");
    throw new CannotAsk(`expected a value and found ${excerpt(token.text)}; put text in single quotes, as in 'JFK'`);
  }

  protected sign(): string {
    const token = this.next();
    if (!COMPARE.includes(token.text))
      throw new CannotAsk(`cannot read ${excerpt(token.text)} as a comparison; ${CAN}`);
    return token.text;
  }

  protected name(what: string): Name {
    const token = this.next();
    const fine = token.kind === "quoted" || (token.kind === "word" && !RESERVED.includes(token.upper));
    if (!fine) throw new CannotAsk(`expected ${what} and found ${excerpt(token.text)}; ${CAN}`);
    return { text: token.text, quoted: token.kind === "quoted" };
  }

  protected whole(what: string): number {
    const token = this.next();
    if (token.kind !== "number" || !/^\d{1,9}$/.test(token.text)) throw new CannotAsk(`${what} needs a whole number`);
    return Number(token.text);
  }

  protected list<T>(one: () => T): T[] {
    const found = [one()];
    while (this.take(",")) found.push(one());
    return found;
  }

  protected peek(): Token {
    return this.tokens[this.at];
  }

  protected next(): Token {
    const token = this.tokens[this.at];
    if (token.kind !== "end") this.at += 1;
    return token;
  }

  protected take(upper: string): boolean {
    if (this.peek().upper !== upper) return false;
    this.at += 1;
    return true;
  }

  protected takeBoth(first: string, second: string): boolean {
    if (!this.take(first)) return false;
    this.expect(second);
    return true;
  }

  protected expect(upper: string): void {
    if (!this.take(upper)) throw new CannotAsk(`expected ${upper} and found ${excerpt(this.peek().text)}; ${CAN}`);
  }

  protected refuse(what: string): never {
    throw new CannotAsk(`${excerpt(what)} is not known here; ${CAN}`);
  }

  /** Refuse what the library can answer and this box cannot. */
  protected defer(what: string): never {
    throw new CannotAsk(`${what} is not known here; ${MORE}`);
  }
}
