// Hash: the state as the part of an address after #, so that a link shares it. Bounds are positions in codes.

import type { Engine } from "../engine/engine.ts";
import { merge } from "../engine/intervals.ts";
import type { Interval, Intervals, Selection } from "../engine/types.ts";
import type { State, Store } from "./store.ts";

const LISTS = ["shown", "map", "group"] as const;

/** The state as text; what is as at first is left out. */
export function toHash(store: Store, first: State): string {
  const names = store.engine.attributes.map((attribute) => attribute.name);
  const parts = new URLSearchParams();
  for (const [axis, intervals] of Object.entries(store.filters)) {
    parts.append(`in.${names[Number(axis)]}`, intervals.map((interval) => interval.join("~")).join(" "));
  }
  for (const list of LISTS) {
    if (String(store[list]) === String(first[list])) continue;
    parts.append(list, JSON.stringify(store[list].map((axis) => names[axis])));
  }
  if (String(store.shares) !== String(first.shares)) parts.append("shares", store.shares.join(" "));
  if (store.simultaneous) parts.append("simultaneous", "true");
  if (store.sql !== null) parts.append("sql", store.sql);
  return parts.toString();
}

/** The state that a text tells. What cannot be understood is left out: a link may come from anywhere. */
export function fromHash(text: string, engine: Engine): Partial<State> {
  const filters: Selection = {};
  const found: Partial<State> = { filters };
  for (const [key, value] of new URLSearchParams(text.replace(/^#/, ""))) {
    if (key.startsWith("in.")) {
      const attribute = engine.byName.get(key.slice(3));
      const intervals = attribute && readIntervals(value, attribute.size);
      if (intervals) filters[attribute.axis] = intervals;
    } else if (key === "shown" || key === "group") {
      found[key] = readAxes(value, engine) ?? undefined;
    } else if (key === "map") {
      const [across, up, ...more] = readAxes(value, engine) ?? [];
      if (up !== undefined && more.length === 0) found.map = [across, up];
    } else if (key === "shares") {
      const shares = value.split(" ").map(Number);
      if (shares.length <= 20 && shares.every((share) => share >= 0 && share <= 1)) found.shares = shares;
    } else if (key === "simultaneous") {
      found.simultaneous = value === "true";
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
