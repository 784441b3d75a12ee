import assert from "node:assert/strict";
import { test } from "node:test";
import { answerSql, isClose, type Question } from "./sql_questions.ts";
import { openView, read } from "./views.ts";

const view = await openView("questions");

test("the page answers questions in SQL as the library does, or refuses as it does", () => {
  for (const wanted of read<Question[]>("questions")) {
    const found = answerSql(view, wanted.sql);
    const about = `${wanted.sql}\n${JSON.stringify(found).slice(0, 600)}\n${JSON.stringify(wanted).slice(0, 600)}`;
    assert.equal(found.refused, wanted.refused, about);
    assert.ok(isClose(found.columns, wanted.columns), about);
    assert.ok(isClose(found.rows, wanted.rows), about);
  }
});
