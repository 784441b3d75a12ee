"""A database gives the shared vectors in SQL, as every reader of a view must."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ripost.view import open_view
from tests.export.exporting import exported
from tests.marks import slow
from tests.vectors.compare import values_between
from tests.vectors.make import FOLDER, VIEWS, read

EACH = [60, slow(1)]  # one question in 60 is asked, or all of them


def boxes_of(name: str) -> list[dict[str, Any]]:
    """Questions of one box, which is what a macro can ask."""
    return [question for question in read(name) if len(question["boxes"]) == 1]


@pytest.mark.parametrize("each", EACH)
@pytest.mark.parametrize("name", VIEWS)
def test_boxes_have_the_figures_of_the_vectors(name: str, each: int, tmp_path: Path) -> None:
    view, questions = open_view(FOLDER / f"{name}.ripost.parquet"), boxes_of(name)
    assert len(questions) > 800
    measure = "sum_fare" if view.measure.column else "count"
    shown = ", ".join(f"{measure}{end}" for end in ("", "_stderr", "_low", "_high", "_note"))
    with exported(view, tmp_path) as connection:
        for question in questions[::each]:
            given = ", ".join(
                f"{name} := {[end for span in spans for end in span]}"
                for name, spans in zip(view.domain.names, question["boxes"][0], strict=True)
                if spans is not None
            )
            [(*figures, note)] = connection.execute(f"SELECT {shown} FROM ripost_count({given})").fetchall()
            for found, figure in zip(figures, ("value", "stderr", "low", "high"), strict=True):
                assert abs(found - question[figure]) <= 1e-9 * max(1.0, abs(question[figure])), (given, figure)
            assert note == question["note"], given


@pytest.mark.parametrize("name", VIEWS)
def test_simultaneous_intervals_of_groups(name: str, tmp_path: Path) -> None:
    view = open_view(FOLDER / f"{name}.ripost.parquet")
    names = view.domain.names
    measure = "sum_fare" if view.measure.column else "count"
    shown = ", ".join(f"{measure}{end}" for end in ("", "_stderr", "_low", "_high", "_note"))
    with exported(view, tmp_path) as connection:
        for question in read(f"{name}.groups"):
            given = [str([names[axis] for axis in question["by"]])]
            for axis, (low, high) in question["where"].items():
                given.append(f"{names[int(axis)]} := {list(values_between(view.domain, int(axis), low, high))}")
            rows = connection.execute(f"SELECT {shown} FROM flights_simultaneous({', '.join(given)})").fetchall()
            for row, wanted in zip(rows, question["rows"], strict=True):
                for found, figure in zip(row, ("value", "stderr", "low", "high"), strict=False):
                    assert found == pytest.approx(wanted[figure], rel=1e-9, abs=1e-9), (given, wanted["codes"], figure)
                assert row[-1] == wanted["note"]


def test_pairs_of_codes_that_do_not_rise_are_refused(tmp_path: Path) -> None:
    view = open_view(FOLDER / "mixture-rows.ripost.parquet")
    with exported(view, tmp_path) as connection:
        for given in ("[6, 10, 8, 20]", "[6, 10, 12]"):
            with pytest.raises(Exception, match="hour needs pairs of codes that rise"):
                connection.execute(f"FROM ripost_count(hour := {given})").fetchall()
        assert connection.execute("SELECT count FROM ripost_count(hour := [7, 7])").fetchall() == [(0.0,)]
