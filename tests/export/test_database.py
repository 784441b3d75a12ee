"""A database answers in SQL what the view answers, errors too, without ripost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from ripost.errors import InputError
from ripost.schema.domain import Domain
from ripost.schema.measure import OCCUPIED, Measure
from tests.answering.making import make_view, promise
from tests.explore.hostile_names import HOSTILE
from tests.explore.views import KINDS, every_type, view_of_kind
from tests.export.exporting import exported, same

FIGURES = "count, count_stderr, count_low, count_high"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tables"])
def test_every_kind_of_view_is_answered_as_by_the_library(kind: str, tmp_path: Path) -> None:
    """Boxes in codes, ranges in units, groups with their intervals, and the relation of cells."""
    view, rng, widths = view_of_kind(kind), np.random.default_rng(5), []
    with exported(view, tmp_path) as connection:
        for _ in range(6):
            ends = {
                name: sorted(rng.choice(size + 1, 2, replace=False).tolist())
                for name, size in zip(view.domain.names, view.domain.shape, strict=True)
                if rng.random() < 0.6
            }
            wanted = view.count({name: (low, high - 1) for name, (low, high) in ends.items()})
            box = ", ".join(f"{name} := [{low}, {high}]" for name, (low, high) in ends.items())
            [found] = connection.execute(f"SELECT {FIGURES} FROM ripost_count({box})").fetchall()
            assert same(found, wanted), box
            widths.append(wanted.high - wanted.low)
            ranges = ", ".join(["[]", *(f"{name} := [{low}, {high - 1}]" for name, (low, high) in ends.items())])
            [found] = connection.execute(f"SELECT {FIGURES} FROM flights_by({ranges})").fetchall()
            assert same(found, wanted), ranges
        assert kind != "blocks of a small epsilon" or min(widths) == pytest.approx(view.min_interval_width)
        part = connection.execute(f"SELECT {FIGURES} FROM ripost_count(x0 := [0.25, 2.5])").fetchone()
        assert same(part, view.answer_selection({0: [(0.25, 2.5)]}))
        found = connection.execute(
            "SELECT x0, x2, count, count_low, count_high FROM flights_by(['x0', 'x2'], x1 := [1, 2])"
        ).fetchall()
        table = view.groupby("x0", "x2", x1=(1, 2)).rows
        assert [row[:2] for row in found] == [row[:2] for row in table]
        np.testing.assert_allclose(_numbers(found), _numbers(table), rtol=1e-9, atol=1e-9)
        found = connection.execute(
            "SELECT x0, x2, count, count_low, count_high FROM flights_simultaneous(['x0', 'x2'], x1 := [1, 2])"
        ).fetchall()
        together = view.groupby("x0", "x2", x1=(1, 2), simultaneous=True).rows
        np.testing.assert_allclose(_numbers(found), _numbers(together), rtol=1e-9, atol=1e-9)
        assert kind == "sample" or together != table
        for source in ("flights", "flights_cells(['x0', 'x1', 'x2'])"):
            plain = f"SELECT x0, sum(count) FROM {source} WHERE x1 BETWEEN 1 AND 2 GROUP BY x0 ORDER BY x0"
            totals = dict(connection.execute(plain).fetchall())
            for code, value, *_ in view.groupby("x0", x1=(1, 2)).rows:
                assert totals.get(code, 0) == pytest.approx(value, rel=1e-9, abs=1e-9)


def test_tables_have_values_without_errors(tmp_path: Path) -> None:
    """Their errors in closed form are not in the database, so its figures have none; docs/how-to/export.md says so."""
    view = view_of_kind("tables")
    with exported(view, tmp_path) as connection:
        [found] = connection.execute(f"SELECT {FIGURES} FROM ripost_count(x0 := [0, 2], x2 := [1, 3])").fetchall()
        assert found == (pytest.approx(view.count(x0=(0, 1), x2=(1, 2)).value, rel=1e-9, abs=1e-9), None, None, None)
        found = connection.execute("SELECT x0, count, count_low FROM flights_by(['x0'], x1 := [1, 2])").fetchall()
        wanted = view.groupby("x0", x1=(1, 2)).rows
        np.testing.assert_allclose([row[1] for row in found], [row[1] for row in wanted], rtol=1e-9, atol=1e-9)
        assert {row[2] for row in found} == {None}


def _numbers(rows: list[tuple[Any, ...]]) -> Any:
    return np.array([[np.nan if value is None else value for value in row[2:]] for row in rows], float)


CONDITIONS: dict[str, dict[str, Any]] = {
    "hour := [6, 9], origin := ['JFK']": {"hour": (6, 9), "origin": "JFK"},
    "origin := ['EWR', 'LGA', 'EWR']": {"origin": ["EWR", "LGA"]},
    "delay := [-3, 61]": {"delay": (-3, 61)},
    "delay := [NULL, 33.3]": {"delay": (None, 33)},
    "delay := [-999, 9999]": {"delay": (-30, 299)},
    "day := ['2013-02-10', '2013-07-04']": {"day": ("2013-02-10", "2013-07-04")},
    "\"at\" := ['2013-01-01 08:30', '2013-01-01 17:00']": {"at": ("2013-01-01 08:30", "2013-01-01 17:00")},
    "share := [0.123, 0.75]": {"share": (0.123, 0.75)},
    "late := [true], hour := [0, 0]": {"late": True, "hour": 0},
    "late := ['false'], origin := ['(other)', 'JFK']": {"late": False, "origin": ["(other)", "JFK"]},
}


@pytest.mark.parametrize("smoothed", [False, True])
def test_every_type_in_its_own_units(tmp_path: Path, smoothed: bool) -> None:
    view = every_type() if smoothed else every_type(error_model=None)
    with exported(view, tmp_path) as connection:
        for given, conditions in CONDITIONS.items():
            [found] = connection.execute(f"SELECT {FIGURES} FROM flights_by([], {given})").fetchall()
            assert same(found, view.count(conditions)), given
        for name in view.domain.names:
            found = connection.execute(f"SELECT \"{name}\", {FIGURES} FROM flights_by(['{name}'])").fetchall()
            table = view.groupby(name)
            assert [row[0] for row in found] == table[name]
            np.testing.assert_allclose([row[1] for row in found], table["count"], rtol=1e-9, atol=1e-9)
            np.testing.assert_allclose([row[4] for row in found], table["count_high"], rtol=1e-9)
        for asked, sentence in REFUSED.items():
            with pytest.raises(duckdb.Error, match=sentence):
                connection.execute(f"FROM {asked}").fetchall()


REFUSED = {
    "flights_by([], origin := ['nobody'])": "origin has no value nobody",
    "flights_by([], origin := ['JFK', NULL])": r"origin has no value NULL; write '\(missing\)'",
    "flights_by(['orign'])": '"orign" was selected but was not found',
    "flights_cells(['origin', 'hours'])": '"hours" was selected but was not found',
}


@pytest.mark.parametrize("macro", ["flights_by", "flights_simultaneous", "flights_cells"])
def test_null_means_missing_alone(tmp_path: Path, macro: str) -> None:
    """A dimension that the question does not group by is no column; names may be written in any case."""
    view = every_type()
    with exported(view, tmp_path) as connection:
        found = connection.execute(f"SELECT COLUMNS(* EXCLUDE (count)) FROM {macro}(['hour', 'DELAY'])")
        figures = [] if macro == "flights_cells" else ["count_stderr", "count_low", "count_high"]
        assert [column[0] for column in found.description] == ["hour", "delay", *figures]
        missing = connection.execute(f"SELECT count FROM {macro}(['delay']) WHERE delay IS NULL").fetchall()
        assert [value for [value] in missing] == pytest.approx([view.count(delay=None).value])
        assert connection.execute(f"SELECT count FROM {macro}([])").fetchall() == [(pytest.approx(view.total),)]


def test_names_that_sql_does_not_like(tmp_path: Path) -> None:
    domain = {
        'a "b" c': {"type": "category", "values": HOSTILE, "label": HOSTILE[0]},
        "select": {"type": "integer", "min": 0, "max": 9},
        "count": {"type": "boolean"},
        "value": {"type": "integer", "min": 0, "max": 3, "missing": "drop"},
        "_low": {"type": "integer", "min": 0, "max": 3, "missing": "drop"},
    }
    view = make_view(Domain.from_json(domain), leaves=20)
    with exported(view, tmp_path, "2013 'flights'; DROP TABLE.duckdb") as connection:
        for name in HOSTILE:
            text = name.replace("'", "''")
            [found] = connection.execute(
                f'SELECT count_ FROM t_2013_flights_drop_table_by([], "a ""b"" c" := [\'{text}\'], "select" := [1, 4])'
            ).fetchone()
            assert found == pytest.approx(view.count({'a "b" c': name, "select": (1, 4)}).value, abs=1e-9)
        inner = connection.execute(
            "SELECT count_ FROM t_2013_flights_drop_table_by([], value := [1, 2], _low := [0, 1])"
        )
        assert inner.fetchone()[0] == pytest.approx(view.count(value=(1, 2), _low=(0, 1)).value)
        missing = connection.execute(
            "SELECT count_ FROM t_2013_flights_drop_table_by([], \"count\" := ['(missing)'])"
        ).fetchone()
        assert missing[0] == pytest.approx(view.count(count=None).value)


def test_a_domain_too_large_for_its_cells(tmp_path: Path) -> None:
    domain = {f"x{i}": {"type": "integer", "min": 0, "max": 99, "missing": "drop"} for i in range(8)}
    domain["ip"] = {"type": "integer", "min": 0, "max": 2**31 - 10, "missing": "drop"}
    view = make_view(Domain.from_json(domain), leaves=300, marginals=False)
    with exported(view, tmp_path) as connection:
        relations = {name for (name,) in connection.execute("SELECT view_name FROM duckdb_views()").fetchall()}
        assert "flights" not in relations
        plain = "SELECT x1, sum(count) FROM flights_cells(['x1', 'x7']) WHERE x7 < 30 GROUP BY x1 ORDER BY x1"
        found = connection.execute(plain).fetchall()
        assert [value for _, value in found] == pytest.approx(view.groupby("x1", x7=(0, 29))["count"], rel=1e-9)
        ranged = connection.execute(
            f"SELECT {FIGURES} FROM flights_by([], ip := [5, 1000000], x0 := [3, 50])"
        ).fetchone()
        assert same(ranged, view.count(ip=(5, 1_000_000), x0=(3, 50)))
        for asked in ("flights_by(['ip'])", "flights_cells(['ip'])"):
            with pytest.raises(duckdb.Error, match="too many to group by"):
                connection.execute(f"SELECT * FROM {asked}").fetchall()


@pytest.mark.parametrize(
    ("measure", "name"), [(Measure(column="pay", step=0.5, bound=10), "sum_pay"), (OCCUPIED, "cells")]
)
def test_other_measures(measure: Measure, name: str, tmp_path: Path) -> None:
    view = make_view((4, 3), leaves=6, measure=measure)
    with exported(view, tmp_path) as connection:
        [[total]] = connection.execute(f"SELECT sum({name}) FROM flights").fetchall()
        assert total == pytest.approx(view.total)


def test_the_promise_is_inside_and_a_seed_is_shouted(tmp_path: Path) -> None:
    with exported(make_view((4, 3), leaves=6), tmp_path) as connection:
        about = dict(connection.execute("FROM about").fetchall())
        assert "by a factor of at most 1.65 (epsilon 0.5, " in about["promise"] and about["protects"] == "one row"
        assert connection.execute("SELECT count(*) FROM ledger").fetchone()[0] >= 1
        assert connection.execute("SELECT name, codes FROM dimensions").fetchall() == [("x0", 4), ("x1", 3)]
    seeded = make_view((4, 3), leaves=6, privacy=promise(6, entropy="seed 7"))
    with exported(seeded, tmp_path) as connection:
        assert connection.execute("FROM about").fetchone() == ("warning", seeded.privacy.warning)
        assert "NOT PRIVATE" in connection.execute("FROM NOT_PRIVATE").fetchone()[0]
        [comment] = connection.execute("SELECT comment FROM duckdb_views() WHERE view_name = 'flights'").fetchone()
        assert comment.startswith("NOT PRIVATE")


def test_what_a_database_cannot_hold_is_refused(tmp_path: Path) -> None:
    twins = make_view(Domain.of({"hour": 3, "Hour": 4}), leaves=4)
    with pytest.raises(InputError, match="differ in case only"):
        twins.export(tmp_path / "v.duckdb")
    with pytest.raises(InputError, match="called by"):
        make_view(Domain.of({"by": 3}), leaves=2).export(tmp_path / "v.duckdb")
    with pytest.raises(InputError, match="holds the whole view"):
        make_view((3,), leaves=2).export(tmp_path / "v.duckdb", by="x0")
    assert not list(tmp_path.iterdir())
