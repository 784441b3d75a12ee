// Question: the groups that keys cut a condition into, and what each of them selects (query/groups.py).

import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { overlap, restrictPart } from "../engine/intervals.ts";
import type { Answer, Interval, Intervals, Region, Selection } from "../engine/types.ts";
import type { Key } from "./key.ts";

const MOST_ROWS = 10_000;

/** A group: of each key which part, null where it stands for all; its total, and the answer once it is worked out. */
export interface Row {
  places: (number | null)[];
  value: number;
  answer: Answer | null;
}

export class Question {
  rows: Row[];

  /** The groups of some grouping sets, which list numbers of keys. */
  constructor(
    readonly engine: Engine,
    readonly where: Region,
    readonly keys: Key[],
    sets: number[][] = [keys.map((_, i) => i)],
  ) {
    this.rows = sets.flatMap((chosen) => this.groups([...new Set(chosen)].sort((a, b) => a - b)));
  }

  /** What a row selects; with `kept`, what it would if it were grouped by these keys alone. */
  region(row: Row, kept = this.keys.map((_, i) => i)): Region {
    let found = this.where;
    for (const key of kept) {
      const place = row.places[key];
      if (place === null) continue;
      const { parts, attribute } = this.keys[key];
      found = found.flatMap((box): Selection[] => {
        const left = restrictPart(parts[place], box[attribute.axis]);
        return left.length ? [{ ...box, [attribute.axis]: left }] : [];
      });
    }
    return found;
  }

  /** The total of a row, worked out when it is first asked for. */
  answer(row: Row): Answer {
    row.answer ??= this.engine.answer(this.region(row), row.value);
    return row.answer;
  }

  private groups(chosen: number[]): Row[] {
    const met = chosen.map((key) => this.meeting(this.keys[key]));
    const count = met.reduce((product, list) => product * list.length, 1);
    if (count > MOST_ROWS) {
      const rows = count.toLocaleString("en-US");
      throw new CannotAsk(`that gives ${rows} rows; group by fewer attributes, or narrow them down first`);
    }
    const rows = Array.from({ length: count }, (_, number): Row => {
      const places: Row["places"] = this.keys.map(() => null);
      let left = number;
      for (let i = chosen.length - 1; i >= 0; i -= 1) {
        places[chosen[i]] = met[i][left % met[i].length];
        left = Math.floor(left / met[i].length);
      }
      return { places, value: 0, answer: null };
    });
    const axes = chosen.map((key) => this.keys[key].attribute.axis);
    if (new Set(axes).size < axes.length)
      for (const row of rows) row.value = this.engine.answer(this.region(row)).value;
    else this.addTotals(rows, chosen, axes, met);
    const alone = this.where.length === 1 && new Set(axes).size === axes.length;
    return alone || chosen.length === 0 ? rows : rows.filter((row) => this.region(row).length > 0);
  }

  /** Numbers of the parts of a key that share something with the condition. */
  private meeting({ parts, attribute }: Key): number[] {
    const meets = (part: Intervals, { [attribute.axis]: held }: Selection) => !held || overlap(part, held).length > 0;
    return parts.flatMap((part, place) => (this.where.some((box) => meets(part, box)) ? [place] : []));
  }

  /** Add up the totals of all rows at once, from those of combinations of the intervals of parts. */
  private addTotals(rows: Row[], chosen: number[], axes: number[], met: number[][]): void {
    const pieces = chosen.map((key, i) =>
      met[i].flatMap((place, number) => this.keys[key].parts[place].map((bin): [Interval, number] => [bin, number])),
    );
    for (const box of this.where) {
      const bins = pieces.map((list) => list.map(([bin]) => bin));
      this.engine.grid(axes, bins, box, { within: true }).forEach((value, at) => {
        let [left, stride, row] = [at, 1, 0];
        for (let i = pieces.length - 1; i >= 0; i -= 1) {
          row += pieces[i][left % pieces[i].length][1] * stride;
          stride *= met[i].length;
          left = Math.floor(left / pieces[i].length);
        }
        rows[row].value += value;
      });
    }
  }
}
