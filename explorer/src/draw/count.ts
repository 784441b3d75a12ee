// Count: the total of what is selected in words and with its interval, always in sight, and the filters that made it.

import type { Answer } from "../engine/types.ts";
import { isMean, rangeOf } from "../state/quantity.ts";
import type { Store } from "../state/store.ts";
import { el } from "./dom.ts";
import { formatInterval, formatNumber, formatValue } from "./format.ts";
import { NoteLine } from "./note.ts";
import { headline, independenceOf, measureName } from "./words.ts";

export class CountBar {
  readonly element: HTMLElement;
  private readonly words = el("p", { class: "count", id: "words" });
  private readonly value = el("strong", { id: "count" });
  private readonly range = el("span", { class: "range", id: "range" });
  private readonly note = new NoteLine();
  private readonly part = el("span", { class: "part" });
  private readonly spoken = el("p", { class: "unseen", role: "status", "aria-live": "polite" });
  private readonly chips = el("ul", { class: "chips", "aria-label": "Filters" });
  private readonly clear: HTMLElement;
  private readonly link: HTMLElement;
  private timer = 0;

  constructor(private readonly store: Store) {
    this.clear = el("button", { type: "button", class: "quiet", onclick: () => store.clear() }, "Clear all");
    this.link = el("button", { type: "button", class: "quiet", onclick: () => this.copy() }, "Copy link");
    this.element = el(
      "section",
      { class: "bar", "aria-label": "Selected" },
      el(
        "div",
        { class: "bar-in" },
        el(
          "div",
          {},
          this.words,
          el("p", { class: "figure" }, el("span", { class: "measure" }, "estimate"), this.value, this.range, this.part),
        ),
        el("div", { class: "filters" }, this.chips, el("span", { class: "acts" }, this.clear, this.link)),
      ),
      this.note.element,
      this.spoken,
    );
  }

  draw(answer: Answer, whole: Answer): void {
    const { engine, filters, quantity } = this.store;
    const known = answer.low !== null;
    this.words.textContent = headline(answer, this.store);
    this.value.textContent = formatValue(answer);
    this.range.textContent = `${known ? "95 % interval " : ""}${formatInterval(answer)}`;
    const note = independenceOf(engine, [filters]);
    this.note.draw(note);
    const share = whole.value > 0 ? (100 * answer.value) / whole.value : 0;
    const filtered = Object.keys(filters).length > 0;
    const hasShare = filtered && whole.value > 0 && rangeOf(quantity)[0] >= 0 && !isMean(quantity);
    const parts = hasShare ? [`${formatNumber(share, share < 10 ? 1 : 0)} % of all`] : [];
    if (quantity) parts.push(`over about ${formatNumber(engine.answer(filters).value)} ${measureName(engine.facts)}`);
    this.part.textContent = parts.join(", ");
    this.clear.hidden = !filtered;
    this.chips.replaceChildren(...this.chipsOf());
    clearTimeout(this.timer); // a screen reader hears where a brush comes to rest, not every step
    this.timer = window.setTimeout(() => {
      const error = `${known ? "between " : ""}${formatInterval(answer)}`;
      const told = quantity ? `${this.words.textContent}, ${error}` : `${formatValue(answer)} selected, ${error}`;
      this.spoken.textContent = [told, note].filter(Boolean).join("; ");
    }, 400);
  }

  private chipsOf(): HTMLElement[] {
    const { engine, filters } = this.store;
    const chips = Object.entries(filters).map(([axis, intervals]) => {
      const attribute = engine.attributes[Number(axis)];
      const what = attribute.describeIntervals(intervals);
      const drop = { type: "button", onclick: () => this.store.filter(Number(axis), null) };
      return el(
        "li",
        {},
        el("span", { class: "chip-name" }, attribute.title),
        ` ${what} `,
        el("button", { ...drop, "aria-label": `Remove the filter on ${attribute.title}` }, "×"),
      );
    });
    return chips.length ? chips : [el("li", { class: "none" }, "Drag over a chart or tick a name.")];
  }

  private async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(location.href);
      this.link.textContent = "Copied";
    } catch {
      this.link.textContent = "Copy it from the address bar";
    }
    setTimeout(() => {
      this.link.textContent = "Copy link";
    }, 2000);
  }
}
