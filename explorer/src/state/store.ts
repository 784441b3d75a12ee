// Store: what the reader has chosen. Everything on the page follows from it and from the view.

import { coordinatesOf } from "../engine/coordinates.ts";
import { mostDependent } from "../engine/dependence.ts";
import type { Engine } from "../engine/engine.ts";
import { overlap, sameIntervals } from "../engine/intervals.ts";
import type { Quantity } from "../engine/measured.ts";
import type { Answering, Intervals, Selection } from "../engine/types.ts";
import type { Grain } from "./bins.ts";
import { firstCompared } from "./compared.ts";

const FIRST_SHOWN = 6;

/** What a reader has chosen. */
export interface State {
  shown: number[]; // axes with a chart
  filters: Selection;
  quantity: Quantity; // what charts and tables show
  map: [number, number]; // axes of the heat map: across, up
  group: number[]; // axes of the table
  shares: number[]; // of the quantiles
  sql: string | null;
  compared: [Selection, Selection];
  zoomed: boolean; // whether the map shows the selected part alone
  grains: { [axis: string]: Grain }; // units of dates
  simultaneous: boolean; // whether all intervals of a chart or table hold together
}

export class Store implements State {
  shown!: number[];
  filters!: Selection;
  quantity!: Quantity;
  map!: [number, number];
  group!: number[];
  shares!: number[];
  sql!: string | null;
  compared!: [Selection, Selection];
  zoomed!: boolean;
  grains!: { [axis: string]: Grain };
  simultaneous!: boolean;
  readonly coordinates: [longitude: number, latitude: number] | null;
  private readonly firstCompared: [Selection, Selection];
  private readonly firstMap: [number, number];
  private readonly listeners: (() => void)[] = [];

  constructor(readonly engine: Engine) {
    this.coordinates = coordinatesOf(engine.attributes);
    this.firstCompared = firstCompared(engine);
    this.firstMap = mostDependent(engine, this.coordinates) ?? [0, 0];
    this.restore({});
  }

  /** Take over a state; what it does not say is as at first. */
  restore(state: Partial<State>): void {
    const { shown, filters, quantity, map, group, shares, sql, compared, zoomed, grains, simultaneous } = state;
    const axes = this.engine.attributes.map((attribute) => attribute.axis);
    this.shown = shown ?? axes.slice(0, FIRST_SHOWN);
    this.filters = filters ?? {};
    this.quantity = quantity ?? null;
    this.map = map ?? this.firstMap;
    this.group = group ?? [axes[0]];
    this.shares = shares ?? [0.1, 0.25, 0.5, 0.75, 0.9];
    this.sql = sql ?? null;
    this.compared = compared ?? this.firstCompared;
    this.zoomed = zoomed ?? false;
    this.grains = grains ?? {};
    this.simultaneous = simultaneous ?? false;
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
    if (!(axis in next)) this.grains = widened(this.grains, axis);
    this.changed();
  }

  clear(): void {
    this.filters = {};
    for (const axis of Object.keys(this.grains)) this.grains = widened(this.grains, Number(axis));
    this.changed();
  }

  /** The engine for so many intervals that are shown together. */
  engineFor(count: number): Engine {
    return this.simultaneous ? this.engine.jointly(count) : this.engine;
  }

  /** What is shown, to be asked for, with intervals of so many that are shown together. */
  asked(count = 1): Answering {
    const engine = this.engineFor(count);
    return this.quantity ? engine.measured(this.quantity.measure, this.quantity.what) : engine;
  }

  choose<K extends keyof State>(part: K, value: State[K]): void {
    Object.assign(this, { [part]: value });
    this.changed();
  }
}

/** The units without the window of an axis: what is not selected any more is drawn whole. */
function widened(grains: State["grains"], axis: number): State["grains"] {
  const { [axis]: grain, ...rest } = grains;
  return grain && !grain.window ? grains : rest;
}
