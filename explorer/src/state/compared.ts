// Compared: the two selections that the page compares at first.

import type { Engine } from "../engine/engine.ts";
import { overlap } from "../engine/intervals.ts";
import type { Interval, Selection } from "../engine/types.ts";

/** Two selections to begin with: the two largest names of an attribute, or the halves of the first one. */
export function firstCompared(engine: Engine): [Selection, Selection] {
  const named = engine.attributes.find(({ ordered, count }) => !ordered && count > 1);
  if (named) {
    const [one, other] = engine.largestNames(named.axis);
    return [{ [named.axis]: [[one, one + 1]] }, { [named.axis]: [[other, other + 1]] }];
  }
  const { axis, count } = engine.attributes[0];
  const middle = Math.ceil(count / 2);
  const half = (span: Interval): Selection => ({ [axis]: overlap([span], [[0, count]]) });
  return [half([0, middle]), half([middle, count])];
}
