// Hash: the state as the part of an address after #, so that a link shares it. Bounds are positions in codes.

import { merged } from "../engine/intervals.js";

const LISTS = ["shown", "map", "group"];

/** The state as text; what is as at first is left out. */
export function toHash(store, first) {
  const names = store.engine.attributes.map((attribute) => attribute.name);
  const parts = new URLSearchParams();
  for (const [axis, intervals] of Object.entries(store.filters)) {
    parts.append(`in.${names[axis]}`, intervals.map((interval) => interval.join("~")).join(" "));
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
export function fromHash(text, engine) {
  const found = { filters: {} };
  for (const [key, value] of new URLSearchParams(text.replace(/^#/, ""))) {
    if (key.startsWith("in.")) {
      const attribute = engine.byName.get(key.slice(3));
      const intervals = attribute && readIntervals(value, attribute.size);
      if (intervals) found.filters[attribute.axis] = intervals;
    } else if (LISTS.includes(key)) {
      const axes = readAxes(value, engine);
      if (axes && (key !== "map" || axes.length === 2)) found[key] = axes;
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

function readIntervals(text, size) {
  const intervals = text === "" ? [] : text.split(" ").map((pair) => pair.split("~").map(Number));
  const sound = intervals.every((pair) => pair.length === 2 && pair[0] >= 0 && pair[0] < pair[1] && pair[1] <= size);
  return sound ? merged(intervals) : null;
}

function readAxes(text, engine) {
  try {
    const names = JSON.parse(text);
    const axes = names.map((name) => engine.byName.get(name)?.axis);
    return axes.every((axis) => axis !== undefined) ? [...new Set(axes)] : null;
  } catch {
    return null;
  }
}
