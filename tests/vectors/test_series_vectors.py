"""Readers give the vectors of a series: the library, its archive and the page."""

from __future__ import annotations

import json

import pytest

from ripost.answering.content.buckets import BucketContent
from ripost.answering.content.matrix import MatrixContent
from ripost.answering.content.tree import TreeContent
from ripost.explore.packing import facts_of
from ripost.series import Series
from ripost.view import open_view
from tests.vectors.agreement import alike, close
from tests.vectors.compare import contrasts, region_of
from tests.vectors.make import FOLDER, answered, read
from tests.vectors.series import FILE, NAME, QUESTIONS, SQL, publish
from tests.vectors.sql import answer_sql


@pytest.fixture(scope="module")
def series() -> Series:
    found = open_view(FILE)
    assert isinstance(found, Series)
    return found


def test_the_archive_gives_the_vectors(series: Series) -> None:
    wanted = read(NAME)
    assert len(wanted) == QUESTIONS
    for found, one in zip(answered(series, [question["boxes"] for question in wanted]), wanted, strict=True):
        close(found, one, one["boxes"])
    pairs = [(one["one"], one["other"]) for one in read(f"{NAME}.contrasts")]
    alike(contrasts(series, pairs), read(f"{NAME}.contrasts"))
    alike(json.loads(json.dumps([answer_sql(series, sql) for sql in SQL])), read(f"{NAME}.sql"))
    page = json.loads((FOLDER / f"{NAME}.page.json").read_text("utf-8"))
    alike(json.loads(json.dumps(facts_of(series, title=NAME))), page)


def test_the_parts_are_of_every_kind(series: Series) -> None:
    contents = [part.content for part in series.parts]
    trees = [one for one in contents if isinstance(one, TreeContent)]
    assert sorted((one.mixture is not None, one.error_model is not None) for one in trees) == [
        (False, False),
        (False, True),
        (True, True),
        (True, True),
    ]
    assert any(isinstance(one, MatrixContent) for one in contents)
    assert any(isinstance(one, BucketContent) for one in contents)
    assert sum(question["low"] > 0 for question in read(NAME)) > 100


@pytest.mark.slow
def test_the_command_makes_the_series(series: Series) -> None:
    made = publish()
    for question in read(NAME)[::10]:
        region = region_of(question["boxes"])
        assert made.answer_region(region).value == pytest.approx(series.answer_region(region).value, rel=0.05, abs=20)
