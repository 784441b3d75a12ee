"""Simultaneous intervals: longer than single ones, the same for one row, by one rule for every way to ask."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ripost
from ripost.answering.answer import reach_factor
from ripost.errors import QueryError
from ripost.query.table import Table
from ripost.view import View
from tests.answering.flights import FLIGHTS
from tests.answering.making import make_view
from tests.answering.mixing import mixed_view

BY_ORIGIN = "SELECT origin, COUNT(*) AS n FROM {} GROUP BY origin"


@pytest.fixture(scope="module", params=["mixture", "noise alone"])
def view(request: pytest.FixtureRequest) -> View:
    return mixed_view() if request.param == "mixture" else make_view(FLIGHTS, leaves=300, inner=0.4, marginals=True)


@given(st.floats(0.01, 1 - 1e-9))
def test_a_level_holds_for_normal_and_for_laplace_noise(level: float) -> None:
    """Both laws: an interval that misses 5 % of draws misses at most 1 - level of them at the asked level."""
    factor = reach_factor(level)
    missed = 1 - level
    if level >= 0.95:
        assert math.exp(-math.log(20) * factor) <= missed * (1 + 1e-6)
    assert 2 * NormalDist().cdf(-NormalDist().inv_cdf(0.975) * factor) <= missed * (1 + 1e-6)


def test_the_usual_level_is_the_unit() -> None:
    assert reach_factor(0.95) == 1
    assert reach_factor(0.9) < 1 < reach_factor(0.99) < reach_factor(0.999)


def contained(inner: Table, outer: Table, name: str) -> None:
    assert inner[name] == outer[name]
    for low, high, lower, higher in zip(
        inner[f"{name}_low"], inner[f"{name}_high"], outer[f"{name}_low"], outer[f"{name}_high"], strict=True
    ):
        assert lower <= low and high <= higher


def test_they_contain_the_single_ones(view: View) -> None:
    for ask in (view.groupby, view.rollup, view.drilldown):
        alone, jointly = ask("origin", "hour"), ask("origin", "hour", simultaneous=True)
        contained(alone, jointly, "count")
        assert max(jointly["count_high"]) > max(alone["count_high"])
    contained(view.drilldown("origin"), view.drilldown("origin", simultaneous=True), "share")
    contained(view.cdf("hour"), view.cdf("hour", simultaneous=True), "cdf")
    contained(view.quantile("hour", [0.1, 0.5]), view.quantile("hour", [0.1, 0.5], simultaneous=True), "hour")


def test_one_row_is_the_same(view: View) -> None:
    for text in ("SELECT COUNT(*) FROM {}", "SELECT origin, COUNT(*) FROM {} WHERE origin = 'JFK' GROUP BY origin"):
        assert view.sql(text.format("view")).rows == view.sql(text.format("view(simultaneous)")).rows
    assert view.quantile("hour", simultaneous=True).rows == view.quantile("hour").rows


def test_the_rule_is_bonferroni_over_rows_and_measures(view: View) -> None:
    rows = len(view.groupby("origin"))
    each = view.groupby("origin", simultaneous=True)
    assert each.rows == view.at(1 - 0.05 / rows).groupby("origin").rows
    both = view.sql("SELECT origin, COUNT(*) AS n, SHARE(*) AS s FROM view(simultaneous) GROUP BY origin")
    assert both["n_high"] == view.at(1 - 0.05 / (2 * rows)).groupby("origin")["count_high"]
    asked = view.sql(BY_ORIGIN.format("view"), level=0.9, simultaneous=True)
    assert asked["n_high"] == view.at(1 - 0.1 / rows).groupby("origin")["count_high"]


def test_every_way_to_ask_gives_the_same(view: View) -> None:
    option, text = (
        view.sql(BY_ORIGIN.format("view"), simultaneous=True),
        view.sql(BY_ORIGIN.format("VIEW(Simultaneous)")),
    )
    assert option.rows == text.rows == view.groupby("origin", simultaneous=True).rows


def test_rows_that_are_left_out_count(view: View) -> None:
    """HAVING and LIMIT choose after the noise: the best of many is not one."""
    every = {row["origin"]: row for row in view.sql(BY_ORIGIN.format("view(simultaneous)"))}
    for end in ("ORDER BY n DESC LIMIT 1", "HAVING n > 10"):
        for row in view.sql(f"{BY_ORIGIN.format('view(simultaneous)')} {end}"):
            assert row == every[row["origin"]]


@pytest.mark.parametrize("source", ["view(joint)", "view AS v(simultaneous)", "view(simultaneous, level)"])
def test_other_options_are_refused(view: View, source: str) -> None:
    with pytest.raises(QueryError, match=r"FROM view\(simultaneous\)"):
        view.sql(f"SELECT COUNT(*) FROM {source}")


def test_a_pivot_shows_intervals_if_asked(view: View) -> None:
    with pytest.raises(QueryError, match="intervals=True"):
        view.pivot("origin", "hour", simultaneous=True)
    usual, together = (view.pivot("origin", "hour", intervals=True, simultaneous=flag) for flag in (False, True))
    assert usual.columns[:4] == together.columns[:4] == ["origin", "0", "0_low", "0_high"]
    by_rows = {row["origin"]: row for row in view.groupby("origin", hour=0)}
    for row in usual:
        assert (row["0_low"], row["0_high"]) == (
            by_rows[row["origin"]]["count_low"],
            by_rows[row["origin"]]["count_high"],
        )
    widths = [sum(row["0_high"] - row["0_low"] for row in table) for table in (usual, together)]
    assert widths[0] < widths[1]


def test_all_hold_together_as_often_as_the_level_says() -> None:
    """200 releases of 40 cells. By chance fewer than 91 % of tables hold less than once in a hundred times."""
    counts = np.arange(40) * 50
    tensor = ripost.Tensor.from_arrays((40,), np.arange(40)[:, None], counts)
    held = {True: 0, False: 0}
    for seed in range(200):
        released = ripost.publish(tensor, epsilon=0.5, method="identity", seed=seed)
        for simultaneous in held:
            found = released.groupby("x0", simultaneous=simultaneous)
            ends = np.array([found["count_low"], found["count_high"]])
            held[simultaneous] += bool(((ends[0] <= counts) & (counts <= ends[1])).all())
    assert held[True] >= 182 and held[False] < 100
