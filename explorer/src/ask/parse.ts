// Parse: one SELECT as a tree. What is not known here is refused in a sentence that says what is.

import { CannotAsk } from "../engine/condition.ts";
import { CAN } from "./cursor.ts";
import { Expressions } from "./expressions.ts";
import type { Expr, Grouping, Item, Ordering, Select, Source } from "./syntax.ts";
import { tokensOf } from "./tokens.ts";

const SETS = { ROLLUP: "rollup", CUBE: "cube" } as const;

/** The SELECT that a text holds. */
export function parse(sql: string): Select {
  return new Parser(tokensOf(sql)).statement();
}

class Parser extends Expressions {
  statement(): Select {
    const found = this.select();
    this.take(";");
    if (this.peek().kind !== "end") this.refuse(this.peek().text);
    return found;
  }

  private select(): Select {
    const named = this.take("WITH") ? this.list(() => this.namedResult()) : [];
    this.expect("SELECT");
    const distinct = this.take("DISTINCT");
    if (distinct && this.peek().upper === "ON")
      throw new CannotAsk("cannot answer DISTINCT ON; ask SELECT DISTINCT of keys, or GROUP BY");
    const items = this.list((): Item => ({ expr: this.expression(), alias: this.alias() }));
    this.expect("FROM");
    const from = this.source();
    const where = this.take("WHERE") ? this.expression() : null;
    const group = this.take("GROUP", "BY") ? this.grouping() : null;
    const having = this.take("HAVING") ? this.expression() : null;
    const order = this.take("ORDER", "BY") ? this.list(() => this.ordering()) : [];
    const limit = this.take("LIMIT") ? this.whole("LIMIT") : null;
    const offset = this.take("OFFSET") ? this.whole("OFFSET") : 0;
    return { named, distinct, items, from, where, group, having, order, limit, offset };
  }

  private namedResult(): [string, Select] {
    if (this.peek().upper === "RECURSIVE")
      throw new CannotAsk("cannot answer WITH RECURSIVE; name plain SELECTs in WITH");
    const { text } = this.name("a name for a result");
    this.expect("AS");
    return [text.toLowerCase(), this.inside(() => this.select())];
  }

  /** A table, which may be asked for simultaneous intervals, or a SELECT in brackets. */
  private source(): Source {
    if (this.peek().upper === "(") {
      const table = this.inside(() => this.select());
      return { table, alias: this.alias() ?? "", simultaneous: false };
    }
    const table = this.name("the table, which is called view").text;
    const simultaneous = this.peek().upper === "(";
    if (simultaneous)
      this.inside(() => {
        if (!this.take("SIMULTANEOUS"))
          throw new CannotAsk("ask FROM view, or FROM view(simultaneous) for intervals that hold all together");
      });
    const source = { table, alias: this.alias() ?? "", simultaneous };
    const next = this.peek();
    if (next.upper === "," || next.upper === "JOIN") throw new CannotAsk(`cannot answer JOIN; ${CAN}`);
    return source;
  }

  private grouping(): Grouping[] | "all" {
    if (this.take("ALL")) return "all";
    const parts = this.list(() => this.groupingPart());
    for (const [word, how] of Object.entries(SETS))
      if (this.take("WITH", word)) return [{ how, parts: parts.flatMap((one) => one.parts) }];
    return parts;
  }

  private groupingPart(): Grouping {
    for (const [word, how] of Object.entries(SETS))
      if (this.peek(1).upper === "(" && this.take(word))
        return { how, parts: this.inside(() => this.list(() => keysOf(this.expression()))) };
    if (this.take("GROUPING", "SETS")) return { how: "sets", parts: this.inside(() => this.list(() => this.oneSet())) };
    return { how: "plain", parts: [keysOf(this.expression())] };
  }

  private oneSet(): Expr[] | Grouping {
    if (this.take("(", ")")) return [];
    const part = this.groupingPart();
    return part.how === "plain" ? part.parts[0] : part;
  }

  private ordering(): Ordering {
    const expr = this.expression();
    const down = this.take("DESC");
    if (!down) this.take("ASC");
    const nullsFirst = this.take("NULLS", "FIRST");
    if (!nullsFirst && this.take("NULLS")) this.expect("LAST");
    return { expr, down, nullsFirst };
  }
}

/** A key, or several in brackets. */
function keysOf(expr: Expr): Expr[] {
  return expr.kind === "list" ? expr.parts : [expr];
}
