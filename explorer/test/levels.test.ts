import assert from "node:assert/strict";
import { test } from "node:test";
import { INDEPENDENT } from "../src/engine/answer.ts";
import type { Figure } from "../src/engine/types.ts";
import { levelBins, printBin, shownLevel } from "../src/state/bins.ts";
import { fromHash, toHash } from "../src/state/hash.ts";
import { Store } from "../src/state/store.ts";
import { answerSql, assertAlike, assertClose, type Boxes, openView, type Question, read, regionOf } from "./views.ts";

for (const name of ["levels-mixture", "levels-blocks", "levels-noted"]) {
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
    const noted = questions.filter((question) => question.note).length;
    assert.ok(name === "levels-noted" ? noted > 30 && noted < 150 : name !== "levels-blocks" || noted === 0);
  });

  test(`${name}: SQL of levels and derived columns`, async () => {
    const engine = await openView(name);
    for (const wanted of read<Question[]>(`${name}.sql`)) assertAlike(answerSql(engine, wanted.sql), wanted);
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

test("groups have the note where most of them lies in blocks that they cut", async () => {
  const engine = await openView("levels-noted");
  const [place, sex, age, school] = [0, 1, 3, 4];
  const east = { [place]: [[0, 1]] as [number, number][] };
  assert.equal(engine.note([east], []), "");
  assert.equal(engine.note([{}], [age]), "");
  assert.equal(engine.note([east], [school]), INDEPENDENT);
  assert.equal(engine.note([{}], [age, school]), INDEPENDENT);
  assert.equal(engine.note([{}], [sex, 2]), ""); // blocks of one sex
  const old = await openView("levels-blocks");
  assert.equal(old.note([east], [school]), "");
});
