"""The work of a question is bounded before it is done, and quantiles of one dimension share what they need."""

from __future__ import annotations

import time

import pytest

from ripost.errors import QueryError
from ripost.query import work
from ripost.query.work import Work
from ripost.space.region import EVERYTHING
from ripost.view.asked import Asked
from ripost.view.meetings import meet
from ripost.view.view import View
from tests.fuzz.corpus import views
from tests.view.making import make_view

VIEW = make_view((9, 7, 15), leaves=200, inner=0.5)


def _quantiles(number: int) -> str:
    return ", ".join(f"QUANTILE_CONT(x2, {i / (number + 1):.6f}) AS q{i}" for i in range(number))


def test_many_quantiles_take_seconds_at_most_or_are_refused() -> None:
    started = time.process_time()
    assert len(VIEW.sql(f"SELECT {_quantiles(450)} FROM view")) == 1
    assert len(VIEW.sql(f"SELECT x0, {_quantiles(450)} FROM view GROUP BY x0")) == 9
    assert time.process_time() - started < 10
    with pytest.raises(QueryError, match="too much work"):
        VIEW.sql(f"SELECT x0, x1, x2, {_quantiles(450)} FROM view GROUP BY x0, x1, x2")
    assert time.process_time() - started < 20


def test_450_quantiles_ask_the_view_as_much_as_some_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """One cumulative distribution a group: once all its edges are known, quantiles are read off it."""
    asked: list[int] = []
    ask = Work.answers
    monkeypatch.setattr(
        Work, "answers", lambda self, view, regions: asked.append(len(regions)) or ask(self, view, regions)
    )
    VIEW.sql(f"SELECT {_quantiles(450)} FROM view")
    bins = VIEW.domain.shape[2]
    assert sum(asked) <= 2 * bins + 1


def test_a_quantile_does_not_depend_on_what_else_is_asked() -> None:
    [many] = VIEW.sql(f"SELECT {_quantiles(20)} FROM view").rows
    for i in (0, 7, 19):
        [one] = VIEW.sql(f"SELECT QUANTILE_CONT(x2, {i / 21:.6f}) AS q FROM view").rows
        assert many[3 * i : 3 * i + 3] == pytest.approx(one)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT x0, COUNT(*) FROM view GROUP BY x0 HAVING COUNT(*) IN (" + ", ".join(map(str, range(7_000))) + ")",
        "SELECT x0, COUNT(*) FROM view GROUP BY x0 ORDER BY " + ", ".join(["COUNT(*)"] * 3_000),
        "SELECT " + ", ".join(f"x0 AS a{i}" for i in range(3_000)) + " FROM view GROUP BY x0",
        "SELECT x0, "
        + ", ".join(f"COUNT(*) FILTER (WHERE x1 = {i % 2} AND x0 > {i}) AS a{i}" for i in range(900))
        + " FROM view GROUP BY x0",
    ],
)  # fmt: skip
def test_long_clauses_of_many_groups_are_refused_soon(sql: str) -> None:
    view, started = make_view((40_000, 2), leaves=9), time.process_time()
    with pytest.raises(QueryError, match="too much work"):
        view.sql(sql)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("name", ["every type", "smoothed", "dawa", "hdmm", "privbayes", "hierarchy"])
def test_the_estimate_is_no_less_than_what_is_met(name: str) -> None:
    view = views()[name]
    regions = [
        ({0: [(0.0, 2.0)]},),
        ({0: [(1.0, 3.0)], 1: [(0.0, 1.0)]}, {2: [(0.5, 1.5)], 0: [(3.0, 4.0)]}),
        EVERYTHING,
    ]
    asked = Asked.of(regions, view.domain.shape)
    assert view.content.most_pairs(asked) >= _met(view, asked)


def _met(view: View, asked: Asked) -> int:
    content = view.content
    if hasattr(content, "_covered"):
        return len(content._covered(asked, range(len(content.shape))).region)
    line = getattr(content, "line", None) or content._line  # type: ignore[attr-defined]
    return len(meet(asked, {axis: line(axis) for axis in asked.axes}, len(content.values)))


def test_the_limit_is_what_the_docs_say() -> None:
    from pathlib import Path

    assert f"{work.MOST_WORK:,}" in (Path(__file__).parents[2] / "docs" / "query.md").read_text("utf-8")
