"""Readers give the vectors of a series with measures: the library, its archive and the page's form of it."""

from __future__ import annotations

import json

import pytest

from ripost.answering.content.tree import TreeContent
from ripost.explore.packing import facts_of
from ripost.series import Series
from ripost.view import open_view
from tests.vectors.agreement import alike, close
from tests.vectors.make import FOLDER, read
from tests.vectors.measures import answer_questions
from tests.vectors.series_measures import FILE, NAME, SQL, publish, questions_of
from tests.vectors.sql import answer_sql


@pytest.fixture(scope="module")
def series() -> Series:
    found = open_view(FILE)
    assert isinstance(found, Series)
    return found


def test_the_archive_gives_the_vectors(series: Series) -> None:
    wanted, questions = read(NAME), questions_of(series)
    assert questions == [(one["measure"], one["what"], one["boxes"]) for one in wanted]
    for found, one in zip(answer_questions(series, questions), wanted, strict=True):
        close(found, one, one["measure"], one["what"], one["boxes"])
    alike(json.loads(json.dumps([answer_sql(series, sql) for sql in SQL])), read(f"{NAME}.sql"))
    page = json.loads((FOLDER / f"{NAME}.page.json").read_text("utf-8"))
    alike(json.loads(json.dumps(facts_of(series, title=NAME))), page)


def test_the_questions_are_of_every_sort(series: Series) -> None:
    contents = [part.content for part in series.parts]
    assert [isinstance(one, TreeContent) and one.mixture is not None for one in contents] == [True, False, True, False]
    found = read(NAME)
    periods = [one["boxes"] and one["boxes"][0][0] for one in found]
    assert periods.count(None) > 30 and sum(spans not in (None, []) for spans in periods) > 150
    assert sum(len(one["boxes"]) > 1 for one in found) > 20
    assert sum((one["value"], one["low"], one["high"]) == (0, 0, 0) for one in found) >= 4  # impossible cells
    sums = [one for one in found if one["what"] == "sum"]
    assert all(one["low"] <= one["value"] <= one["high"] for one in sums)
    assert sum(one["value"] < 0 for one in sums if one["measure"] == "seats") > 0
    told = [one for one in found if one["what"] == "mean" and one["low"] not in (-30, 0, -8)]
    assert len(told) > 30


@pytest.mark.slow
def test_the_command_makes_the_series(series: Series) -> None:
    made = publish()
    for name in series.measures:
        assert made.sum(name).value == pytest.approx(series.sum(name).value, rel=0.05)
