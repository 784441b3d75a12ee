// NamedBars: one line a name, with a box to tick, a bar, its interval and its total.

import type { Attribute } from "../engine/attribute.ts";
import type { Mapped } from "../engine/mapped.ts";
import type { Quantity } from "../engine/measured.ts";
import type { Answer, Interval } from "../engine/types.ts";
import { printBin } from "../state/bins.ts";
import { isMean, isUntold } from "../state/quantity.ts";
import { el } from "./dom.ts";
import { formatNumber, formatValue } from "./format.ts";
import { hasCap, placeOn, type Scale } from "./scale.ts";
import { answerInWords, TOO_FEW } from "./words.ts";

const MANY = 24; // names for which a search box helps
const FIRST = 10; // names that are seen at first

/** The parts of a line that change. */
interface Line {
  bin: Interval;
  box: HTMLInputElement;
  bar: HTMLElement;
  whisker: HTMLElement;
  total: HTMLElement;
  label: HTMLElement;
  item: HTMLElement;
}

export class NamedBars {
  readonly element: HTMLElement;
  private readonly lines: Line[];
  private readonly special: number; // how many lines are of other and missing values
  private readonly more: HTMLElement;
  private readonly fewer: string;
  private all = false; // whether all names are seen
  private wanted = "";
  private readonly list: HTMLElement;
  private scale: Scale = { bottom: 0, top: 1 };
  private quantity: Quantity = null;

  /** One line a bin, which is a value, or with a level a group of it. */
  constructor(attribute: Attribute, bins: Interval[], level: Mapped | null, choose: (bins: Interval[]) => void) {
    this.lines = bins.map((bin) => {
      const box = el("input", { type: "checkbox", onchange: () => choose(this.chosen()) });
      const bar = el("span", { class: "bar-fill" });
      const whisker = el("span", { class: "whisker", hidden: true });
      const total = el("span", { class: "total" });
      const name = printBin(attribute, bin, level);
      const label = el(
        "label",
        { title: name },
        box,
        el("span", { class: bin[0] >= attribute.count ? "name special" : "name" }, name === "" ? "(empty)" : name),
        el("span", { class: "track", "aria-hidden": "true" }, bar, whisker),
        total,
      );
      return { bin, box, bar, whisker, total, label, item: el("li", {}, label) };
    });
    this.list = el("ul", { class: "named" }, ...this.lines.map(({ item }) => item));
    const search: HTMLInputElement = el("input", {
      type: "search",
      class: "find",
      placeholder: "Find a name",
      "aria-label": `Find a name of ${attribute.title}`,
      oninput: () => this.find(search.value),
    });
    this.more = el("button", { type: "button", class: "quiet", onclick: () => this.turn() });
    this.element = el("div", {}, bins.length > MANY ? search : null, this.list, this.more);
    this.fewer = `Show the ${FIRST} ${attribute.isPeriod ? "first" : "largest"}`;
    this.special = this.lines.filter(({ bin }) => bin[0] >= attribute.count).length;
  }

  private find(text: string): void {
    this.wanted = text.trim().toLowerCase();
    this.hide();
  }

  private turn(): void {
    this.all = !this.all;
    this.hide();
  }

  /** Show the names with the text that is looked for, else the largest, those that are ticked, and the special ones. */
  private hide(): void {
    const regular = this.lines.length - this.special;
    const few = !this.all && this.wanted === "" && regular > FIRST + 2;
    this.lines.forEach(({ label, item, box }, i) => {
      const large = i < FIRST || i >= regular || box.checked;
      item.hidden = few ? !large : !label.title.toLowerCase().includes(this.wanted);
    });
    this.more.hidden = regular <= FIRST + 2 || this.wanted !== "";
    this.more.textContent = this.all ? this.fewer : `Show all ${formatNumber(regular)}`;
  }

  private chosen(): Interval[] {
    return this.lines.filter(({ box }) => box.checked).map(({ bin }) => bin);
  }

  /** Draw values of a quantity on a scale; means are drawn with their errors. */
  draw(values: Float64Array, quantity: Quantity, scale: Scale, ticked: Interval[], filtered: boolean): void {
    const chosen = new Set(ticked.map(([low]) => low));
    const kept = isMean(quantity) && quantity === this.quantity;
    this.quantity = quantity;
    this.lines.forEach(({ bin, box, total, label, whisker }, i) => {
      box.checked = chosen.has(bin[0]);
      label.classList.toggle("out", filtered && !chosen.has(bin[0]));
      if (kept) return;
      whisker.hidden = true;
      total.textContent = isMean(quantity) ? "…" : formatNumber(values[i]);
    });
    if (!kept) this.place(isMean(quantity) ? values.map(() => NaN) : values, scale);
    this.hide();
  }

  /** Draw the bars, which begin at 0. */
  private place(values: ArrayLike<number>, scale: Scale): void {
    this.scale = scale;
    const zero = this.percent(0);
    this.list.classList.toggle("signed", scale.bottom < 0);
    this.list.style.setProperty("--zero", `${zero}%`);
    this.lines.forEach(({ bar, label }, i) => {
      const end = this.percent(Number.isNaN(values[i]) ? 0 : values[i]);
      bar.style.left = `${Math.min(zero, end)}%`;
      bar.style.width = `${Math.abs(end - zero)}%`;
      label.classList.remove("untold");
    });
  }

  /** The intervals; means and their scale come with them. */
  drawErrors(answers: Answer[], scale: Scale): void {
    if (isMean(this.quantity)) {
      const values = answers.map((answer) => (isUntold(answer, this.quantity) ? NaN : answer.value));
      this.place(values, scale);
    }
    this.lines.forEach(({ whisker, total, label }, i) => {
      const answer = answers[i];
      total.title = answer ? answerInWords(answer, this.quantity) : "";
      if (!answer) return;
      const untold = isUntold(answer, this.quantity);
      label.classList.toggle("untold", untold);
      if (this.quantity) total.textContent = untold ? TOO_FEW : formatValue(answer);
      whisker.hidden = answer.low === null || untold;
      if (answer.low === null) return;
      whisker.classList.toggle("from-beyond", !hasCap(this.scale, answer.low, this.quantity));
      whisker.classList.toggle("to-beyond", !hasCap(this.scale, answer.high, this.quantity));
      whisker.style.left = `${this.percent(answer.low)}%`;
      whisker.style.width = `${this.percent(answer.high) - this.percent(answer.low)}%`;
    });
  }

  private percent(value: number): number {
    return 100 * placeOn(this.scale, value);
  }
}
