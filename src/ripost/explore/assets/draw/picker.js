// Picker: which dimensions have a chart.

import { el } from "./dom.js";
import { inPrint } from "./format.js";

const MANY = 12; // dimensions for which a search box helps

export class Picker {
  constructor(store) {
    this.store = store;
    const { attributes } = store.engine;
    this.boxes = attributes.map((attribute) =>
      el("input", { type: "checkbox", onchange: (event) => this.toggle(attribute.axis, event.target.checked) }),
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
          el("small", {}, `${inPrint(attribute.size)} ${attribute.size === 1 ? "value" : "values"}`),
        ),
      ),
    );
    this.summary = el("summary", {});
    const search = el("input", {
      type: "search",
      placeholder: "Find a dimension",
      "aria-label": "Find a dimension",
      oninput: (event) => this.find(event.target.value),
    });
    this.element = el(
      "details",
      { class: "picker" },
      this.summary,
      attributes.length > MANY ? search : null,
      el("ul", {}, ...this.items),
    );
  }

  draw() {
    const { shown, engine } = this.store;
    this.summary.textContent = `Dimensions: ${shown.length} of ${engine.attributes.length} shown`;
    this.boxes.forEach((box, axis) => (box.checked = shown.includes(axis)));
  }

  toggle(axis, wanted) {
    const others = this.store.shown.filter((one) => one !== axis);
    this.store.choose("shown", wanted ? [...others, axis].sort((a, b) => a - b) : others);
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    this.store.engine.attributes.forEach(({ name, title }, axis) => {
      this.items[axis].hidden = !`${name} ${title}`.toLowerCase().includes(wanted);
    });
  }
}
