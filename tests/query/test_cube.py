"""Cubes: slices, dices, groups, pivots, quantiles and synthetic rows agree with each other and with count."""

from __future__ import annotations

import datetime as dt
import math

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ripost.errors import QueryError
from ripost.schema.domain import Domain
from ripost.view import View
from tests.answering.contents import content_of
from tests.answering.flights import FLIGHTS
from tests.answering.making import make_view, promise
from tests.query.exact import exact_rows, exact_view

ROWS = exact_rows()


@pytest.fixture(scope="module")
def exact() -> View:
    return exact_view(ROWS)


@pytest.fixture(scope="module")
def noisy() -> View:
    return make_view(FLIGHTS, leaves=300, inner=0.4, marginals=True)


def test_slices_and_dices_are_conditions(noisy: View) -> None:
    part = noisy.slice(origin="JFK").dice(hour=(6, 9))
    assert part.count() == noisy.count(origin="JFK", hour=(6, 9))
    assert noisy.dice({"hour": [1, 2]}).count(origin="JFK").value == pytest.approx(
        noisy.count(hour=[1, 2], origin="JFK").value
    )
    assert noisy.slice(hour=3).slice(hour=4).count().value == 0
    with pytest.raises(QueryError, match="filter takes ranges"):
        noisy.slice(hour=(6, 9))


def test_groupby_is_the_select(noisy: View) -> None:
    asked = "SELECT origin, width(delay, 60) AS delay_60, COUNT(*) FROM view WHERE hour BETWEEN 0 AND 3 GROUP BY 1, 2"
    assert noisy.groupby("origin", ("delay", 60), hour=(0, 3)).to_arrow().equals(noisy.sql(asked).to_arrow())
    months = noisy.groupby(("day", "month"))
    assert months["day_month"] == [*range(1, 13), None]
    assert sum(months["count"]) == pytest.approx(noisy.total)


def test_rollup_adds_subtotals(exact: View) -> None:
    found = exact.rollup("c", "b")
    everything = [row for row in found if row["grouping"] == 3]
    assert [row["count"] for row in everything] == [3000]
    by_c = {row["c"]: row["count"] for row in found if row["grouping"] == 1}
    assert by_c == {c: sum(row["c"] == c for row in ROWS) for c in ("x", "y", "z", None)}


def test_drilldown_shows_shares(exact: View) -> None:
    found = exact.slice(c="x").drilldown("b")
    assert sum(found["share"]) == pytest.approx(1)
    assert exact.drilldown("b", c="x").to_arrow().equals(found.to_arrow())


def test_pivot_is_a_groupby_on_its_side(exact: View) -> None:
    found = exact.pivot("c", "b")
    assert found.columns == ["c", "false", "true"]
    assert found["true"] == [sum(row["c"] == c and row["b"] for row in ROWS) for c in found["c"]]
    assert exact.pivot("b", "c").columns == ["b", "x", "y", "z", "(missing)"]


def test_quantiles_and_cdf(exact: View) -> None:
    values = sorted(row["a"] for row in ROWS if row["a"] is not None)
    found = exact.quantile("a", [0.0, 0.25, 0.5, 1.0])
    assert found["a"] == [values[max(math.ceil(p * len(values)) - 1, 0)] for p in (0.0, 0.25, 0.5, 1.0)]
    assert found["a_low"][1:] == found["a"][1:] == found["a_high"][1:]
    assert exact.quantile("a", c="x")["level"] == [0.5]
    cdf = exact.cdf("a")
    assert cdf["a"] == list(range(-3, 9))
    assert cdf["cdf"] == pytest.approx([sum(v <= a for v in values) / len(values) for a in cdf["a"]])
    assert exact.quantile("d")["d"][0] == sorted(row["d"] for row in ROWS)[1499]
    with pytest.raises(QueryError, match="from 0 to 1"):
        exact.quantile("a", 2)
    with pytest.raises(QueryError, match="no order"):
        exact.quantile("c")


def test_many_bins_have_a_band_at_some_edges() -> None:
    view = make_view((5000,), leaves=800, marginals=True)
    [row] = view.quantile("x0", 0.9)
    assert row["x0_low"] <= row["x0"] <= row["x0_high"]
    assert row["x0_high"] - row["x0_low"] < 500
    cdf = view.cdf("x0")
    assert len(cdf) == 5000
    assert all(low <= at <= high for low, at, high in zip(cdf["cdf_low"], cdf["cdf"], cdf["cdf_high"], strict=True))


