// Mapped: a level, or what is derived from an attribute, asked for like an attribute (schema/mapped_attribute.py).

import { Attribute } from "./attribute.ts";
import type { MapFacts } from "./facts.ts";
import { merge } from "./intervals.ts";
import type { Intervals } from "./types.ts";

export class Mapped extends Attribute {
  readonly isLevel: boolean;
  readonly parts: Intervals[]; // positions on the axis of each group, those of other and missing values last

  constructor(
    facts: MapFacts,
    readonly of: Attribute,
  ) {
    const { other, missing, otherName, missingName, axis } = of;
    const count = facts.names.length;
    super(
      {
        name: facts.name,
        label: null,
        unit: null,
        type: "category",
        size: count + of.special.length,
        count,
        other,
        missing,
        otherName: facts.otherName ?? otherName,
        missingName: facts.missingName ?? missingName,
        names: facts.names,
      },
      axis,
    );
    this.isLevel = facts.level;
    this.parts = facts.parts;
  }

  override positions(intervals: Intervals): Intervals {
    return merge(intervals.flatMap(([low, high]) => this.parts.slice(low, high).flat()));
  }
}

/** Whether a level, or what is derived, is a function of an attribute or of a finer level. */
export function determines(known: Attribute, mapped: Mapped): boolean {
  if (!(known instanceof Mapped)) return known === mapped.of;
  if (known.of !== mapped.of) return false;
  const meets = (one: Intervals, other: Intervals) =>
    one.some(([low, high]) => other.some(([from, to]) => low < to && from < high));
  return known.parts.every((part) => mapped.parts.filter((one) => meets(part, one)).length === 1);
}
