// Bins: what a chart, a map or the table tells apart along an attribute.

import type { Attribute } from "../engine/attribute.ts";
import { briefStart, periodBins, printPeriod } from "../engine/calendar.ts";
import type { Mapped } from "../engine/mapped.ts";
import type { Interval } from "../engine/types.ts";
import type { Store } from "./store.ts";

export const UNITS = ["year", "quarter", "month", "week", "day", "hour"];

/** A chosen unit of dates, perhaps for a part of the axis alone. */
export interface Grain {
  unit: string;
  window: Interval | null;
}

/** The level of an attribute without an order whose groups are drawn; null for its values. */
export function shownLevel({ engine, grains }: Store, attribute: Attribute): Mapped | null {
  const chosen = grains[attribute.axis]?.unit;
  return engine.levelsOf(attribute).find(({ name }) => name === chosen) ?? null;
}

/** The groups of the chosen level as bins, those inside a window if one is chosen, and special codes; else null. */
export function levelBins(store: Store, attribute: Attribute): Interval[] | null {
  const level = shownLevel(store, attribute);
  if (!level) return null;
  const [low, high] = store.grains[attribute.axis]?.window ?? [0, attribute.count];
  const bins = level.parts.map(([part]) => part);
  return bins.filter(([from, to], i) => i >= level.count || (low <= from && to <= high));
}

/** Bins to draw: at most so many, or as many periods as were asked for up to `limit`. Special codes come last. */
export function shownBins(store: Store, attribute: Attribute, most: number, limit = most): Interval[] {
  const special = attribute.special.map((code): Interval => [code, code + 1]);
  if (!attribute.ordered) {
    const groups = levelBins(store, attribute);
    if (groups) return [...groups.slice(0, -special.length || undefined).slice(0, most), ...special];
    const [low, end] = store.grains[attribute.axis]?.window ?? [0, attribute.count];
    const inside = store.engine.largestNames(attribute.axis).filter((code) => low <= code && code < end);
    const largest = inside.slice(0, most);
    return [...largest.map((code): Interval => [code, code + 1]), ...special];
  }
  if (!attribute.isCalendar) return attribute.displayBins(most);
  const chosen = store.grains[attribute.axis];
  const asked = chosen && periodBins(attribute, chosen.unit, limit, chosen.window ?? undefined);
  return asked ? [...asked, ...special] : usualBins(attribute, most);
}

const FEW = 40; // periods that are read at a glance

/** The finest periods that are few enough, or neighboring codes. */
function usualBins(attribute: Attribute, most: number): Interval[] {
  const codes = attribute.displayBins(most);
  if (attribute.count <= most) return codes;
  const special = codes.filter(([low]) => low >= attribute.count);
  const finest = UNITS.map((unit) => periodBins(attribute, unit, Math.min(most, FEW))).findLast(
    (bins) => bins && bins.length > 1,
  );
  return finest ? [...finest, ...special] : codes;
}

/** What a bin stands for, in print; with a level, the group that it is. */
export function printBin(attribute: Attribute, bin: Interval, level: Mapped | null = null): string {
  if (level) return level.describe(level.parts.findIndex(([part]) => part[0] === bin[0]));
  return attribute.isCalendar && bin[0] < attribute.count ? printPeriod(attribute, bin) : attribute.describeBin(bin);
}

/** A short text for a bin on an axis of such bins. */
export function printMark(attribute: Attribute, bins: Interval[], bin: Interval, level: Mapped | null = null): string {
  if (level) return printBin(attribute, bin, level);
  if (!attribute.ordered || bin[0] >= attribute.count) return attribute.describe(bin[0]);
  if (!attribute.isCalendar) return attribute.text(attribute.tickAt(bin[0]));
  const regular = bins.filter(([low]) => low < attribute.count);
  return briefStart(attribute, regular, bin);
}