def test_nothing_has_no_quantile() -> None:
    view = make_view((4, 3), leaves=5, values=[-5.0] * 5)
    assert view.quantile("x0")["x0"] == [None]
    [row] = view.sql("SELECT AVG(x0), SUM(x0), SHARE(*) FROM view")
    assert row["avg_x0"] is None and row["sum_x0"] is None
    with pytest.raises(QueryError, match="nothing to draw"):
        view.sample(3)
    assert len(view.sample(0)) == 0


def test_samples_look_like_the_rows(exact: View) -> None:
    found = exact.sample(20_000, seed=3)
    assert found.columns == ["a", "d", "c", "b"]
    assert found.to_arrow().equals(exact.sample(20_000, seed=3).to_arrow())
    assert not found.to_arrow().equals(exact.sample(20_000, seed=4).to_arrow())
    drawn = {value: found["c"].count(value) / 20_000 for value in ("x", "y", "z", None)}
    for value, share in drawn.items():
        assert share == pytest.approx(sum(row["c"] == value for row in ROWS) / len(ROWS), abs=0.02)
    assert all(isinstance(day, dt.date) for day in found["d"])
    assert np.mean([a for a in found["a"] if a is not None]) == pytest.approx(
        np.mean([row["a"] for row in ROWS if row["a"] is not None]), abs=0.1
    )
    for wrong in (-1, 1.5, True, 10**9):
        with pytest.raises(QueryError, match="whole number"):
            exact.sample(wrong)  # type: ignore[arg-type]


def test_samples_follow_the_density_inside_blocks() -> None:
    domain = Domain.from_json({"x": {"type": "number", "min": 0, "max": 4, "bins": 4, "missing": "drop"},
                               "at": {"type": "timestamp", "min": "2013-01-01T00:00:00", "max": "2013-01-02T00:00:00",
                                      "width": "6 hours", "missing": "drop"}})  # fmt: skip
    view = make_view(domain, leaves=1, values=[100.0], density=[np.array([0.0, 3.0, 0.0, 1.0]), None])
    found = view.sample(8000, seed=0)
    x = np.array(found["x"])
    assert ((x >= 1) & (x < 2)).mean() == pytest.approx(0.75, abs=0.03)
    assert ((x >= 3) & (x < 4)).mean() == pytest.approx(0.25, abs=0.03)
    assert found["at"][0].date() == dt.date(2013, 1, 1)


@pytest.mark.parametrize("kind", ["buckets", "matrix", "sample"])
def test_every_kind_of_view_can_be_sampled(kind: str) -> None:
    content = content_of(kind, (6, 5), 1)
    view = View(domain=Domain.of((6, 5)), content=content, privacy=promise(1), method="by hand")
    assert len(view.sample(100, seed=1)) == 100


def test_tables_become_frames(exact: View) -> None:
    found = exact.groupby("c", "b")
    assert isinstance(found.to_pandas(), pd.DataFrame) and isinstance(found.to_polars(), pl.DataFrame)
    assert pa.table(found).equals(found.to_arrow()) and pl.DataFrame(found).shape == (8, 5)
    assert len(found) == 8 and next(iter(found))["c"] == "x" and found.rows[0][:2] == ("x", False)
    assert repr(found) == str(found) and str(found).splitlines()[0].split() == [
        "c",
        "b",
        "count",
        "count_low",
        "count_high",
    ]
    blocks = exact.to_pandas()
    assert list(blocks.columns[-3:]) == ["value", "variance", "depth"] and exact.to_polars().shape == blocks.shape
    assert pa.table(exact).num_rows == len(exact.blocks)


def test_long_tables_are_cut_in_print(exact: View) -> None:
    found = exact.groupby("a", "d", "c", "b")
    assert str(found).endswith(f"and {len(found) - 60:,} more rows")
    assert "(all)" in str(exact.rollup("a")).splitlines()[-1]
    assert f"and {len(found) - 60:,} more rows" in found._repr_html_()


def test_hostile_labels_are_text_in_html() -> None:
    evil = "<script>alert('x')</script>"
    view = make_view(Domain.from_json({evil: {"type": "category", "values": [evil]}}), leaves=2)
    html = view.groupby(evil)._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html
