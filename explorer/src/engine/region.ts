// Region: a part of the domain as disjoint selections {axis: intervals}, cut and joined as space/region.py does it.
//
// An axis that a selection does not list is free. No selection at all is the empty region.

import { CannotAsk } from "./condition.ts";
import { complement, merge, overlap, sameIntervals } from "./intervals.ts";
import type { Interval, Region, Selection } from "./types.ts";

const MOST_BOXES = 500;

/** What lies in two regions. */
export function intersect(one: Region, other: Region): Region {
  return checkCount(one.flatMap((a) => other.flatMap((b) => intersectBoxes(a, b))));
}

/** What lies in any of some regions. Those that bound the same single axis are one before others are looked at. */
export function unite(regions: Region[], sizes: number[]): Region {
  const alone = new Map<string, Interval[]>();
  const rest: Region[] = [];
  for (const region of regions) {
    const axes = region.length === 1 ? Object.keys(region[0]) : [];
    if (axes.length === 1) alone.set(axes[0], [...(alone.get(axes[0]) ?? []), ...region[0][axes[0]]]);
    else rest.push(region);
  }
  const first = [...alone].map(([axis, intervals]) => [{ [axis]: merge(intervals) }]);
  let found: Region = [];
  for (const region of [...first, ...rest]) found = checkCount([...found, ...subtract(region, found, sizes)]);
  return mergeBoxes(found);
}

/** What lies in one region and not in another. */
export function subtract(region: Region, other: Region, sizes: number[]): Region {
  let left = region;
  for (const taken of other) left = checkCount(left.flatMap((part) => subtractBox(part, taken, sizes)));
  return left;
}

/** The same with fewer selections: two that differ on one axis are one. */
export function mergeBoxes(region: Region): Region {
  const found: Region = [];
  for (const selection of region) {
    const place = found.findIndex((other) => differingAxes(selection, other).length === 1);
    if (place < 0) found.push(selection);
    else {
      const [axis] = differingAxes(selection, found[place]);
      found[place] = { ...found[place], [axis]: merge([...found[place][axis], ...selection[axis]]) };
    }
  }
  return found;
}

/** What lies in two selections: one selection, or none. */
function intersectBoxes(a: Selection, b: Selection): Region {
  const found = { ...a };
  for (const [axis, intervals] of Object.entries(b)) {
    found[axis] = axis in a ? overlap(a[axis], intervals) : intervals;
    if (found[axis].length === 0) return [];
  }
  return [found];
}

/** A selection without another, axis by axis: what lies inside on the axes before, and outside on this one. */
function subtractBox(selection: Selection, taken: Selection, sizes: number[]): Region {
  if (intersectBoxes(selection, taken).length === 0) return [selection];
  const parts: Region = [];
  let inside = selection;
  for (const [axis, intervals] of Object.entries(taken)) {
    const size = sizes[Number(axis)];
    const whole = inside[axis] ?? [[0, size]];
    const outside = overlap(whole, complement(intervals, size));
    if (outside.length) parts.push({ ...inside, [axis]: outside });
    inside = { ...inside, [axis]: overlap(whole, intervals) };
  }
  return parts;
}

/** Axes on which two selections differ; more than one if they do not bound the same axes. */
function differingAxes(one: Selection, other: Selection): string[] {
  const axes = Object.keys(one); // in order, because axes are numbers
  if (String(axes) !== String(Object.keys(other))) return ["", ""];
  return axes.filter((axis) => !sameIntervals(one[axis], other[axis]));
}

function checkCount(boxes: Region): Region {
  if (boxes.length > MOST_BOXES) throw new CannotAsk("the conditions fall into too many parts; ask with fewer ORs");
  return boxes;
}
