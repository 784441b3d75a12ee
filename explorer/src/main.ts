// Main: the page put together. A change of the state redraws totals at once; errors follow in slices.

import { query } from "./ask/query.ts";
import type { Row } from "./ask/question.ts";
import type { Column } from "./ask/result.ts";
import { Card } from "./draw/card.ts";
import type { CellMap } from "./draw/cell_map.ts";
import { Compare } from "./draw/compare.ts";
import { CountBar } from "./draw/count.ts";
import { el } from "./draw/dom.ts";
import { Groups } from "./draw/groups.ts";
import { HeatMap } from "./draw/heatmap.ts";
import { legend } from "./draw/legend.ts";
import { Options } from "./draw/options.ts";
import { PlaceMap } from "./draw/place_map.ts";
import { QuantileTable } from "./draw/quantile_table.ts";
import { QuantityChooser } from "./draw/quantity_chooser.ts";
import { SqlBox } from "./draw/sql_box.ts";
import { heading, statement, warning } from "./draw/statement.ts";
import { Distribution } from "./engine/distribution.ts";
import { Engine } from "./engine/engine.ts";
import { runSteps, type Steps } from "./engine/steps.ts";
import type { Answer, Interval, Region, Selection } from "./engine/types.ts";
import { fromHash, toHash } from "./state/hash.ts";
import { isMean } from "./state/quantity.ts";
import { Scheduler } from "./state/scheduler.ts";
import { type State, Store } from "./state/store.ts";

const AT_ONCE = 8; // milliseconds for errors in the same turn as totals

class App {
  readonly times: number[] = []; // milliseconds that redraws took
  private readonly store: Store;
  private readonly first: State;
  private readonly scheduler = new Scheduler();
  private readonly whole: Answer; // all rows
  private readonly cards = new Map<number, Card>();
  private readonly count: CountBar;
  private readonly quantity: QuantityChooser | null;
  private readonly options: Options;
  private readonly grid = el("div", { class: "cards" });
  private readonly maps: CellMap[];
  private readonly heat: HeatMap | null;
  private readonly compare: Compare;
  private readonly groups: Groups;
  private readonly quantiles: QuantileTable;
  private readonly sql: SqlBox;
  private planned = false;
  private hash = "";
  private writing = 0;

  constructor(private readonly engine: Engine) {
    this.store = new Store(engine);
    this.first = { ...this.store };
    this.whole = engine.answer({});
    this.count = new CountBar(this.store);
    this.quantity = engine.measures.length ? new QuantityChooser(this.store) : null;
    this.options = new Options(this.store);
    const { coordinates } = this.store;
    this.heat = engine.attributes.length > 1 ? new HeatMap(this.store) : null;
    this.maps = [coordinates && new PlaceMap(this.store, coordinates), this.heat].filter((map) => map !== null);
    this.compare = new Compare(this.store);
    this.groups = new Groups(this.store, this.scheduler);
    this.quantiles = new QuantileTable(this.store);
    this.sql = new SqlBox(this.store, this.scheduler);
  }

  start(root: Element): void {
    const { facts } = this.engine;
    const places = this.maps.length > 1; // then the other column is the shorter one
    const parts = [
      warning(facts),
      heading(facts),
      this.count.element,
      this.quantity?.element ?? null,
      legend(this.engine.measures.length > 0),
      this.options.element,
      el("h2", { class: "unseen" }, "Charts"),
      this.grid,
      el(
        "div",
        { class: "panels" },
        el("div", {}, ...this.maps.map((map) => map.element), ...(places ? [] : [this.compare.element])),
        el("div", {}, this.groups.element, ...(places ? [this.compare.element] : [])),
      ),
      this.quantiles.element,
      this.sql.element,
      statement(facts),
    ];
    root.replaceChildren(...parts.filter((part) => part !== null));
    this.store.restore(fromHash(location.hash, this.engine));
    this.store.onChange(() => this.plan());
    window.addEventListener("hashchange", () => this.readHash());
    new ResizeObserver(() => this.resize()).observe(this.grid);
    this.draw();
  }

