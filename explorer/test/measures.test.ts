import assert from "node:assert/strict";
import { test } from "node:test";
import { questionOf } from "../src/ask/compose.ts";
import { query } from "../src/ask/query.ts";
import { scaleOf } from "../src/draw/scale.ts";
import { shadesOf } from "../src/draw/shades.ts";
import { headline } from "../src/draw/words.ts";
import type { What } from "../src/engine/measured.ts";
import type { Figure } from "../src/engine/types.ts";
import { fromHash, toHash } from "../src/state/hash.ts";
import { quantitiesOf, quantityOf, wordOf } from "../src/state/quantity.ts";
import { Store } from "../src/state/store.ts";
import { answerSql, assertAlike, assertClose, type Boxes, openView, type Question, read, regionOf } from "./views.ts";

interface MeasuredQuestion extends Figure {
  measure: string;
  what: What;
  boxes: Boxes;
}

for (const name of ["measures-mixture", "measures-blocks", "series-measures"]) {
  test(`${name}: sums and means, with their intervals`, async () => {
    const engine = await openView(name);
    const questions = read<MeasuredQuestion[]>(name);
    assert.ok(questions.length >= 320);
    for (const wanted of questions) {
      const measure = engine.measures.find((one) => one.name === wanted.measure);
      assert.ok(measure);
      const region = regionOf(wanted.boxes);
      const { value, stderr, ...found } = engine.measured(measure, wanted.what).answer(region);
      const known = (number: number | null) => (Number.isFinite(number) ? number : null);
      assertClose({ ...found, value: known(value), stderr: known(stderr) }, wanted, JSON.stringify(wanted));
    }
  });

  test(`${name}: SQL of measures`, async () => {
    const engine = await openView(name);
    for (const wanted of read<Question[]>(`${name}.sql`)) assertAlike(answerSql(engine, wanted.sql), wanted);
  });

  test(`${name}: values of bars and cells are those of the answers`, async () => {
    const engine = await openView(name);
    const [hours, places] = engine.attributes.slice(0, 2).map((one) => one.displayBins(Infinity).reverse());
    const kept = { 2: [[0, 2]] as [number, number][] };
    for (const measure of engine.measures) {
      for (const what of ["sum", "mean"] as const) {
        const asked = engine.measured(measure, what);
        const bars = asked.histogram(0, hours, kept);
        const cells = asked.grid([0, 1], [hours, places], kept);
        hours.forEach((hour, i) => {
          const answer = asked.answer({ ...kept, 0: [hour] });
          assertNear(bars[i], answer.value);
          places.forEach((place, j) => {
            assertNear(cells[i * places.length + j], asked.answer({ ...kept, 0: [hour], 1: [place] }).value);
          });
        });
      }
    }
  });
}

function assertNear(found: number, wanted: number): void {
  const near = Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted));
  assert.ok(near || (Number.isNaN(found) && Number.isNaN(wanted)), `${found} is not ${wanted}`);
}

test("a link and the SQL box keep what is shown", async () => {
  const engine = await openView("measures-blocks");
  const store = new Store(engine);
  const first = { ...store };
  assert.deepEqual(quantitiesOf(engine).map(wordOf).slice(0, 3), ["rows", "sum.delay", "mean.delay"]);
  for (const quantity of quantitiesOf(engine)) {
    store.choose("quantity", quantity);
    assert.deepEqual(fromHash(toHash(store, first), engine).quantity ?? null, quantity);
    const { columns } = query(engine, questionOf(engine, { 2: [[0, 1]] }, [1], quantity));
    const name = quantity && `${quantity.what === "sum" ? "sum" : "avg"}_${quantity.measure.name}`;
    assert.deepEqual(
      columns.map((column) => column.name),
      ["place", name ?? "count"],
    );
  }
  for (const wrong of ["rows", "mean", "mean.late", "median.delay"]) assert.equal(quantityOf(wrong, engine), null);
});

test("the headline has no more digits than the error allows, and its range holds the interval", async () => {
  const store = new Store(await openView("measures-blocks"));
  store.choose("quantity", quantityOf("mean.delay", store.engine));
  const says = (value: number, low: number, high: number) =>
    headline({ value, low, high, stderr: (high - low) / 4, reach: (high - low) / 2 }, store);
  assert.equal(says(6.553, 6.19, 6.9), "The mean of delay is about 6.6, give or take 0.41");
  assert.equal(says(-12.4, -14.2, -10.6), "The mean of delay is about -12, give or take 2.2");
  assert.equal(says(84, 70, 90), "The mean of delay is about 80, give or take 10");
  assert.equal(says(85, -30, 90), "Too few rows to tell the mean of delay");
  store.choose("quantity", quantityOf("sum.delay", store.engine));
  assert.equal(says(2143341, 2027440, 2259242), "The sum of delay is about 2,100,000, give or take 160,000");
});

test("a scale holds 0 and what is told, and leaves out means of too few rows", async () => {
  const engine = await openView("measures-blocks");
  const answer = (value: number, low: number, high: number) => ({ value, low, high, stderr: 1, reach: 1 });
  const [mean, sum, loss] = ["mean.delay", "sum.delay", "mean.loss"].map((word) => quantityOf(word, engine));
  assert.deepEqual(scaleOf([0, 0], null, null), { bottom: 0, top: 1 });
  assert.deepEqual(scaleOf([100, 50], [answer(100, 90, 120), answer(50, 0, 70)], null), { bottom: 0, top: 120 });
  const told = [answer(10, 5, 16), answer(-5, -8, 0)];
  assert.deepEqual(scaleOf([10, -5], told, mean), { bottom: -8, top: 16 });
  assert.deepEqual(scaleOf([10, -5, 90], [...told, answer(90, -30, 90)], mean), { bottom: -8, top: 16 });
  assert.deepEqual(scaleOf([90], [answer(90, -30, 90)], mean), { bottom: -30, top: 90 });
  assert.deepEqual(scaleOf([NaN], [answer(NaN, -8, -2)], loss), { bottom: -8, top: 0 });
  assert.deepEqual(scaleOf([-5], [answer(-5, -6, -4)], loss), { bottom: -6, top: 0 });
  assert.deepEqual(scaleOf([10, -10], null, sum), { bottom: -11.2, top: 11.2 });
});

test("cells are shaded from 0 by the square root, or from the least value to the largest", async () => {
  const engine = await openView("measures-blocks");
  const answer = (value: number, low: number, high: number) => ({ value, low, high, stderr: 1, reach: 1 });
  const rows = shadesOf(Float64Array.of(0, 25, 100), null, null);
  assert.deepEqual([0, 1, 2].map(rows.of), [0, 0.5, 1]);
  const values = Float64Array.of(-10, 0, 10, 90);
  const answers = [answer(-10, -12, -8), answer(0, -1, 1), answer(10, -20, 30), answer(90, -30, 90)];
  const means = shadesOf(values, answers, quantityOf("mean.delay", engine));
  assert.deepEqual(
    [0, 1, 2, 3].map((cell) => Number(means.of(cell).toFixed(2))),
    [0.06, 0.53, 1, 0],
  );
  assert.deepEqual(
    answers.slice(0, 3).map((one) => means.isLong(one)),
    [false, false, true],
  );
  assert.equal(shadesOf(values, null, quantityOf("mean.delay", engine)).of(1), 0);
});
