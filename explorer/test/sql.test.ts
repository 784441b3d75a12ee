import assert from "node:assert/strict";
import { test } from "node:test";
import { questionOf } from "../src/ask/compose.ts";
import { query } from "../src/ask/query.ts";
import { CannotAsk } from "../src/engine/condition.ts";
import { ratio } from "../src/engine/contrast.ts";
import type { Engine } from "../src/engine/engine.ts";
import { runSteps } from "../src/engine/steps.ts";
import type { Figure, Region } from "../src/engine/types.ts";
import { assertClose, openView } from "./views.ts";

const view = await openView("mixture-rows");

/** The figures of the only row that a question gives. */
function figures(engine: Engine, sql: string): Figure[] {
  const { columns, rows } = query(engine, sql);
  assert.equal(rows.length, 1, sql);
  return columns.flatMap((column) => ("figure" in column ? [runSteps(column.figure(rows[0]))] : []));
}

test("a ratio of totals is the ratio of their regions", () => {
  const [late, all]: Region[] = [[{ 3: [[1, 2]], 2: [[0, 12]] }], [{ 2: [[0, 12]] }]];
  const [found] = figures(view, "SELECT COUNT(*) FILTER (WHERE late) / COUNT(*) FROM view WHERE hour < 12");
  assertClose(found, ratio(view, late, all), "the ratio");
});

test("numbers before and behind multiply", () => {
  const ways = [
    "100 * COUNT(*) FILTER (WHERE late) / COUNT(*)",
    "COUNT(*) FILTER (WHERE late) * 100.0 / COUNT(*)",
    "100 * (COUNT(*) FILTER (WHERE late) / COUNT(*))",
    "CAST(COUNT(*) FILTER (WHERE late) AS DOUBLE) / NULLIF(0.01 * COUNT(*), 0)",
  ];
  const [first, ...others] = figures(view, `SELECT ${ways.map((way, i) => `${way} AS m${i}`).join(", ")} FROM view`);
  for (const other of others) assertClose(other, first, "the percentage");
});

test("a total less itself is exactly 0", () => {
  const [{ value, low, high }] = figures(view, "SELECT COUNT(*) - COUNT(*) AS nothing FROM view WHERE hour = 7");
  assert.deepEqual([value, low, high], [0, 0, 0]);
});

test("the order of conditions does not matter", () => {
  const where = ["origin = 'JFK'", "hour < 9", "late"];
  const union = (parts: string[]) => `SELECT COUNT(*) FROM view WHERE delay IS NULL OR (${parts.join(" AND ")})`;
  const [first] = figures(view, union(where));
  const [other] = figures(view, union(where.reverse()));
  assertClose(other, first, "the union");
});

test("what cannot be asked is refused", () => {
  const refusals: Record<string, RegExp> = {
    "SELECT COUNT(*) FILTER (late) FROM view": /expected WHERE/,
    "SELECT COUNT(*) - 3 FROM view": /difference or the ratio of two totals/,
    "SELECT COUNT(*) / (0 * COUNT(*)) FROM view": /difference or the ratio of two totals/,
    "SELECT COUNT(*) + COUNT(*) FROM view": /join the conditions of one COUNT by OR/,
    "SELECT SUM(COUNT(*)) OVER () FROM view": /by itself; ask SHARE/,
    "SELECT NULLIF(COUNT(*), 1) FROM view": /ask for attributes in GROUP BY/,
    "SELECT COUNT(*) FROM view(sometimes)": /FROM view\(simultaneous\)/,
    "SELECT COUNT(*) FROM nowhere": /ask FROM view or "mixture-rows" or "mixture_rows"/,
    "SELECT COUNT(*) FROM view WHERE hour - 3 > 2": /compares an attribute with a value/,
    "SELECT CASE WHEN late THEN 1 END, COUNT(*) FROM view GROUP BY 1": /for each of its cases/,
    "SELECT SUM(n) FROM (SELECT origin, COUNT(*) AS n FROM view GROUP BY origin)": /over a result ask for its columns/,
  };
  for (const [sql, sentence] of Object.entries(refusals)) {
    assert.throws(
      () => query(view, sql),
      (error) => error instanceof CannotAsk && sentence.test(error.message),
      sql,
    );
  }
});

test("the question that filters ask selects what they keep", () => {
  const filters = { 0: [[1, 3]], 1: [[0, 4.5]], 2: [[6, 9]] } as const;
  const selection = Object.fromEntries(
    Object.entries(filters).map(([axis, spans]) => [axis, spans.map(([a, b]): [number, number] => [a, b])]),
  );
  const [found] = figures(view, questionOf(view, selection, []));
  assert.ok(Math.abs((found.value ?? 0) - view.answer(selection).value) < 1);
});
