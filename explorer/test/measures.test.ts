import assert from "node:assert/strict";
import { test } from "node:test";
import type { What } from "../src/engine/measured.ts";
import type { Figure } from "../src/engine/types.ts";
import { answerSql, assertAlike, assertClose, type Boxes, openView, type Question, read, regionOf } from "./views.ts";

interface MeasuredQuestion extends Figure {
  measure: string;
  what: What;
  boxes: Boxes;
}

for (const name of ["measures-mixture", "measures-blocks"]) {
  test(`${name}: sums and means, with their intervals`, async () => {
    const engine = await openView(name);
    const questions = read<MeasuredQuestion[]>(name);
    assert.ok(questions.length >= 400);
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
