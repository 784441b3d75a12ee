// Card: the chart of one dimension with its filter. Ordered dimensions have a histogram, others a list of bars.

import type { Attribute } from "../engine/attribute.ts";
import { merge } from "../engine/intervals.ts";
import type { Answer, Interval } from "../engine/types.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";
import { formatNumber } from "./format.ts";
import { Histogram } from "./histogram.ts";
import { NamedBars } from "./named_bars.ts";
import { NoteMark } from "./note.ts";
import { quantileText } from "./quantile_table.ts";
import { RangeInputs } from "./range_inputs.ts";

const MOST_BARS = 100;
const MOST_NAMES = 1000;

export class Card {
  readonly element: HTMLElement;
  readonly bins: Interval[];
  values: Float64Array = new Float64Array(0);
  private readonly regular: Interval[]; // bins of values that are neither other nor missing
  private readonly clear: HTMLElement;
  private readonly mark = new NoteMark();
  private readonly histogram: Histogram | null = null;
  private readonly inputs: RangeInputs | null = null;
  private readonly named: NamedBars | null = null;

  constructor(
    private readonly store: Store,
    private readonly attribute: Attribute,
  ) {
    this.bins = attribute.displayBins(attribute.ordered ? MOST_BARS : MOST_NAMES);
    this.regular = this.bins.filter(([low]) => low < attribute.count);
    const id = freshId("card");
    this.clear = el(
      "button",
      { type: "button", class: "quiet", onclick: () => store.filter(attribute.axis, null) },
      "Clear",
    );
    const heading = el("h3", { id }, attribute.title, attribute.unit ? el("small", {}, attribute.unit) : null);
    const header = el("header", {}, heading, this.mark.element, this.clear);
    this.element = el("section", { class: "card", "aria-labelledby": id }, header);
    const named = this.bins.slice(this.namedFrom);
    if (attribute.ordered) {
      this.histogram = new Histogram(attribute, this.regular, (range) => this.choose(range, this.ticked()));
      this.inputs = new RangeInputs(attribute, (range) => this.choose(range, this.ticked()));
      this.element.append(this.histogram.element, this.inputs.element);
    }
    if (named.length) {
      this.named = new NamedBars(attribute, named, (codes) => this.choose(this.range(), codes));
      this.element.append(this.named.element);
    }
    if (!attribute.ordered && attribute.count > MOST_NAMES) {
      const note = `The first ${formatNumber(MOST_NAMES)} of ${formatNumber(attribute.count)} names; ask for others in SQL.`;
      this.element.append(el("p", { class: "note" }, note));
    }
  }

  /** Draw values; errors follow by `drawErrors`. */
  draw(values: Float64Array): void {
    this.values = values;
    const filtered = this.attribute.axis in this.store.filters;
    this.element.classList.toggle("filtered", filtered);
    this.clear.hidden = !filtered;
    this.mark.draw(this.store.engine.note([this.store.filters], [this.attribute.axis]));
    this.histogram?.draw(values.subarray(0, this.regular.length), this.range(), filtered);
    this.inputs?.draw(this.range());
    this.named?.draw(values.subarray(this.namedFrom), this.ticked(), filtered, Math.max(...values));
  }

  /** Errors of all bins; and, of an ordered dimension, where its middle half lies. */
  drawErrors(answers: Answer[], middle: (number | null)[]): void {
    const texts = middle.flatMap((tick) => (tick === null ? [] : [quantileText(this.attribute, tick)]));
    const [from, median, to] = texts;
    this.histogram?.summarize(texts.length ? `median ${median}, middle half ${from} to ${to}` : "");
    this.histogram?.drawErrors(answers.slice(0, this.regular.length));
    this.named?.drawErrors(answers.slice(this.namedFrom));
  }

  resize(): void {
    this.histogram?.resize();
  }

  /** Where the values of named bars begin. */
  private get namedFrom(): number {
    return this.attribute.ordered ? this.regular.length : 0;
  }

  /** The chosen range of regular codes, or null. */
  private range(): Interval | null {
    const intervals = this.store.filters[this.attribute.axis];
    if (!intervals || !this.attribute.ordered) return null;
    const regular = intervals.filter(([low]) => low < this.attribute.count);
    if (regular.length === 0) return null;
    return [regular[0][0], Math.min(regular[regular.length - 1][1], this.attribute.count)];
  }

  /** Codes of names that are ticked. */
  private ticked(): number[] {
    const intervals = this.store.filters[this.attribute.axis] ?? [];
    const codes = this.attribute.ordered ? this.attribute.special : this.bins.map(([code]) => code);
    return codes.filter((code) => intervals.some(([low, high]) => low <= code && code < high));
  }

  private choose(range: Interval | null, codes: number[]): void {
    const intervals = codes.map((code): Interval => [code, code + 1]);
    if (range && range[0] < range[1]) intervals.unshift(range);
    this.store.filter(this.attribute.axis, intervals.length ? merge(intervals) : null);
  }
}
