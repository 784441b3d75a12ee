"""Random SELECTs give the same numbers from a view without noise as from the rows it was made of."""

from __future__ import annotations

import duckdb
import numpy as np
import pytest

from ripost.view import View
from tests.marks import slow_after
from tests.query.exact import database, exact_rows, exact_view
from tests.query.random_sql import plain, wide_query

QUICK, QUERIES = 60, 220
SUMS = ("s1", "s2")  # of no rows these are 0 here, and NULL in DuckDB


@pytest.fixture(scope="module")
def both() -> tuple[View, duckdb.DuckDBPyConnection]:
    rows = exact_rows()
    return exact_view(rows), database(rows)


@pytest.mark.parametrize("seed", slow_after(QUICK, range(QUERIES)))
def test_random_queries_get_the_numbers_of_the_rows(seed: int, both: tuple[View, duckdb.DuckDBPyConnection]) -> None:
    view, rows = both
    query = wide_query(np.random.default_rng(seed))
    found = view.sql(query)
    asked = rows.execute(query.replace("MEDIAN(a)", "QUANTILE_DISC(a, 0.5)").replace("FROM view", 'FROM "view"'))
    names = [one[0] for one in asked.description or []]
    wanted = [
        [0.0 if value is None and name in SUMS else plain(value) for name, value in zip(names, row, strict=True)]
        for row in asked.fetchall()
    ]
    shown = [[plain(row[name]) for name in names] for row in found]
    assert len(shown) == len(wanted), query
    for mine, theirs in zip(shown, wanted, strict=True):
        assert mine == [pytest.approx(v, rel=1e-9, abs=1e-9) if isinstance(v, float) else v for v in theirs], query
    for row in found:
        for name in found.columns:
            if f"{name}_low" in found.columns and isinstance(row[name], float):
                assert row[f"{name}_low"] - 1e-9 <= row[name] <= row[f"{name}_high"] + 1e-9


@pytest.mark.parametrize(
    "query",
    [
        "SELECT c, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS s FROM view WHERE a < 3 GROUP BY c",
        "SELECT c, b, COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY c) AS s FROM view GROUP BY c, b",
        "SELECT c, b, CAST(COUNT(*) AS DOUBLE) / SUM(COUNT(*)) OVER (PARTITION BY b) AS s FROM view GROUP BY 1, 2",
    ],
)
def test_shares_are_those_of_the_rows(query: str, both: tuple[View, duckdb.DuckDBPyConnection]) -> None:
    view, rows = both
    wanted = {row[:-1]: row[-1] for row in rows.execute(query.replace("FROM view", 'FROM "view"')).fetchall()}
    found = {tuple(row)[:-3]: row[-3] for row in view.sql(query).rows}
    assert found == pytest.approx(wanted)
    helper = query.replace("100.0 * ", "").replace("CAST(COUNT(*) AS DOUBLE)", "COUNT(*)")
    helper = helper.replace("COUNT(*) / SUM(COUNT(*)) OVER", "SHARE(*) OVER")
    scale = 100 if "100.0" in query else 1
    assert [scale * row[-3] for row in view.sql(helper.replace("OVER ()", "")).rows] == pytest.approx([*found.values()])
