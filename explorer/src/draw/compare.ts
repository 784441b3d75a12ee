// Compare: the totals of two selections, their difference with its interval, and whether the view can tell them apart.

import { difference } from "../engine/contrast.ts";
import type { Answering, Figure, Selection } from "../engine/types.ts";
import { isUntold } from "../state/quantity.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";
import { digitsOf, formatInterval, formatNumber, formatValue } from "./format.ts";
import { NoteLine } from "./note.ts";
import { columnHead, tableCell, tableRegion, tableRow } from "./table.ts";
import { verdictOf } from "./verdict.ts";
import { describeFilters, independenceOf, quantityName, shownName, TOO_FEW } from "./words.ts";

const SIDES = ["A", "B"] as const;

/** The difference of two answers, as far as intervals that hold both at once tell it. */
function apart(together: Answering, compared: [Selection, Selection]): Figure {
  const [one, other] = compared.map((selection) => together.answer(selection));
  const value = one.value - other.value;
  if (one.low === null || other.low === null) return { value, low: null, high: null };
  return { value: Number.isNaN(value) ? null : value, low: one.low - other.high, high: one.high - other.low };
}

export class Compare {
  readonly element: HTMLElement;
  private readonly verdict = el("p", { class: "verdict", role: "status" });
  private readonly place = el("div", {});
  private readonly note = new NoteLine();

  constructor(private readonly store: Store) {
    const id = freshId("compare");
    const take = (side: number) =>
      el("button", { type: "button", onclick: () => this.take(side) }, `Use the selection as ${SIDES[side]}`);
    const swap = el("button", { type: "button", class: "quiet", onclick: () => this.swap() }, "Swap");
    this.element = el(
      "section",
      { class: "panel compare", "aria-labelledby": id },
      el("header", {}, el("h2", { id }, "Compare two selections")),
      this.verdict,
      this.place,
      this.note.element,
      el("p", { class: "acts" }, take(0), take(1), swap),
      el(
        "p",
        { class: "note" },
        "Select with the charts, take the selection as A, select something else, take it as B.",
      ),
    );
  }

  private take(side: number): void {
    const compared = [...this.store.compared] as [Selection, Selection];
    compared[side] = this.store.filters;
    this.store.choose("compared", compared);
  }

  private swap(): void {
    const [one, other] = this.store.compared;
    this.store.choose("compared", [other, one]);
  }

  draw(): void {
    const { engine, compared, quantity } = this.store;
    const names = compared.map((selection) => describeFilters(engine, selection));
    const figure = quantity
      ? apart(engine.jointly(2).measured(quantity.measure, quantity.what), compared)
      : difference(engine, [compared[0]], [compared[1]]);
    const told = quantity ? { measure: quantityName(quantity), counted: "" } : engine.facts;
    this.verdict.textContent = verdictOf(figure, names[0], names[1], told);
    const total = shownName(this.store);
    const line = (label: string, about: string, value: string, interval: string) =>
      tableRow(
        tableCell("th", { class: "left" }, label),
        tableCell("td", { class: "left wraps", "data-label": "selection" }, about),
        tableCell("td", { "data-label": total }, value),
        tableCell("td", { "data-label": "95 % interval" }, interval),
      );
    const rows = compared.map((selection, i) => {
      const answer = this.store.asked().answer(selection);
      const value = isUntold(answer, quantity) ? TOO_FEW : formatValue(answer);
      return line(SIDES[i], names[i], value, formatInterval(answer));
    });
    const { value, low, high } = figure;
    const print = (number: number | null) => formatNumber(number ?? 0, digitsOf(figure));
    const interval = low === null || high === null ? "error unknown" : `${print(low)} to ${print(high)}`;
    rows.push(line("A − B", "difference", value === null || Number.isNaN(value) ? "unknown" : print(value), interval));
    const head = ["", "selection", total, "95 % interval"];
    const heads = head.map((text, i) =>
      columnHead({ class: i < 2 ? "left" : null }, text || el("span", { class: "unseen" }, "side")),
    );
    this.place.replaceChildren(tableRegion("Two selections compared", heads, rows));
    this.note.draw(compared.map((selection) => independenceOf(engine, [selection])).find(Boolean) ?? "");
  }
}
