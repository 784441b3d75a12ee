// JointSwitch: whether all intervals of a chart or a table hold together, or each by itself.

import { el } from "./dom.js";

export class JointSwitch {
  constructor(store) {
    this.store = store;
    this.box = el("input", {
      type: "checkbox",
      id: "simultaneous",
      "aria-describedby": "simultaneous-note",
      onchange: (event) => store.choose("simultaneous", event.target.checked),
    });
    this.element = el(
      "p",
      { class: "switch" },
      el("label", {}, this.box, el("span", {}, "Simultaneous intervals")),
      el("span", { class: "note", id: "simultaneous-note" }, "All intervals of a chart, map or table hold together in 95 of 100 cases. They are longer."),
    );
  }

  draw() {
    this.box.checked = this.store.simultaneous;
  }
}
