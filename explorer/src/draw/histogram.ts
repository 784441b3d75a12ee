// Histogram: totals along an ordered attribute as bars, with their intervals and a brush to select a range.

import type { Attribute } from "../engine/attribute.ts";
import { lastAtMost } from "../engine/axis_index.ts";
import type { Quantity } from "../engine/measured.ts";
import type { Answer, Interval, KnownAnswer } from "../engine/types.ts";
import { printBin, printMark } from "../state/bins.ts";
import { isMean, isUntold } from "../state/quantity.ts";
import { Brush } from "./brush.ts";
import { el, set, svg } from "./dom.ts";
import { formatCompact, formatNumber, formatValue, roundSteps } from "./format.ts";
import { hasCap, placeOn, type Scale, scaleOf } from "./scale.ts";
import { answerInWords } from "./words.ts";

const HEIGHT = 150;
const EDGE = { left: 44, right: 10, top: 8, bottom: 22 };
const LETTER = 6.6; // pixels that a letter of an axis takes, at most
const WIDE = 9; // pixels of a bar that has an error bar of its own; narrower ones have a band
const STRIDES = [1, 2, 5, 10, 20, 25, 50, 100]; // bars from one text to the next

export class Histogram {
  readonly element: HTMLElement;
  private readonly bars: SVGElement[];
  readonly picture: SVGElement;
  private readonly halo = svg("path", { class: "halo" });
  private readonly band = svg("path", { class: "band" });
  private readonly line = svg("path", { class: "level" }); // of the values, where there is a band
  private readonly axis = svg("g", { class: "axis", "aria-hidden": "true" });
  private readonly told = el("p", { class: "told", "aria-hidden": "true" });
  private readonly brush: Brush;
  private readonly starts: number[];
  private summary = ""; // what to tell while no bar is pointed at
  private width = 0;
  private scale: Scale = { bottom: 0, top: 1 };
  private quantity: Quantity = null;
  private values: Float64Array | null = null;
  private answers: Answer[] | null = null;
  private range: Interval | null = null;
  private filtered = false;

  constructor(
    private readonly attribute: Attribute,
    private readonly bins: Interval[],
    choose: (range: Interval | null) => void,
  ) {
    this.starts = bins.map(([low]) => low);
    this.bars = bins.map(() => svg("rect", { class: "column" }));
    this.brush = new Brush(attribute, bins, choose);
    this.picture = svg(
      "svg",
      { class: "histogram", height: HEIGHT, role: "group", "aria-label": `Histogram of ${attribute.title}` },
      this.axis,
      this.brush.tint,
      svg("g", { "aria-hidden": "true" }, ...this.bars),
      this.halo,
      this.band,
      this.line,
      this.brush.element,
    );
    this.picture.addEventListener("pointermove", (event) => this.tell(event));
    this.picture.addEventListener("pointerleave", () => {
      this.told.textContent = this.summary;
    });
    this.element = el("div", { class: "plot" }, this.picture, this.told);
  }

  resize(): void {
    const width = Math.max(160, Math.floor(this.element.clientWidth));
    if (width === this.width) return;
    this.width = width;
    set(this.picture, { width, viewBox: `0 0 ${width} ${HEIGHT}` });
    this.brush.place((position) => this.x(position), EDGE.top, HEIGHT - EDGE.bottom);
    if (this.values) this.paint(this.values);
  }

  /** Where a position is drawn. Bars are equally wide, however many codes they hold; what is not drawn is at an end. */
  private x(position: number): number {
    const bar = Math.max(0, lastAtMost(this.starts, position));
    const [low, high] = this.bins[bar];
    const place = bar + Math.min(1, Math.max(0, (position - low) / (high - low)));
    return EDGE.left + (place / this.bins.length) * (this.width - EDGE.left - EDGE.right);
  }

  /** Draw values of a quantity; means are drawn with their errors. */
  draw(values: Float64Array, quantity: Quantity, range: Interval | null, filtered: boolean): void {
    const kept = isMean(quantity) && quantity === this.quantity ? this.values : null;
    if (!kept) this.answers = null;
    Object.assign(this, { quantity, range, filtered, values: isMean(quantity) ? kept : values });
    if (!isMean(quantity)) this.answers = null;
    if (!this.width) this.resize();
    if (this.values) this.paint(this.values);
  }

  summarize(text: string): void {
    if (this.told.textContent === this.summary) this.told.textContent = text;
    this.summary = text;
  }

  drawErrors(answers: Answer[]): void {
    this.answers = answers;
    if (isMean(this.quantity)) this.values = Float64Array.from(answers, ({ value }) => value);
    if (this.values) this.paint(this.values);
  }

  private paint(values: Float64Array): void {
    this.scale = scaleOf(values, this.answers, this.quantity);
    const floor = this.y(0);
    const untold = values.map((_, i) => Number(this.isUntold(i)));
    const gap = this.bins.length > 60 ? 0.5 : 1;
    this.bins.forEach(([low, high], i) => {
      const [y, end] = untold[i] ? [EDGE.top, HEIGHT - EDGE.bottom] : [floor, this.y(values[i])].sort((a, b) => a - b);
      const inside = !this.filtered || (this.range && low < this.range[1] && high > this.range[0]);
      set(this.bars[i], {
        x: this.x(low) + gap / 2,
        width: Math.max(0.5, this.x(high) - this.x(low) - gap),
        y,
        height: end - y,
        class: `column${untold[i] ? " untold" : inside ? "" : " out"}`,
      });
    });
    this.paintBand();
    this.paintAxis();
    this.brush.draw(this.range);
    const told = [...values.keys()].filter((i) => !untold[i]);
    if (told.length === 0) return;
    const peak = told.reduce((best, i) => (values[i] > values[best] ? i : best));
    if (values[peak] < 0 && !this.quantity) return;
    const where = printBin(this.attribute, this.bins[peak]);
    const value = this.quantity && this.answers ? formatValue(this.answers[peak]) : formatNumber(values[peak]);
    set(this.picture, {
      "aria-label": `Histogram of ${this.attribute.title}; the largest bar is ${where} with ${value}`,
    });
  }

