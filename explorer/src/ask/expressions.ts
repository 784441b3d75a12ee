// Expressions: conditions, arithmetic and calls, by the precedence that SQL gives them.

import { CannotAsk } from "../engine/condition.ts";
import { CAN, Cursor } from "./cursor.ts";
import { type CallExpr, type ColumnExpr, type Expr, written } from "./syntax.ts";
import { excerpt } from "./tokens.ts";

const COMPARE = ["=", "<>", "!=", "<", "<=", ">", ">="];
const TYPED = ["DATE", "TIMESTAMP"];

export class Expressions extends Cursor {
  expression(): Expr {
    return this.deeper(() =>
      written(...this.withText(() => this.chain("or", () => this.chain("and", () => this.negation())))),
    );
  }

  /** Parts with AND, or with OR, between them. */
  private chain(kind: "and" | "or", one: () => Expr): Expr {
    const parts = [one()];
    while (this.take(kind.toUpperCase())) parts.push(one());
    return parts.length === 1 ? parts[0] : { kind, parts };
  }

  private negation(): Expr {
    if (!this.take("NOT")) return this.comparison();
    return { kind: "not", of: this.deeper(() => this.negation()) };
  }

  private comparison(): Expr {
    const of = this.sum();
    if (COMPARE.includes(this.peek().text) && this.peek().kind === "sign") {
      const sign = this.next().text.replace("!=", "<>");
      return { kind: "compare", sign, left: of, right: this.sum() };
    }
    if (this.take("IS")) return this.negated(this.take("NOT"), this.isNull(of));
    const negated = this.take("NOT");
    const found = this.tested(of);
    if (found) return this.negated(negated, found);
    if (negated) throw new CannotAsk(`after NOT comes BETWEEN, IN or LIKE; ${CAN}`);
    return of;
  }

  private negated(negated: boolean, of: Expr): Expr {
    return negated ? { kind: "not", of } : of;
  }

  private isNull(of: Expr): Expr {
    this.expect("NULL");
    return { kind: "is null", of };
  }

  /** BETWEEN, IN or LIKE; null if none of them comes next. */
  private tested(of: Expr): Expr | null {
    if (this.take("BETWEEN")) {
      const low = this.sum();
      this.expect("AND");
      return { kind: "between", of, low, high: this.sum() };
    }
    if (this.take("IN")) return { kind: "in", of, values: this.inside(() => this.list(() => this.sum())) };
    const fold = this.take("ILIKE");
    if (!fold && !this.take("LIKE")) return null;
    const pattern = this.sum();
    return { kind: "like", of, pattern, fold, escaping: this.take("ESCAPE") ? this.next().text : "" };
  }

  private sum(): Expr {
    const product = () => this.binary(["*", "/", "//"], () => written(...this.withText(() => this.signed())));
    return this.deeper(() => written(...this.withText(() => this.binary(["+", "-"], product))));
  }

  private binary(signs: string[], one: () => Expr): Expr {
    let left = one();
    while (this.peek().kind === "sign" && signs.includes(this.peek().text))
      left = { kind: "binary", sign: this.next().text, left, right: one() };
    return left;
  }

  private signed(): Expr {
    if (this.take("+")) return this.deeper(() => this.signed());
    if (this.take("-")) return { kind: "minus", of: this.deeper(() => this.signed()) };
    let of = this.primary();
    while (this.take("::")) of = { kind: "cast", of, type: this.typeName() };
    return of;
  }

  private primary(): Expr {
    const token = this.peek();
    if (token.kind === "number" || token.kind === "text") return { kind: token.kind, text: this.next().text };
    if (this.take("*")) return { kind: "star" };
    if (this.take("NULL")) return { kind: "null" };
    if (this.take("CASE")) return this.deeper(() => this.cases());
    if (token.upper === "(") {
      const parts = this.inside(() => this.list(() => this.expression()));
      return parts.length === 1 ? parts[0] : { kind: "list", parts };
    }
    const isCall = this.peek(1).upper === "(" && token.kind === "word";
    if (["TRUE", "FALSE"].includes(token.upper) && !isCall)
      return { kind: "boolean", value: this.next().upper === "TRUE" };
    if (TYPED.includes(token.upper) && this.peek(1).kind === "text")
      return { kind: "cast", type: this.next().upper, of: { kind: "text", text: this.next().text } };
    const first = this.name("an attribute or a measure");
    return isCall ? this.called(first.upper) : this.column(first.text, first.kind === "quoted");
  }

  private column(name: string, quoted: boolean): ColumnExpr | { kind: "star" } {
    if (!this.take(".")) return { kind: "column", table: null, name, quoted };
    if (this.take("*")) return { kind: "star" };
    const { text, kind } = this.name("a column");
    return { kind: "column", table: name, name: text, quoted: kind === "quoted" };
  }

  private called(name: string): Expr {
    if (name === "CAST" || name === "TRY_CAST")
      return this.inside(() => {
        const of = this.expression();
        this.expect("AS");
        return { kind: "cast", of, type: this.typeName() };
      });
    if (name === "EXTRACT")
      return this.inside(() => {
        const part = this.next().text;
        this.expect("FROM");
        return { kind: "extract", part, of: this.expression() };
      });
    const call: CallExpr = {
      kind: "call",
      name,
      args: [],
      distinct: false,
      sorted: null,
      down: false,
      filter: null,
      over: null,
    };
    this.inside(() => {
      call.distinct = this.take("DISTINCT");
      if (this.peek().upper !== ")") call.args = this.list(() => this.expression());
    });
    if (name === "IF" && call.args.length >= 2)
      return { kind: "case", whens: [call.args[0]], thens: [call.args[1], call.args[2] ?? { kind: "null" }] };
    return this.followed(call);
  }

  /** A call with WITHIN GROUP, FILTER and OVER, if they follow. */
  private followed(call: CallExpr): CallExpr {
    if (this.take("WITHIN", "GROUP"))
      this.inside(() => {
        this.expect("ORDER");
        this.expect("BY");
        call.sorted = this.expression();
        call.down = this.take("DESC");
        if (!call.down) this.take("ASC");
      });
    if (this.take("FILTER"))
      call.filter = this.inside(() => {
        this.expect("WHERE");
        return this.expression();
      });
    if (this.take("OVER"))
      call.over = this.inside(() => {
        const within = this.take("PARTITION", "BY") ? this.list(() => this.expression()) : [];
        if (this.peek().upper !== ")")
          throw new CannotAsk("a share is OVER () or OVER (PARTITION BY …), without ORDER BY");
        return within;
      });
    return call;
  }

  private cases(): Expr {
    const subject = this.peek().upper === "WHEN" ? null : this.expression();
    const whens: Expr[] = [];
    const thens: Expr[] = [];
    while (this.take("WHEN")) {
      const when = this.expression();
      whens.push(subject ? { kind: "compare", sign: "=", left: subject, right: when } : when);
      this.expect("THEN");
      thens.push(this.expression());
    }
    if (whens.length === 0) this.expect("WHEN");
    thens.push(this.take("ELSE") ? this.expression() : { kind: "null" });
    this.expect("END");
    return { kind: "case", whens, thens };
  }

  /** A type such as DOUBLE or DECIMAL(10, 2), in capitals. */
  private typeName(): string {
    const token = this.next();
    if (token.kind !== "word") throw new CannotAsk(`expected a type and found ${excerpt(token.text)}; ${CAN}`);
    if (this.peek().upper === "(") this.inside(() => this.list(() => this.whole("a type")));
    return token.upper;
  }
}
