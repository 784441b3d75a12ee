// PlaceMap: totals by longitude and latitude, in the proportions of the ground, with degrees and a scale.

import type { Attribute } from "../engine/attribute.ts";
import { kilometers } from "../engine/coordinates.ts";
import type { Answer, Interval } from "../engine/types.ts";
import type { Store } from "../state/store.ts";
import { CellMap } from "./cell_map.ts";
import { el, svg } from "./dom.ts";
import { formatNumber, roundSteps } from "./format.ts";

const MOST = [96, 72]; // cells across and up
const TALLEST = 560; // pixels
const EDGE = { left: 46, right: 10, top: 6, bottom: 24 };
const BAR = 0.25; // of the width, at most
const POINT = "; point at a cell for its interval";

export class PlaceMap extends CellMap {
  private readonly zoom: HTMLInputElement;

  constructor(
    store: Store,
    readonly axes: [longitude: number, latitude: number],
  ) {
    super(store, "Map", EDGE);
    this.zoom = el("input", { type: "checkbox", onchange: () => store.choose("zoomed", this.zoom.checked) });
    this.choosers.append(el("label", { class: "chooser" }, this.zoom, el("span", {}, "Zoom to the selection")));
  }

  override get title(): string {
    return `Map by ${this.attributes.map(({ title }) => title).join(" and ")}`;
  }

  override draw(values: Float64Array): void {
    this.zoom.checked = this.store.zoomed;
    super.draw(values);
    this.legend.append(POINT);
  }

  override drawErrors(answers: Answer[]): void {
    super.drawErrors(answers);
    this.legend.append(POINT);
  }

  protected binsNow(): Interval[][] {
    return this.attributes.map((attribute, side) => {
      const [low, high] = this.window(attribute);
      const each = Math.max(1, Math.ceil((high - low) / MOST[side]));
      const bins: Interval[] = [];
      for (let at = low; at < high; at += each) bins.push([at, Math.min(at + each, high)]);
      return bins;
    });
  }

  /** The codes that are drawn. */
  private window({ axis, count }: Attribute): Interval {
    const kept = this.store.zoomed ? (this.store.filters[axis]?.filter(([low]) => low < count) ?? []) : [];
    const last = kept[kept.length - 1];
    return last ? [Math.floor(kept[0][0]), Math.min(Math.ceil(last[1]), count)] : [0, count];
  }

  /** Degrees of the ends of an axis. */
  private ends(side: number): Interval {
    const bins = this.bins[side];
    const attribute = this.attributes[side];
    return [attribute.tickAt(bins[0][0]), attribute.tickAt(bins[bins.length - 1][1])];
  }

  /** Kilometers from end to end of both axes, in the middle of the map. */
  private get extent(): [number, number] {
    const [[west, east], [south, north]] = [this.ends(0), this.ends(1)];
    const [across, up] = kilometers((south + north) / 2);
    return [(east - west) * across, (north - south) * up];
  }

  protected cellSize(width: number): [number, number] {
    const [east, north] = this.extent;
    const [nx, ny] = this.bins.map((list) => list.length);
    const wide = Math.min(width - EDGE.left - EDGE.right, (TALLEST * east) / north);
    return [wide / nx, (wide * north) / east / ny];
  }

  protected paintAxes(): void {
    const [nx, ny] = this.bins.map((list) => list.length);
    const [wide, tall] = [this.cell[0] * nx, this.cell[1] * ny];
    const bottom = EDGE.top + tall;
    const parts: SVGElement[] = [
      svg("rect", { class: "ground", x: EDGE.left, y: EDGE.top, width: wide, height: tall }),
    ];
    for (const degree of degrees(this.ends(0), wide / 90)) {
      const x = EDGE.left + (wide * (degree - this.ends(0)[0])) / (this.ends(0)[1] - this.ends(0)[0]);
      parts.push(svg("line", { x1: x, x2: x, y1: EDGE.top, y2: bottom }));
      parts.push(svg("text", { x, y: bottom + 16, "text-anchor": "middle" }, `${degree}°`));
    }
    for (const degree of degrees(this.ends(1), tall / 60)) {
      const y = bottom - (tall * (degree - this.ends(1)[0])) / (this.ends(1)[1] - this.ends(1)[0]);
      parts.push(svg("line", { x1: EDGE.left, x2: EDGE.left + wide, y1: y, y2: y }));
      parts.push(svg("text", { x: EDGE.left - 5, y: y + 4, "text-anchor": "end" }, `${degree}°`));
    }
    this.axis.replaceChildren(...parts);
    this.marks.replaceChildren(...this.scale(wide, bottom));
  }

  /** A bar of a round length. */
  private scale(wide: number, bottom: number): SVGElement[] {
    const [east] = this.extent;
    const length = roundDown(east * BAR);
    const long = (wide * length) / east;
    const [x, y] = [EDGE.left + 10, bottom - 10];
    const text = length >= 1 ? `${formatNumber(length)} km` : `${formatNumber(1000 * length)} m`;
    return [
      svg("path", { class: "scale", d: `M${x},${y - 5}v5h${long}v-5` }),
      svg("text", { class: "scale-text", x: x + long / 2, y: y - 6, "text-anchor": "middle" }, text),
    ];
  }
}

/** The largest of 1, 2 or 5 and zeros that is not above a number. */
function roundDown(number: number): number {
  const power = 10 ** Math.floor(Math.log10(number));
  return ([5, 2].find((factor) => factor * power <= number) ?? 1) * power;
}

/** Round degrees between two ends, about so many. */
function degrees([from, to]: Interval, about: number): number[] {
  const steps = roundSteps(to - from, Math.max(2, Math.floor(about)));
  const step = steps.length > 1 ? steps[1] : to - from;
  const digits = Math.max(0, Math.ceil(-Math.log10(step) + 1e-9));
  const found: number[] = [];
  for (let k = Math.ceil(from / step); k * step <= to; k += 1) found.push(Number((k * step).toFixed(digits)) + 0);
  return found;
}
