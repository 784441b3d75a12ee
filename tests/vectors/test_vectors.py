"""The shared vectors are what the library answers, by its file, when made anew, and by the plain formulas."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ripost.explore.packing import facts_of
from ripost.release.verify import verify_view
from ripost.view import open_view
from tests.answering.making import blocks_of
from tests.answering.plain_regions import plain_answer
from tests.vectors.agreement import alike, close
from tests.vectors.compare import FIGURES, GROUPS, contrasts, groups, region_of, values_between
from tests.vectors.make import COUNT, FOLDER, VIEWS, answered, pairs_of, read, vectors
from tests.vectors.sql import NAME, REFUSED, all_questions, answer_sql


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
        plain = plain_answer(blocks_of(view), region_of(question["boxes"]))
        assert (plain.value, plain.stderr) == pytest.approx((question["value"], question["stderr"]), rel=1e-9)
        assert question["high"] - question["low"] >= view.min_interval_width * (1 - 1e-12) or plain.stderr == 0
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


@pytest.mark.parametrize("name", VIEWS)
def test_differences_and_ratios(name: str) -> None:
    view, wanted = open_view(FOLDER / f"{name}.ripost.parquet"), read(f"{name}.contrasts")
    pairs = [(one["one"], one["other"]) for one in wanted]
    assert pairs == pairs_of(read(name))
    for found, one in zip(contrasts(view, pairs), wanted, strict=True):
        for what in ("difference", "ratio"):
            close(found[what], one[what], what, one["one"], one["other"])
    assert sum(one["ratio"]["high"] is None for one in wanted) > 20  # the second total may be 0
    assert sum(one["one"] == one["other"] for one in wanted) == 5


@pytest.mark.parametrize("name", VIEWS)
def test_simultaneous_intervals_of_groups(name: str) -> None:
    view, wanted = open_view(FOLDER / f"{name}.ripost.parquet"), read(f"{name}.groups")
    for found, one in zip(groups(view), wanted, strict=True):
        assert (found["by"], found["where"]) == (one["by"], one["where"])
        for row, other in zip(found["rows"], one["rows"], strict=True):
            assert row["codes"] == other["codes"]
            close(row, other, one["by"], row["codes"])


@pytest.mark.parametrize(("by", "where"), GROUPS)
def test_groupby_has_the_simultaneous_intervals(by: list[int], where: dict[int, tuple[float, float]]) -> None:
    """The public function gives them: the vectors ask regions one by one."""
    view = open_view(FOLDER / "mixture-rows.ripost.parquet")
    domain = view.domain
    kept = {domain.names[axis]: values_between(domain, axis, *ends) for axis, ends in where.items()}
    table = view.groupby(*(domain.names[axis] for axis in by), simultaneous=True, **kept)
    [wanted] = [one["rows"] for one in read("mixture-rows.groups") if one["by"] == by]
    figures = [[row["value"], row["low"], row["high"]] for row in wanted]
    np.testing.assert_allclose([row[-3:] for row in table.rows], figures, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", [*VIEWS, NAME])
def test_the_page_holds_the_view(name: str) -> None:
    """Readers of the page's form of a view have the release file's view, whatever zlib packed it."""
    view = open_view(FOLDER / f"{name}.ripost.parquet")
    stored = json.loads((FOLDER / f"{name}.page.json").read_text("utf-8"))
    alike(json.loads(json.dumps(facts_of(view, title=name))), stored)


def test_questions_in_sql() -> None:
    """Everyone who answers SQL gives these columns and figures, or refuses."""
    view, wanted = open_view(FOLDER / f"{NAME}.ripost.parquet"), read(NAME)
    assert [one["sql"] for one in wanted] == all_questions()
    for one in wanted:
        _alike_cells(answer_sql(view, one["sql"]), one)
    assert {one["sql"] for one in wanted if "refused" in one} >= set(REFUSED)
    assert sum("refused" in one for one in wanted) < len(REFUSED) + 30


def _alike_cells(found: Any, wanted: Any) -> None:
    """The same cells; numbers to 1e-9, and moments to a millisecond."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        for key in wanted:
            _alike_cells(found[key], wanted[key])
    elif isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            _alike_cells(one, other)
    else:
        assert found == (pytest.approx(wanted, rel=1e-9, abs=1e-9) if isinstance(wanted, float) else wanted)
