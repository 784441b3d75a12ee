// Store: what the reader has chosen. Everything on the page follows from it and from the view.

import type { Engine } from "../engine/engine.ts";
import { overlap, sameIntervals } from "../engine/intervals.ts";
import type { Intervals, Selection } from "../engine/types.ts";

const FIRST_SHOWN = 6;

/** What a reader has chosen. */
export interface State {
  shown: number[]; // axes with a chart
  filters: Selection;
  map: [number, number]; // axes of the heat map: across, up
  group: number[]; // axes of the table
  shares: number[]; // of the quantiles
  sql: string | null;
  simultaneous: boolean; // whether all intervals of a chart or table hold together
}

export class Store implements State {
  shown!: number[];
  filters!: Selection;
  map!: [number, number];
  group!: number[];
  shares!: number[];
  sql!: string | null;
  simultaneous!: boolean;
  private readonly listeners: (() => void)[] = [];

  constructor(readonly engine: Engine) {
    this.restore({});
  }

  /** Take over a state; what it does not say is as at first. */
  restore({ shown, filters, map, group, shares, sql, simultaneous }: Partial<State>): void {
    const axes = this.engine.attributes.map((attribute) => attribute.axis);
    this.shown = shown ?? axes.slice(0, FIRST_SHOWN);
    this.filters = filters ?? {};
    this.map = map ?? this.firstMap();
    this.group = group ?? [axes[0]];
    this.shares = shares ?? [0.1, 0.25, 0.5, 0.75, 0.9];
    this.sql = sql ?? null;
    this.simultaneous = simultaneous ?? false;
  }

  /** The first and the last ordered axis with more than a few codes, or else the first two. */
  private firstMap(): [number, number] {
    const wide = this.engine.attributes.filter((attribute) => attribute.ordered && attribute.count > 12);
    const all = [...wide.slice(0, 1), ...wide.slice(1).slice(-1), ...this.engine.attributes];
    const distinct = [...new Set(all.map((attribute) => attribute.axis))];
    return [distinct[0], distinct[1] ?? distinct[0]];
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }

  /** Keep an axis to intervals; null lets it go. An axis kept to all of itself is let go too. */
  filter(axis: number, intervals: Intervals | null): void {
    if (sameIntervals(this.filters[axis], intervals ?? undefined)) return;
    const whole: Intervals = [[0, this.engine.attributes[axis].size]];
    const next = { ...this.filters };
    if (intervals === null || sameIntervals(intervals, whole)) delete next[axis];
    else next[axis] = overlap(intervals, whole);
    this.filters = next;
    this.changed();
  }

  clear(): void {
    this.filters = {};
    this.changed();
  }

  /** The engine for so many intervals that are shown together. */
  engineFor(count: number): Engine {
    return this.simultaneous ? this.engine.jointly(count) : this.engine;
  }

  choose<K extends keyof State>(part: K, value: State[K]): void {
    Object.assign(this, { [part]: value });
    this.changed();
  }
}
