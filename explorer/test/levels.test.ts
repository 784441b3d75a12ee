import assert from "node:assert/strict";
import { test } from "node:test";
import { figureOf } from "../src/ask/measures.ts";
import { query } from "../src/ask/query.ts";
import { isMeasure } from "../src/ask/result.ts";
import { CannotAsk } from "../src/engine/condition.ts";
import type { Figure } from "../src/engine/types.ts";
import { levelBins, printBin, shownLevel } from "../src/state/bins.ts";
import { fromHash, toHash } from "../src/state/hash.ts";
import { Store } from "../src/state/store.ts";
import { assertClose, type Boxes, openView, read, regionOf } from "./views.ts";

type Cell = number | string | null;

interface Question {
  sql: string;
  refused?: true;
  columns?: string[];
  rows?: (Cell | Cell[])[][];
}

for (const name of ["levels-mixture", "levels-blocks"]) {
  test(`${name}: totals, with [0, 0] in impossible cells`, async () => {
    const engine = await openView(name);
    const questions = read<(Figure & { boxes: Boxes })[]>(name);
    let zeros = 0;
    for (const question of questions) {
      const found = engine.answer(regionOf(question.boxes));
      assertClose(found, question, JSON.stringify(question.boxes));
      if (question.high === 0) {
        assert.deepEqual([found.value, found.low, found.high], [0, 0, 0]);
        zeros += 1;
      }
    }
    assert.ok(zeros > 30);
  });

  test(`${name}: SQL of levels and derived columns`, async () => {
    const engine = await openView(name);
    for (const wanted of read<Question[]>(`${name}.sql`)) {
      try {
        const { columns, rows } = query(engine, wanted.sql);
        assert.deepEqual(
          columns.map((column) => column.name),
          wanted.columns,
          wanted.sql,
        );
        assert.equal(rows.length, wanted.rows?.length, wanted.sql);
        rows.forEach((row, i) => {
          columns.forEach((column, j) => {
            const cell = wanted.rows?.[i][j];
            if (!isMeasure(column)) {
              assert.equal(column.key(row), cell, wanted.sql);
              return;
            }
            const { value, low, high } = figureOf(column, row);
            [value, low, high].forEach((one, k) => {
              const other = (cell as Cell[])[k];
              assert.ok(
                Math.abs(Number(one) - Number(other)) <= 1e-9 * Math.max(1, Math.abs(Number(other))),
                wanted.sql,
              );
            });
          });
        });
      } catch (error) {
        if (!(error instanceof CannotAsk)) throw error;
        assert.ok(wanted.refused, `${wanted.sql}: ${error.message}`);
      }
    }
  });
}

test("a chart drills down from a level to what is selected, and a link keeps it", async () => {
  const engine = await openView("levels-blocks");
  const store = new Store(engine);
  const [place] = engine.attributes;
  const first = { ...store };
  store.choose("grains", { 0: { unit: "region", window: null } });
  const level = shownLevel(store, place);
  const names = levelBins(store, place)?.map((bin) => printBin(place, bin, level));
  assert.deepEqual(names, ["East", "West", "(other)", "(missing)"]);
  store.choose("grains", { 0: { unit: "state", window: [0, 4] } });
  assert.deepEqual(
    levelBins(store, place)?.map((bin) => printBin(place, bin, shownLevel(store, place))),
    ["NY", "NJ", "MA", "(other)", "(missing)"],
  );
  assert.deepEqual(fromHash(toHash(store, first), engine).grains, { 0: { unit: "state", window: [0, 4] } });
});
