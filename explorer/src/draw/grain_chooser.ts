// GrainChooser: years, months, weeks, days or hours as the bars of dates.

import type { Attribute } from "../engine/attribute.ts";
import { periodBins } from "../engine/calendar.ts";
import type { Interval } from "../engine/types.ts";
import { type Grain, UNITS } from "../state/bins.ts";
import type { Store } from "../state/store.ts";
import { MOST_PERIODS } from "./card.ts";
import { el, freshId } from "./dom.ts";

export class GrainChooser {
  readonly element: HTMLElement;
  private readonly select: HTMLSelectElement;
  private readonly options: HTMLOptionElement[];
  private readonly hint = el("span", { class: "note" });

  constructor(
    private readonly store: Store,
    private readonly attribute: Attribute,
  ) {
    const id = freshId("bars");
    const most = attribute.count; // more periods than codes would cut codes
    const known = UNITS.filter((unit) => periodBins(attribute, unit, most)?.length);
    this.options = known.map((unit) => el("option", { value: unit }, `${unit}s`));
    this.select = el(
      "select",
      { id, onchange: () => this.choose(this.select.value) },
      el("option", { value: "" }, "automatic"),
      ...this.options,
    );
    this.element = el(
      "p",
      { class: "chooser", hidden: known.length === 0 },
      el("label", { for: id }, "Bars", el("span", { class: "unseen" }, ` of ${attribute.title}`)),
      this.select,
      this.hint,
    );
  }

  draw(): void {
    const { axis } = this.attribute;
    const chosen = this.store.grains[axis];
    this.select.value = chosen?.unit ?? "";
    let missing = false;
    for (const option of this.options) {
      option.disabled = !this.grainOf(option.value);
      missing ||= option.disabled;
    }
    const window = chosen?.window;
    const drawn = window && `only ${this.attribute.describeRange(...window)}; Clear draws all`;
    this.hint.textContent = drawn ?? (missing ? "select a shorter range for finer bars" : "");
  }

  /** A unit for the whole axis if its bars are few enough, else for the chosen range; null if those are too many. */
  private grainOf(unit: string): Grain | null {
    const { attribute, store } = this;
    if (periodBins(attribute, unit, MOST_PERIODS)) return { unit, window: null };
    const known = store.grains[attribute.axis]?.window ?? rangeOf(store.filters[attribute.axis], attribute.count);
    return known && periodBins(attribute, unit, MOST_PERIODS, known) ? { unit, window: known } : null;
  }

  private choose(unit: string): void {
    const { [this.attribute.axis]: _, ...others } = this.store.grains;
    const grain = unit ? this.grainOf(unit) : null;
    this.store.choose("grains", grain ? { ...others, [this.attribute.axis]: grain } : others);
  }
}

/** The codes from the first to the last that a filter keeps. */
function rangeOf(intervals: Interval[] | undefined, count: number): Interval | null {
  const regular = intervals?.filter(([low]) => low < count) ?? [];
  const last = regular[regular.length - 1];
  return last ? [Math.floor(regular[0][0]), Math.min(Math.ceil(last[1]), count)] : null;
}
