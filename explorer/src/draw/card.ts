// Card: the chart of one attribute with its filter. Ordered attributes have a histogram, others a list of bars.

import type { Attribute } from "../engine/attribute.ts";
import { partialEnds } from "../engine/calendar.ts";
import { merge } from "../engine/intervals.ts";
import type { Mapped } from "../engine/mapped.ts";
import type { Answer, Interval } from "../engine/types.ts";
import { printBin, shownBins, shownLevel } from "../state/bins.ts";
import { isMean } from "../state/quantity.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";
import { formatNumber } from "./format.ts";
import { GrainChooser } from "./grain_chooser.ts";
import { Histogram } from "./histogram.ts";
import { LevelChooser } from "./level_chooser.ts";
import { fileName, saveMenu } from "./menu.ts";
import { NamedBars } from "./named_bars.ts";
import { NoteLine } from "./note.ts";
import { framed, namedPicture } from "./picture.ts";
import { quantileText } from "./quantile_table.ts";
import { RangeInputs } from "./range_inputs.ts";
import { type Scale, scaleOf } from "./scale.ts";
import { describeFilters, independenceOf, shownName } from "./words.ts";

const MOST_BARS = 100;
export const MOST_PERIODS = 400;
const MOST_NAMES = 1000;

export class Card {
  readonly element: HTMLElement;
  bins: Interval[] = [];
  values: Float64Array = new Float64Array(0);
  private answers: Answer[] = [];
  private regular: Interval[] = []; // bins of values that are neither other nor missing
  private readonly clear: HTMLElement;
  private readonly note = new NoteLine();
  private readonly grain: GrainChooser | LevelChooser | null;
  private readonly body = el("div", {});
  private readonly inputs: RangeInputs | null;
  private histogram: Histogram | null = null;
  private named: NamedBars | null = null;
  private level: Mapped | null = null; // whose groups are drawn

  constructor(
    private readonly store: Store,
    private readonly attribute: Attribute,
  ) {
    const id = freshId("card");
    const { axis, title, unit, description } = attribute;
    this.clear = el("button", { type: "button", class: "quiet", onclick: () => store.filter(axis, null) }, "Clear");
    this.grain = attribute.isCalendar ? new GrainChooser(store, attribute) : null;
    if (!attribute.ordered && store.engine.levelsOf(attribute).length) this.grain = new LevelChooser(store, attribute);
    this.inputs = attribute.ordered ? new RangeInputs(attribute, (range) => this.choose(range, this.ticked())) : null;
    const save = saveMenu(title, {
      name: () => fileName(title),
      picture: () => this.picture(),
      table: () => this.table(),
    });
    const heading = el("h3", { id }, title, unit ? el("small", {}, unit) : null);
    this.element = el(
      "section",
      { class: "card", "aria-labelledby": id },
      el("header", {}, heading, el("span", { class: "acts" }, this.clear, save)),
      description ? el("p", { class: "note" }, description) : null,
      this.grain?.element,
      this.note.element,
      this.body,
    );
    this.arrange();
  }

  /** Take over the bins that are asked for now; charts are made anew if they changed. */
  arrange(): void {
    const { attribute, store } = this;
    const bins = shownBins(store, attribute, attribute.ordered ? MOST_BARS : MOST_NAMES, MOST_PERIODS);
    const level = shownLevel(store, attribute);
    if (String(bins) === String(this.bins) && level === this.level) return;
    this.level = level;
    this.bins = bins;
    this.regular = bins.filter(([low]) => low < attribute.count);
    const named = bins.slice(this.namedFrom);
    this.histogram = attribute.ordered
      ? new Histogram(attribute, this.regular, (range) => this.choose(range, this.ticked()))
      : null;
    this.named = named.length
      ? new NamedBars(attribute, named, level, (chosen) => this.choose(this.range(), chosen))
      : null;
    const many = !attribute.ordered && !level && attribute.count > MOST_NAMES;
    const [most, all] = [MOST_NAMES, attribute.count].map((number) => formatNumber(number));
    const parts = [
      this.histogram?.element,
      this.inputs?.element,
      this.named?.element,
      attribute.isCalendar ? el("p", { class: "note" }, partialEnds(attribute, this.regular)) : null,
      many ? el("p", { class: "note" }, `The ${most} largest of ${all} names; ask for others in SQL.`) : null,
    ];
    this.body.replaceChildren(...parts.filter((part) => part instanceof HTMLElement));
  }

