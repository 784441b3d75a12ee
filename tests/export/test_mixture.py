"""Exports of a view with a mixture give its answers, errors and notes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import openpyxl
import pytest

from ripost.answering.answer import UNMEASURED
from ripost.schema.domain import Domain
from ripost.view import View, open_view
from tests.answering.mixing import mixed_view
from tests.export.exporting import exported, same
from tests.marks import slow

FIGURES = "count, count_stderr, count_low, count_high"
VIEWS: dict[str, dict[str, Any]] = {
    "all pairs measured": {},
    "few pairs measured": {"unmeasured": ((0, 1), (0, 2), (1, 2), (0, 3))},
    "no density": {"density": None, "unmeasured": ((0, 1),)},
    "one component": {"components": 1},
    "an axis of one code": {"shape": (12, 1, 7, 5), "unmeasured": ((0, 2),)},
    "large rows": {"row_bound": 3.5, "total": 90_000.0},
}


@pytest.mark.parametrize("boxes", [6, slow(40)])
@pytest.mark.parametrize("kind", [slow(kind) if kind in ("one component", "large rows") else kind for kind in VIEWS])
def test_boxes_and_groups_are_the_answers_of_the_library(kind: str, boxes: int, tmp_path: Path) -> None:
    view, rng, notes = mixed_view(**VIEWS[kind]), np.random.default_rng(1), set()  # six boxes get both notes
    names, shape = view.domain.names, view.domain.shape
    with exported(view, tmp_path) as connection:
        for _ in range(boxes):
            ends = {}
            for axis in np.flatnonzero(rng.random(len(shape)) < 0.6).tolist():
                between = rng.uniform(0, shape[axis], 2)
                low, high = np.sort(between if rng.random() < 0.5 else between.round()).tolist()
                ends[axis] = (low, high)
            wanted = view.answer_selection({axis: [pair] for axis, pair in ends.items()})
            box = ", ".join(f"{names[axis]} := {list(pair)}" for axis, pair in ends.items())
            [(*found, note)] = connection.execute(f"SELECT {FIGURES}, count_note FROM ripost_count({box})").fetchall()
            assert same(tuple(found), wanted) and note == wanted.note, box
            notes.add(note)
        assert UNMEASURED in notes if "unmeasured" in VIEWS[kind] else notes == {""}
        for keys in (names[:1], names[1:3], names):
            listed = ", ".join(f'"{name}"' for name in keys)
            rows = connection.execute(f"SELECT {listed}, {FIGURES} FROM flights_by({list(keys)})").fetchall()
            table = view.groupby(*keys)
            assert [row[: len(keys)] for row in rows] == [row[: len(keys)] for row in table.rows]
            figures = np.array([[row[i] for i in (-4, -2, -1)] for row in rows])
            np.testing.assert_allclose(figures, [row[-3:] for row in table.rows], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", VIEWS)
def test_cells_add_up(kind: str, tmp_path: Path) -> None:
    view = mixed_view(**VIEWS[kind])
    first, second, *_ = view.domain.names
    table = view.groupby(first, second)
    with exported(view, tmp_path) as connection:
        for source in (
            "flights",
            f"flights_cells({list(view.domain.names)})",
            f"flights_cells(['{first}', '{second}'])",
        ):
            rows = connection.execute(f"SELECT {first}, {second}, sum(count) FROM {source} GROUP BY ALL").fetchall()
            found = {row[:2]: row[2] for row in rows}
            assert [found[row[:2]] for row in table.rows] == pytest.approx(table["count"], rel=1e-9, abs=1e-9)
        [[rows]] = connection.execute(f"SELECT count(*) FROM flights_cells({list(view.domain.names)})").fetchall()
        assert rows == view.domain.size
        [[name]] = connection.execute(f"SELECT min({first}) FROM flights").fetchall()
        part = connection.execute(f"SELECT sum(count) FROM flights WHERE {first} = ?", [name]).fetchone()[0]
        assert part == pytest.approx(view.count({first: name}).value, rel=1e-9, abs=1e-9)


def test_ranges_in_units_and_lists_of_values_are_answered_as_by_the_library(tmp_path: Path) -> None:
    view = mixed_view(unmeasured=((0, 1),))
    conditions: dict[str, dict[str, Any]] = {
        "hour := [6, 9], origin := ['JFK']": {"hour": (6, 9), "origin": "JFK"},
        "origin := ['EWR', 'LGA'], delay := [-3, 61]": {"origin": ["EWR", "LGA"], "delay": (-3, 61)},
        "origin := ['EWR', 'JFK', 'LGA'], delay := [0, NULL]": {"origin": ["EWR", "JFK", "LGA"], "delay": (0, 299)},
        "late := ['true', '(missing)'], delay := [33.3, 70]": {"late": [True, None], "delay": (34, 70)},
        "hour := [0, 23]": {},
    }
    with exported(view, tmp_path) as connection:
        for given, condition in conditions.items():
            asked = f"SELECT {FIGURES}, count_note FROM flights_by([], {given})"
            [(*found, note)] = connection.execute(asked).fetchall()
            assert same(tuple(found), wanted := view.count(condition)) and note == wanted.note, given
        [[held]] = connection.execute("SELECT value FROM about WHERE fact = 'holds'").fetchall()
        assert held.startswith("60 blocks and a mixture of 6 components for ")
        with pytest.raises(duckdb.Error, match="origin has no value nobody"):
            connection.execute("FROM flights_by([], origin := ['nobody'])").fetchall()


def test_attributes_may_be_called_like_columns_of_the_machinery(tmp_path: Path) -> None:
    """Dimensions may be called like the columns that the macros work with."""
    names = ["component", "mass", "_within", "count_note", "products", "bound"]
    domain = Domain.from_json({name: {"type": "integer", "min": 0, "max": 4, "missing": "drop"} for name in names})
    view = mixed_view(domain, unmeasured=((0, 1),))
    with exported(view, tmp_path) as connection:
        asked = "component := [1, 2], _within := [0, 3], count_note := [1, 1], bound := [2, 4]"
        [found] = connection.execute(
            f"SELECT count_, count__stderr, count__low, count__high FROM flights_by([], {asked})"
        ).fetchall()
        assert same(found, view.count(component=(1, 2), _within=(0, 3), count_note=1, bound=(2, 4)))


@pytest.mark.parametrize("names", [("ip", "b"), ("b", "ip")])  # the last has no density
def test_an_axis_too_long_to_list(names: tuple[str, ...], tmp_path: Path) -> None:
    domain = {"ip": {"type": "integer", "min": 0, "max": 149_999, "missing": "drop"}, "b": {"type": "boolean"}}
    view = mixed_view(Domain.from_json({name: domain[name] for name in names}), leaves=30, components=3)
    with exported(view, tmp_path) as connection:
        asked = f"SELECT {FIGURES} FROM flights_by(['b'], ip := [5, 70000])"
        rows = connection.execute(asked).fetchall()
        assert [row[0] for row in rows] == pytest.approx(view.groupby("b", ip=(5, 70_000))["count"])
        with pytest.raises(duckdb.Error, match="too many to group by"):
            connection.execute("SELECT * FROM flights_cells(['ip'])").fetchall()


@pytest.fixture
def view() -> View:
    return mixed_view(unmeasured=((0, 2),))


def test_a_csv_has_the_figures_and_notes_of_the_library(view: View, tmp_path: Path) -> None:
    for keys, note in ((("origin", "hour"), [UNMEASURED]), (("origin", "late"), [])):
        view.export(tmp_path / "v.csv", by=",".join(keys), force=True)
        head, *rows = csv.reader(io.StringIO((tmp_path / "v.csv").read_bytes().decode()))
        assert head == [*keys, "count", "count_low", "count_high", *(["note"] if note else [])]
        table = view.groupby(*keys)
        assert [[float(cell) for cell in row[2:5]] for row in rows] == [list(row[2:]) for row in table.rows]
        assert all(row[5:] == note for row in rows)
    view.export(tmp_path / "v.csv", where="hour < 9", force=True)
    head, *rows = csv.reader(io.StringIO((tmp_path / "v.csv").read_bytes().decode()))
    assert head[-1] == "note" and {row[0] for row in rows if row[-1]} == {"origin"}
    [jfk] = [row for row in rows if row[:2] == ["origin", "JFK"]]
    answer = view.count(origin="JFK", hour=(0, 8))
    assert [float(cell) for cell in jfk[2:5]] == pytest.approx([answer.value, answer.low, answer.high], rel=1e-12)


def test_json_stat_has_the_figures_and_notes_of_the_library(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "v.json", by=["origin,hour", "origin,delay"])
    noted, plain = json.loads((tmp_path / "v.json").read_text("utf-8"))["link"]["item"]
    assert UNMEASURED in noted["note"] and UNMEASURED not in plain["note"]
    assert noted["value"][::3] == pytest.approx(view.groupby("origin", "hour")["count"])
    assert plain["value"][2::3] == pytest.approx(view.groupby("origin", "delay")["count_high"])


def test_a_workbook_has_the_figures_and_notes_of_the_library(view: View, tmp_path: Path) -> None:
    view.export(tmp_path / "v.xlsx", by=["origin,hour", "origin,late"])
    noted, plain, _ = openpyxl.load_workbook(tmp_path / "v.xlsx")
    assert noted["A1"].value.lower() == f"{UNMEASURED}." and noted["A2"].value == plain["A1"].value == "origin"
    for sheet, first, keys in ((noted, 3, ("origin", "hour")), (plain, 2, ("origin", "late"))):
        rows = sheet.iter_rows(min_row=first, min_col=3, values_only=True)
        np.testing.assert_allclose(list(rows), [row[2:] for row in view.groupby(*keys).rows], rtol=1e-9)


def test_a_release_file_adds_up_and_opens_as_it_was(view: View, tmp_path: Path) -> None:
    """The file's values add up to the view's total, and the corrections are beside them."""
    view.save(tmp_path / "v.ripost.parquet")
    source = f"'{tmp_path / 'v.ripost.parquet'}'"
    value, correction = duckdb.sql(f"SELECT sum(value), sum(correction) FROM {source}").fetchall()[0]
    assert value == pytest.approx(view.total) and view.total - correction == pytest.approx(5000.0)
    again, asked = open_view(tmp_path / "v.ripost.parquet"), {"origin": "JFK", "hour": (6, 9)}
    assert again.count(asked).value == pytest.approx(view.count(asked).value)
    assert again.to_arrow()["correction"].to_pylist() == view.to_arrow()["correction"].to_pylist()
