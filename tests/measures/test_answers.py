"""Sums and means of measures: near the truth, in every way to ask, and the same from the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ripost
from ripost.errors import InputError, QueryError
from ripost.release.verify import verify_view
from ripost.view import View
from tests.measures.tables import answer, draw_table, exact, make_schema

TABLE = draw_table()


@pytest.fixture(scope="module")
def view() -> View:
    return ripost.publish(TABLE, make_schema(), epsilon=20, seed=3)


def test_sums_and_means_are_near_the_truth(view: View) -> None:
    for name in ("delay", "seats"):
        for where in ({}, {"place": "b"}, {"hour": 20}):
            count, total = exact(TABLE, name, **where)
            found, mean = view.sum(name, **where), view.mean(name, **where)
            assert found.low <= total <= found.high, (name, where)
            assert mean.low <= total / count <= mean.high, (name, where)
            assert float(mean) == pytest.approx(total / count, abs=4)
            assert mean.high - mean.low < 60


def test_a_sum_is_its_mean_times_the_count(view: View) -> None:
    row = answer(view, "SELECT COUNT(*), SUM(delay), AVG(delay), SUM(delay) / COUNT(*) AS r FROM view WHERE hour < 9")
    count, total, mean, ratio = row[0], row[3], row[6], row[9]
    assert total == pytest.approx(mean * count) and mean == ratio


def test_groups_add_up(view: View) -> None:
    table = view.groupby("hour", agg={"delay": "sum", "seats": ["sum", "mean"]})
    figures = [
        f"{name}{end}" for name in ("count", "sum_delay", "sum_seats", "avg_seats") for end in ("", "_low", "_high")
    ]
    assert list(table.columns) == ["hour", *figures]
    rows = table.to_pandas()
    assert rows["sum_delay"].sum() == pytest.approx(float(view.sum("delay")), rel=1e-6)
    assert rows["sum_seats"].sum() == pytest.approx(float(view.sum("seats")), rel=1e-6)
    asked = view.sql("SELECT hour, SUM(delay), AVG(chairs) FROM view GROUP BY hour").to_pandas()
    assert asked["sum_delay"].to_numpy() == pytest.approx(rows["sum_delay"].to_numpy())
    assert asked["avg_seats"].to_numpy() == pytest.approx(rows["avg_seats"].to_numpy())


def test_means_stay_in_the_range(view: View) -> None:
    rows = view.groupby("hour", "place", agg={"delay": "mean"}).to_pandas()
    for end in ("", "_low", "_high"):
        assert rows[f"avg_delay{end}"].dropna().between(-30, 90).all()


def test_conditions_and_parts(view: View) -> None:
    plain = answer(view, "SELECT SUM(seats) FROM view WHERE place = 'd'")
    assert answer(view, "SELECT SUM(seats) FILTER (WHERE place = 'd') FROM view") == plain
    assert view.filter(place="d").sum("seats").value == plain[0]
    pivot = view.pivot("place", ("hour", 12), agg={"seats": "mean"}).to_pandas()
    assert pivot.iloc[3, 1] == pytest.approx(
        answer(view, "SELECT AVG(seats) FROM view WHERE place = 'd' AND hour < 12")[0]
    )


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("SELECT MAX(delay) FROM view", "delay is a measure, of which the view knows SUM"),
        ("SELECT COUNT(*) FROM view WHERE delay > 5", "delay is a measure, of which the view knows SUM"),
        ("SELECT delay, COUNT(*) FROM view GROUP BY delay", "delay is a measure, of which the view knows SUM"),
        ("SELECT AVG(delays) FROM view", "did you mean 'delay'"),
        ("SELECT COUNT(seats) FROM view", "seats is a measure"),
        ("SELECT delay FROM view", "delay must be in GROUP BY"),
        ("SELECT AVG(tips) FROM view", "no attribute 'tips'"),
        ("SELECT COUNT(DISTINCT person) FROM view", "no distinct values"),
    ],
)
def test_what_is_not_known_is_said(view: View, question: str, says: str) -> None:
    with pytest.raises(QueryError, match=says):
        view.sql(question)


def test_what_python_refuses(view: View) -> None:
    with pytest.raises(QueryError, match="no measure 'tips'"):
        view.sum("tips")
    with pytest.raises(QueryError, match="'sum' and a 'mean'"):
        view.groupby("hour", agg={"delay": "max"})
    with pytest.raises(QueryError, match="a pivot holds one figure"):
        view.pivot("place", "hour", agg={"delay": ["sum", "mean"]})


def test_the_file_answers_alike(view: View, tmp_path: Path) -> None:
    path = tmp_path / "table.ripost.parquet"
    view.save(path)
    again = ripost.open(path)
    question = "SELECT place, COUNT(*), SUM(delay), AVG(seats) FROM view GROUP BY place"
    assert again.sql(question).rows == view.sql(question).rows
    assert again.privacy == view.privacy and float(again.privacy.spent) == 20
    assert all(check.ok for check in verify_view(path))


@pytest.mark.parametrize("options", [{"delta": 1e-6}, {"measurements": False}], ids=str)
def test_other_promises(options: dict[str, object], tmp_path: Path) -> None:
    found = ripost.publish(TABLE, make_schema(unit="person", max_rows=2), epsilon=8, seed=1, **options)  # type: ignore[arg-type]
    assert found.privacy.epsilon_spent <= 8
    found.save(tmp_path / "view.ripost.parquet")
    _, total = exact(TABLE, "seats")
    assert float(found.sum("seats")) == pytest.approx(total, rel=0.3)


def test_units_are_counted_where_each_has_one_row() -> None:
    one = ripost.publish(TABLE, make_schema(unit="person", max_rows=1), epsilon=5, seed=1)
    assert answer(one, "SELECT COUNT(DISTINCT person) FROM view") == answer(one, "SELECT COUNT(*) FROM view")
    several = ripost.publish(TABLE, make_schema(unit="person", max_rows=2), epsilon=5, seed=1)
    with pytest.raises(QueryError, match="the number of different person is not known"):
        several.sql("SELECT COUNT(DISTINCT person) FROM view")


def test_few_rows_and_none() -> None:
    for rows in (0, 3):
        found = ripost.publish(TABLE.slice(0, rows), make_schema(), epsilon="0.1", seed=1)
        assert np.isfinite(found.sum("seats").value)
        assert (found.mean("delay").low, found.mean("delay").high) == (-30, 90)


def test_where_intervals_of_sums_start(view: View) -> None:
    """That of positive values starts at 0 or above, or at a sum below 0: groups add up, so sums are not moved."""
    rows = view.at(0.5).groupby("hour", "place", agg={"seats": "sum", "delay": "sum"}).to_pandas()
    assert (rows["sum_seats"] < 0).sum() > 2
    assert (rows["sum_seats_low"] >= np.minimum(rows["sum_seats"], 0)).all()
    assert (rows["sum_seats"] >= rows["sum_seats_low"]).all() and (rows["sum_seats"] <= rows["sum_seats_high"]).all()
    assert rows["sum_seats"].sum() == pytest.approx(float(view.sum("seats")), rel=1e-6)
    assert (rows["sum_delay_low"] < 0).any()


def test_methods_that_count_alone_refuse_before_anything_is_spent() -> None:
    with pytest.raises(InputError, match="releases counts alone; use ripost"):
        ripost.publish(TABLE, make_schema(), epsilon=1, method="privtree")


def test_a_series_adds_up_measures(tmp_path: Path) -> None:
    table = TABLE.append_column("date", [["2026-10-05" if at % 2 else "2026-11-05" for at in range(len(TABLE))]])
    schema = make_schema(period="month(strptime(date, '%Y-%m-%d'))")
    parts = [ripost.publish(table, schema, epsilon=10, seed=1, period=label) for label in ("2026-10", "2026-11")]
    series = ripost.union(parts)
    for name in ("delay", "seats"):
        assert float(series.sum(name)) == pytest.approx(sum(float(part.sum(name)) for part in parts))
        one = series.mean(name, period="2026-11")
        assert float(one) == pytest.approx(float(parts[1].mean(name)))
    series.save(tmp_path / "series.ripost.zip")
    assert float(ripost.open(tmp_path / "series.ripost.zip").sum("delay")) == pytest.approx(float(series.sum("delay")))
