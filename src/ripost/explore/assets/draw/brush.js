// Brush: a range of a histogram, dragged with a pointer or moved by its two ends with the arrow keys.

import { set, svg } from "./dom.js";

const FAR = 10; // bars that Page Up and Page Down move

export class Brush {
  constructor(attribute, bins, choose) {
    this.attribute = attribute;
    this.bins = bins;
    this.choose = choose;
    this.range = null;
    this.area = svg("rect", { class: "brush-area" });
    this.tint = svg("rect", { class: "tint", visibility: "hidden" }); // behind the bars
    this.chosen = svg("rect", { class: "brush", visibility: "hidden" });
    this.ends = ["low", "high"].map((which, end) =>
      svg(
        "g",
        {
          class: "grip",
          tabindex: 0,
          role: "slider",
          "aria-label": `${attribute.title}, ${which} end of the range`,
          onkeydown: (event) => this.key(event, end),
        },
        svg("line"),
        svg("rect", { rx: 3, width: 6, height: 22, x: -3 }),
      ),
    );
    this.element = svg("g", { class: "brushing" }, this.area, this.chosen, ...this.ends);
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"])
      this.element.addEventListener(name, (event) => this.release(event));
  }

  /** Where positions are drawn. */
  place(x, top, bottom) {
    Object.assign(this, { x, top, bottom });
    const last = this.bins[this.bins.length - 1][1];
    set(this.area, { x: x(0), width: x(last) - x(0), y: top, height: bottom - top });
  }

  draw(range) {
    this.range = range;
    const last = this.bins[this.bins.length - 1][1];
    const [low, high] = range ?? [0, last];
    const [from, to] = [this.x(low), this.x(high)];
    const size = { x: from, width: Math.max(1, to - from), y: this.top, height: this.bottom - this.top };
    for (const rect of [this.tint, this.chosen]) set(rect, { ...size, visibility: range ? "visible" : "hidden" });
    this.ends.forEach((grip, end) => {
      const at = end === 0 ? from : to;
      set(grip, {
        transform: `translate(${at} 0)`,
        class: range ? "grip held" : "grip",
        "aria-valuemin": 0,
        "aria-valuemax": last,
        "aria-valuenow": end === 0 ? low : high,
        "aria-valuetext": this.say(end === 0 ? low : high, end),
      });
      set(grip.firstChild, { y1: this.top, y2: this.bottom });
      set(grip.lastChild, { y: (this.top + this.bottom) / 2 - 11 });
    });
  }

  say(position, end) {
    const tick = this.attribute.tickAt(position);
    return this.attribute.text(end === 0 ? tick : tick - this.attribute.step);
  }

  /** The bar at a place of the screen. */
  barAt(event) {
    const at = event.clientX - this.area.ownerSVGElement.getBoundingClientRect().left;
    const found = this.bins.findIndex(([, high]) => at < this.x(high));
    return found < 0 ? this.bins.length - 1 : found;
  }

  press(event) {
    if (event.button !== 0) return;
    const grip = this.ends.indexOf(event.target.closest(".grip"));
    const bar = this.barAt(event);
    const inside = this.range && event.target === this.chosen;
    this.held = { grip, bar, range: this.range, moved: false, moving: inside, span: this.barsOf(this.range) };
    this.element.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  drag(event) {
    if (!this.held) return;
    const { grip, bar, moving, span } = this.held;
    const now = this.barAt(event);
    if (now === bar && !this.held.moved) return;
    this.held.moved = true;
    if (grip >= 0 && this.held.range) {
      const fixed = grip === 0 ? span[1] : span[0];
      this.chooseBars(Math.min(fixed, now), Math.max(fixed, now));
    } else if (moving) {
      const shift = Math.max(-span[0], Math.min(this.bins.length - 1 - span[1], now - bar));
      this.chooseBars(span[0] + shift, span[1] + shift);
    } else this.chooseBars(Math.min(bar, now), Math.max(bar, now));
  }

  /** A press without a drag chooses one bar, and lets go if it was the one chosen. */
  release() {
    const { held } = this;
    this.held = null;
    if (!held || held.moved || held.grip >= 0) return;
    const alone = held.span && held.span[0] === held.bar && held.span[1] === held.bar;
    if (alone) this.pick(null);
    else this.chooseBars(held.bar, held.bar);
  }

  key(event, end) {
    const last = this.bins.length - 1;
    const span = this.barsOf(this.range) ?? [0, last];
    const steps = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -FAR,
      PageUp: FAR,
      Home: -last,
      End: last,
    };
    if (event.key === "Escape" || event.key === "Delete") this.pick(null);
    else if (event.key in steps) {
      const bounds = end === 0 ? [0, span[1]] : [span[0], last];
      span[end] = Math.max(bounds[0], Math.min(bounds[1], span[end] + steps[event.key]));
      this.chooseBars(...span);
    } else return;
    event.preventDefault();
  }

  /** First and last bar of a range. */
  barsOf(range) {
    if (!range) return null;
    const first = this.bins.findIndex(([, high]) => high > range[0]);
    const last = this.bins.findLastIndex(([low]) => low < range[1]);
    return [first, last];
  }

  chooseBars(first, last) {
    const whole = first === 0 && last === this.bins.length - 1;
    this.pick(whole && !this.held ? null : [this.bins[first][0], this.bins[last][1]]);
  }

  /** Choose a range, known here at once: the next key may come before the next frame. */
  pick(range) {
    this.range = range;
    this.choose(range);
  }
}
