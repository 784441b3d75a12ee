// QuantileTable: below which values the given shares of what is selected lie, for ordered attributes.

import type { Attribute } from "../engine/attribute.ts";
import { Distribution } from "../engine/distribution.ts";
import type { Steps } from "../engine/steps.ts";
import type { Figure } from "../engine/types.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";
import { NoteLine, noteTag } from "./note.ts";
import { columnHead, scrolling, tableCell, tableRow } from "./table.ts";
import { independenceOf } from "./words.ts";

export class QuantileTable {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly problem = el("p", { class: "problem", role: "alert", hidden: true });
  private readonly head = el("tr", { role: "row" });
  private readonly body = el("tbody", { role: "rowgroup" });
  private readonly foot = new NoteLine();
  private rows: HTMLElement[] = [];

  constructor(private readonly store: Store) {
    const id = freshId("quantiles");
    this.input = el("input", { type: "text", inputmode: "decimal", onchange: () => this.read() });
    this.element = el(
      "section",
      { class: "panel", id: "quantiles", "aria-labelledby": id },
      el(
        "header",
        {},
        el("h2", { id }, "Quantiles"),
        el("label", { class: "chooser" }, el("span", {}, "Percent below"), this.input),
      ),
      this.problem,
      scrolling("Quantiles of what is selected", this.head, this.body),
      el(
        "p",
        { class: "note" },
        "In brackets: the bounds that the 95 % intervals of the totals below and above allow. Missing and other values are left out.",
      ),
      this.foot.element,
    );
  }

  private get axes(): number[] {
    const { shown, engine } = this.store;
    return shown.filter((axis) => engine.attributes[axis].ordered);
  }

  draw(): void {
    const { shares, engine, filters } = this.store;
    this.element.hidden = this.axes.length === 0;
    if (document.activeElement !== this.input) this.input.value = shares.map(percent).join(", ");
    const titles = shares.map((share) => `${percent(share)} %`);
    this.head.replaceChildren(
      columnHead({ class: "left" }, "attribute"),
      ...titles.map((title) => columnHead({}, title)),
    );
    const notes = this.axes.map((axis) => independenceOf(engine, [filters], [axis]));
    this.foot.draw(notes.filter(Boolean).join(" "));
    this.rows = this.axes.map((axis, i) => {
      const { title, unit } = engine.attributes[axis];
      const name = tableCell("th", { class: "left" }, unit ? `${title} (${unit})` : title);
      if (notes[i]) name.append(noteTag(notes[i]));
      return tableRow(name, ...titles.map((label) => tableCell("td", { "data-label": label }, "…")));
    });
    this.body.replaceChildren(...this.rows);
  }

  /** Values of all attributes, then their bounds, which take longer. */
  *fill(): Steps<void> {
    const { shares, engine, filters } = this.store;
    const { axes, rows } = this;
    for (const [i, axis] of axes.entries()) {
      const attribute = engine.attributes[axis];
      const spread = new Distribution(engine, axis, [filters]);
      shares.forEach((share, k) => {
        const tick = spread.quantile(share);
        rows[i].children[k + 1].textContent = tick === null ? "–" : quantileText(attribute, tick);
      });
      yield;
    }
    for (const [i, axis] of axes.entries()) {
      const attribute = engine.attributes[axis];
      const joint = this.store.engineFor(shares.length * axes.length);
      const found = yield* new Distribution(joint, axis, [filters]).boundedQuantiles(shares);
      found.forEach((quantile, k) => {
        if (quantile.value !== null) rows[i].children[k + 1].append(el("small", {}, formatBounds(attribute, quantile)));
      });
    }
  }

  private read(): void {
    const shares = this.input.value
      .split(/[\s,;%]+/)
      .filter(Boolean)
      .map((text) => Number(text) / 100);
    const sound = shares.length > 0 && shares.length <= 20 && shares.every((share) => share >= 0 && share <= 1);
    this.problem.hidden = sound;
    this.problem.textContent = sound ? "" : "give percentages from 0 to 100, such as 25, 50, 75";
    if (sound) this.store.choose("shares", shares);
  }
}

/** A tick in few digits. */
export function quantileText(attribute: Attribute, tick: number): string {
  if (attribute.isCalendar) return attribute.brief(tick);
  const width = (attribute.edge(attribute.count) - attribute.edge(0)) / 1000;
  const digits = Math.max(0, Math.min(6, -Math.floor(Math.log10(width))));
  return tick.toLocaleString("en-US", { maximumFractionDigits: digits, useGrouping: false });
}

/** The bounds of a quantile, if any are known. */
function formatBounds(attribute: Attribute, { low, high }: Figure): string {
  if (low === null || high === null) return "";
  return ` (${quantileText(attribute, low)} to ${quantileText(attribute, high)})`;
}

function percent(share: number): number {
  return Number((share * 100).toFixed(6));
}
