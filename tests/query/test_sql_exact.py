"""Random SELECTs give the same numbers from a view without noise as from the rows it was made of."""

from __future__ import annotations

import datetime as dt
from typing import Any

import duckdb
import numpy as np
import pytest

from ripost.view.view import View
from tests.query.exact import database, exact_rows, exact_view

QUERIES = 220
KEYS = ("a", "c", "b", "EXTRACT(month FROM d)", "EXTRACT(dow FROM d)", "DATE_TRUNC('week', d)", "FLOOR(a / 4) * 4", "d")
Pick = np.random.Generator


@pytest.fixture(scope="module")
def both() -> tuple[View, duckdb.DuckDBPyConnection]:
    rows = exact_rows()
    return exact_view(rows), database(rows)


def condition(rng: Pick, depth: int) -> str:
    if depth and rng.random() < 0.6:
        word = rng.choice(["AND", "OR"])
        text = f"({condition(rng, depth - 1)} {word} {condition(rng, depth - 1)})"
        return f"NOT {text}" if rng.random() < 0.3 else text
    n, day = int(rng.integers(-2, 8)), dt.date(2013, 1, 21) + dt.timedelta(days=int(rng.integers(0, 37)))
    compare = rng.choice(["=", "<>", "<", "<=", ">", ">="])
    atoms = [
        f"a {compare} {n}",
        f"{n} {compare} a",
        f"a BETWEEN {n - 1} AND {n + 1}",
        f"a NOT BETWEEN {n - 1} AND {n + 1}",
        f"a IN ({n}, 3, -1)",
        f"a NOT IN ({n}, 2)",
        "a IS NULL",
        "c IS NOT NULL",
        f"c {rng.choice(['=', '<>'])} '{rng.choice([*'xyz'])}'",
        f"c IN ('x', '{rng.choice([*'yz'])}')",
        "b",
        "b = false",
        f"d {compare} DATE '{day}'",
        f"d BETWEEN '{day - dt.timedelta(days=1)}' AND '{day}'",
        f"EXTRACT(month FROM d) {compare} 2",
        f"FLOOR(a / 4) * 4 {compare} 4",
    ]
    return str(rng.choice(atoms))


def grouping(rng: Pick, keys: list[str]) -> str:
    text = ", ".join(keys)
    shapes = [text, f"ROLLUP ({text})", f"CUBE ({text})", f"GROUPING SETS (({text}), ({keys[0]}), ())"]
    if len(keys) > 1:
        shapes += [f"{keys[0]}, ROLLUP ({', '.join(keys[1:])})"]
    return str(rng.choice(shapes))


def random_query(rng: Pick) -> str:
    keys = [str(key) for key in rng.choice(KEYS, int(rng.integers(0, 4)), replace=False)]
    keys = keys[:2] if "d" in keys else keys
    measures = ["COUNT(*) AS n"]
    for one in ("COUNT(a) AS m", "AVG(a) AS mean", "SUM(a) AS total", "QUANTILE_DISC(a, 0.3) AS q",
                "COUNT(*) FILTER (WHERE b) AS f", "MEDIAN(a) AS mid"):  # fmt: skip
        if rng.random() < 0.3:
            measures.append(one)
    shown = [f"{key} AS k{i}" for i, key in enumerate(keys)]
    where = f" WHERE {condition(rng, 2)}" if rng.random() < 0.8 else ""
    if not keys:
        return f"SELECT {', '.join(measures)} FROM view{where}"
    if rng.random() < 0.4:
        measures.append(f"GROUPING({', '.join(keys)}) AS g")
    by = grouping(rng, keys)
    having = "COUNT(*) > 0"
    if rng.random() < 0.5:
        having += f" {rng.choice(['AND', 'AND NOT'])} (n > {rng.integers(1, 200)} OR AVG(a) < {rng.integers(-2, 6)})"
    order = ["n DESC", *(f"k{i} {rng.choice(['ASC', 'DESC NULLS FIRST', 'DESC'])}" for i in range(len(keys)))]
    order += [f"GROUPING({', '.join(keys)})"]
    limit = f" LIMIT {rng.integers(1, 20)} OFFSET {rng.integers(0, 3)}" if rng.random() < 0.3 else ""
    return (
        f"SELECT {', '.join([*shown, *measures])} FROM view{where} GROUP BY {by} HAVING {having} "
        f"ORDER BY {', '.join(order)}{limit}"
    )


def plain(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        return value.date()
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


@pytest.mark.parametrize("seed", range(QUERIES))
def test_random_queries(seed: int, both: tuple[View, duckdb.DuckDBPyConnection]) -> None:
    view, rows = both
    query = random_query(np.random.default_rng(seed))
    found = view.sql(query)
    asked = rows.execute(query.replace("MEDIAN(a)", "QUANTILE_DISC(a, 0.5)").replace("FROM view", 'FROM "view"'))
    names = [one[0] for one in asked.description or []]
    wanted = [[plain(value) for value in row] for row in asked.fetchall()]
    shown = [[plain(row[name]) for name in names] for row in found]
    assert len(shown) == len(wanted), query
    for mine, theirs in zip(shown, wanted, strict=True):
        assert mine == [pytest.approx(v, rel=1e-9, abs=1e-9) if isinstance(v, float) else v for v in theirs], query
    for row in found:
        for name in found.columns:
            if f"{name}_low" in found.columns and row[name] is not None:
                assert row[f"{name}_low"] - 1e-9 <= row[name] <= row[f"{name}_high"] + 1e-9


@pytest.mark.parametrize(
    "query",
    [
        "SELECT c, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS s FROM view WHERE a < 3 GROUP BY c",
        "SELECT c, b, COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY c) AS s FROM view GROUP BY c, b",
        "SELECT c, b, CAST(COUNT(*) AS DOUBLE) / SUM(COUNT(*)) OVER (PARTITION BY b) AS s FROM view GROUP BY 1, 2",
    ],
)
def test_shares(query: str, both: tuple[View, duckdb.DuckDBPyConnection]) -> None:
    view, rows = both
    wanted = {row[:-1]: row[-1] for row in rows.execute(query.replace("FROM view", 'FROM "view"')).fetchall()}
    found = {tuple(row)[:-3]: row[-3] for row in view.sql(query).rows}
    assert found == pytest.approx(wanted)
    helper = query.replace("100.0 * ", "").replace("CAST(COUNT(*) AS DOUBLE)", "COUNT(*)")
    helper = helper.replace("COUNT(*) / SUM(COUNT(*)) OVER", "SHARE(*) OVER")
    scale = 100 if "100.0" in query else 1
    assert [scale * row[-3] for row in view.sql(helper.replace("OVER ()", "")).rows] == pytest.approx([*found.values()])
