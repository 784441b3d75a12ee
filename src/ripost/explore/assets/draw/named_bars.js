// NamedBars: one line a name, with a box to tick, a bar, its error and its total.

import { el } from "./dom.js";
import { compact, sayAnswer } from "./format.js";

const MANY = 24; // names for which a search box helps

export class NamedBars {
  constructor(attribute, bins, choose) {
    this.bins = bins;
    this.choose = choose;
    this.lines = bins.map(([code]) => {
      const box = el("input", { type: "checkbox", onchange: () => this.choose(this.chosen()) });
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
      return { code, box, bar, whisker, total, label };
    });
    const list = el("ul", { class: "named" }, ...this.lines.map(({ label }) => el("li", {}, label)));
    const search = el("input", {
      type: "search",
      class: "find",
      placeholder: "Find a name",
      "aria-label": `Find a name of ${attribute.title}`,
      oninput: (event) => this.find(event.target.value),
    });
    this.element = bins.length > MANY ? el("div", {}, search, list) : list;
  }

  /** Hide names without a text in them. */
  find(text) {
    const wanted = text.trim().toLowerCase();
    for (const { label } of this.lines) label.parentElement.hidden = !label.title.toLowerCase().includes(wanted);
  }

  chosen() {
    return this.lines.filter(({ box }) => box.checked).map(({ code }) => code);
  }

  draw(values, ticked, filtered, top) {
    const chosen = new Set(ticked);
    this.top = Math.max(top, 0);
    this.lines.forEach(({ code, box, bar, whisker, total, label }, i) => {
      box.checked = chosen.has(code);
      label.classList.toggle("out", filtered && !chosen.has(code));
      bar.style.width = `${this.percent(values[i])}%`;
      whisker.hidden = true;
      total.textContent = compact(Math.round(values[i]) + 0);
    });
  }

  drawErrors(answers) {
    this.lines.forEach(({ whisker, total }, i) => {
      const answer = answers[i];
      total.title = answer ? sayAnswer(answer) : "";
      if (!answer || answer.low === null) return;
      whisker.hidden = false;
      whisker.style.left = `${this.percent(answer.low)}%`;
      whisker.style.width = `${this.percent(answer.high) - this.percent(answer.low)}%`;
    });
  }

  percent(value) {
    return this.top > 0 ? Math.min(100, Math.max(0, (100 * value) / this.top / 1.08)) : 0;
  }
}
