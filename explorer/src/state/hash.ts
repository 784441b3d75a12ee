// Hash: the state as the part of an address after #, so that a link shares it. Bounds are positions in codes.

import type { Engine } from "../engine/engine.ts";
import { merge } from "../engine/intervals.ts";
import type { Interval, Intervals, Selection } from "../engine/types.ts";
import { UNITS } from "./bins.ts";
import { quantityOf, wordOf } from "./quantity.ts";
import type { State, Store } from "./store.ts";

const SIDES = ["a", "b"]; // of what is compared
const LISTS = ["shown", "map", "group"] as const;

/** The state as text; what is as at first is left out. */
export function toHash(store: Store, first: State): string {
  const names = store.engine.attributes.map((attribute) => attribute.name);
  const parts = new URLSearchParams();
  const write = (prefix: string, selection: Selection) => {
    for (const [axis, intervals] of Object.entries(selection))
      parts.append(`${prefix}.${names[Number(axis)]}`, intervals.map((interval) => interval.join("~")).join(" "));
  };
  write("in", store.filters);
  if (store.quantity) parts.append("quantity", wordOf(store.quantity));
  if (store.compared !== first.compared) {
    parts.append("compared", "true");
    store.compared.forEach((selection, side) => void write(SIDES[side], selection));
  }
  for (const list of LISTS) {
    if (String(store[list]) === String(first[list])) continue;
    parts.append(list, JSON.stringify(store[list].map((axis) => names[axis])));
  }
  if (String(store.shares) !== String(first.shares)) parts.append("shares", store.shares.join(" "));
  for (const [axis, { unit, window }] of Object.entries(store.grains))
    parts.append(`bins.${names[Number(axis)]}`, window ? `${unit} ${window.join("~")}` : unit);
  if (store.zoomed) parts.append("zoomed", "true");
  if (store.simultaneous) parts.append("simultaneous", "true");
  if (store.sql !== null) parts.append("sql", store.sql);
  return parts.toString();
}

/** The state that a text tells. What cannot be understood is left out: a link may come from anywhere. */
export function fromHash(text: string, engine: Engine): Partial<State> {
  const filters: Selection = {};
  const compared: [Selection, Selection] = [{}, {}];
  const grains: State["grains"] = {};
  const found: Partial<State> = { filters, grains };
  for (const [key, value] of new URLSearchParams(text.replace(/^#/, ""))) {
    const [prefix] = key.split(".", 1);
    const selection = { in: filters, a: compared[0], b: compared[1] }[prefix];
    if (selection && key.includes(".")) {
      const attribute = engine.byName.get(key.slice(prefix.length + 1));
      const intervals = attribute && readIntervals(value, attribute.size);
      if (intervals) selection[attribute.axis] = intervals;
    } else if (key === "quantity") {
      found.quantity = quantityOf(value, engine);
    } else if (key === "compared") {
      found.compared = compared;
    } else if (key.startsWith("bins.")) {
      const attribute = engine.byName.get(key.slice(5));
      const [unit, window] = value.split(" ");
      const [kept] = (attribute && window && readIntervals(window, attribute.count)) || [];
      const levels = attribute ? engine.levelsOf(attribute) : [];
      const isLevel = levels.some(({ name }) => name === unit) || (levels.length > 0 && unit === "" && kept);
      if (attribute && ((attribute.isCalendar && UNITS.includes(unit)) || isLevel))
        grains[attribute.axis] = { unit, window: kept ?? null };
    } else if (key === "shown" || key === "group") {
      found[key] = readAxes(value, engine) ?? undefined;
    } else if (key === "map") {
      const [across, up, ...more] = readAxes(value, engine) ?? [];
      if (up !== undefined && more.length === 0) found.map = [across, up];
    } else if (key === "shares") {
      const shares = value.split(" ").map(Number);
      if (shares.length <= 20 && shares.every((share) => share >= 0 && share <= 1)) found.shares = shares;
    } else if (key === "simultaneous" || key === "zoomed") {
      found[key] = value === "true";
    } else if (key === "sql") {
      found.sql = value.slice(0, 50_000);
    }
  }
  return found;
}

function readIntervals(text: string, size: number): Intervals | null {
  const intervals = text === "" ? [] : text.split(" ").map((pair) => pair.split("~").map(Number) as Interval);
  const sound = intervals.every((pair) => pair.length === 2 && pair[0] >= 0 && pair[0] < pair[1] && pair[1] <= size);
  return sound ? merge(intervals) : null;
}

function readAxes(text: string, engine: Engine): number[] | null {
  try {
    const names: string[] = JSON.parse(text);
    const axes = names.flatMap((name) => engine.byName.get(name)?.axis ?? []);
    return axes.length === names.length ? [...new Set(axes)] : null;
  } catch {
    return null;
  }
}
