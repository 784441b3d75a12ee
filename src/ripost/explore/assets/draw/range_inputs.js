// RangeInputs: the low and the high end of a range as fields to type in.

import { between, CannotAsk } from "../engine/condition.js";
import { el } from "./dom.js";

const TYPES = { integer: "number", number: "number", date: "date", timestamp: "text" };

export class RangeInputs {
  constructor(attribute, choose) {
    this.attribute = attribute;
    this.choose = choose;
    const field = (word) =>
      el("input", {
        type: TYPES[attribute.type],
        step: attribute.type === "number" ? "any" : null,
        "aria-label": `${attribute.title} ${word}`,
        onchange: () => this.read(),
      });
    this.low = field("from");
    this.high = field("to");
    this.problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.element = el(
      "div",
      { class: "ends" },
      this.low,
      el("span", { "aria-hidden": "true" }, "to"),
      this.high,
      this.problem,
    );
    const ends = [attribute.text(attribute.edge(0)), attribute.text(attribute.edge(attribute.count) - attribute.step)];
    [this.low, this.high].forEach((input, i) => (input.placeholder = ends[i]));
  }

  draw(range) {
    const { attribute } = this;
    this.low.value = range ? attribute.text(attribute.tickAt(range[0])) : "";
    this.high.value = range ? attribute.text(attribute.tickAt(range[1]) - attribute.step) : "";
    this.problem.hidden = true;
  }

  read() {
    const [low, high] = [this.low, this.high].map((input) => (input.value.trim() === "" ? null : input.value));
    try {
      this.problem.hidden = true;
      if (low === null && high === null) this.choose(null);
      else {
        const [range] = between(this.attribute, low, high);
        if (!range) throw new CannotAsk(`${this.attribute.name}: no value lies in that range`);
        this.choose(range);
      }
    } catch (error) {
      if (!(error instanceof CannotAsk)) throw error;
      this.problem.textContent = error.message;
      this.problem.hidden = false;
    }
  }
}
