// NamedBars: one line a name, with a box to tick, a bar, its interval and its total.

import type { Attribute } from "../engine/attribute.ts";
import type { Answer, Interval } from "../engine/types.ts";
import { el } from "./dom.ts";
import { formatAnswer, formatNumber } from "./format.ts";

const MANY = 24; // names for which a search box helps

/** The parts of a line that change. */
interface Line {
  code: number;
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
  private top = 0;

  constructor(attribute: Attribute, bins: Interval[], choose: (codes: number[]) => void) {
    this.lines = bins.map(([code]) => {
      const box = el("input", { type: "checkbox", onchange: () => choose(this.chosen()) });
      const bar = el("span", { class: "bar-fill" });
      const whisker = el("span", { class: "whisker", hidden: true });
      const total = el("span", { class: "total" });
      const name = attribute.describe(code);
      const label = el(
        "label",
        { title: name },
        box,
        el("span", { class: code >= attribute.count ? "name special" : "name" }, name === "" ? "(empty)" : name),
        el("span", { class: "track", "aria-hidden": "true" }, bar, whisker),
        total,
      );
      return { code, box, bar, whisker, total, label, item: el("li", {}, label) };
    });
    const list = el("ul", { class: "named" }, ...this.lines.map(({ item }) => item));
    const search: HTMLInputElement = el("input", {
      type: "search",
      class: "find",
      placeholder: "Find a name",
      "aria-label": `Find a name of ${attribute.title}`,
      oninput: () => this.find(search.value),
    });
    this.element = bins.length > MANY ? el("div", {}, search, list) : list;
  }

  /** Hide names without a text in them. */
  private find(text: string): void {
    const wanted = text.trim().toLowerCase();
    for (const { label, item } of this.lines) item.hidden = !label.title.toLowerCase().includes(wanted);
  }

  private chosen(): number[] {
    return this.lines.filter(({ box }) => box.checked).map(({ code }) => code);
  }

  draw(values: Float64Array, ticked: number[], filtered: boolean, top: number): void {
    const chosen = new Set(ticked);
    this.top = Math.max(top, 0);
    this.lines.forEach(({ code, box, bar, whisker, total, label }, i) => {
      box.checked = chosen.has(code);
      label.classList.toggle("out", filtered && !chosen.has(code));
      bar.style.width = `${this.percent(values[i])}%`;
      whisker.hidden = true;
      total.textContent = formatNumber(values[i]);
    });
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
