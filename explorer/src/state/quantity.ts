// Quantity: what charts, the headline and tables show: the number of rows, or the sum or the mean of a measure.

import type { Engine } from "../engine/engine.ts";
import type { Measure } from "../engine/measure.ts";
import type { Quantity } from "../engine/measured.ts";
import type { Figure } from "../engine/types.ts";

/** All that can be shown: rows first, then the sum and the mean of each measure. */
export function quantitiesOf({ measures }: Engine): Quantity[] {
  const each = (measure: Measure): Quantity[] => [
    { what: "sum", measure },
    { what: "mean", measure },
  ];
  return [null, ...measures.flatMap(each)];
}

/** A quantity as a word of a link, such as mean.delay. */
export function wordOf(quantity: Quantity): string {
  return quantity ? `${quantity.what}.${quantity.measure.name}` : "rows";
}

/** The quantity of a word; null if there is none. */
export function quantityOf(word: string, engine: Engine): Quantity {
  return quantitiesOf(engine).find((quantity) => wordOf(quantity) === word) ?? null;
}

/** Whether a quantity is drawn together with its errors: without them a mean of few rows says nothing. */
export function isMean(quantity: Quantity): boolean {
  return quantity?.what === "mean";
}

/** Whether there are too few rows to tell a mean: its interval is all of the range of the measure. */
export function isUntold({ low, high }: Figure, quantity: Quantity): boolean {
  if (quantity?.what !== "mean" || low === null || high === null) return false;
  return low <= quantity.measure.min && high >= quantity.measure.max;
}

/** The ends that a value of a quantity cannot pass. */
export function rangeOf(quantity: Quantity): [number, number] {
  if (!quantity) return [0, Infinity];
  const { what, measure } = quantity;
  if (what === "mean") return [measure.min, measure.max];
  return [measure.min >= 0 ? 0 : -Infinity, measure.max <= 0 ? 0 : Infinity];
}
