// Attribute: one axis in the owner's units (space/attribute.py, space/bins.py). Ticks of dates are milliseconds here.

import { lastAtMost } from "./axis_index.ts";
import type { AxisFacts, Bins } from "./facts.ts";
import type { Interval, Intervals } from "./types.ts";

const DAY = 86_400_000;

export class Attribute {
  readonly name: string;
  readonly unit: string | null;
  readonly type: string;
  readonly size: number; // codes
  readonly count: number; // codes of values that are neither other nor missing
  readonly other: boolean;
  readonly missing: boolean;
  readonly otherName: string;
  readonly missingName: string;
  readonly title: string;
  readonly description: string;
  readonly ordered: boolean;
  readonly isPeriod: boolean; // the names are the periods of a series, in the order of time
  readonly names: string[]; // of codes without an order
  readonly codes: Map<string, number>; // of names
  readonly step: number; // from one value to the next; 0 on a continuum
  readonly bins: Bins;

  constructor(
    facts: AxisFacts,
    readonly axis: number,
  ) {
    this.name = facts.name;
    this.unit = facts.unit;
    this.type = facts.type;
    this.size = facts.size;
    this.count = facts.count;
    this.other = facts.other;
    this.missing = facts.missing;
    this.otherName = facts.otherName;
    this.missingName = facts.missingName;
    this.title = facts.label || facts.name;
    this.description = facts.description ?? "";
    this.ordered = facts.names === undefined;
    this.isPeriod = facts.period ?? false;
    this.names = facts.names ?? [];
    this.codes = new Map(this.names.map((name, code) => [name, code]));
    this.step = facts.step ?? 0;
    this.bins = facts.bins ?? { edges: [] };
  }

  /** Positions on its axis of intervals of its codes. */
  positions(intervals: Intervals): Intervals {
    return intervals;
  }

  get missingCode(): number {
    return this.count + (this.other ? 1 : 0);
  }

  /** Codes after the regular ones: those of other and of missing values. */
  get special(): number[] {
    return Array.from({ length: this.size - this.count }, (_, i) => this.count + i);
  }

  /** What a code stands for. */
  describe(code: number): string {
    if (code >= this.count) return this.other && code === this.count ? this.otherName : this.missingName;
    if (!this.ordered) return this.names[code];
    return this.describeRange(code, code + 1);
  }

  /** What the codes from one up to, not including, another stand for. */
  describeRange(low: number, high: number): string {
    const from = this.tickAt(low);
    const to = this.tickAt(high);
    if (to - from <= this.step) return this.text(from);
    return `${this.text(from)} to ${this.text(to - this.step)}`;
  }

  /** What intervals of positions stand for, in few words. */
  describeIntervals(intervals: Intervals): string {
    const parts: string[] = [];
    for (const [low, high] of intervals) {
      const end = Math.min(high, this.count);
      if (low < end) {
        if (this.ordered) parts.push(this.describeRange(low, end));
        else for (let code = Math.floor(low); code < end; code += 1) parts.push(this.names[code]);
      }
      for (const code of this.special) if (low <= code && code < high) parts.push(this.describe(code));
    }
    if (parts.length === 0) return "nothing";
    return parts.length > 4 ? `${parts.slice(0, 3).join(", ")} and ${parts.length - 3} more` : parts.join(", ");
  }

  /** The tick at a position. */
  tickAt(position: number): number {
    const code = Math.min(Math.floor(position), this.count - 1);
    const low = this.edge(code);
    return position === code ? low : low + (position - code) * (this.edge(code + 1) - low);
  }

  /** Where a bin begins. */
  edge(code: number): number {
    const { bins } = this;
    if (bins.edges) return bins.edges[code];
    return code === this.count ? bins.stop : bins.start + code * bins.width;
  }

  /** The position of a tick; ticks outside are moved to the nearest end. */
  positionOf(tick: number): number {
    const { bins } = this;
    if (tick >= this.edge(this.count)) return this.count;
    if (tick <= this.edge(0)) return 0;
    const last = this.count - 1;
    if (bins.edges) {
      const left = lastAtMost(bins.edges, tick);
      return left + (tick - bins.edges[left]) / (bins.edges[left + 1] - bins.edges[left]);
    }
    const place = (tick - bins.start) / bins.width;
    if (place <= last) return place;
    return Math.min(this.count, Math.max(last + (tick - this.edge(last)) / (bins.stop - this.edge(last)), last));
  }

  /** A tick as the owner would write it. */
  text(tick: number): string {
    if (this.type === "integer") return String(Math.round(tick));
    if (this.type === "number") return plainNumber(tick);
    const [day, time] = new Date(Math.round(tick)).toISOString().replace("Z", "").split("T");
    return this.type === "date" ? day : `${day} ${time.replace(/\.0+$/, "")}`;
  }

  /** A tick in short: moments without what does not matter along the whole axis. */
  brief(tick: number): string {
    if (this.type !== "timestamp") return this.text(tick);
    const [day, time] = new Date(Math.round(tick)).toISOString().split("T");
    const days = (this.edge(this.count) - this.edge(0)) / DAY;
    if (days > 60) return day;
    return days <= 1 ? time.slice(0, 5) : `${day.slice(5)} ${time.slice(0, 5)}`;
  }

  /** The tick that a text stands for; null if it cannot be read. */
  parse(text: string): number | null {
    const trimmed = text.trim();
    if (this.type === "integer" || this.type === "number") {
      return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : null;
    }
    const found = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?))?$/.exec(trimmed);
    if (!found || (this.type === "date" && found[2])) return null;
    const tick = Date.parse(`${found[1]}T${found[2] ?? "00:00"}Z`);
    return Number.isFinite(tick) && new Date(tick).toISOString().startsWith(found[1]) ? tick : null;
  }

  /** Bins to draw, as [low, high] in codes: at most so many of neighbouring codes, or of names the first so many. Codes
   * for other and missing values come last.
   */
  displayBins(most: number): Interval[] {
    const each = this.ordered ? Math.max(1, Math.ceil(this.count / most)) : 1;
    const end = this.ordered ? this.count : Math.min(this.count, most);
    const bins: Interval[] = [];
    for (let low = 0; low < end; low += each) bins.push([low, Math.min(low + each, end)]);
    return [...bins, ...this.special.map((code): Interval => [code, code + 1])];
  }

  /** What a display bin stands for. */
  describeBin([low, high]: Interval): string {
    return high - low === 1 || low >= this.count ? this.describe(low) : this.describeRange(low, high);
  }

  get isCalendar(): boolean {
    return this.type === "date" || this.type === "timestamp";
  }
}

/** A number in at most ten digits, as "%.10g" writes it. */
function plainNumber(number: number): string {
  if (number === 0) return "0";
  const [mantissa, power] = number.toExponential(9).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 10) {
    const sign = exponent < 0 ? "-" : "+";
    return `${Number(mantissa)}e${sign}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  return number
    .toFixed(Math.max(0, 9 - exponent))
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}