  private isUntold(bar: number): boolean {
    return this.answers !== null && isUntold(this.answers[bar], this.quantity);
  }

  /** The intervals, where errors are known: an error bar on each bar, or a band behind a line if bars are narrow. */
  private paintBand(): void {
    const known = this.answers?.filter((answer): answer is KnownAnswer => answer.low !== null) ?? [];
    const drawn = known.length === this.bins.length;
    const wide = (this.width - EDGE.left - EDGE.right) / this.bins.length >= WIDE;
    this.picture.classList.toggle("banded", drawn && !wide);
    const errorBars = drawn && wide ? this.errorBars(known) : null;
    set(this.halo, { d: errorBars });
    set(this.line, { d: drawn && !wide ? this.levelLine() : null });
    set(this.band, { d: errorBars ?? (drawn ? this.steps(known) : null), class: wide ? "band bars" : "band" });
  }

  private errorBars(known: KnownAnswer[]): string {
    const half = Math.min(4, (this.x(this.bins[0][1]) - this.x(this.bins[0][0])) / 4);
    const parts = this.bins.map(([low, high], i) => {
      if (this.isUntold(i)) return "";
      const middle = (this.x(low) + this.x(high)) / 2;
      const [bottom, top] = [this.y(known[i].low), this.y(known[i].high)];
      const cap = (end: number, y: number) =>
        hasCap(this.scale, end, this.quantity) ? `M${middle - half},${y}h${2 * half}` : "";
      return `M${middle},${bottom}V${top}${cap(known[i].low, bottom)}${cap(known[i].high, top)}`;
    });
    return parts.join("");
  }

  private levelLine(): string {
    const points = this.bins.map(([low, high], i) => {
      if (this.isUntold(i)) return "";
      const y = this.y(this.values?.[i] ?? 0);
      return `${i && !this.isUntold(i - 1) ? "" : "M"}${this.x(low)},${y} ${this.x(high)},${y}`;
    });
    return points.join(" ");
  }

  /** The outline of a band from low to high. */
  private steps(known: KnownAnswer[]): string {
    const upper = this.bins.map(
      ([low, high], i) => `${this.x(low)},${this.y(known[i].high)} ${this.x(high)},${this.y(known[i].high)}`,
    );
    const lower = this.bins.map(
      ([low, high], i) => `${this.x(high)},${this.y(known[i].low)} ${this.x(low)},${this.y(known[i].low)}`,
    );
    return `M${upper.join(" ")} ${lower.reverse().join(" ")}Z`;
  }

  private paintAxis(): void {
    const parts = roundSteps(this.scale.top, 3, this.scale.bottom).map((step) =>
      svg(
        "g",
        {},
        svg("line", { x1: EDGE.left, x2: this.width - EDGE.right, y1: this.y(step), y2: this.y(step) }),
        svg("text", { x: EDGE.left - 6, y: this.y(step) + 4, "text-anchor": "end" }, formatCompact(step)),
      ),
    );
    for (const [at, text] of this.marks()) {
      parts.push(svg("text", { x: at, y: HEIGHT - 6, "text-anchor": "middle" }, text));
    }
    this.axis.replaceChildren(...parts);
  }

  /** Places and texts below the bars: as many as fit, at round values where bins have them. */
  private marks(): [number, string][] {
    const { attribute, bins, width } = this;
    const texts = bins.map((bin) => printMark(attribute, bins, bin));
    const room = Math.max(...texts.map((text) => text.length)) * LETTER + 10;
    const stride = STRIDES.find((number) => number * (this.x(bins[0][1]) - this.x(bins[0][0])) >= room) ?? bins.length;
    const each = bins[0][1] - bins[0][0];
    const isEven = attribute.bins.width && !attribute.isCalendar;
    const value = (low: number) => (isEven ? attribute.edge(low) / (attribute.bins.width ?? 1) / each : NaN);
    const first = bins.findIndex(([low]) => value(low) % stride === 0);
    const found: [number, string][] = [];
    for (let i = Math.max(first, 0); i < bins.length; i += stride) {
      const [low, high] = bins[i];
      const single = (high - low === 1 && attribute.step > 0) || attribute.isCalendar;
      const at = single ? (this.x(low) + this.x(high)) / 2 : this.x(low);
      const half = (texts[i].length * LETTER) / 2;
      if (at - half >= 0 && at + half <= width) found.push([at, texts[i]]);
    }
    return found;
  }

  /** What the bar under the pointer says. */
  private tell(event: PointerEvent): void {
    const at = event.clientX - this.picture.getBoundingClientRect().left;
    const i = this.bins.findIndex(([low, high]) => at >= this.x(low) && at < this.x(high));
    if (i < 0 || !this.values) {
      this.told.textContent = this.summary;
      return;
    }
    const what = this.answers ? answerInWords(this.answers[i], this.quantity) : formatNumber(this.values[i]);
    this.told.textContent = `${printBin(this.attribute, this.bins[i])}: ${what}`;
  }

  private y(value: number): number {
    const room = HEIGHT - EDGE.top - EDGE.bottom;
    return EDGE.top + room * (1 - placeOn(this.scale, value));
  }
}
