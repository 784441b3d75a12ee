// MapReader: a heat map under the hand. A pointer drags a rectangle, arrow keys move from cell to cell, words tell a cell.

import { el, set, svg } from "./dom.js";
import { inPrint, sayAnswer } from "./format.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class MapReader {
  constructor(map, id) {
    this.map = map;
    this.store = map.store;
    this.place = [0, 0]; // the cell that is told
    this.held = null; // the cell where a drag began
    this.cursor = svg("rect", { class: "cursor", visibility: "hidden" });
    this.told = el("p", { class: "told", id, "aria-live": "polite" });
    const { picture } = map;
    picture.append(this.cursor);
    picture.addEventListener("keydown", (event) => this.key(event));
    picture.addEventListener("pointerdown", (event) => this.press(event));
    picture.addEventListener("pointermove", (event) => this.move(event));
    picture.addEventListener("pointerup", () => this.release());
    picture.addEventListener("pointercancel", () => (this.held = null));
    for (const name of ["pointerleave", "blur"]) picture.addEventListener(name, () => this.say(null));
  }

  press(event) {
    if (event.button !== 0) return;
    this.held = this.map.cellAt(event);
    if (event.pointerType === "mouse") this.map.picture.setPointerCapture(event.pointerId);
  }

  move(event) {
    this.say(this.map.cellAt(event));
    if (!this.held || String(this.held) === String(this.place)) return;
    this.dragged = true;
    this.keep(this.held, this.place);
  }

  release() {
    if (this.held && !this.dragged) this.toggle(this.held);
    this.held = null;
    this.dragged = false;
  }

  key(event) {
    if (event.key in STEPS) this.say(this.place.map((at, side) => at + STEPS[event.key][side]));
    else if (event.key === "Enter" || event.key === " ") this.toggle(this.map.nearest(this.place));
    else if (event.key === "Escape") this.keepNothing();
    else return;
    event.preventDefault();
  }

  /** Keep to one cell, or let go if it is the one kept. */
  toggle(place) {
    const { filters, map } = this.store;
    const kept = map.every((axis, side) => String(filters[axis]) === String(this.map.bins[side][place[side]]));
    if (kept) this.keepNothing();
    else this.keep(place, place);
  }

  keep(one, other) {
    this.store.map.forEach((axis, side) => {
      const [first, last] = [one[side], other[side]].sort((a, b) => a - b);
      const bins = this.map.bins[side];
      this.store.filter(axis, [[bins[first][0], bins[last][1]]]);
    });
  }

  keepNothing() {
    for (const axis of this.store.map) this.store.filter(axis, null);
  }

  /** Tell a cell in words; null: none. */
  say(place) {
    set(this.cursor, { visibility: place ? "visible" : "hidden" });
    this.told.textContent = place ? this.words(this.map.nearest(place)) : "";
  }

  words(place) {
    const { bins, cell, attributes, answers, values } = this.map;
    this.place = place;
    const [x, y] = this.map.corner(...place);
    set(this.cursor, { x, y, width: cell[0] - 0.6, height: cell[1] - 0.6 });
    const at = place[0] * bins[1].length + place[1];
    const total = answers ? sayAnswer(answers[at]) : inPrint(values[at]);
    const names = attributes.map(
      ({ title }, side) => `${title} ${attributes[side].describeBin(bins[side][place[side]])}`,
    );
    return `${names.join(", ")}: ${total}`;
  }
}
