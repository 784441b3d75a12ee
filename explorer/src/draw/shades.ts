// Shades: how dark the cells of a map are, from their values.

import type { Quantity } from "../engine/measured.ts";
import type { Answer } from "../engine/types.ts";
import { isMean, isUntold, rangeOf } from "../state/quantity.ts";
import { formatCompact } from "./format.ts";

const PALEST = 0.06; // of what is drawn at all

export interface Shades {
  of(cell: number): number; // from 0 to 1
  words: string; // for the legend
  isLong({ value, low, high }: { value: number; low: number; high: number }): boolean; // an interval
  about: string; // such intervals
}

/** Shades by the square root where 0 is the least; otherwise from the least value to the largest. */
export function shadesOf(values: Float64Array, answers: Answer[] | null, quantity: Quantity): Shades {
  if (rangeOf(quantity)[0] >= 0 && !isMean(quantity)) {
    const most = Math.max(...values, 0);
    return {
      of: (cell) => (most > 0 ? Math.sqrt(Math.max(values[cell], 0) / most) : 0),
      words: `0 to ${formatCompact(most)} a cell, shaded by the square root`,
      isLong: ({ value, low, high }) => value >= 1 && high - low >= value,
      about: "the error is more than half the total",
    };
  }
  const told = Array.from(values.keys()).filter((cell) => isTold(cell));
  const [least, most] = [Math.min, Math.max].map((end) => end(...told.map((cell) => values[cell])));
  const kept = new Set(told);
  const blank = isMean(quantity) ? "; blank: too few rows to tell" : "";
  const isLong = isMean(quantity)
    ? ({ low, high }: { low: number; high: number }) => high - low >= most - least
    : ({ value, low, high }: { value: number; low: number; high: number }) => high - low >= Math.abs(value);
  return {
    of: (cell) => (kept.has(cell) ? PALEST + (1 - PALEST) * shareOf(values[cell]) : 0),
    words: told.length ? `${formatCompact(least)} to ${formatCompact(most)} a cell${blank}` : blank.slice(2),
    isLong,
    about: isMean(quantity)
      ? "the interval is longer than the range of shades"
      : "the error is more than half the total",
  };

  function isTold(cell: number): boolean {
    if (!isMean(quantity)) return true;
    if (Number.isNaN(values[cell])) return false; // no row can lie there
    return answers !== null && !isUntold(answers[cell], quantity);
  }

  function shareOf(value: number): number {
    return most > least ? (value - least) / (most - least) : 1;
  }
}
