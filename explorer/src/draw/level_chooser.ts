// LevelChooser: groups of a level, or values, as the bars of names. Finer bars show what is selected alone.

import type { Attribute } from "../engine/attribute.ts";
import type { Interval } from "../engine/types.ts";
import { shownLevel } from "../state/bins.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";

const VALUES = ""; // stands for no level

export class LevelChooser {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly hint = el("span", { class: "note" });

  constructor(
    private readonly store: Store,
    private readonly attribute: Attribute,
  ) {
    const id = freshId("bars");
    const levels = store.engine.levelsOf(attribute);
    this.select = el(
      "select",
      { id, onchange: () => this.choose(this.select.value) },
      ...levels.map(({ name }) => el("option", { value: name }, name)),
      el("option", { value: VALUES }, attribute.name),
    );
    this.element = el(
      "p",
      { class: "chooser", hidden: levels.length === 0 },
      el("label", { for: id }, "Bars", el("span", { class: "unseen" }, ` of ${attribute.title}`)),
      this.select,
      this.hint,
    );
  }

  draw(): void {
    const { store, attribute } = this;
    this.select.value = shownLevel(store, attribute)?.name ?? VALUES;
    const window = store.grains[attribute.axis]?.window;
    this.hint.textContent = window ? "only what was selected; Clear draws all" : "";
  }

  private choose(unit: string): void {
    const { [this.attribute.axis]: grain, ...others } = this.store.grains;
    const window = grain?.window ?? hullOf(this.store.filters[this.attribute.axis], this.attribute.count);
    const chosen = unit || window ? { ...others, [this.attribute.axis]: { unit, window } } : others;
    this.store.choose("grains", chosen);
  }
}

/** The codes from the first to the last that a filter keeps; null without a filter. */
function hullOf(intervals: Interval[] | undefined, count: number): Interval | null {
  const regular = intervals?.filter(([low]) => low < count) ?? [];
  const last = regular[regular.length - 1];
  return last ? [Math.floor(regular[0][0]), Math.min(Math.ceil(last[1]), count)] : null;
}
