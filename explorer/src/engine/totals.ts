// Totals: totals of bins in any order, from rows that want them in the order of their codes.

import type { Interval, Selection, Totals } from "./types.ts";

/** Totals of bins of an axis, all other axes kept to the selection. */
export function histogramOf(rows: Totals, axis: number, bins: Interval[], selection: Selection): Float64Array {
  const [inOrder, places] = sortBins(bins);
  const found = rows.histogram(axis, inOrder, selection);
  return places ? Float64Array.from(places, (place) => found[place]) : found;
}

/** Totals of combinations of bins, all other axes kept to the selection; `within`: those axes too. */
export function gridOf(
  rows: Totals,
  axes: number[],
  bins: Interval[][],
  selection: Selection,
  options?: { within?: boolean },
): Float64Array {
  const sorted = bins.map(sortBins);
  const inOrder = sorted.map(([list]) => list);
  const found = rows.grid(axes, inOrder, selection, options);
  if (sorted.every(([, places]) => places === null)) return found;
  return found.map((_, at) => {
    let [left, stride, from] = [at, 1, 0];
    for (let i = bins.length - 1; i >= 0; i -= 1) {
      const place = left % bins[i].length;
      from += (sorted[i][1]?.[place] ?? place) * stride;
      stride *= bins[i].length;
      left = Math.floor(left / bins[i].length);
    }
    return found[from];
  });
}

/** Bins in the order of their codes, and where each of the given ones is then; null if they are in order. */
function sortBins(bins: Interval[]): [Interval[], number[] | null] {
  if (bins.every((bin, i) => i === 0 || bins[i - 1][0] <= bin[0])) return [bins, null];
  const order = bins.map((_, i) => i).sort((a, b) => bins[a][0] - bins[b][0]);
  const places: number[] = new Array(bins.length);
  order.forEach((given, place) => {
    places[given] = place;
  });
  return [order.map((i) => bins[i]), places];
}
