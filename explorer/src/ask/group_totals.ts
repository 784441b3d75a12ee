// Group totals: those of selections by combinations of bins. Values come at once; errors are worked out row by row.

import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { overlap } from "../engine/intervals.ts";
import type { Answer, Interval, Intervals, Region } from "../engine/types.ts";

export const MOST_ROWS = 10_000;

/** A group: its bins and what they stand for, its total, and the answer once it is worked out. */
export interface Row {
  labels: string[];
  bins: Interval[];
  value: number;
  answer: Answer | null;
}

/** Rows for disjoint selections, by bins of some axes. */
export function groupTotals(engine: Engine, boxes: Region, axes: number[], bins: Interval[][]): Row[] {
  const met = bins.map((list, i) => list.filter((bin) => boxes.some((box) => meets(bin, box[axes[i]]))));
  const count = met.reduce((product, list) => product * list.length, 1);
  if (count > MOST_ROWS) {
    const rows = count.toLocaleString("en-US");
    throw new CannotAsk(`that gives ${rows} rows; group by fewer attributes, or narrow them down first`);
  }
  const values = new Float64Array(count);
  for (const box of boxes) {
    engine.grid(axes, met, box, { within: true }).forEach((value, row) => {
      values[row] += value;
    });
  }
  const rows = Array.from(values, (value, row) => {
    const chosen = placesOf(row, met).map((place, i) => met[i][place]);
    const labels = chosen.map((bin, i) => engine.attributes[axes[i]].describeBin(bin));
    return { labels, bins: chosen, value, answer: null };
  });
  if (boxes.length === 1) return rows;
  return rows.filter(({ bins: chosen }) => boxes.some((box) => chosen.every((bin, i) => meets(bin, box[axes[i]]))));
}

function meets(bin: Interval, intervals: Intervals | undefined): boolean {
  return intervals === undefined || overlap([bin], intervals).length > 0;
}

/** Places in each list for a row, the last list fastest. */
function placesOf(row: number, lists: Interval[][]): number[] {
  const places: number[] = new Array(lists.length);
  let left = row;
  for (let i = lists.length - 1; i >= 0; i -= 1) {
    places[i] = left % lists[i].length;
    left = Math.floor(left / lists[i].length);
  }
  return places;
}
