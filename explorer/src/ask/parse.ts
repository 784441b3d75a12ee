// Parse: one SELECT as a tree. What is not known here is refused in a sentence that says what is.

import { CannotAsk } from "../engine/condition.ts";
import type { Item, Ordering, Select } from "./syntax.ts";
import { Terms } from "./terms.ts";
import { excerpt, tokensOf } from "./tokens.ts";

/** The SELECT that a text holds. */
export function parse(sql: string): Select {
  return new Parser(tokensOf(sql)).query();
}

class Parser extends Terms {
  query(): Select {
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
    const where = this.take("WHERE") ? this.where() : null;
    const group = this.takeBoth("GROUP", "BY") ? this.list(() => this.term()) : [];
    const having = this.take("HAVING") ? this.either(() => this.comparison()) : null;
    const order = this.takeBoth("ORDER", "BY") ? this.list(() => this.ordering()) : [];
    const limit = this.take("LIMIT") ? this.whole("LIMIT") : null;
    const offset = this.take("OFFSET") ? this.whole("OFFSET") : 0;
    this.take(";");
    if (this.peek().kind !== "end") this.refuse(this.peek().text);
    return { items, where, group, having, order, limit, offset, simultaneous };
  }

  /** An attribute or a measure, perhaps with another name. */
  private item(): Item {
    const term = this.term();
    const next = this.peek();
    const named = this.take("AS") || next.kind === "quoted" || (next.kind === "word" && next.upper !== "FROM");
    return { ...term, alias: named ? this.name("a name after AS").text : null };
  }

  private ordering(): Ordering {
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
}
