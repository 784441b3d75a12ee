// HeatMap: totals by any two attributes. A dot marks a cell whose error is more than half its total.

import type { Attribute } from "../engine/attribute.ts";
import type { Answer, Interval } from "../engine/types.ts";
import { printBin, printMark, shownBins, shownLevel } from "../state/bins.ts";
import { isUntold } from "../state/quantity.ts";
import type { Store } from "../state/store.ts";
import { CellMap } from "./cell_map.ts";
import { type Chooser, chooser } from "./chooser.ts";
import { type Attributes, svg } from "./dom.ts";
import { truncate } from "./format.ts";

const MOST = 32; // bins along a side
const MOST_PERIODS = 64;
const MOST_NAMES = 60;
const EDGE = { left: 92, right: 8, top: 6, bottom: 34 };
const TILTED = 74; // pixels below a map whose names stand at an angle
const LETTER = 6.6; // pixels
const STRIDES = [1, 2, 4, 5, 8, 10, 16]; // columns from one text to the next

export class HeatMap extends CellMap {
  private readonly across: Chooser;
  private readonly up: Chooser;

  constructor(store: Store) {
    super(store, "Heat map", { ...EDGE });
    this.across = chooser(store, "Across", (axis) => this.turn(axis ?? 0, store.map[1]));
    this.up = chooser(store, "Up", (axis) => this.turn(store.map[0], axis ?? 0));
    this.choosers.append(this.across.element, this.up.element);
  }

  get axes(): [number, number] {
    return this.store.map;
  }

  /** Choose other axes; the same one twice swaps them. */
  private turn(across: number, up: number): void {
    const [x, y] = this.store.map;
    this.store.choose("map", across === up ? [y, x] : [across, up]);
  }

  protected binsNow(): Interval[][] {
    return this.attributes.map((attribute, side) => {
      const bins = shownBins(this.store, attribute, attribute.ordered ? MOST : MOST_NAMES, MOST_PERIODS);
      return side === 1 && !attribute.ordered ? bins.reverse() : bins; // the largest on top
    });
  }

  protected cellSize(width: number): [number, number] {
    const [nx, ny] = this.bins.map((list) => list.length);
    this.edge.bottom = this.isTilted((width - EDGE.left - EDGE.right) / nx) ? TILTED : EDGE.bottom;
    return [(width - EDGE.left - EDGE.right) / nx, Math.max(9, Math.min(26, 420 / ny))];
  }

  /** Whether names across need more room than a cell has; numbers and dates leave some out instead. */
  private isTilted(room: number): boolean {
    const [across] = this.attributes;
    const letters = this.bins[0].map(
      (bin) => printMark(across, this.bins[0], bin, shownLevel(this.store, across)).length,
    );
    return !across.ordered && Math.max(...letters) * LETTER + 5 > room;
  }

  override draw(values: Float64Array): void {
    this.across.draw(this.store.map[0]);
    this.up.draw(this.store.map[1]);
    super.draw(values);
  }

  override drawErrors(answers: Answer[]): void {
    super.drawErrors(answers);
    const ny = this.bins[1].length;
    const dots: SVGElement[] = [];
    answers.forEach((answer, place) => {
      if (answer.low === null || isUntold(answer, this.store.quantity) || !this.shades?.isLong(answer)) return;
      const [x, y] = this.corner(Math.floor(place / ny), place % ny);
      dots.push(svg("circle", { cx: x + this.cell[0] / 2, cy: y + this.cell[1] / 2, r: 1.3 }));
    });
    this.marks.replaceChildren(...dots);
    const unknown = answers.some(({ low, value }) => low === null && !Number.isNaN(value)); // no row: no mean
    this.legend.append(unknown ? "; errors are unknown" : `; a dot: ${this.shades?.about}`);
  }

  protected paintAxes(): void {
    const [across, up] = this.attributes;
    const [columns, rows] = this.bins;
    const parts: SVGElement[] = [];
    const label = (attribute: Attribute, side: number, bin: Interval, letters: number, place: Attributes) =>
      svg(
        "text",
        place,
        truncate(printMark(attribute, this.bins[side], bin, shownLevel(this.store, attribute)), letters),
        svg("title", {}, printBin(attribute, bin, shownLevel(this.store, attribute))),
      );
    let free = 0;
    const tilted = this.edge.bottom === TILTED;
    const below = this.height - this.edge.bottom + 14;
    const widest =
      Math.max(...columns.map((bin) => printMark(across, columns, bin, shownLevel(this.store, across)).length)) *
        LETTER +
      8;
    const stride = across.ordered ? (STRIDES.find((number) => number * this.cell[0] >= widest) ?? 32) : 1;
    columns.forEach((bin, i) => {
      if (i % stride && bin[0] < across.count) return;
      const x = this.corner(i, 0)[0] + this.cell[0] / 2;
      const half = tilted ? 6 : (printMark(across, columns, bin, shownLevel(this.store, across)).length * LETTER) / 2;
      if (x - half < free || x + half > this.width) return;
      free = x + half + (across.ordered ? 8 : 0);
      const turn = { x: x + 4, y: below - 4, "text-anchor": "end", transform: `rotate(-35 ${x + 4} ${below - 4})` };
      parts.push(label(across, 0, bin, 13, tilted ? turn : { x, y: below, "text-anchor": "middle" }));
    });
    const every = Math.ceil(13 / this.cell[1]);
    let above = -Infinity;
    for (let j = rows.length - 1; j >= 0; j -= 1) {
      const bin = rows[j];
      const y = this.corner(0, j)[1] + this.cell[1] / 2 + 4;
      if ((j % every && bin[0] < up.count) || y - above < 11.5) continue;
      parts.push(label(up, 1, bin, 13, { x: EDGE.left - 6, y, "text-anchor": "end" }));
      above = y;
    }
    const middle = { x: (EDGE.left + this.width) / 2, y: this.height - 4, "text-anchor": "middle" };
    parts.push(svg("text", { ...middle, class: "axis-name" }, across.title));
    this.axis.replaceChildren(...parts);
  }
}
