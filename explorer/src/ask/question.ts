// Question: the groups of one question, and what each of them selects.

import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { restrictBin } from "../engine/intervals.ts";
import type { Answer, Interval, Region, Selection } from "../engine/types.ts";
import { attributeOf } from "./boxes.ts";
import type { Row } from "./group_totals.ts";
import type { Term } from "./syntax.ts";

export class Question {
  /** `filtered` says that HAVING leaves out rows. */
  constructor(
    readonly engine: Engine,
    readonly boxes: Region,
    readonly group: Attribute[],
    readonly filtered = false,
  ) {}

  /** What a row selects; with `kept`, what it would if it were grouped by these keys alone. */
  parts(row: Row, kept: number[] = this.group.map((_, place) => place)): Region {
    const found = this.boxes.map((box) => {
      const part: Selection = { ...box };
      for (const place of kept) {
        const { axis } = this.group[place];
        part[axis] = restrictBin(row.bins[place], part[axis]);
      }
      return part;
    });
    return found.filter((part) => kept.every((place) => part[this.group[place].axis].length));
  }

  /** The total of a row, worked out when it is first asked for. */
  answer(row: Row): Answer {
    row.answer ??= this.engine.answer(this.parts(row), row.value);
    return row.answer;
  }

  /** Which key a term is. */
  place(term: Term, where: string): number {
    const place = term.name ? this.group.indexOf(attributeOf(term.name, this.engine)) : -1;
    if (place < 0) throw new CannotAsk(`${where} takes what stands in GROUP BY`);
    return place;
  }
}

/** The value of a key in a row, to compare and to sort by: a number, a text, or null if it is missing. */
export function keyValue(attribute: Attribute, [code]: Interval): number | string | null {
  if (code >= attribute.count) return attribute.other && code === attribute.count ? Infinity : null;
  return attribute.ordered ? attribute.edge(code) : attribute.names[code];
}

/** A text of the question as such a value. */
export function keyRead(attribute: Attribute, text: string): number | string {
  if (!attribute.ordered) return text;
  const tick = attribute.parse(text);
  if (tick === null) throw new CannotAsk(`${attribute.name}: cannot read '${text}' as ${attribute.type}`);
  return tick;
}
