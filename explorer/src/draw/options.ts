// Options: which attributes have a chart, and whether all intervals of a chart or a table hold together.

import type { Store } from "../state/store.ts";
import { el } from "./dom.ts";
import { formatNumber } from "./format.ts";

const MANY = 12; // attributes for which a search box helps

export class Options {
  readonly element: HTMLElement;
  private readonly boxes: HTMLInputElement[];
  private readonly items: HTMLElement[];
  private readonly summary = el("summary", {});
  private readonly simultaneous: HTMLInputElement;

  constructor(private readonly store: Store) {
    const { attributes } = store.engine;
    this.boxes = attributes.map(({ axis }) =>
      el("input", { type: "checkbox", onchange: () => this.toggle(axis, this.boxes[axis].checked) }),
    );
    this.items = attributes.map((attribute, axis) =>
      el(
        "li",
        {},
        el(
          "label",
          {},
          this.boxes[axis],
          el("span", {}, attribute.title),
          el("small", {}, `${formatNumber(attribute.size)} ${attribute.size === 1 ? "value" : "values"}`),
        ),
      ),
    );
    const search: HTMLInputElement = el("input", {
      type: "search",
      placeholder: "Find an attribute",
      "aria-label": "Find an attribute",
      oninput: () => this.find(search.value),
    });
    this.simultaneous = el("input", {
      type: "checkbox",
      "aria-describedby": "simultaneous-note",
      onchange: () => store.choose("simultaneous", this.simultaneous.checked),
    });
    this.element = el(
      "details",
      { class: "options" },
      this.summary,
      el("p", { class: "switch" }, el("label", {}, this.simultaneous, "Simultaneous intervals")),
      el(
        "p",
        { class: "note", id: "simultaneous-note" },
        "All intervals of a chart, map or table then hold together in 95 of 100 cases. They are longer.",
      ),
      attributes.length > MANY ? search : null,
      el("ul", {}, ...this.items),
    );
  }

  draw(): void {
    const { shown, engine, simultaneous } = this.store;
    const intervals = simultaneous ? ", simultaneous intervals" : "";
    this.summary.textContent = `Options: ${shown.length} of ${engine.attributes.length} attributes shown${intervals}`;
    this.simultaneous.checked = simultaneous;
    this.boxes.forEach((box, axis) => {
      box.checked = shown.includes(axis);
    });
  }

  private toggle(axis: number, wanted: boolean): void {
    const others = this.store.shown.filter((one) => one !== axis);
    this.store.choose("shown", wanted ? [...others, axis].sort((a, b) => a - b) : others);
  }

  private find(text: string): void {
    const wanted = text.trim().toLowerCase();
    this.store.engine.attributes.forEach(({ name, title }, axis) => {
      this.items[axis].hidden = !`${name} ${title}`.toLowerCase().includes(wanted);
    });
  }
}
