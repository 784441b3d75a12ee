"""The shared vectors are what the library answers, by its file, when made anew, and by the plain formulas."""

from __future__ import annotations

from typing import Any

import pytest

from ripost.view.file import open_view
from ripost.view.verify import verify_view
from tests.vectors.make import COUNT, FOLDER, VIEWS, answered, read, vectors
from tests.view.making import blocks_of
from tests.view.plain_regions import plain_answer

FIGURES = ("value", "stderr", "low", "high")


def same(found: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    assert len(found) == len(wanted) == COUNT
    for one, other in zip(found, wanted, strict=True):
        assert (one["boxes"], one["note"]) == (other["boxes"], other["note"])
        for name in FIGURES:
            assert one[name] == pytest.approx(other[name], rel=1e-9, abs=1e-9), one["boxes"]


@pytest.mark.parametrize("name", VIEWS)
def test_the_file_gives_the_vectors(name: str) -> None:
    path, wanted = FOLDER / f"{name}.ripost.parquet", read(name)
    assert all(check.ok for check in verify_view(path))
    same(answered(open_view(path), [question["boxes"] for question in wanted]), wanted)


@pytest.mark.parametrize("name", VIEWS)
def test_the_command_makes_the_vectors(name: str) -> None:
    same(vectors(name).questions, read(name))


@pytest.mark.parametrize("name", VIEWS)
def test_the_formulas_give_the_vectors(name: str) -> None:
    """Some of the questions by plain loops, before the least width of an interval comes in."""
    view = VIEWS[name]()
    for question in read(name)[::40]:
        region = tuple(
            {axis: [(low, high) for low, high in spans] for axis, spans in enumerate(box) if spans is not None}
            for box in question["boxes"]
        )
        plain = plain_answer(blocks_of(view), region)
        assert (plain.value, plain.stderr) == pytest.approx((question["value"], question["stderr"]), rel=1e-9)
        assert question["high"] - question["low"] >= view.shortest * (1 - 1e-12) or plain.stderr == 0
        assert plain.note == question["note"]


@pytest.mark.parametrize("name", VIEWS)
def test_the_questions_are_of_every_sort(name: str) -> None:
    found = read(name)
    unions = [question for question in found if len(question["boxes"]) > 1]
    ends = [
        [end for box in question["boxes"] for spans in box if spans for span in spans for end in span]
        for question in found
    ]
    assert len(unions) > 100 and sum(any(end % 1 for end in one) for one in ends) > 200
    assert sum(question["note"] != "" for question in found) > 50
    assert sum(question["low"] > 0 for question in found) > 100
