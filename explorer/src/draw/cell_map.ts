// CellMap: totals by two attributes as shades. Heat maps and maps of places are such.

import type { Attribute } from "../engine/attribute.ts";
import type { Answer, Interval } from "../engine/types.ts";
import { printBin, shownLevel } from "../state/bins.ts";
import { isMean } from "../state/quantity.ts";
import type { Store } from "../state/store.ts";
import { el, freshId, set, svg } from "./dom.ts";
import { MapReader } from "./map_reader.ts";
import { fileName, saveMenu } from "./menu.ts";
import { NoteLine } from "./note.ts";
import { framed } from "./picture.ts";
import { type Shades, shadesOf } from "./shades.ts";
import { describeFilters, independenceOf, shownName } from "./words.ts";

/** A cell by its numbers across and up. */
export type Place = [number, number];

export abstract class CellMap {
  readonly element: HTMLElement;
  readonly picture: SVGElement;
  bins: Interval[][] = [[], []]; // of both axes
  cell: [number, number] = [0, 0]; // width and height
  values: Float64Array = new Float64Array(0);
  answers: Answer[] | null = null;
  protected width = 0;
  protected height = 0;
  protected readonly axis = svg("g", { class: "axis", "aria-hidden": "true" });
  private readonly header = el("header", {});
  protected readonly choosers = el("span", { class: "choosers" });
  protected readonly legend = el("p", { class: "legend" });
  protected readonly note = new NoteLine();
  protected shades: Shades | null = null;
  private readonly cells = svg("g", { "aria-hidden": "true" });
  protected readonly marks = svg("g", { class: "marks", "aria-hidden": "true" });
  private readonly frame = svg("path", { class: "map-brush" });
  private readonly plot = el("div", { class: "plot" });

