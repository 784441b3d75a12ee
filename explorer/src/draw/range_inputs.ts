// RangeInputs: the low and the high end of a range as fields to type in.

import type { Attribute } from "../engine/attribute.ts";
import { between, CannotAsk } from "../engine/condition.ts";
import type { Interval } from "../engine/types.ts";
import { el } from "./dom.ts";

const TYPES: Record<string, string> = { integer: "number", number: "number", date: "date", timestamp: "text" };

export class RangeInputs {
  readonly element: HTMLElement;
  private readonly low: HTMLInputElement;
  private readonly high: HTMLInputElement;
  private readonly problem = el("p", { class: "problem", role: "alert", hidden: true });

  constructor(
    private readonly attribute: Attribute,
    private readonly choose: (range: Interval | null) => void,
  ) {
    const field = (word: string) =>
      el("input", {
        type: TYPES[attribute.type],
        step: attribute.type === "number" ? "any" : null,
        "aria-label": `${attribute.title} ${word}`,
        onchange: () => this.read(),
      });
    this.low = field("from");
    this.high = field("to");
    this.element = el(
      "div",
      { class: "ends" },
      this.low,
      el("span", { "aria-hidden": "true" }, "to"),
      this.high,
      this.problem,
    );
    const ends = [attribute.text(attribute.edge(0)), attribute.text(attribute.edge(attribute.count) - attribute.step)];
    [this.low.placeholder, this.high.placeholder] = ends;
  }

  draw(range: Interval | null): void {
    const { attribute } = this;
    this.low.value = range ? attribute.text(attribute.tickAt(range[0])) : "";
    this.high.value = range ? attribute.text(attribute.tickAt(range[1]) - attribute.step) : "";
    this.problem.hidden = true;
  }

  private read(): void {
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
