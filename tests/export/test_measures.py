"""A database gives the sums and means of measures, as the library does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ripost
from ripost.schema.schema import Schema
from ripost.view import View, open_view
from tests.export.exporting import exported
from tests.vectors import measures, series_measures
from tests.vectors.make import FOLDER, read

FILES = {name: FOLDER / f"{name}.ripost.parquet" for name in measures.VIEWS} | {
    series_measures.NAME: series_measures.FILE
}
EACH = [25, pytest.param(1, marks=pytest.mark.slow)]  # one region in 25 is asked, or all of them
ENDS = ("", "_stderr", "_low", "_high")


@pytest.fixture(scope="module", params=FILES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def view(name: str) -> View:
    return open_view(FILES[name])


@pytest.fixture(scope="module")
def database(view: View, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with exported(view, tmp_path_factory.mktemp("database")) as connection:
        yield connection


def close(found: Any, wanted: Any) -> bool:
    if found is None or wanted is None:
        return found is wanted
    return bool(abs(found - wanted) <= 1e-9 * max(1.0, abs(wanted)))


@pytest.mark.parametrize("each", EACH)
def test_boxes_have_the_figures_of_the_vectors(name: str, view: View, database: Any, each: int) -> None:
    """The sum and the mean of a region are neighbors in the vectors, and one question here."""
    questions = [one for one in read(name) if len(one["boxes"]) == 1]
    pairs = list(zip(questions[::2], questions[1::2], strict=True))
    assert len(pairs) > 130
    for total, mean in pairs[::each]:
        given = ", ".join(
            f"{axis} := {[end for span in spans for end in span]}"
            for axis, spans in zip(view.domain.names, total["boxes"][0], strict=True)
            if spans is not None
        )
        measure = total["measure"]
        shown = ", ".join(f"{word}_{measure}{end}" for word in ("sum", "avg") for end in ENDS)
        [found] = database.execute(f"SELECT {shown} FROM ripost_{measure}({given})").fetchall()
        wanted = [one[figure] for one in (total, mean) for figure in ("value", "stderr", "low", "high")]
        assert [close(*both) for both in zip(found, wanted, strict=True)] == [True] * 8, (total, mean, found)


GROUPS = (
    ("delay", ["hour", "kind"], "place := ['a', 'b']", "place IN ('a', 'b')"),
    (
        "seats",
        ["place"],
        "hour := [6, 9], weight := [7.5, 22.25]",
        "hour BETWEEN 6 AND 9 AND weight BETWEEN 7.5 AND 22.25",
    ),
    ("loss", ["side"], "side := ['E'], kind := ['x']", "side = 'E' AND kind = 'x'"),
)
PERIODS = (
    ("delay", ["period", "kind"], "hour := [0, 5]", "hour BETWEEN 0 AND 5"),  # some are impossible
    ("seats", ["side"], "period := ['2026-02', '2026-04']", "period IN ('2026-02', '2026-04')"),
    ("loss", ["period"], "hour := [3, 21]", "hour BETWEEN 3 AND 21"),
)


@pytest.mark.parametrize("macro", ["by", "simultaneous"])
def test_groups_have_the_figures_of_the_library(name: str, view: View, database: Any, macro: str) -> None:
    for measure, by, given, where in GROUPS + (PERIODS if name == series_measures.NAME else ()):
        names = ", ".join(by)
        shown = ", ".join(f"{word}_{measure}{end}" for word in ("sum", "avg") for end in ("", "_low", "_high"))
        asked = ", ".join([str(by), *([given] if given else [])])
        found = database.execute(f"SELECT {names}, {shown} FROM flights_{measure}_{macro}({asked})").fetchall()
        source = "view(simultaneous)" if macro == "simultaneous" else "view"
        tables = [
            view.sql(f"SELECT {names}, {word}({measure}) FROM {source} WHERE {where} GROUP BY {names}").rows
            for word in ("SUM", "AVG")
        ]
        wanted = [(*one, *other[len(by) :]) for one, other in zip(*tables, strict=True)]
        assert [row[: len(by)] for row in found] == [row[: len(by)] for row in wanted] and wanted
        for row, theirs in zip(found, wanted, strict=True):
            assert all(close(*both) for both in zip(row[len(by) :], theirs[len(by) :], strict=True)), (row, theirs)


def test_a_view_without_measures_has_none_of_their_tables(tmp_path: Path) -> None:
    with exported(open_view(FOLDER / "mixture-rows.ripost.parquet"), tmp_path) as connection:
        schemas = connection.execute("SELECT DISTINCT schema_name FROM duckdb_tables()").fetchall()
    assert {name for (name,) in schemas} == {"main", "ripost"}


def test_names_of_the_machinery_are_free_for_dimensions(tmp_path: Path) -> None:
    """Dimensions called like columns of the macros, and a measure whose name is no identifier."""
    rng = np.random.default_rng(1)
    names = ["value", "noise", "_rest", "possible", "sum_total"]
    attributes = {name: {"type": "integer", "min": 0, "max": 2, "missing": "drop"} for name in names}
    measures = {"total": {"min": -10.0, "max": 20.0}, "odd name": {"column": "total", "min": 0.0, "max": 20.0}}
    schema = Schema.from_dict({"attributes": attributes, "measures": measures})
    table = pd.DataFrame({name: rng.integers(0, 3, 2000) for name in names} | {"total": rng.normal(3, 5, 2000)})
    view = ripost.publish(table, schema, epsilon=5, seed=2)
    with exported(view, tmp_path) as connection:
        for measure, ending in (("total", "_"), ("odd name", "")):
            shown = ", ".join(f'"{word}_{measure}{end}{ending}"' for word in ("sum", "avg") for end in ENDS[::2])
            macro = f"\"flights_{measure}_by\"(['value', 'noise'], _rest := [1, 2])"
            found = connection.execute(f"SELECT value, noise, {shown} FROM {macro}").fetchall()
            asked = f'SELECT value, noise, SUM("{measure}"), AVG("{measure}") FROM view'
            rows = view.sql(f'{asked} WHERE "_rest" BETWEEN 1 AND 2 GROUP BY value, noise').rows
            wanted = [(*row[:4], *row[5:7]) for row in rows]
            assert len(found) == 9
            for one, other in zip(found, wanted, strict=True):
                assert all(close(*both) for both in zip(one, other, strict=True)), (one, other)


def test_sums_where_no_row_can_lie_are_zero(tmp_path: Path) -> None:
    schema = Schema.from_dict(
        {
            "attributes": {name: {"type": "integer", "min": 0, "max": 3, "outside": "drop"} for name in "ab"},
            "impossible": ["a >= 2 and b = 0"],
            "measures": {"v": {"min": -20.0, "max": 60.0}},
        }
    )
    frame = pd.DataFrame({"a": [0, 1, 2, 3] * 50, "b": [0, 1, 2, 3, 1] * 40, "v": [5.0, 30.0] * 100})
    view = ripost.publish(frame, schema, epsilon=1, seed=2)
    with exported(view, tmp_path) as database:
        shown = ", ".join(f"{word}_v{end}" for word in ("sum", "avg") for end in ENDS)
        [none] = database.execute(f"SELECT {shown} FROM ripost_v(a := [2, 4], b := [0, 1])").fetchall()
        [some] = database.execute(f"SELECT {shown} FROM ripost_v(a := [2, 4])").fetchall()
    assert none == (0.0,) * 4 + (None,) * 4
    total, mean = view.sum("v", where="a >= 2"), view.mean("v", where="a >= 2")
    wanted = [getattr(one, figure) for one in (total, mean) for figure in ("value", "stderr", "low", "high")]
    assert all(map(close, some, wanted))
