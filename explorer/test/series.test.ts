import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, ratio } from "../src/engine/contrast.ts";
import type { Facts } from "../src/engine/facts.ts";
import { overlap } from "../src/engine/intervals.ts";
import type { Figure, Interval, Selection } from "../src/engine/types.ts";
import { shownBins } from "../src/state/bins.ts";
import { Store } from "../src/state/store.ts";
import { answerSql, assertAlike, assertClose, type Boxes, openView, type Question, read, regionOf } from "./views.ts";

test("series: totals across periods and their intervals", async () => {
  const engine = await openView("series");
  const questions = read<(Figure & { boxes: Boxes })[]>("series");
  assert.ok(questions.length >= 300);
  for (const question of questions) {
    const region = regionOf(question.boxes);
    assertClose(engine.answer(region), question, JSON.stringify(question.boxes));
  }
});

test("series: differences and ratios", async () => {
  const engine = await openView("series");
  for (const wanted of read<{ one: Boxes; other: Boxes; difference: Figure; ratio: Figure }[]>("series.contrasts")) {
    const [one, other] = [regionOf(wanted.one), regionOf(wanted.other)];
    const about = JSON.stringify([wanted.one, wanted.other]);
    assertClose(difference(engine, one, other), wanted.difference, `difference of ${about}`);
    assertClose(ratio(engine, one, other), wanted.ratio, `ratio of ${about}`);
  }
});

test("series: SQL by period", async () => {
  const engine = await openView("series");
  for (const wanted of read<Question[]>("series.sql")) assertAlike(answerSql(engine, wanted.sql), wanted);
});

test("series: totals of charts are those of answers, whatever is selected", async () => {
  const engine = await openView("series");
  const [periods, wards] = [0, 2].map((axis) => engine.attributes[axis].displayBins(Infinity));
  const quarters: Interval[] = [
    [0, 3],
    [3, 6],
  ];
  const selections: Selection[] = [{}, { 0: [[1, 4]] }, { 0: [[2, 3]], 1: [[4, 10]] }, { 2: [[0, 2]] }];
  for (const kept of selections) {
    for (const [axes, bins] of [
      [[0], [periods]],
      [[0], [quarters]],
      [[2], [wards]],
      [
        [0, 2],
        [periods, wards],
      ],
      [
        [2, 0],
        [wards, quarters],
      ],
    ] as [number[], Interval[][]][]) {
      const cells = bins.reduce<Interval[][]>(
        (rows, list) => rows.flatMap((row) => list.map((bin) => [...row, bin])),
        [[]],
      );
      const free = Object.fromEntries(Object.entries(kept).filter(([axis]) => !axes.includes(Number(axis))));
      for (const [within, base] of [
        [false, free],
        [true, kept],
      ] as [boolean, Selection][]) {
        const found = engine.grid(axes, bins, kept, { within });
        assert.equal(found.length, cells.length);
        cells.forEach((cell, at) => {
          const parts = cell.map((bin, i) => (base[axes[i]] ? overlap(base[axes[i]], [bin]) : [bin]));
          const asked = Object.fromEntries(parts.map((part, i) => [axes[i], part]));
          const wanted = engine.answer({ ...base, ...asked });
          assertClose({ ...wanted, value: found[at] }, wanted, `${axes} at ${JSON.stringify(cell)}`);
        });
        if (axes.length === 1 && !within) assert.deepEqual(found, engine.histogram(axes[0], bins[0], kept));
      }
    }
  }
});

test("series: periods are shown in the order of time", async () => {
  const engine = await openView("series");
  const labels = read<Facts>("series.page").axes[0].names;
  const [period] = engine.attributes;
  const shown = shownBins(new Store(engine), period, 100).map(([low]) => period.describe(low));
  assert.deepEqual(shown, labels);
  assert.deepEqual([...shown].sort(), shown);
  const totals = engine.histogram(0, shownBins(new Store(engine), period, 100), {});
  assert.notDeepEqual(
    [...totals].sort((a, b) => b - a),
    [...totals],
  );
});
