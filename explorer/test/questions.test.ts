import assert from "node:assert/strict";
import { test } from "node:test";
import { figureOf } from "../src/ask/measures.ts";
import { query } from "../src/ask/query.ts";
import { isMeasure } from "../src/ask/result.ts";
import { CannotAsk } from "../src/engine/condition.ts";
import { openView, read } from "./views.ts";

type Cell = number | string | null;

interface Question {
  sql: string;
  refused?: true;
  columns?: string[];
  rows?: (Cell | Cell[])[][];
}

const view = await openView("questions");

/** What the page answers: keys as they are, measures as [value, low, high]; or that it refuses. */
function answer(sql: string): Question {
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

function isClose(found: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted) && Array.isArray(found))
    return found.length === wanted.length && wanted.every((one, i) => isClose(found[i], one));
  if (typeof found !== "number" || typeof wanted !== "number") return found === wanted;
  return Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
}

test("the page answers questions in SQL as the library does, or refuses as it does", () => {
  for (const wanted of read<Question[]>("questions")) {
    const found = answer(wanted.sql);
    const about = `${wanted.sql}\n${JSON.stringify(found).slice(0, 600)}\n${JSON.stringify(wanted).slice(0, 600)}`;
    assert.equal(found.refused, wanted.refused, about);
    assert.ok(isClose(found.columns, wanted.columns), about);
    assert.ok(isClose(found.rows, wanted.rows), about);
  }
});
