// SqlBox: a question in SQL, its answer as a table, or a sentence that says what cannot be asked.

import { questionOf } from "../ask/compose.ts";
import { query } from "../ask/query.ts";
import { CannotAsk } from "../engine/condition.ts";
import type { Scheduler } from "../state/scheduler.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";
import { ResultTable } from "./result_table.ts";

const ANSWERED =
  "The box answers what view.sql and ripost query answer: COUNT, SUM, AVG, MIN, MAX, MEDIAN, quantiles and SHARE(*) with " +
  "FILTER or CASE, differences and ratios of totals, LIKE, periods of dates, ROLLUP, and WITH or SELECT over a result.";
const REFUSED =
  "A view holds totals and no rows, so it does not answer SELECT *, JOIN, UNION, COUNT(DISTINCT …) and window functions " +
  "besides shares. The box shows at most 10,000 rows.";

export class SqlBox {
  readonly element: HTMLElement;
  private readonly text: HTMLTextAreaElement;
  private readonly problem = el("p", { class: "problem", role: "alert", hidden: true });
  private readonly table: ResultTable;
  private ran = ""; // the question that is answered
  private simultaneous = false; // how it was answered

  constructor(
    private readonly store: Store,
    scheduler: Scheduler,
  ) {
    const id = freshId("sql");
    this.text = el("textarea", {
      id: "sql",
      rows: 5,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      "aria-labelledby": id,
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.run();
      },
    });
    this.table = new ResultTable(scheduler, "answer", "Answer to the question in SQL");
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": id },
      el("header", {}, el("h2", { id }, "SQL")),
      this.text,
      el(
        "p",
        { class: "acts" },
        el("button", { type: "button", class: "main", onclick: () => this.run() }, "Run"),
        el("button", { type: "button", class: "quiet", onclick: () => this.takeOver() }, "Use the filters above"),
        el("span", { class: "note" }, "Ctrl+Enter runs it"),
      ),
      this.problem,
      this.table.element,
      this.help(),
    );
  }

  /** The names of columns with their titles, and what the box answers. */
  private help(): HTMLElement {
    const { attributes, measures, facts } = this.store.engine;
    const [, ...tables] = facts.tables;
    return el(
      "details",
      {},
      el("summary", {}, "Columns, and what can be asked"),
      el(
        "dl",
        {},
        ...attributes.flatMap(({ name, title, unit }) => [
          el("dt", {}, el("code", {}, name)),
          el("dd", {}, unit ? `${title} (${unit})` : title),
        ]),
        ...measures.flatMap(({ name }) => [
          el("dt", {}, el("code", {}, `SUM(${name}), AVG(${name})`)),
          el("dd", {}, `sum and mean of ${name}`),
        ]),
      ),
      el(
        "p",
        { class: "note" },
        `The table is called ${["view", ...tables.map((name) => `"${name}"`)].join(" or ")}. ${ANSWERED}`,
      ),
      el("p", { class: "note" }, REFUSED),
    );
  }

  /** Show a question that came with the state, and answer it. */
  draw(): void {
    if (this.store.sql === null) {
      if (this.text.value === "") this.takeOver();
    } else if (this.store.sql !== this.ran || this.store.simultaneous !== this.simultaneous) {
      this.text.value = this.store.sql;
      this.answer();
    }
  }

  private takeOver(): void {
    const { engine, filters, group, quantity } = this.store;
    this.text.value = questionOf(engine, filters, group, quantity);
  }

  private run(): void {
    this.answer();
    this.store.choose("sql", this.text.value);
  }

  private answer(): void {
    const { simultaneous } = this.store;
    Object.assign(this, { ran: this.text.value, simultaneous });
    this.problem.hidden = true;
    this.table.element.hidden = true;
    try {
      this.table.show(query(this.store.engine, this.text.value, { simultaneous }));
    } catch (error) {
      if (!(error instanceof CannotAsk)) throw error;
      this.problem.textContent = error.message;
      this.problem.hidden = false;
    }
  }
}
