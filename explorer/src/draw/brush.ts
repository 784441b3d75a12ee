// Brush: a range of a histogram, dragged with a pointer or moved by its two ends with the arrow keys.

import type { Attribute } from "../engine/attribute.ts";
import type { Interval } from "../engine/types.ts";
import { set, svg } from "./dom.ts";

const FAR = 10; // bars that Page Up and Page Down move

/** An end of the range: a line, and a handle to drag. */
interface Grip {
  element: SVGElement;
  line: SVGElement;
  handle: SVGElement;
}

/** What is dragged: which end, or -1; where it began; and the bars that were chosen then. */
interface Held {
  grip: number;
  bar: number;
  moved: boolean;
  moving: boolean;
  span: [number, number] | null;
}

export class Brush {
  readonly element: SVGElement;
  readonly tint = svg("rect", { class: "tint", visibility: "hidden" }); // behind the bars
  private range: Interval | null = null;
  private held: Held | null = null;
  private readonly area = svg("rect", { class: "brush-area" });
  private readonly chosen = svg("rect", { class: "brush", visibility: "hidden" });
  private readonly ends: Grip[];
  private x: (position: number) => number = () => 0; // where positions are drawn
  private top = 0;
  private bottom = 0;

  constructor(
    private readonly attribute: Attribute,
    private readonly bins: Interval[],
    private readonly choose: (range: Interval | null) => void,
  ) {
    this.ends = ["low", "high"].map((which, end) => this.grip(which, end));
    this.element = svg("g", { class: "brushing" }, this.area, this.chosen, ...this.ends.map(({ element }) => element));
    this.element.addEventListener("pointerdown", (event) => this.press(event));
    this.element.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) this.element.addEventListener(name, () => this.release());
  }

  private grip(which: string, end: number): Grip {
    const line = svg("line");
    const handle = svg("rect", { rx: 3, width: 6, height: 22, x: -3 });
    const attributes = {
      class: "grip",
      tabindex: 0,
      role: "slider",
      "aria-label": `${this.attribute.title}, ${which} end of the range`,
      onkeydown: (event: KeyboardEvent) => this.key(event, end),
    };
    return { element: svg("g", attributes, line, handle), line, handle };
  }

  place(x: (position: number) => number, top: number, bottom: number): void {
    Object.assign(this, { x, top, bottom });
    const last = this.bins[this.bins.length - 1][1];
    const first = this.bins[0][0];
    set(this.area, { x: x(first), width: x(last) - x(first), y: top, height: bottom - top });
  }

  draw(range: Interval | null): void {
    this.range = range;
    const [first, last] = [this.bins[0][0], this.bins[this.bins.length - 1][1]];
    const [low, high] = range ?? [first, last];
    const [from, to] = [this.x(low), this.x(high)];
    const size = { x: from, width: Math.max(1, to - from), y: this.top, height: this.bottom - this.top };
    for (const rect of [this.tint, this.chosen]) set(rect, { ...size, visibility: range ? "visible" : "hidden" });
    this.ends.forEach(({ element, line, handle }, end) => {
      const at = end === 0 ? from : to;
      set(element, {
        transform: `translate(${at} 0)`,
        class: range ? "grip held" : "grip",
        "aria-valuemin": first,
        "aria-valuemax": last,
        "aria-valuenow": end === 0 ? low : high,
        "aria-valuetext": this.say(end === 0 ? low : high, end),
      });
      set(line, { y1: this.top, y2: this.bottom });
      set(handle, { y: (this.top + this.bottom) / 2 - 11 });
    });
  }

  private say(position: number, end: number): string {
    const tick = this.attribute.tickAt(position);
    return this.attribute.text(end === 0 ? tick : tick - this.attribute.step);
  }

  /** The bar at a place of the screen. */
  private barAt(event: PointerEvent): number {
    const at = event.clientX - (this.area.ownerSVGElement?.getBoundingClientRect().left ?? 0);
    const found = this.bins.findIndex(([, high]) => at < this.x(high));
    return found < 0 ? this.bins.length - 1 : found;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const { target } = event;
    const grip = this.ends.findIndex(({ element }) => target instanceof Node && element.contains(target));
    const moving = this.range !== null && target === this.chosen;
    this.held = { grip, bar: this.barAt(event), moved: false, moving, span: this.barsOf(this.range) };
    this.element.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  private drag(event: PointerEvent): void {
    if (!this.held) return;
    const { grip, bar, moving, span } = this.held;
    const now = this.barAt(event);
    if (now === bar && !this.held.moved) return;
    this.held.moved = true;
    if (grip >= 0 && span) {
      const fixed = grip === 0 ? span[1] : span[0];
      this.chooseBars(Math.min(fixed, now), Math.max(fixed, now));
    } else if (moving && span) {
      const shift = Math.max(-span[0], Math.min(this.bins.length - 1 - span[1], now - bar));
      this.chooseBars(span[0] + shift, span[1] + shift);
    } else this.chooseBars(Math.min(bar, now), Math.max(bar, now));
  }

  /** A press without a drag chooses one bar, and lets go if it was the one chosen. */
  private release(): void {
    const { held } = this;
    this.held = null;
    if (!held || held.moved || held.grip >= 0) return;
    const alone = held.span && held.span[0] === held.bar && held.span[1] === held.bar;
    if (alone) this.pick(null);
    else this.chooseBars(held.bar, held.bar);
  }

  private key(event: KeyboardEvent, end: number): void {
    const last = this.bins.length - 1;
    const span = this.barsOf(this.range) ?? [0, last];
    const steps: Record<string, number> = {
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
  private barsOf(range: Interval | null): [number, number] | null {
    if (!range) return null;
    const first = this.bins.findIndex(([, high]) => high > range[0]);
    const last = this.bins.findLastIndex(([low]) => low < range[1]);
    return [first, last];
  }

  private chooseBars(first: number, last: number): void {
    const whole = first === 0 && last === this.bins.length - 1;
    this.pick(whole && !this.held ? null : [this.bins[first][0], this.bins[last][1]]);
  }

  /** Choose a range, known here at once: the next key may come before the next frame. */
  private pick(range: Interval | null): void {
    this.range = range;
    this.choose(range);
  }
}
