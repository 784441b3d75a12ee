import { test } from "node:test";
import { answerSql, assertAlike, openView, type Question, read } from "./views.ts";

const view = await openView("questions");

test("the page answers questions in SQL as the library does, or refuses as it does", () => {
  for (const wanted of read<Question[]>("questions")) assertAlike(answerSql(view, wanted.sql), wanted);
});
