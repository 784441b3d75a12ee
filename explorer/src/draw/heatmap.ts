// HeatMap: totals by two dimensions as shades. A dot marks a cell whose error is more than half its total.

import type { Attribute } from "../engine/attribute.ts";
import type { Answer, Interval } from "../engine/types.ts";
import type { Store } from "../state/store.ts";
import { type Chooser, chooser } from "./chooser.ts";
import { type Attributes, el, freshId, set, svg } from "./dom.ts";
import { formatCompact, truncate } from "./format.ts";
import { MapReader } from "./map_reader.ts";
import { NoteMark } from "./note.ts";

/** A cell by its numbers across and up. */
export type Place = [number, number];

const MOST = 32; // bins along a side
const MOST_NAMES = 60;
const EDGE = { left: 92, right: 8, top: 6, bottom: 34 };

export class HeatMap {
  readonly element: HTMLElement;
  readonly picture: SVGElement;
  bins: Interval[][] = [[], []]; // of both axes
  cell: [number, number] = [0, 0]; // width and height
  values: Float64Array = new Float64Array(0);
  answers: Answer[] | null = null;
  private width = 0;
  private height = 0;
  private readonly across: Chooser;
  private readonly up: Chooser;
  private readonly cells = svg("g", { "aria-hidden": "true" });
  private readonly marks = svg("g", { class: "marks", "aria-hidden": "true" });
  private readonly axis = svg("g", { class: "axis", "aria-hidden": "true" });
  private readonly frame = svg("rect", { class: "map-brush", visibility: "hidden" });
  private readonly plot = el("div", { class: "plot" });
  private readonly legend = el("p", { class: "legend" });
  private readonly mark = new NoteMark();