  /** Draw values; errors follow by `drawErrors`. */
  draw(values: Float64Array): void {
    const { engine, filters, quantity } = this.store;
    this.values = values;
    this.answers = [];
    const filtered = this.attribute.axis in filters;
    this.element.classList.toggle("filtered", filtered);
    this.clear.hidden = !filtered;
    this.note.draw(independenceOf(engine, [filters], [this.attribute.axis]));
    this.grain?.draw();
    this.histogram?.draw(values.subarray(0, this.regular.length), quantity, this.range(), filtered);
    this.inputs?.draw(this.range());
    this.named?.draw(values.subarray(this.namedFrom), quantity, this.scale, this.ticked(), filtered);
  }

  /** The scale of named bars. That of numbers of rows is the same before and after their errors are known. */
  private get scale(): Scale {
    const { quantity } = this.store;
    if (!quantity) return { bottom: 0, top: 1.08 * Math.max(0, ...this.values) || 1 };
    if (!isMean(quantity)) return scaleOf(this.values, null, quantity);
    return this.answers.length ? scaleOf(this.values, this.answers, quantity) : { bottom: 0, top: 1 };
  }

  /** Errors of all bins; and, of an ordered attribute, its quartiles. */
  drawErrors(answers: Answer[], quartiles: (number | null)[]): void {
    this.answers = answers;
    const texts = quartiles.flatMap((tick) => (tick === null ? [] : [quantileText(this.attribute, tick)]));
    const [from, median, to] = texts;
    this.histogram?.summarize(texts.length ? `median ${median}, interquartile range ${from} to ${to}` : "");
    this.histogram?.drawErrors(answers.slice(0, this.regular.length));
    this.named?.drawErrors(answers.slice(this.namedFrom), this.scale);
  }

  resize(): void {
    this.histogram?.resize();
  }

  /** The chart by itself. */
  private picture(): SVGElement {
    const { engine, filters, quantity } = this.store;
    const { title, unit, axis } = this.attribute;
    const most = Math.min(this.bins.length, 60);
    const names = this.bins.slice(0, most).map((bin) => printBin(this.attribute, bin, this.level));
    const drawn = this.histogram?.picture ?? namedPicture(names, this.values, this.answers, quantity);
    const { [axis]: _, ...others } = filters; // a chart shows what its own filter leaves out too
    return framed(drawn, unit ? `${title} (${unit})` : title, [
      `${engine.facts.title}: ${shownName(this.store)} with 95 % intervals`,
      describeFilters(engine, others),
    ]);
  }

  /** The numbers of the chart, in full. */
  private table(): string[][] {
    const rows = this.bins.map((bin, i) => {
      const { low, high } = this.answers[i] ?? { low: null, high: null };
      const value = Number.isNaN(this.values[i]) ? "" : String(this.values[i]);
      return [printBin(this.attribute, bin, this.level), value, String(low ?? ""), String(high ?? "")];
    });
    return [[this.attribute.title, shownName(this.store), "low", "high"], ...rows];
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

  /** Bins of names that are ticked. */
  private ticked(): Interval[] {
    const intervals = this.store.filters[this.attribute.axis] ?? [];
    const bins = this.bins.slice(this.namedFrom);
    return bins.filter(([from, to]) => intervals.some(([low, high]) => low <= from && to <= high));
  }

  private choose(range: Interval | null, ticked: Interval[]): void {
    const intervals = [...ticked];
    if (range && range[0] < range[1]) intervals.unshift(range);
    this.store.filter(this.attribute.axis, intervals.length ? merge(intervals) : null);
  }
}
