// Store: what the reader has chosen. Everything on the page follows from it and from the view.

import { overlap, sameIntervals } from "../engine/intervals.js";

const FIRST_SHOWN = 6;

export class Store {
  constructor(engine) {
    this.engine = engine;
    this.listeners = [];
    this.restore({});
  }

  /** Take over a state; what it does not say is as at first. */
  restore({ shown, filters, map, group, shares, sql, simultaneous }) {
    const axes = this.engine.attributes.map((attribute) => attribute.axis);
    this.shown = shown ?? axes.slice(0, FIRST_SHOWN); // axes with a chart
    this.filters = filters ?? {}; // {axis: intervals}
    this.map = map ?? this.firstMap(); // axes of the heat map: across, up
    this.group = group ?? [axes[0]]; // axes of the table
    this.shares = shares ?? [0.1, 0.25, 0.5, 0.75, 0.9]; // of the quantiles
    this.sql = sql ?? null;
    this.simultaneous = simultaneous ?? false; // whether all intervals of a chart or table hold together
  }

  /** The first and the last ordered axis with more than a few codes, or else the first two. */
  firstMap() {
    const wide = this.engine.attributes.filter((attribute) => attribute.ordered && attribute.count > 12);
    const all = [...wide.slice(0, 1), ...wide.slice(1).slice(-1), ...this.engine.attributes];
    const distinct = [...new Set(all.map((attribute) => attribute.axis))];
    return [distinct[0], distinct[1] ?? distinct[0]];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  changed(what) {
    for (const listener of this.listeners) listener(what);
  }

  /** Keep an axis to intervals; null lets it go. An axis kept to all of itself is let go too. */
  filter(axis, intervals) {
    if (sameIntervals(this.filters[axis], intervals ?? undefined)) return;
    const whole = [[0, this.engine.attributes[axis].size]];
    const next = { ...this.filters };
    if (intervals === null || sameIntervals(intervals, whole)) delete next[axis];
    else next[axis] = overlap(intervals, whole);
    this.filters = next;
    this.changed("filters");
  }

  clear() {
    this.filters = {};
    this.changed("filters");
  }

  /** The engine for so many intervals that are shown together. */
  engineFor(count) {
    return this.simultaneous ? this.engine.jointly(count) : this.engine;
  }

  choose(part, value) {
    this[part] = value;
    this.changed(part);
  }
}