  constructor(readonly store: Store) {
    const id = freshId("map");
    this.across = chooser(store, "Across", (axis) => this.turn(axis ?? 0, store.map[1]));
    this.up = chooser(store, "Up", (axis) => this.turn(store.map[0], axis ?? 0));
    this.picture = svg(
      "svg",
      {
        class: "map",
        tabindex: 0,
        role: "application",
        "aria-labelledby": id,
        "aria-describedby": `${id}-told`,
      },
      this.axis,
      this.cells,
      this.marks,
      this.frame,
    );
    const reader = new MapReader(this, `${id}-told`);
    this.plot.append(this.picture);
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": id },
      el("header", {}, el("h2", { id }, "Heat map"), this.mark.element, this.across.element, this.up.element),
      this.plot,
      reader.told,
      this.legend,
    );
  }

  /** Choose other axes; the same one twice swaps them. */
  private turn(across: number, up: number): void {
    const [x, y] = this.store.map;
    this.store.choose("map", across === up ? [y, x] : [across, up]);
  }

  get attributes(): Attribute[] {
    return this.store.map.map((axis) => this.store.engine.attributes[axis]);
  }

  /** Bins of both axes, and totals of their cells. */
  compute(): Float64Array {
    this.bins = this.attributes.map((attribute) => attribute.displayBins(attribute.ordered ? MOST : MOST_NAMES));
    return this.store.engine.grid(this.store.map, this.bins, this.store.filters);
  }

  draw(values: Float64Array): void {
    this.values = values;
    this.answers = null;
    this.across.draw(this.store.map[0]);
    this.up.draw(this.store.map[1]);
    this.mark.draw(this.store.engine.note([this.store.filters], this.store.map));
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

  private room(): number {
    return Math.max(240, Math.floor(this.plot.clientWidth));
  }

  private paint(): void {
    const [nx, ny] = this.bins.map((list) => list.length);
    this.cell = [(this.width - EDGE.left - EDGE.right) / nx, Math.max(9, Math.min(26, 420 / ny))];
    this.height = EDGE.top + EDGE.bottom + this.cell[1] * ny;
    set(this.picture, { width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}` });
    const most = Math.max(...this.values, 0);
    while (this.cells.childElementCount > nx * ny) this.cells.lastElementChild?.remove();
    while (this.cells.childElementCount < nx * ny) this.cells.append(svg("rect", { class: "cell" }));
    const rects = this.cells.children;
    for (let i = 0; i < nx; i += 1) {
      for (let j = 0; j < ny; j += 1) {
        const [x, y] = this.corner(i, j);
        const shade = most > 0 ? Math.sqrt(Math.max(this.values[i * ny + j], 0) / most) : 0;
        set(rects[i * ny + j], {
          x,
          y,
          width: Math.max(0.5, this.cell[0] - 0.6),
          height: this.cell[1] - 0.6,
          "fill-opacity": shade.toFixed(3),
        });
      }
    }
    this.marks.replaceChildren();
    this.paintAxes();
    this.paintFrame();
    this.legend.replaceChildren(
      el("span", { class: "ramp", "aria-hidden": "true" }),
      `0 to ${formatCompact(most)} a cell, by the square root`,
    );
  }

  drawErrors(answers: Answer[]): void {
    this.answers = answers;
    const ny = this.bins[1].length;
    const dots: SVGElement[] = [];
    answers.forEach((answer, place) => {
      if (answer.low === null || answer.value < 1 || answer.high - answer.low < answer.value) return;
      const [x, y] = this.corner(Math.floor(place / ny), place % ny);
      dots.push(svg("circle", { cx: x + this.cell[0] / 2, cy: y + this.cell[1] / 2, r: 1.3 }));
    });
    this.marks.replaceChildren(...dots);
    const unknown = answers.some((answer) => answer.low === null);
    this.legend.append(unknown ? "; errors are unknown" : "; a dot: the error is more than half the total");
  }

  private paintAxes(): void {
    const [across, up] = this.attributes;
    const [nx, ny] = this.bins.map((list) => list.length);
    const parts: SVGElement[] = [];
    const label = (attribute: Attribute, bin: Interval, letters: number, place: Attributes) =>
      svg("text", place, truncate(tickOf(attribute, bin), letters), svg("title", {}, attribute.describeBin(bin)));
    let free = 0;
    this.bins[0].forEach((bin, i) => {
      const x = this.corner(i, 0)[0] + this.cell[0] / 2;
      const half = Math.min(tickOf(across, bin).length, 10) * 3.3;
      if (x - half < free || x + half > this.width) return;
      parts.push(label(across, bin, 10, { x, y: this.height - EDGE.bottom + 14, "text-anchor": "middle" }));
      free = x + half + 8;
    });
    const every = Math.ceil(13 / this.cell[1]);
    let above = -Infinity;
    for (let j = ny - 1; j >= 0; j -= 1) {
      const bin = this.bins[1][j];
      const y = this.corner(0, j)[1] + this.cell[1] / 2 + 4;
      if ((j % every && bin[0] < up.count) || y - above < 11.5) continue;
      parts.push(label(up, bin, 13, { x: EDGE.left - 6, y, "text-anchor": "end" }));
      above = y;
    }
    parts.push(
      svg(
        "text",
        { x: (EDGE.left + this.width) / 2, y: this.height - 4, "text-anchor": "middle", class: "axis-name" },
        across.title,
      ),
    );
    this.axis.replaceChildren(...parts);
    set(this.picture, { "data-cells": nx * ny });
  }

  /** What both filters keep, as a frame. */
  private paintFrame(): void {
    const spans = this.store.map.map((axis, side) => {
      const intervals = this.store.filters[axis];
      if (!intervals) return null;
      const inside = this.bins[side].map((bin) => intervals.some(([low, high]) => low < bin[1] && high > bin[0]));
      return [inside.indexOf(true), inside.lastIndexOf(true)];
    });
    if (spans.every((span) => span === null) || spans.some((span) => span && span[0] < 0)) {
      set(this.frame, { visibility: "hidden" });
      return;
    }
    const [x, y] = spans.map((span, side) => span ?? [0, this.bins[side].length - 1]);
    const [left, bottom] = [this.corner(x[0], y[0])[0], this.corner(x[0], y[0])[1] + this.cell[1]];
    const [right, top] = [this.corner(x[1], y[1])[0] + this.cell[0], this.corner(x[1], y[1])[1]];
    set(this.frame, { x: left, y: top, width: right - left, height: bottom - top, visibility: "visible" });
  }

  /** The cell under a pointer, the nearest one outside. */
  cellAt(event: PointerEvent): Place {
    const box = this.picture.getBoundingClientRect();
    const i = Math.floor((event.clientX - box.left - EDGE.left) / this.cell[0]);
    const j = this.bins[1].length - 1 - Math.floor((event.clientY - box.top - EDGE.top) / this.cell[1]);
    return this.nearest([i, j]);
  }

  nearest([i, j]: Place): Place {
    const kept = (at: number, side: number) => Math.max(0, Math.min(this.bins[side].length - 1, at));
    return [kept(i, 0), kept(j, 1)];
  }

  /** Upper left corner of a cell; the first code is at the bottom. */
  corner(i: number, j: number): [number, number] {
    return [EDGE.left + i * this.cell[0], EDGE.top + (this.bins[1].length - 1 - j) * this.cell[1]];
  }
}

/** A short text for a bin on an axis. */
function tickOf(attribute: Attribute, bin: Interval): string {
  return attribute.ordered && bin[0] < attribute.count
    ? attribute.brief(attribute.tickAt(bin[0]))
    : attribute.describe(bin[0]);
}
