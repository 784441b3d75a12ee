// Groups: totals of what is selected by one, two or three attributes.

import { EVERYTHING } from "../ask/boxes.ts";
import { type Key, keyOfBins } from "../ask/key.ts";
import { type Asked, measureOf } from "../ask/measures.ts";
import { Question } from "../ask/question.ts";
import { keyColumn } from "../ask/result.ts";
import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk } from "../engine/condition.ts";
import type { Figure } from "../engine/types.ts";
import { levelBins, printBin, shownBins, shownLevel } from "../state/bins.ts";
import { isUntold } from "../state/quantity.ts";
import type { Scheduler } from "../state/scheduler.ts";
import type { Store } from "../state/store.ts";
import { type Chooser, chooser } from "./chooser.ts";
import { el, freshId } from "./dom.ts";
import { ResultTable } from "./result_table.ts";
import { shownName } from "./words.ts";

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
    const { engine, filters, group, quantity } = this.store;
    this.choosers.forEach(({ element, draw }, place) => {
      element.hidden = place > group.length || place >= engine.attributes.length;
      draw(group[place]);
    });
    try {
      this.problem.hidden = true;
      const keys = group.map((axis) => this.keyOf(engine.attributes[axis]));
      const question = new Question(engine.jointly(1), [filters], keys);
      if (this.store.simultaneous) question.engine.together = question.rows.length;
      const asked: Asked = quantity
        ? { kind: "measured", ...quantity, condition: EVERYTHING }
        : { kind: "total", condition: EVERYTHING };
      const total = measureOf(asked, question);
      const told = { isUntold: (figure: Figure) => isUntold(figure, quantity) };
      const columns = keys.map((key, place) => keyColumn(key.attribute.title, key, place));
      this.table.show({
        columns: [...columns, { ...total, ...told, name: shownName(this.store) }],
        rows: question.rows,
      });
    } catch (error) {
      if (!(error instanceof CannotAsk)) throw error;
      this.problem.textContent = error.message;
      this.problem.hidden = false;
      this.table.element.hidden = true;
    }
  }

  private keyOf(attribute: Attribute): Key {
    const bins = attribute.ordered
      ? shownBins(this.store, attribute, MOST_BINS, MOST_PERIODS)
      : (levelBins(this.store, attribute) ?? attribute.displayBins(Infinity));
    const level = shownLevel(this.store, attribute);
    const texts = bins.map((bin) => printBin(attribute, bin, level));
    return keyOfBins(attribute, bins, texts);
  }
}
