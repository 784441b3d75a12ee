// Dependence: how far two attributes are from independent, as the view tells it.

import type { Attribute } from "./attribute.ts";
import type { Engine } from "./engine.ts";
import type { Interval } from "./types.ts";

const BINS = 10; // along an axis
const MOST_PAIRS = 60;
const MOST_WORK = 2_000_000; // rows of the view that are looked at, over all pairs

/** The two axes that depend on each other most, the one with more codes first; null if there is one axis alone.
 *
 * Of a view with measured pairs these alone are looked at: others come out as independent. `except` is left out, unless
 * it is all there is.
 */
export function mostDependent(engine: Engine, except: number[] | null): [number, number] | null {
  const all = candidates(engine);
  const others = all.filter((pair) => !except || pair.some((axis) => !except.includes(axis)));
  const most = Math.max(1, Math.min(MOST_PAIRS, Math.floor(MOST_WORK / engine.facts.rows)));
  const pairs = (others.length ? others : all).slice(0, most);
  let found: [number, number] | null = null;
  let strongest = -1;
  for (const pair of pairs) {
    const strength = distance(engine, pair);
    if (strength > strongest) [found, strongest] = [pair, strength];
  }
  const codes = (axis: number) => engine.attributes[axis].count;
  return found && codes(found[0]) < codes(found[1]) ? [found[1], found[0]] : found;
}

function candidates(engine: Engine): [number, number][] {
  const measured = engine.measuredPairs;
  if (measured.length) return measured;
  const axes = engine.attributes.map(({ axis }) => axis);
  return axes.flatMap((i) => axes.slice(i + 1).map((j): [number, number] => [i, j]));
}

/** Half the sum of differences between the shares of cells and the products of the shares of their sides: from 0 for
 * independent attributes up to 1.
 */
function distance(engine: Engine, axes: [number, number]): number {
  const bins = axes.map((axis) => coarseBins(engine, engine.attributes[axis]));
  const counts = engine.grid(axes, bins, {}).map((value) => Math.max(value, 0));
  const total = counts.reduce((sum, value) => sum + value, 0);
  if (!(total > 0)) return 0;
  const width = bins[1].length;
  const [across, up] = bins.map((list) => new Float64Array(list.length));
  counts.forEach((value, place) => {
    across[Math.floor(place / width)] += value / total;
    up[place % width] += value / total;
  });
  const difference = (value: number, place: number) =>
    Math.abs(value / total - across[Math.floor(place / width)] * up[place % width]);
  return counts.reduce((sum, value, place) => sum + difference(value, place), 0) / 2;
}

function coarseBins(engine: Engine, attribute: Attribute): Interval[] {
  if (attribute.ordered) return attribute.displayBins(BINS);
  return engine
    .largestNames(attribute.axis)
    .slice(0, BINS)
    .map((code): Interval => [code, code + 1]);
}