  private readHash(): void {
    if (location.hash.replace(/^#/, "") === this.hash) return;
    this.store.restore(fromHash(location.hash, this.engine));
    this.plan();
  }

  /** Redraw with the next frame, once however much changed. */
  private plan(): void {
    if (this.planned) return;
    this.planned = true;
    requestAnimationFrame(() => {
      this.planned = false;
      this.draw();
    });
  }

  private draw(): void {
    const started = performance.now();
    const { filters, shown } = this.store;
    const asked = this.store.asked();
    this.count.draw(asked.answer(filters), this.store.quantity ? asked.answer({}) : this.whole);
    this.quantity?.draw();
    this.options.draw();
    this.arrange(shown);
    for (const axis of shown) {
      const card = this.cardOf(axis);
      card.arrange();
      card.draw(asked.histogram(axis, card.bins, filters));
    }
    for (const map of this.maps) map.draw(map.compute());
    this.quantiles.draw();
    this.sql.draw();
    this.scheduler.start("errors", this.errors(), AT_ONCE);
    this.writeHash();
    this.times.push(performance.now() - started);
  }

  /** Cards for the chosen attributes, in order; those that stay are not moved. */
  private arrange(shown: number[]): void {
    const wanted = shown.map((axis) => this.cardOf(axis).element);
    const same =
      wanted.length === this.grid.childElementCount && wanted.every((element, i) => this.grid.children[i] === element);
    if (same) return;
    this.grid.replaceChildren(...wanted);
    this.resize();
  }

  private cardOf(axis: number): Card {
    const found = this.cards.get(axis) ?? new Card(this.store, this.engine.attributes[axis]);
    this.cards.set(axis, found);
    return found;
  }

  private resize(): void {
    for (const axis of this.store.shown) this.cards.get(axis)?.resize();
    for (const map of this.maps) map.resize();
  }

  /** The table, then errors of bars and cells, then quantiles: as much as fits in each slice. */
  private *errors(): Steps<void> {
    const { engine } = this;
    const { filters, shown } = this.store;
    this.groups.draw();
    yield;
    this.compare.draw();
    yield;
    for (const axis of shown) {
      const card = this.cardOf(axis);
      const answers: Answer[] = [];
      const joint = this.store.asked(card.bins.length);
      for (const [i, bin] of card.bins.entries()) {
        answers.push(joint.answer(engine.narrowed(filters, [axis], [bin]), card.values[i]));
        yield;
      }
      const spread = engine.attributes[axis].ordered ? new Distribution(engine, axis, [filters]) : null;
      card.drawErrors(answers, spread ? [0.25, 0.5, 0.75].map((share) => spread.quantile(share)) : []);
    }
    for (const map of this.maps) if (map === this.heat || isMean(this.store.quantity)) yield* this.mapErrors(map);
    yield* this.quantiles.fill();
  }

  private *mapErrors(map: CellMap): Steps<void> {
    const [across, up] = map.bins;
    const answers: Answer[] = [];
    const joint = this.store.asked(across.length * up.length);
    for (const x of across) {
      for (const y of up) {
        const value = map.values[answers.length];
        answers.push(joint.answer(this.engine.narrowed(this.store.filters, map.axes, [x, y]), value));
        yield;
      }
    }
    map.drawErrors(answers);
  }

  private writeHash(): void {
    this.hash = toHash(this.store, this.first);
    clearTimeout(this.writing);
    this.writing = window.setTimeout(
      () => history.replaceState(null, "", this.hash ? `#${this.hash}` : location.pathname + location.search),
      150,
    );
  }

  /** Resolves when everything that was asked for is drawn. */
  async settled(): Promise<void> {
    do {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      await this.scheduler.settled();
    } while (this.planned);
  }
}

function part(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no part ${id}`);
  return found;
}

const engine = await Engine.open(JSON.parse(part("view").textContent));
const app = new App(engine);
app.start(part("page"));

/** For scripts and tests: `ripost.answer({0: [[6, 10]]})` gives value, stderr, low and high of a selection in codes. */
const ripost = {
  ready: true,
  answer: (selection: Selection | Region) => engine.answer(selection),
  histogram: (axis: number, bins: Interval[], selection: Selection) => engine.histogram(axis, bins, selection),
  quantiles: (axis: number, shares: number[], selection: Selection) =>
    runSteps(new Distribution(engine, axis, [selection]).boundedQuantiles(shares)),
  sql: (text: string) => {
    const { columns, rows } = query(engine, text);
    const cell = (column: Column, row: Row) => ("text" in column ? column.text(row) : runSteps(column.figure(row)));
    return { columns: columns.map(({ name }) => name), rows: rows.map((row) => columns.map((one) => cell(one, row))) };
  },
  settled: () => app.settled(),
  times: app.times,
};
Object.assign(window, { ripost });
