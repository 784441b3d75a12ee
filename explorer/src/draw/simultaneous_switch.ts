// SimultaneousSwitch: whether all intervals of a chart or a table hold together, or each by itself.

import type { Store } from "../state/store.ts";
import { el } from "./dom.ts";

export class SimultaneousSwitch {
  readonly element: HTMLElement;
  private readonly box: HTMLInputElement;

  constructor(private readonly store: Store) {
    this.box = el("input", {
      type: "checkbox",
      id: "simultaneous",
      "aria-describedby": "simultaneous-note",
      onchange: () => store.choose("simultaneous", this.box.checked),
    });
    this.element = el(
      "p",
      { class: "switch" },
      el("label", {}, this.box, el("span", {}, "Simultaneous intervals")),
      el(
        "span",
        { class: "note", id: "simultaneous-note" },
        "All intervals of a chart, map or table hold together in 95 of 100 cases. They are longer.",
      ),
    );
  }

  draw(): void {
    this.box.checked = this.store.simultaneous;
  }
}
