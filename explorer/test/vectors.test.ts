import assert from "node:assert/strict";
import { test } from "node:test";
import { query } from "../src/ask/query.ts";
import { difference, ratio } from "../src/engine/contrast.ts";
import { runSteps } from "../src/engine/steps.ts";
import type { Figure, Interval, Selection } from "../src/engine/types.ts";
import { assertClose, type Boxes, openView, read, regionOf, VIEWS } from "./views.ts";

interface Contrast {
  one: Boxes;
  other: Boxes;
  difference: Figure;
  ratio: Figure;
}

interface Grouped {
  by: number[];
  where: { [axis: string]: Interval };
  rows: (Figure & { codes: number[] })[];
}

for (const name of VIEWS) {
  test(`${name}: totals and their intervals`, async () => {
    const engine = await openView(name);
    const questions = read<(Figure & { boxes: Boxes })[]>(name);
    assert.ok(questions.length >= 1000);
    for (const question of questions)
      assertClose(engine.answer(regionOf(question.boxes)), question, JSON.stringify(question.boxes));
  });

  test(`${name}: differences and ratios`, async () => {
    const engine = await openView(name);
    for (const wanted of read<Contrast[]>(`${name}.contrasts`)) {
      const [one, other] = [regionOf(wanted.one), regionOf(wanted.other)];
      const about = JSON.stringify([wanted.one, wanted.other]);
      assertClose(difference(engine, one, other), wanted.difference, `difference of ${about}`);
      assertClose(ratio(engine, one, other), wanted.ratio, `ratio of ${about}`);
    }
  });

  test(`${name}: simultaneous intervals of groups`, async () => {
    const engine = await openView(name);
    for (const { by, where, rows } of read<Grouped[]>(`${name}.groups`)) {
      const together = engine.jointly(rows.length);
      const kept: Selection = Object.fromEntries(Object.entries(where).map(([axis, ends]) => [axis, [ends]]));
      for (const row of rows) {
        const bins = row.codes.map((code, i): Interval => {
          const [low, high] = where[by[i]] ?? [code, code + 1];
          return [Math.max(low, code), Math.min(high, code + 1)];
        });
        assertClose(together.answer(together.narrowed(kept, by, bins)), row, `${by} at ${row.codes}`);
      }
    }
  });

  test(`${name}: the same by SQL`, async () => {
    const engine = await openView(name);
    const { measure } = engine.facts;
    for (const { by, where, rows } of read<Grouped[]>(`${name}.groups`)) {
      const names = by.map((axis) => engine.attributes[axis].name).join(", ");
      const conditions = Object.entries(where).map(([axis, [low, high]]) => condition(Number(axis), low, high));
      const filter = conditions.length ? `WHERE ${conditions.join(" AND ")}` : "";
      const sql = `SELECT ${names}, ${measure} AS total FROM view(simultaneous) ${filter} GROUP BY ${names}`;
      const found = query(engine, sql);
      const total = found.columns[by.length];
      assert.ok("figure" in total);
      assert.equal(found.rows.length, rows.length, sql);
      found.rows.forEach((row, i) => {
        assertClose(runSteps(total.figure(row)), rows[i], `${sql} at ${row.places}`);
      });
    }

    function condition(axis: number, low: number, high: number): string {
      const attribute = engine.attributes[axis];
      if (attribute.ordered)
        return `${attribute.name} BETWEEN ${attribute.tickAt(low)} AND ${attribute.tickAt(high) - 1}`;
      return `${attribute.name} IN (${attribute.names.slice(low, high).map((value) => `'${value}'`)})`;
    }
  });
}
