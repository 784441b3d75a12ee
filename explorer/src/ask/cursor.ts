// Cursor: a place in a list of tokens, and the small steps that every part of a question is read by.

import { CannotAsk } from "../engine/condition.ts";
import { excerpt, type Token } from "./tokens.ts";

export const CAN = "ask one SELECT of keys and measures FROM view, with WHERE, GROUP BY, HAVING, ORDER BY and LIMIT";
const DEEPEST = 200; // levels of brackets, calls and NOTs
const RESERVED = (
  "SELECT FROM WHERE GROUP HAVING ORDER LIMIT OFFSET BY AND OR NOT AS JOIN OVER PARTITION FILTER UNION CASE WHEN THEN " +
  "ELSE END BETWEEN IN IS LIKE ILIKE NULL DISTINCT WITH ON QUALIFY WINDOW EXCEPT INTERSECT USING LATERAL"
).split(" ");

export class Cursor {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: Token[]) {}

  /** Read something one level deeper. */
  protected deeper<T>(read: () => T): T {
    this.depth += 1;
    if (this.depth > DEEPEST) throw new CannotAsk(`the question is nested too deeply; ${CAN}`);
    const found = read();
    this.depth -= 1;
    return found;
  }

  /** Read something, and how it is written. */
  protected withText<T>(read: () => T): [T, string] {
    const from = this.at;
    const found = read();
    const raw = this.tokens.slice(from, this.at).map((token) => token.raw);
    return [found, raw.join(" ").replace(/ ?([().]) ?| (?=,)/g, "$1")];
  }

  /** A name that is no word of SQL; quoted names may be any. */
  protected name(what: string): Token {
    const token = this.next();
    if (token.kind !== "quoted" && !isName(token))
      throw new CannotAsk(`expected ${what} and found ${excerpt(token.text)}; ${CAN}`);
    return token;
  }

  /** A name after AS, or without it. */
  protected alias(): string | null {
    const next = this.peek();
    return this.take("AS") || next.kind === "quoted" || isName(next) ? this.name("a name after AS").text : null;
  }

  protected whole(what: string): number {
    const token = this.next();
    if (token.kind !== "number" || !/^\d{1,9}$/.test(token.text))
      throw new CannotAsk(`${what} takes a whole number from 0, got ${excerpt(token.text)}`);
    return Number(token.text);
  }

  protected list<T>(one: () => T): T[] {
    const found = [one()];
    while (this.take(",")) found.push(one());
    return found;
  }

  /** Something in brackets. */
  protected inside<T>(read: () => T): T {
    this.expect("(");
    const found = this.deeper(read);
    this.expect(")");
    return found;
  }

  protected peek(ahead = 0): Token {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
  }

  protected next(): Token {
    const token = this.peek();
    if (token.kind !== "end") this.at += 1;
    return token;
  }

  /** Whether words come next, which are then read. */
  protected take(...words: string[]): boolean {
    if (words.some((word, i) => this.peek(i).upper !== word)) return false;
    this.at += words.length;
    return true;
  }

  protected expect(upper: string): void {
    if (!this.take(upper)) throw new CannotAsk(`expected ${upper} and found ${excerpt(this.peek().text)}; ${CAN}`);
  }

  protected refuse(what: string): never {
    throw new CannotAsk(`cannot answer ${excerpt(what)}; ${CAN}`);
  }
}

function isName({ kind, upper }: Token): boolean {
  return kind === "word" && !RESERVED.includes(upper);
}
