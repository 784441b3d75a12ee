// MapReader: a map under the hand. A pointer drags a rectangle, arrow keys move from cell to cell, words tell a cell.

import { merge } from "../engine/intervals.ts";
import type { Store } from "../state/store.ts";
import type { CellMap, Place } from "./cell_map.ts";
import { el, set, svg } from "./dom.ts";
import { answerInWords } from "./words.ts";

const STEPS: Record<string, Place> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class MapReader {
  readonly told: HTMLElement;
  private readonly store: Store;
  private readonly cursor = svg("rect", { class: "cursor", visibility: "hidden" });
  private place: Place = [0, 0]; // the cell that is told
  private held: Place | null = null; // the cell where a drag began
  private dragged = false;

  constructor(
    private readonly map: CellMap,
    id: string,
  ) {
    this.store = map.store;
    this.told = el("p", { class: "told", id, "aria-live": "polite" });
    const { picture } = map;
    picture.append(this.cursor);
    picture.addEventListener("keydown", (event) => this.key(event));
    picture.addEventListener("pointerdown", (event) => this.press(event));
    picture.addEventListener("pointermove", (event) => this.move(event));
    picture.addEventListener("pointerup", () => this.release());
    picture.addEventListener("pointercancel", () => {
      this.held = null;
    });
    for (const name of ["pointerleave", "blur"]) picture.addEventListener(name, () => this.say(null));
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.held = this.map.cellAt(event);
    if (event.pointerType === "mouse") this.map.picture.setPointerCapture(event.pointerId);
  }

  private move(event: PointerEvent): void {
    this.say(this.map.cellAt(event));
    if (!this.held || String(this.held) === String(this.place)) return;
    this.dragged = true;
    this.keep(this.held, this.place);
  }

  private release(): void {
    if (this.held && !this.dragged) this.toggle(this.held);
    this.held = null;
    this.dragged = false;
  }

  private key(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step) this.say([this.place[0] + step[0], this.place[1] + step[1]]);
    else if (event.key === "Enter" || event.key === " ") this.toggle(this.map.nearest(this.place));
    else if (event.key === "Escape") this.keepNothing();
    else return;
    event.preventDefault();
  }

  /** Keep to one cell, or let go if it is the one kept. */
  private toggle(place: Place): void {
    const { filters } = this.store;
    const kept = this.map.axes.every(
      (axis, side) => String(filters[axis]) === String(this.map.bins[side][place[side]]),
    );
    if (kept) this.keepNothing();
    else this.keep(place, place);
  }

  private keep(one: Place, other: Place): void {
    this.map.axes.forEach((axis, side) => {
      const [first, last] = [one[side], other[side]].sort((a, b) => a - b);
      this.store.filter(axis, merge(this.map.bins[side].slice(first, last + 1)));
    });
  }

  private keepNothing(): void {
    for (const axis of this.map.axes) this.store.filter(axis, null);
  }

  /** Tell a cell in words; null: none. */
  private say(place: Place | null): void {
    set(this.cursor, { visibility: place ? "visible" : "hidden" });
    this.told.textContent = place ? this.words(this.map.nearest(place)) : "";
  }

  private words(place: Place): string {
    const { bins, cell, attributes } = this.map;
    this.place = place;
    const [x, y] = this.map.corner(...place);
    set(this.cursor, { x, y, width: cell[0], height: cell[1] });
    const names = attributes.map(
      (attribute, side) => `${attribute.title} ${this.map.label(side, bins[side][place[side]])}`,
    );
    return `${names.join(", ")}: ${answerInWords(this.map.answerAt(place), this.store.quantity)}`;
  }
}
