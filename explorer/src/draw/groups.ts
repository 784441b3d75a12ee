// Groups: totals of what is selected by one, two or three attributes.

import { groupTotals } from "../ask/group_totals.ts";
import { keyColumn, type MeasureColumn } from "../ask/query.ts";
import { Question } from "../ask/question.ts";
import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk } from "../engine/condition.ts";
import { inOneStep } from "../engine/steps.ts";
import type { Interval } from "../engine/types.ts";
import { printBin, shownBins } from "../state/bins.ts";
import type { Scheduler } from "../state/scheduler.ts";
import type { Store } from "../state/store.ts";
import { type Chooser, chooser } from "./chooser.ts";
import { el, freshId } from "./dom.ts";
import { ResultTable } from "./result_table.ts";

const MOST_BINS = 100; // of an ordered attribute
const MOST_PERIODS = 1000; // of dates, if their unit was chosen
const PLACES = ["Group by", "and by", "and by"];

export class Groups {
  readonly element: HTMLElement;
  private readonly choosers: Chooser[];
  private readonly table: ResultTable;
  private readonly problem = el("p", { class: "problem", role: "alert", hidden: true });

  constructor(
    private readonly store: Store,
    scheduler: Scheduler,
  ) {
    const id = freshId("groups");
    this.choosers = PLACES.map((label, place) =>
      chooser(store, label, (axis) => this.choose(place, axis), { none: place ? "–" : null }),
    );
    this.table = new ResultTable(scheduler, "groups", "Totals by group");
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": id },
      el("header", {}, el("h2", { id }, "Table"), ...this.choosers.map(({ element }) => element)),
      this.problem,
      this.table.element,
    );
  }

  private choose(place: number, axis: number | null): void {
    const group = [...this.store.group];
    if (axis === null) group.splice(place, 1);
    else group[Math.min(place, group.length)] = axis;
    this.store.choose("group", [...new Set(group)].slice(0, PLACES.length));
  }

  draw(): void {
    const { engine, filters, group } = this.store;
    this.choosers.forEach(({ element, draw }, place) => {
      element.hidden = place > group.length || place >= engine.attributes.length;
      draw(group[place]);
    });
    try {
      this.problem.hidden = true;
      const bins = group.map((axis) => this.binsOf(engine.attributes[axis]));
      const rows = groupTotals(engine, [filters], group, bins);
      for (const row of rows) row.labels = row.bins.map((bin, i) => printBin(engine.attributes[group[i]], bin));
      const question = new Question(
        this.store.engineFor(rows.length),
        [filters],
        group.map((axis) => engine.attributes[axis]),
      );
      const total: MeasureColumn = {
        name: engine.facts.measure,
        digits: 0,
        value: (row) => row.value,
        figure: (row) => inOneStep(() => question.answer(row)),
      };
      const keys = group.map((axis, place) => keyColumn(engine.attributes[axis].title, place));
      this.table.show({ columns: [...keys, total], rows });
    } catch (error) {
      if (!(error instanceof CannotAsk)) throw error;
      this.problem.textContent = error.message;
      this.problem.hidden = false;
      this.table.element.hidden = true;
    }
  }

  private binsOf(attribute: Attribute): Interval[] {
    return attribute.ordered
      ? shownBins(this.store, attribute, MOST_BINS, MOST_PERIODS)
      : attribute.displayBins(Infinity);
  }
}
