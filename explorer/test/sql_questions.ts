// Questions in SQL of the shared vectors, and what the page answers.

import { figureOf } from "../src/ask/measures.ts";
import { query } from "../src/ask/query.ts";
import { isMeasure } from "../src/ask/result.ts";
import { CannotAsk } from "../src/engine/condition.ts";
import type { Engine } from "../src/engine/engine.ts";

type Cell = number | string | null;

export interface Question {
  sql: string;
  refused?: true;
  columns?: string[];
  rows?: (Cell | Cell[])[][];
}

/** What the page answers: keys as they are, measures as [value, low, high]; or that it refuses. */
export function answerSql(engine: Engine, sql: string): Question {
  try {
    const { columns, rows } = query(engine, sql);
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

/** The same cells, numbers to 1e-9. */
export function isClose(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted) && Array.isArray(found))
    return found.length === wanted.length && wanted.every((one, i) => isClose(found[i], one));
  if (typeof found !== "number" || typeof wanted !== "number") return found === wanted;
  return Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}
