// NamedBars: one line a name, with a box to tick, a bar, its interval and its total.

import type { Attribute } from "../engine/attribute.ts";
import type { Mapped } from "../engine/mapped.ts";
import type { Answer, Interval } from "../engine/types.ts";
import { printBin } from "../state/bins.ts";
import { el } from "./dom.ts";
import { formatAnswer, formatNumber } from "./format.ts";

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
  private top = 0;

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
    const list = el("ul", { class: "named" }, ...this.lines.map(({ item }) => item));
    const search: HTMLInputElement = el("input", {
      type: "search",
      class: "find",
      placeholder: "Find a name",
      "aria-label": `Find a name of ${attribute.title}`,
      oninput: () => this.find(search.value),
    });
    this.more = el("button", { type: "button", class: "quiet", onclick: () => this.turn() });
    this.element = el("div", {}, bins.length > MANY ? search : null, list, this.more);
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

  draw(values: Float64Array, ticked: Interval[], filtered: boolean, top: number): void {
    const chosen = new Set(ticked.map(([low]) => low));
    this.top = Math.max(top, 0);
    this.lines.forEach(({ bin, box, bar, whisker, total, label }, i) => {
      box.checked = chosen.has(bin[0]);
      label.classList.toggle("out", filtered && !chosen.has(bin[0]));
      bar.style.width = `${this.percent(values[i])}%`;
      whisker.hidden = true;
      total.textContent = formatNumber(values[i]);
    });
    this.hide();
  }

  drawErrors(answers: Answer[]): void {
    this.lines.forEach(({ whisker, total }, i) => {
      const answer = answers[i];
      total.title = answer ? formatAnswer(answer) : "";
      if (!answer || answer.low === null) return;
      whisker.hidden = false;
      whisker.style.left = `${this.percent(answer.low)}%`;
      whisker.style.width = `${this.percent(answer.high) - this.percent(answer.low)}%`;
    });
  }

  private percent(value: number): number {
    return this.top > 0 ? Math.min(100, Math.max(0, (100 * value) / this.top / 1.08)) : 0;
  }
}
