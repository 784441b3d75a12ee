// Main: the page put together. A change of the state redraws totals at once; errors follow in slices.

import { drained, query } from "./ask/query.js";
import { Card } from "./draw/card.js";
import { CountBar } from "./draw/count.js";
import { el } from "./draw/dom.js";
import { Groups } from "./draw/groups.js";
import { HeatMap } from "./draw/heatmap.js";
import { inPrint } from "./draw/format.js";
import { JointSwitch } from "./draw/joint_switch.js";
import { Picker } from "./draw/picker.js";
import { QuantileTable } from "./draw/quantile_table.js";
import { SqlBox } from "./draw/sql_box.js";
import { statement, warning } from "./draw/statement.js";
import { boundedQuantiles, quantiles } from "./engine/distribution.js";
import { Engine } from "./engine/engine.js";
import { fromHash, toHash } from "./state/hash.js";
import { Later } from "./state/later.js";
import { Store } from "./state/store.js";

const AT_ONCE = 8; // milliseconds for errors in the same turn as totals

class App {
  constructor(engine) {
    this.engine = engine;
    this.store = new Store(engine);
    this.first = { ...this.store };
    this.later = new Later();
    this.whole = engine.answer({});
    this.cards = new Map();
    this.count = new CountBar(this.store);
    this.picker = new Picker(this.store);
    this.joint = new JointSwitch(this.store);
    this.grid = el("div", { class: "cards" });
    this.map = engine.attributes.length > 1 ? new HeatMap(this.store) : null;
    this.groups = new Groups(this.store, this.later);
    this.quantiles = new QuantileTable(this.store);
    this.sql = new SqlBox(this.store, this.later);
    this.times = []; // milliseconds that redraws took
    this.planned = false;
  }

  start(root) {
    const { facts } = this.engine;
    const parts = [
      warning(facts),
      el("header", { class: "title" }, el("h1", {}, facts.title), el("p", {}, about(facts))),
      this.count.element,
      this.joint.element,
      this.picker.element,
      this.grid,
      el("div", { class: "panels" }, this.map?.element, this.groups.element),
      this.quantiles.element,
      this.sql.element,
      statement(facts),
    ];
    root.replaceChildren(...parts.filter(Boolean));
    this.store.restore(fromHash(location.hash, this.engine));
    this.store.onChange(() => this.plan());
    window.addEventListener("hashchange", () => this.readHash());
    new ResizeObserver(() => this.resize()).observe(this.grid);
    this.draw();
  }

  readHash() {
    if (location.hash.replace(/^#/, "") === this.hash) return;
    this.store.restore(fromHash(location.hash, this.engine));
    this.plan();
  }

  /** Redraw with the next frame, once however much changed. */
  plan() {
    if (this.planned) return;
    this.planned = true;
    requestAnimationFrame(() => {
      this.planned = false;
      this.draw();
    });
  }

  draw() {
    const started = performance.now();
    const { filters, shown } = this.store;
    this.count.draw(this.engine.answer(filters), this.whole);
    this.picker.draw();
    this.joint.draw();
    this.arrange(shown);
    for (const axis of shown) {
      const card = this.cards.get(axis);
      card.draw(this.engine.histogram(axis, card.bins, filters));
    }
    this.map?.draw(this.map.compute());
    this.quantiles.draw();
    this.sql.draw();
    this.later.start("errors", this.errors(), AT_ONCE);
    this.writeHash();
    this.times.push(performance.now() - started);
  }

  /** Cards for the chosen dimensions, in order; those that stay are not moved. */
  arrange(shown) {
    for (const axis of shown)
      if (!this.cards.has(axis)) this.cards.set(axis, new Card(this.store, this.engine.attributes[axis]));
    const wanted = shown.map((axis) => this.cards.get(axis).element);
    const same =
      wanted.length === this.grid.childElementCount && wanted.every((element, i) => this.grid.children[i] === element);
    if (same) return;
    this.grid.replaceChildren(...wanted);
    this.resize();
  }

  resize() {
    for (const axis of this.store.shown) this.cards.get(axis)?.resize();
    this.map?.resize();
  }

  /** The table, then errors of bars and cells, then quantiles: as much as fits in each slice. */
  *errors() {
    const { engine } = this;
    const { filters, shown } = this.store;
    this.groups.draw();
    yield;
    for (const axis of shown) {
      const card = this.cards.get(axis);
      const answers = [];
      const joint = this.store.engineFor(card.bins.length);
      for (const [i, bin] of card.bins.entries()) {
        answers.push(joint.answer(engine.narrowed(filters, [axis], [bin]), card.values[i]));
        yield;
      }
      const middle = engine.attributes[axis].ordered ? quantiles(engine, axis, [0.25, 0.5, 0.75], filters) : null;
      card.drawErrors(answers, middle);
    }
    if (this.map) {
      const [across, up] = this.map.bins;
      const answers = [];
      const joint = this.store.engineFor(across.length * up.length);
      for (const x of across) {
        for (const y of up) {
          const value = this.map.values[answers.length];
          answers.push(joint.answer(engine.narrowed(filters, this.store.map, [x, y]), value));
          yield;
        }
      }
      this.map.drawErrors(answers);
    }
    yield* this.quantiles.fill();
  }

  writeHash() {
    this.hash = toHash(this.store, this.first);
    clearTimeout(this.writing);
    this.writing = setTimeout(
      () => history.replaceState(null, "", this.hash ? `#${this.hash}` : location.pathname + location.search),
      150,
    );
  }

  /** Resolves when everything that was asked for is drawn. */
  async settled() {
    do {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      await this.later.settled();
    } while (this.planned);
  }
}

/** What the page shows, in two sentences. */
function about({ axes, rows, noun, privacy }) {
  const what = privacy.warning ? "A view that is not private" : "A differentially private view";
  const dimensions = `${axes.length} ${axes.length === 1 ? "dimension" : "dimensions"}`;
  const epsilon = Number(privacy.epsilon.toPrecision(6));
  return `${what}: ${dimensions}, ${inPrint(rows)} ${noun}, epsilon ${epsilon}. Every number is an estimate with its error.`;
}

const engine = await Engine.open(JSON.parse(document.getElementById("view").textContent));
const app = new App(engine);
app.start(document.getElementById("page"));

/** For scripts and tests: `ripost.answer({0: [[6, 10]]})` gives value, stderr, low and high of a selection in codes. */
window.ripost = {
  ready: true,
  answer: (selection) => engine.answer(selection),
  histogram: (axis, bins, selection) => engine.histogram(axis, bins, selection),
  quantiles: (axis, shares, selection) => drained(boundedQuantiles(engine, axis, shares, selection)),
  sql: (text) => {
    const { columns, rows } = query(engine, text);
    const cell = (column, row) => (column.text ? column.text(row) : drained(column.figure(row)));
    return { columns: columns.map(({ name }) => name), rows: rows.map((row) => columns.map((one) => cell(one, row))) };
  },
  settled: () => app.settled(),
  times: app.times,
};
