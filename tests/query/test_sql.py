"""SELECT: the same intervals as `count`, names and labels, and one sentence for what cannot be asked."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.errors import QueryError
from ripost.schema.domain import Domain
from ripost.schema.measure import OCCUPIED, Measure
from ripost.view import View
from tests.answering.contents import content_of
from tests.answering.flights import FLIGHTS
from tests.answering.making import make_view, promise, seeds
from tests.query.exact import exact_rows, exact_view

KINDS = ("buckets", "matrix", "union", "sample")


@pytest.fixture(scope="module")
def flights() -> View:
    return make_view(FLIGHTS, leaves=300, inner=0.4, marginals=True)


def one_row(view: View, query: str) -> dict[str, Any]:
    [row] = view.sql(query)
    return row


@settings(deadline=None, max_examples=40)
@given(seeds, st.integers(0, 20), st.sampled_from(["EWR", "JFK", "LGA"]))
def test_counts_are_those_of_count(seed: int, hour: int, origin: str) -> None:
    view = make_view(FLIGHTS, leaves=60, seed=seed, inner=0.4, marginals=seed % 2 == 0)
    where = f"hour BETWEEN {hour} AND {hour + 3}"
    for row in view.sql(f"SELECT origin, width(delay, 30) AS d, COUNT(*) AS n FROM view WHERE {where} GROUP BY 1, 2"):
        asked: dict[str, Any] = {"hour": (hour, hour + 3), "origin": row["origin"]}
        if row["origin"] == "(other)":
            continue
        low = row["d"]
        bins = [None] if low is None else [(float(low), min(low + 30.0, 90.0))]
        answer = view.count(asked | {"delay": bins})
        assert [row["n"], row["n_low"], row["n_high"]] == pytest.approx(
            [answer.value, answer.low, answer.high], abs=1e-9
        )
    found = one_row(view, f"SELECT COUNT(*) AS n FROM view WHERE origin = '{origin}' AND {where}")
    answer = view.count(origin=origin, hour=(hour, hour + 3))
    assert [found["n"], found["n_low"], found["n_high"]] == pytest.approx(
        [answer.value, answer.low, answer.high], abs=1e-9
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_view_answers(kind: str) -> None:
    shape = (6, 5, 4)
    view = View(domain=Domain.of(shape), content=content_of(kind, shape, 3), privacy=promise(1), method="by hand")
    for row in view.sql("SELECT x0, COUNT(*) AS n, AVG(x1) AS m, MEDIAN(x1) AS q FROM view GROUP BY x0"):
        answer = view.count(x0=row["x0"])
        assert row["n"] == pytest.approx(answer.value, abs=1e-9)
        if kind == "sample":
            assert row["n_low"] is None and row["m_low"] is None and row["q_high"] is None
        else:
            assert row["n_high"] == pytest.approx(answer.high, abs=1e-9)
            assert row["m"] is None or row["m_low"] <= row["m"] <= row["m_high"]


def test_or_counts_nothing_twice(flights: View) -> None:
    asked = one_row(flights, "SELECT COUNT(*) AS n FROM view WHERE hour < 6 OR origin = 'JFK' OR delay IS NULL")["n"]
    parts = [flights.count(hour=(0, 5)), flights.count(origin="JFK"), flights.count(delay=None)]
    pairs = [
        flights.count(hour=(0, 5), origin="JFK"),
        flights.count(hour=(0, 5), delay=None),
        flights.count(origin="JFK", delay=None),
    ]
    every = flights.count(hour=(0, 5), origin="JFK", delay=None)
    assert asked == pytest.approx(sum(p.value for p in parts) - sum(p.value for p in pairs) + every.value)


def test_labels_are_in_the_owners_units(flights: View) -> None:
    assert flights.sql("SELECT origin FROM view GROUP BY origin")["origin"] == ["EWR", "JFK", "LGA", "(other)", None]
    assert flights.sql("SELECT delay FROM view WHERE delay < 0 GROUP BY delay")["delay"] == [-30.0, -20.0, -10.0]
    week = flights.sql("SELECT day FROM view GROUP BY day LIMIT 2")["day"]
    assert week == [dt.date(2013, 1, 1), dt.date(2013, 1, 8)]
    months = flights.sql("SELECT DATE_TRUNC('month', day) AS m FROM view GROUP BY m")["m"]
    assert months[:2] == [dt.date(2013, 1, 1), dt.date(2013, 2, 1)] and len(months) == 13
    assert len(flights.sql("SELECT width(day, '1 quarter') AS q FROM view GROUP BY q")) == 5
    assert len(flights.sql("SELECT width(day, '14 days') AS q FROM view GROUP BY q")) == 28
    assert flights.sql("SELECT DATE_PART('quarter', day) AS q FROM view GROUP BY q")["q"] == [1, 2, 3, 4, None]
    assert flights.sql('SELECT "origin" FROM "view" GROUP BY ORIGIN LIMIT 1')["origin"] == ["EWR"]


def test_labels_are_words_where_values_outside_have_a_code() -> None:
    domain = Domain.from_json({"t": {"type": "integer", "min": 0, "max": 29, "width": 10, "outside": "other"}})
    view = make_view(domain, leaves=5)
    assert view.sql("SELECT t FROM view GROUP BY t")["t"] == ["0", "10", "20", "(other)", None]
    assert len(view.sample(20, seed=1)) == 20


def test_names_of_columns(flights: View) -> None:
    found = flights.sql(
        "SELECT EXTRACT(month FROM day), COUNT(*), SUM(hour), AVG(hour), MEDIAN(hour), QUANTILE_CONT(hour, 0.9), "
        "COUNT(hour), SHARE(*), GROUPING(EXTRACT(month FROM day)) FROM view GROUP BY EXTRACT(MONTH FROM day)"
    )
    names = [name for name in found.columns if not name.endswith(("_low", "_high"))]
    assert names == ["EXTRACT(MONTH FROM day)", "count", "sum_hour", "avg_hour", "median_hour", "q90_hour",
                     "count_hour", "share", "grouping"]  # fmt: skip
    assert found.columns[1:4] == ["count", "count_low", "count_high"]


def test_having_and_order_know_the_ends(flights: View) -> None:
    found = flights.sql(
        "SELECT hour, COUNT(*) AS n FROM view GROUP BY hour HAVING n_low > 100 AND hour IS NOT NULL "
        "ORDER BY n_high DESC"
    )
    assert min(found["n_low"]) > 100 and found["n_high"] == sorted(found["n_high"], reverse=True)
    days = flights.sql(
        "SELECT DATE_TRUNC('month', day) AS m FROM view GROUP BY m "
        "HAVING m BETWEEN '2013-03-01' AND '2013-05-15' AND m IN ('2013-03-01', '2013-05-01') AND NOT m IS NULL"
    )
    assert days["m"] == [dt.date(2013, 3, 1), dt.date(2013, 5, 1)]
    assert flights.sql("SELECT origin FROM view GROUP BY ALL HAVING origin = 'JFK'")["origin"] == ["JFK"]


def test_sums_of_a_column() -> None:
    view = exact_view(exact_rows(), measure=Measure("pay", 1.0, 5))
    assert one_row(view, "SELECT SUM(pay) FROM view")["sum_pay"] == pytest.approx(3000)
    for asked in ("COUNT(*)", "AVG(a)", "SUM(a)", "MEDIAN(a)"):
        with pytest.raises(QueryError, match=r"holds SUM\(pay\) and no rows"):
            view.sql(f"SELECT {asked} FROM view")
    with pytest.raises(QueryError, match="quantiles of a are not known"):
        view.quantile("a")
    assert view.groupby("c").columns[1] == "sum_pay"
    cells = exact_view(exact_rows(), measure=OCCUPIED)
    assert one_row(cells, "SELECT SUM(cells) FROM view")["sum_cells"] == pytest.approx(3000)
    with pytest.raises(QueryError, match=r"ask SUM\(cells\)"):
        cells.sql("SELECT COUNT(*) FROM view")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "ask one SELECT"),
        ("SELECT", "cannot read|ask"),
        ("SELECT COUNT(*) FROM flights", "there is no table 'flights'; ask FROM view"),
        ("SELECT COUNT(*)", "ask FROM view"),
        ("SELECT COUNT(*) FROM main.view", "ask FROM view"),
        ("SELECT COUNT(*) FROM (SELECT 1)", "ask FROM view"),
        ("SELECT COUNT(*) FROM view, view", "JOIN"),
        ("SELECT COUNT(*) FROM view JOIN view v ON true", "JOIN"),
        ("SELECT COUNT(*) FROM view; SELECT COUNT(*) FROM view", "ask one SELECT"),
        ("SELECT COUNT(*) FROM view UNION SELECT 1", "ask one SELECT"),
        ("WITH RECURSIVE t AS (SELECT 1) SELECT COUNT(*) FROM view", "WITH RECURSIVE"),
        ("WITH t(n) AS (SELECT COUNT(*) FROM view) SELECT n FROM t", "and columns with AS"),
        ("DROP TABLE view", "ask one SELECT"),
        ("INSERT INTO view VALUES (1)", "ask one SELECT"),
        ("COPY view TO 'x'", "ask one SELECT|cannot read"),
        ("SELECT DISTINCT ON (origin) origin FROM view", "DISTINCT ON"),
        ("SELECT * FROM view", "holds no rows"),
        ("SELECT origin FROM view", "origin must be in GROUP BY"),
        ("SELECT huor FROM view", "did you mean 'hour'"),
        ("SELECT COUNT(*) FROM view WHERE huor = 3", "did you mean 'hour'"),
        ("SELECT COUNT(DISTINCT origin) FROM view", "no distinct values"),
        ("SELECT MIN(origin) FROM view", "origin has no order"),
        ("SELECT MODE(hour) FROM view", "cannot answer 'MODE"),
        ("SELECT STDDEV(hour) FROM view", "cannot answer 'STDDEV"),
        ("SELECT SUM(hour + 1) FROM view", "cannot answer 'SUM"),
        ("SELECT SUM(day) FROM view", "day is a date, so it has no sum"),
        ("SELECT AVG(origin) FROM view", "origin has no order"),
        ("SELECT MEDIAN(hour + 1) FROM view", "cannot answer 'MEDIAN"),
        ("SELECT QUANTILE_CONT(hour, 1.5) FROM view", "from 0 to 1"),
        ("SELECT QUANTILE_CONT(hour, [0.1, 0.5]) FROM view", "from 0 to 1"),
        ("SELECT COUNT(*) + 1 FROM view", "cannot answer"),
        ("SELECT ROUND(AVG(hour), 99) FROM view", "ROUND takes a whole number"),
        ("SELECT SHARE(*) FILTER (WHERE hour < 3) FROM view", "SHARE takes no FILTER"),
        ("SELECT COUNT(*) OVER () FROM view", "cannot answer"),
        ("SELECT SHARE(*) OVER (PARTITION BY hour) FROM view GROUP BY origin", "PARTITION BY takes what stands"),
        ("SELECT SHARE(*) OVER (ORDER BY origin) FROM view GROUP BY origin", "without ORDER BY"),
        ("SELECT COUNT(*) / SUM(COUNT(*)) OVER () FROM view GROUP BY ROLLUP (origin)", r"ask SHARE\(\*\)"),
        ("SELECT COUNT(*) / SUM(COUNT(*)) OVER () FROM view GROUP BY origin HAVING COUNT(*) > 1", r"ask SHARE\(\*\)"),
        ("SELECT GROUPING(hour) FROM view GROUP BY origin", "GROUPING takes what stands"),
        ("SELECT COUNT(*) FROM view GROUP BY hour + 1", "cannot group by 'hour"),
        ("SELECT COUNT(*) FROM view GROUP BY COUNT(*)", "cannot group by"),
        ("SELECT COUNT(*) FROM view GROUP BY 3", "no column '3' in SELECT"),
        ("SELECT COUNT(*) FROM view GROUP BY width(hour, hour)", "a width is a plain number"),
        ("SELECT COUNT(*) FROM view GROUP BY width(day, 'x')", "width must read like"),
        ("SELECT COUNT(*) FROM view GROUP BY width(day, '3 hours')", "whole days"),
        ("SELECT COUNT(*) FROM view GROUP BY width(delay, 0.0001)", "at most 100,000"),
        ("SELECT COUNT(*) FROM view GROUP BY hour, delay, origin, day", "at most 50,000"),
        ("SELECT COUNT(*) FROM view GROUP BY CUBE (hour, delay, origin, day)", "at most 50,000"),
        ("SELECT COUNT(*) FROM view GROUP BY CUBE (hour, hour, hour, hour, hour, hour, hour, hour, hour, hour, hour, "
         "hour, hour)", "grouping sets"),
        ("SELECT COUNT(*) FROM view GROUP BY CUBE (hour, day, delay, origin), CUBE (hour, day, delay, origin), "
         "CUBE (hour, day, delay, origin), CUBE (hour, day, delay, origin)", "grouping sets"),
        ("SELECT COUNT(*), COUNT(*) FROM view", "name one of them with AS"),
        ("SELECT COUNT(*) AS n, SHARE(*) AS n_low FROM view", "name one of them with AS"),
        ("SELECT COUNT(*) FROM view LIMIT -1", "LIMIT takes a whole number"),
        ("SELECT COUNT(*) FROM view LIMIT 10 OFFSET 1.5", "OFFSET takes a whole number"),
        ("SELECT origin FROM view GROUP BY origin ORDER BY hour", "hour must be in GROUP BY"),
        ("SELECT origin FROM view GROUP BY origin ORDER BY 7", "no column '7'"),
        ("SELECT origin FROM view GROUP BY origin HAVING COUNT(*)", "HAVING cannot answer"),
        ("SELECT origin FROM view GROUP BY origin HAVING COUNT(*) > 'many'", "HAVING cannot compare"),
        ("SELECT origin FROM view GROUP BY origin HAVING origin LIKE COUNT(*)", "write one pattern"),
        ("SELECT COUNT(*) FROM view QUALIFY COUNT(*) > 1", "QUALIFY"),
        ("SELECT COUNT(*) FROM view WHERE hour IN (SELECT 1)", "list of values"),
        ("SELECT " + "(" * 5000 + "1" + ")" * 5000, "nested|cannot"),
        ("SELECT " + "x" * 60_000, "too long"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked(flights: View, query: str, sentence: str) -> None:
    with pytest.raises(QueryError, match=sentence) as caught:
        flights.sql(query)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 700


def test_too_many_boxes_are_refused() -> None:
    view = make_view((30,) * 8, leaves=10)
    many = " OR ".join(f"(x{i % 8} = {i % 30} AND x{(i + 1) % 8} = {i % 29})" for i in range(200))
    with pytest.raises(QueryError, match="disjoint boxes"):
        view.sql(f"SELECT COUNT(*) FROM view WHERE {many}")
    some = " OR ".join(f"(x{i} = {i} AND x{(i + 1) % 8} = {i + 5})" for i in range(8))
    with pytest.raises(QueryError, match="boxes each"):
        view.sql(f"SELECT COUNT(*) FROM view WHERE {some} GROUP BY x0, x1, x2")


words = st.sampled_from(
    ["SELECT", "COUNT(*)", "FROM", "view", "WHERE", "hour", "origin", "GROUP BY", "ORDER BY", "LIMIT", "3", "'JFK'",
     "=", "<", "AND", "OR", "NOT", ",", "(", ")", "AVG(hour)", "AS", "n", "HAVING", "ROLLUP", "SHARE(*)", "OVER", "*",
     "/", "width(delay, 30)", "EXTRACT(month FROM day)", "IS NULL", "DESC", "GROUPING(origin)"]
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.lists(words, max_size=10))
def test_any_words_are_answered_or_refused(parts: list[str]) -> None:
    view = make_view(FLIGHTS, leaves=5)
    try:
        view.sql("SELECT COUNT(*) " + " ".join(parts))
    except QueryError as error:
        assert "\n" not in str(error)


def test_a_seeded_view_shouts_in_its_tables() -> None:
    view = exact_view(exact_rows(number=50), entropy="seed 7")
    for table in (view.sql("SELECT COUNT(*) FROM view"), view.groupby("c"), view.sample(3), view.pivot("a", "c")):
        assert "NOT PRIVATE" in str(table) and "NOT PRIVATE" in table._repr_html_()
        assert b"NOT PRIVATE" in table.to_arrow().schema.metadata[b"ripost"]
    assert b"NOT PRIVATE" in view.to_arrow().schema.metadata[b"ripost"]


def test_bounds_of_quantiles_hold() -> None:
    """Laplace noise on the bins of known data: at least 92 of 100 bounds of the median and the mean hold, seeded."""
    rng = np.random.default_rng(5)
    held = np.zeros(2)
    for run in range(200):
        truth = rng.poisson(rng.exponential(40, 30)).astype(float)
        view = make_view((30,), leaves=30, seed=run)
        cells = view.blocks.lower[:, 0]
        sides = view.blocks.upper[:, 0] - cells
        exact = np.array([truth[low : low + side].sum() for low, side in zip(cells, sides, strict=True)])
        noisy = make_view((30,), leaves=30, seed=run, values=exact + rng.laplace(0, np.sqrt(view.blocks.variance / 2)))
        found = one_row(noisy, "SELECT MEDIAN(x0) AS q, AVG(x0) AS m FROM view")
        median = int(np.searchsorted(np.cumsum(truth), truth.sum() / 2))
        mean = float(truth @ np.arange(30)) / truth.sum()
        held += [found["q_low"] <= median <= found["q_high"], found["m_low"] <= mean <= found["m_high"]]
    assert (held >= 184).all(), held


def test_differences_and_ratios_of_totals(flights: View) -> None:
    asked = flights.sql(
        "SELECT COUNT(*) FILTER (WHERE origin = 'JFK') - COUNT(*) FILTER (WHERE origin = 'LGA') AS d, "
        "100.0 * COUNT(*) FILTER (WHERE origin = 'JFK') / NULLIF(COUNT(*), 0) AS percent FROM view WHERE hour < 12"
    )
    jfk, lga, all_ = {"origin": "JFK", "hour": (0, 11)}, {"origin": "LGA", "hour": (0, 11)}, {"hour": (0, 11)}
    difference, ratio = flights.difference(jfk, lga), flights.ratio(jfk, all_)
    [row] = asked.rows
    assert row[:3] == pytest.approx((difference.value, difference.low, difference.high))
    assert row[3:] == pytest.approx(tuple(100 * end for end in (ratio.value, ratio.low, ratio.high)))
    grouped = flights.sql("SELECT origin, COUNT(delay) / COUNT(*) FROM view GROUP BY origin HAVING ratio_high >= 0")
    assert grouped.columns == ["origin", "ratio", "ratio_low", "ratio_high"]
    assert all(0 <= row["ratio_low"] <= row["ratio_high"] <= 1 for row in grouped)


@pytest.mark.parametrize(
    "measure", ["COUNT(*) - AVG(hour)", "2 - COUNT(*)", "COUNT(*) - 2 * COUNT(delay)", "COUNT(*) / (0 * COUNT(delay))"]
)
def test_other_arithmetic_is_refused(flights: View, measure: str) -> None:
    with pytest.raises(QueryError, match="the difference or the ratio of two totals"):
        flights.sql(f"SELECT {measure} FROM view")
