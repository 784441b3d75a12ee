// The shared vectors of tests/vectors: views as the page holds them, and questions with the answers of the library.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { figureOf } from "../src/ask/measures.ts";
import { query } from "../src/ask/query.ts";
import { isMeasure } from "../src/ask/result.ts";
import { CannotAsk } from "../src/engine/condition.ts";
import { Engine } from "../src/engine/engine.ts";
import type { Facts } from "../src/engine/facts.ts";
import type { Figure, Intervals, Region, Selection } from "../src/engine/types.ts";

export const VIEWS = ["mixture-rows", "mixture-sums"];

/** Boxes of the vectors: of each attribute null where it is free, else intervals. */
export type Boxes = (Intervals | null)[][];

/** A file of tests/vectors. */
export function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../tests/vectors/${name}.json`, import.meta.url), "utf-8"));
}

export function openView(name: string): Promise<Engine> {
  return Engine.open(read<Facts>(`${name}.page`));
}

export function regionOf(boxes: Boxes): Region {
  return boxes.map((box) => {
    const found: Selection = {};
    box.forEach((intervals, axis) => {
      if (intervals) found[axis] = intervals;
    });
    return found;
  });
}

/** The same figures to 1e-9; null in one where it is null in the other. */
export function assertClose(found: Figure, wanted: Figure, about: string): void {
  assert.equal(found.note ?? "", wanted.note ?? "", about);
  for (const end of ["value", "stderr", "low", "high"] as const) {
    const [mine, theirs] = [found[end] ?? null, wanted[end] ?? null];
    const close =
      mine === null || theirs === null
        ? mine === theirs
        : Math.abs(mine - theirs) <= 1e-9 * Math.max(1, Math.abs(theirs));
    assert.ok(close, `${about}: ${end} is ${mine}, not ${theirs}`);
  }
}

type Cell = number | string | null;

/** A question in SQL with its answer: keys as they are, measures as [value, low, high]; or that it is refused. */
export interface Question {
  sql: string;
  refused?: true;
  columns?: string[];
  rows?: (Cell | Cell[])[][];
}

/** What the page answers. */
export function answerSql(view: Engine, sql: string): Question {
  try {
    const { columns, rows } = query(view, sql);
    const cells = rows.map((row) =>
      columns.map((column): Cell | Cell[] => {
        if (!isMeasure(column)) return column.key(row);
        const { value, low, high } = figureOf(column, row);
        return [value, low, high];
      }),
    );
    return { sql, columns: columns.map(({ name }) => name), rows: cells };
  } catch (error) {
    if (!(error instanceof CannotAsk)) throw error;
    return { sql, refused: true };
  }
}

/** The same columns and cells, numbers to 1e-9. */
export function assertAlike(found: Question, wanted: Question): void {
  const about = `${wanted.sql}\n${JSON.stringify(found).slice(0, 600)}\n${JSON.stringify(wanted).slice(0, 600)}`;
  assert.equal(found.refused, wanted.refused, about);
  assert.ok(isClose(found.columns, wanted.columns), about);
  assert.ok(isClose(found.rows, wanted.rows), about);
}

function isClose(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted) && Array.isArray(found))
    return found.length === wanted.length && wanted.every((one, i) => isClose(found[i], one));
  if (typeof found !== "number" || typeof wanted !== "number") return found === wanted;
  return Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}