  constructor(
    readonly store: Store,
    readonly name: string,
    protected readonly edge: { left: number; right: number; top: number; bottom: number },
  ) {
    const id = freshId("map");
    const about = { tabindex: 0, role: "application", "aria-labelledby": id, "aria-describedby": `${id}-told` };
    this.picture = svg("svg", { class: "map", ...about }, this.axis, this.cells, this.marks, this.frame);
    const reader = new MapReader(this, `${id}-told`);
    this.plot.append(this.picture);
    const save = saveMenu(name, {
      name: () => fileName(this.title),
      picture: () => this.savedPicture(),
      table: () => this.table(),
    });
    this.header.append(el("h2", { id }, name), this.choosers, save);
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": id },
      this.header,
      this.note.element,
      this.plot,
      reader.told,
      this.legend,
    );
  }

  /** Across and up. */
  abstract get axes(): [number, number];

  /** Bins of both axes as they are asked for now. */
  protected abstract binsNow(): Interval[][];

  /** The width and the height of a cell in a picture of a width. */
  protected abstract cellSize(width: number): [number, number];

  protected abstract paintAxes(): void;

  get attributes(): Attribute[] {
    return this.axes.map((axis) => this.store.engine.attributes[axis]);
  }

  get title(): string {
    const [across, up] = this.attributes;
    return `${across.title} by ${up.title}`;
  }

  /** Totals of all cells. */
  compute(): Float64Array {
    this.bins = this.binsNow();
    return this.store.asked().grid(this.axes, this.bins, this.store.filters);
  }

  draw(values: Float64Array): void {
    this.values = values;
    this.answers = null;
    this.note.draw(independenceOf(this.store.engine, [this.store.filters], this.axes));
    if (!this.width) this.width = this.room();
    this.paint();
  }

  resize(): void {
    const width = this.room();
    if (!this.values.length || width === this.width) return;
    this.width = width;
    this.paint();
    if (this.answers) this.drawErrors(this.answers);
  }

  /** The answer of a cell. */
  answerAt([i, j]: Place): Answer {
    const { engine, filters } = this.store;
    const at = i * this.bins[1].length + j;
    if (this.answers) return this.answers[at];
    const joint = this.store.asked(this.values.length);
    return joint.answer(engine.narrowed(filters, this.axes, [this.bins[0][i], this.bins[1][j]]), this.values[at]);
  }

  /** Errors of all cells; means are drawn with them. */
  drawErrors(answers: Answer[]): void {
    this.answers = answers;
    if (isMean(this.store.quantity)) this.paint();
  }

  private room(): number {
    return Math.max(240, Math.floor(this.plot.clientWidth));
  }

  private paint(): void {
    const [nx, ny] = this.bins.map((list) => list.length);
    this.cell = this.cellSize(this.width);
    this.height = this.edge.top + this.edge.bottom + this.cell[1] * ny;
    set(this.picture, { width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}` });
    const shades = shadesOf(this.values, this.answers, this.store.quantity);
    this.shades = shades;
    const gap = Math.min(...this.cell) > 6 ? 0.6 : 0;
    const rects: SVGElement[] = [];
    this.values.forEach((_, place) => {
      const shade = shades.of(place);
      if (shade < 0.004) return;
      const [x, y] = this.corner(Math.floor(place / ny), place % ny);
      const size = { width: Math.max(0.5, this.cell[0] - gap), height: this.cell[1] - gap };
      rects.push(svg("rect", { class: "cell", x, y, ...size, "fill-opacity": shade.toFixed(3) }));
    });
    this.cells.replaceChildren(...rects);
    this.marks.replaceChildren();
    this.paintAxes();
    this.paintFrame();
    set(this.picture, { "data-cells": nx * ny });
    this.legend.replaceChildren(el("span", { class: "ramp", "aria-hidden": "true" }), shades.words);
  }

  /** What both filters keep, as frames around neighboring cells. */
  private paintFrame(): void {
    const filtered = this.axes.some((axis) => axis in this.store.filters);
    const [across, up] = filtered ? this.axes.map((axis, side) => this.runs(axis, side)) : [[], []];
    const frames = across.flatMap(([left, right]) =>
      up.map(([bottom, top]) => {
        const [x, y] = this.corner(left, top);
        const [wide, tall] = [(right - left + 1) * this.cell[0], (top - bottom + 1) * this.cell[1]];
        return `M${x},${y}h${wide}v${tall}h${-wide}Z`;
      }),
    );
    set(this.frame, { d: frames.length ? frames.join("") : null });
  }

  /** First and last number of neighboring bins that a filter keeps. */
  private runs(axis: number, side: number): Place[] {
    const intervals = this.store.filters[axis] ?? [[0, Infinity]];
    const found: Place[] = [];
    this.bins[side].forEach((bin, i) => {
      if (!intervals.some(([low, high]) => low < bin[1] && high > bin[0])) return;
      const last = found[found.length - 1];
      if (last?.[1] === i - 1) last[1] = i;
      else found.push([i, i]);
    });
    return found;
  }

  /** The cell under a pointer, the nearest one outside. */
  cellAt(event: PointerEvent): Place {
    const box = this.picture.getBoundingClientRect();
    const i = Math.floor((event.clientX - box.left - this.edge.left) / this.cell[0]);
    const j = this.bins[1].length - 1 - Math.floor((event.clientY - box.top - this.edge.top) / this.cell[1]);
    return this.nearest([i, j]);
  }

  nearest([i, j]: Place): Place {
    const kept = (at: number, side: number) => Math.max(0, Math.min(this.bins[side].length - 1, at));
    return [kept(i, 0), kept(j, 1)];
  }

  /** Upper left corner of a cell; the first code is at the bottom. */
  corner(i: number, j: number): [number, number] {
    return [this.edge.left + i * this.cell[0], this.edge.top + (this.bins[1].length - 1 - j) * this.cell[1]];
  }

  private savedPicture(): SVGElement {
    const { engine, filters } = this.store;
    const others = Object.fromEntries(Object.entries(filters).filter(([axis]) => !this.axes.includes(Number(axis))));
    return framed(this.picture, this.title, [
      `${engine.facts.title}: ${shownName(this.store)}; ${this.legend.textContent}`,
      describeFilters(engine, others),
      ...[this.note.element.textContent ?? ""].filter(Boolean),
    ]);
  }

  /** What a bin of a side stands for. */
  label(side: number, bin: Interval): string {
    const attribute = this.attributes[side];
    return printBin(attribute, bin, shownLevel(this.store, attribute));
  }

  /** The numbers of all cells, in full. */
  private table(): string[][] {
    const [across, up] = this.attributes;
    const rows = this.bins[0].flatMap((x, i) =>
      this.bins[1].map((y, j) => {
        const { value, low, high } = this.answerAt([i, j]);
        const written = Number.isNaN(value) ? "" : String(value);
        return [this.label(0, x), this.label(1, y), written, String(low ?? ""), String(high ?? "")];
      }),
    );
    return [[across.title, up.title, shownName(this.store), "low", "high"], ...rows];
  }
}
