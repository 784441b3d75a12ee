"""The page's numbers are the library's, to 1e-9."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ripost.answering.answer import UNMEASURED
from ripost.estimate.error_model import ErrorModel
from ripost.query.condition import parse_condition
from ripost.schema.domain import Domain
from tests.answering.mixing import mixed_view
from tests.explore.browser import opened
from tests.explore.comparing import as_keys, same
from tests.explore.conftest import Page
from tests.explore.views import EVERY_TYPE, KINDS, every_type, random_selections, view_of_kind


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_answers_every_kind_of_view_as_the_library_does(kind: str, browser: Any, page: Page) -> None:
    """Selections at random; and bars, which are answers with their own axis kept to the bar and nothing else."""
    view, rng = view_of_kind(kind), np.random.default_rng(7)
    shape = view.domain.shape
    selections, filters = random_selections(shape, 100, rng), random_selections(shape, 5, rng)
    bins = [[[code, code + 1] for code in range(size)] for size in shape]
    with opened(browser, page(view)) as tab:
        found = tab.evaluate("list => list.map((s) => ripost.answer(s))", [as_keys(s) for s in selections])
        bars = tab.evaluate(
            "([list, bins]) => list.map((s) => bins.map((b, axis) => [...ripost.histogram(axis, b, s)]))",
            [[as_keys(s) for s in filters], bins],
        )
    for selection, answer in zip(selections, found, strict=True):
        wanted = view.answer_selection(selection)
        assert same(answer, wanted) and answer.get("note", "") == wanted.note, selection
    notes = {answer.get("note", "") for answer in found}
    assert ("dependence" not in kind and "do" not in kind.split()) or notes == {"", UNMEASURED}
    widths = [answer["high"] - answer["low"] for answer in found if answer["stderr"]]
    assert kind != "blocks of a small epsilon" or min(widths) == pytest.approx(view.min_interval_width)
    for selection, by_axis in zip(filters, bars, strict=True):
        for axis, totals in enumerate(by_axis):
            for code, total in enumerate(totals):
                wanted = view.answer_selection({**selection, axis: [(code, code + 1)]}).value
                assert total == pytest.approx(wanted, rel=1e-9, abs=1e-9)


CONTRASTS = (
    "SELECT COUNT(*) FILTER (WHERE x0 < 3) - COUNT(*) FILTER (WHERE x1 = 2) AS n FROM view WHERE x2 > 0",
    "SELECT COUNT(*) FILTER (WHERE x0 < 3) / COUNT(*) AS n FROM view WHERE x2 > 0 OR x1 = 3",
    "SELECT COUNT(*) FILTER (WHERE x0 < 3) / COUNT(*) FILTER (WHERE x0 < 2 AND x1 < 3) AS n FROM view",
    "SELECT x2, COUNT(*) FILTER (WHERE x0 = 1) / COUNT(*) FILTER (WHERE x0 = 2) AS n FROM view GROUP BY x2",
)


@pytest.mark.parametrize("kind", KINDS)
def test_differences_and_ratios_of_every_kind(kind: str, browser: Any, page: Page) -> None:
    view = view_of_kind(kind)
    with opened(browser, page(view)) as tab:
        for sql in CONTRASTS:
            found = tab.evaluate("sql => ripost.sql(sql)", sql)["rows"]
            for row, wanted in zip(found, view.sql(sql), strict=True):
                for end, figure in (("n", "value"), ("n_low", "low"), ("n_high", "high")):
                    expected = wanted[end] if wanted[end] is None else pytest.approx(wanted[end], rel=1e-9, abs=1e-9)
                    assert row[-1][figure] == expected, (sql, figure)


CONDITIONS = (
    "hour between 6 and 9 and origin = 'JFK'",
    "delay >= 60",
    "NOT delay < 15 AND hour <> 7",
    "delay IS NULL",
    "delay IS NOT NULL AND origin IN ('EWR', 'LGA')",
    "origin NOT IN ('EWR')",
    "(hour < 6 OR 20 <= hour) AND late = true",
    "day BETWEEN '2013-02-10' AND '2013-07-04'",
    "at >= '2013-01-01 08:30' AND at < '2013-01-01 17:00:00'",
    "share > 0.123 AND NOT share BETWEEN 0.5 AND 0.75",
    "delay = 5",
    "\"hour\" = 23 AND NOT (origin = 'JFK' OR origin = 'LGA')",
    "share = 1",
    "DELAY > -5.5",
)


EVERY_TYPE_KINDS = {
    "noise alone": every_type,
    "error model": lambda: every_type(error_model=ErrorModel(0.02, (3.0,) * len(EVERY_TYPE))),
    "mixture": lambda: mixed_view(Domain.from_json(EVERY_TYPE), leaves=400, seed=1, unmeasured=((0, 1), (1, 6))),
}


def test_sql_conditions(browser: Any, page: Page) -> None:
    view = every_type()
    with opened(browser, page(view)) as tab:
        for where in CONDITIONS:
            found = tab.evaluate("sql => ripost.sql(sql)", f"SELECT COUNT(*) FROM view WHERE {where}")
            assert found["columns"] == ["count"]
            [[answer]] = found["rows"]
            assert same(answer, view.answer_regions([parse_condition(where, view.domain)])[0]), where


@pytest.mark.parametrize("kind", EVERY_TYPE_KINDS)
def test_sql_or_between_attributes(browser: Any, page: Page, kind: str) -> None:
    """A union of boxes is one question, answered as the library does."""
    view = EVERY_TYPE_KINDS[kind]()
    same_question = (
        "hour < 6 OR origin = 'JFK'",
        "(hour < 6) OR (hour >= 6 AND origin = 'JFK')",
        "NOT (NOT hour < 6 AND NOT origin = 'JFK')",
    )
    with opened(browser, page(view)) as tab:
        for where in same_question:
            found = tab.evaluate("sql => ripost.sql(sql)", f"SELECT COUNT(*) FROM view WHERE {where}")
            [wanted] = view.answer_regions([parse_condition(where, view.domain)])
            assert same(found["rows"][0][0], wanted), where


def test_sql_groups(browser: Any, page: Page) -> None:
    view = every_type()
    sql = "SELECT origin, COUNT(*) AS n FROM view WHERE hour < 12 GROUP BY origin ORDER BY n DESC LIMIT 2"
    with opened(browser, page(view)) as tab:
        found = tab.evaluate("sql => ripost.sql(sql)", sql)
    [hours] = parse_condition("hour < 12", view.domain)
    answers = {
        name: view.answer_selection({**hours, 1: [(i, i + 1.0)]})
        for i, name in enumerate(["EWR", "JFK", "LGA", "(other)"])
    }
    best = sorted(answers, key=lambda name: -answers[name].value)[:2]
    assert found["columns"] == ["origin", "n"]
    assert [row[0] for row in found["rows"]] == best
    assert all(same(row[1], answers[row[0]]) for row in found["rows"])


MEASURES = (
    "SELECT origin, COUNT(delay) AS n, AVG(delay) AS mean, SUM(hour) AS hours, SHARE(*) AS share FROM view "
    "WHERE hour < 12 OR late GROUP BY origin",
    "SELECT origin, late, SHARE(*) OVER (PARTITION BY late) AS share FROM view GROUP BY origin, late",
    "SELECT late, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS percent FROM view WHERE delay >= 7 GROUP BY late",
    "SELECT hour, COUNT(*) AS n FROM view GROUP BY hour HAVING n_high > 1 AND NOT hour IN (3, 4) "
    "ORDER BY hour DESC LIMIT 5 OFFSET 2",
    "SELECT hour, AVG(share) AS mean FROM view GROUP BY hour HAVING AVG(share) BETWEEN 0.3 AND 0.9 ORDER BY 1 DESC",
    "SELECT AVG(share) AS mean, SUM(delay) AS total FROM view WHERE delay IS NULL",
    "SELECT origin, late, COUNT(*) AS n, SHARE(*) AS share, AVG(hour) AS mean FROM view(simultaneous) "
    "WHERE hour < 12 OR late GROUP BY origin, late HAVING n_high > 5 ORDER BY n DESC LIMIT 3",
    "SELECT origin, COUNT(*) FILTER (WHERE late) AS n, AVG(delay) FILTER (WHERE hour < 9 OR late) AS mean FROM view "
    "GROUP BY origin",
    "SELECT origin, COUNT(*) FILTER (WHERE hour < 12) - COUNT(*) FILTER (WHERE late) AS ahead FROM view "
    "WHERE delay >= 7 OR hour > 3 GROUP BY origin ORDER BY ahead DESC",
    "SELECT hour, 100 * COUNT(*) FILTER (WHERE late AND origin = 'JFK') / NULLIF(COUNT(*), 0) AS percent, "
    "COUNT(delay) - COUNT(*) AS missing FROM view(simultaneous) GROUP BY hour HAVING percent_low >= 0 AND hour < 9",
    "SELECT COUNT(*) FILTER (WHERE origin = 'EWR') / COUNT(*) FILTER (WHERE origin = 'JFK') AS times, "
    "COUNT(*) FILTER (WHERE hour < 3) / COUNT(*) FILTER (WHERE hour < 2) AS more FROM view",
    "SELECT origin, CAST(COUNT(*) FILTER (WHERE share > 0.25 AND hour = 3) AS DOUBLE) "
    "/ COUNT(*) FILTER (WHERE share > 0.75 AND hour = 4 AND late) AS odds FROM view GROUP BY origin "
    "ORDER BY 10 * COUNT(*) FILTER (WHERE late) / COUNT(*), origin",
)


@pytest.mark.parametrize("kind", EVERY_TYPE_KINDS)
def test_sql_measures(browser: Any, page: Page, kind: str) -> None:
    """Means, sums, shares and HAVING, with their bounds, are the library's."""
    view = EVERY_TYPE_KINDS[kind]()
    with opened(browser, page(view)) as tab:
        for sql in MEASURES:
            found = tab.evaluate("sql => ripost.sql(sql)", sql)
            wanted = view.sql(sql)
            assert len(found["rows"]) == len(wanted), sql
            for row, theirs in zip(found["rows"], wanted, strict=True):
                for name, cell in zip(found["columns"], row, strict=True):
                    ends = [cell["value"], cell["low"], cell["high"]] if isinstance(cell, dict) else [cell]
                    figures = [theirs[name + end] for end in ("", "_low", "_high")[: len(ends)]]
                    if len(ends) == 1:
                        assert cell == str(figures[0]).lower() or cell == str(figures[0]), sql
                    else:
                        close = [one is not None and pytest.approx(one, rel=1e-9, abs=1e-9) for one in figures]
                        assert [one is not None and one for one in ends] == close, (sql, row, theirs)


def test_quantiles_lie_where_they_should(browser: Any, page: Page) -> None:
    """Half of the estimated mass lies below the median, to within its bin; bounds hold it."""
    view = every_type(values=np.full(400, 25.0))
    with opened(browser, page(view)) as tab:
        found = tab.evaluate("() => ripost.quantiles(2, [0, 0.5, 0.9, 1], {1: [[1, 2]]})")
    for share, quantile in zip([0, 0.5, 0.9, 1], found, strict=True):
        assert quantile["low"] <= quantile["value"] <= quantile["high"]
        code = view.domain.attributes["delay"].bins.code(quantile["value"])  # type: ignore[attr-defined]
        whole = view.answer_selection({1: [(1, 2)], 2: [(0, 33)]}).value
        below = view.answer_selection({1: [(1, 2)], 2: [(0, code)]}).value
        upto = view.answer_selection({1: [(1, 2)], 2: [(0, code + 1)]}).value
        assert below <= share * whole + 1e-6 and share * whole <= upto + 1e-6
