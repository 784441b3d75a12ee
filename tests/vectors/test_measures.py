"""Readers give the vectors of views with measures: the library, its file and the page's form of it."""

from __future__ import annotations

import json
import math

import pytest

from ripost.explore.packing import facts_of
from ripost.release.verify import verify_view
from ripost.view import open_view
from tests.vectors.agreement import alike, close
from tests.vectors.make import FOLDER, read
from tests.vectors.measures import REFUSED, VIEWS, all_questions, answer_questions, publish, questions_of, rows
from tests.vectors.sql import answer_sql


@pytest.mark.parametrize("name", VIEWS)
def test_the_file_gives_the_vectors(name: str) -> None:
    path, wanted = FOLDER / f"{name}.ripost.parquet", read(name)
    assert all(check.ok for check in verify_view(path))
    view = open_view(path)
    assert (view.content.mixture is not None) == (name == "measures-mixture")  # type: ignore[attr-defined]
    questions = questions_of(view)
    assert questions == [(one["measure"], one["what"], one["boxes"]) for one in wanted]
    for found, one in zip(answer_questions(view, questions), wanted, strict=True):
        close(found, one, one["measure"], one["what"], one["boxes"])
    page = json.loads((FOLDER / f"{name}.page.json").read_text("utf-8"))
    alike(json.loads(json.dumps(facts_of(view, title=name))), page)


@pytest.mark.parametrize("name", VIEWS)
def test_questions_in_sql(name: str) -> None:
    view, wanted = open_view(FOLDER / f"{name}.ripost.parquet"), read(f"{name}.sql")
    assert [one["sql"] for one in wanted] == all_questions()
    alike(json.loads(json.dumps([answer_sql(view, sql) for sql in all_questions()])), wanted)
    assert [one["sql"] for one in wanted if "refused" in one] == REFUSED


@pytest.mark.parametrize("name", VIEWS)
def test_the_questions_are_of_every_sort(name: str) -> None:
    found = read(name)
    assert len(found) >= 400
    assert sum(len(one["boxes"]) > 1 for one in found) > 50
    assert sum(one["what"] == "sum" and one["value"] < 0 for one in found) > 50
    means = [one for one in found if one["what"] == "mean"]
    assert any(one["value"] is None and one["stderr"] is None for one in means)  # no rows
    whole = {"delay": (-30, 90), "seats": (0, 300), "loss": (-8, -2)}
    unknown = [one for one in means if (one["low"], one["high"]) == whole[one["measure"]]]
    assert len(unknown) > 10 and len(means) - len(unknown) > 80


@pytest.mark.parametrize("name", VIEWS)
def test_the_answers_are_near_the_rows(name: str) -> None:
    """The vectors are of a view that tells something: most intervals of groups hold the sums of the rows."""
    view, table = open_view(FOLDER / f"{name}.ripost.parquet"), rows(VIEWS[name][0]).dropna(subset="delay")
    table = table.assign(delay=table["delay"].clip(-30, 90))
    held = [
        row["sum_delay_low"] <= table.loc[table["hour"] == row["hour"], "delay"].sum() <= row["sum_delay_high"]
        for row in view.sql("SELECT hour, SUM(delay) FROM view GROUP BY hour")
    ]
    assert sum(held) >= 20 and math.isfinite(view.sum("delay").high)


@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
def test_the_command_makes_the_views(name: str) -> None:
    view, stored = publish(name), open_view(FOLDER / f"{name}.ripost.parquet")
    for measure in view.measures:
        assert view.sum(measure).value == pytest.approx(stored.sum(measure).value, rel=0.05)
