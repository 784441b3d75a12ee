// QuantityChooser: whether charts, the headline and tables show the number of rows, or the sum or the mean of a measure.

import type { Quantity } from "../engine/measured.ts";
import { quantitiesOf, quantityOf, wordOf } from "../state/quantity.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";
import { describeMeasure, measureName, quantityName } from "./words.ts";

export class QuantityChooser {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly about = el("span", { class: "note" });

  constructor(private readonly store: Store) {
    const id = freshId("quantity");
    const { engine } = store;
    const name = (quantity: Quantity) => (quantity ? quantityName(quantity) : `number of ${measureName(engine.facts)}`);
    this.select = el(
      "select",
      { id, onchange: () => store.choose("quantity", quantityOf(this.select.value, engine)) },
      ...quantitiesOf(engine).map((quantity) => el("option", { value: wordOf(quantity) }, name(quantity))),
    );
    this.element = el(
      "p",
      { class: "chooser quantity" },
      el("label", { for: id }, "Show the"),
      this.select,
      this.about,
    );
  }

  draw(): void {
    const { quantity, engine } = this.store;
    this.select.value = wordOf(quantity);
    this.about.textContent = quantity ? describeMeasure(quantity.measure, engine.facts) : "";
  }
}
