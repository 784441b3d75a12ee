"""The same 200 random SELECTs, asked of the rows, the library, an exported database and the explorer: one answer."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from sqlglot import exp, parse_one

from ripost.view import View
from tests.explore.browser import opened
from tests.query.exact import DOMAIN, database, exact_rows, exact_view
from tests.query.random_sql import plain, plain_query

QUERIES = [25, pytest.param(200, marks=pytest.mark.slow)]
Rows = list[list[Any]]


@pytest.fixture(scope="module")
def view() -> View:
    return exact_view(exact_rows())


@pytest.fixture(scope="module", params=QUERIES)
def asked(request: pytest.FixtureRequest) -> list[tuple[str, Rows]]:
    """Questions, and what the rows themselves answer."""
    rows = database(exact_rows())
    queries = [plain_query(np.random.default_rng(seed)) for seed in range(request.param)]
    found = [rows.execute(query.replace("FROM view", 'FROM "view"')).fetchall() for query in queries]
    return [
        (query, [[plain(value) for value in row] for row in table]) for query, table in zip(queries, found, strict=True)
    ]


def same(found: Rows, wanted: Rows, query: str) -> None:
    """Rows in the order that was asked for, or in any where none was."""
    if "ORDER BY" not in query:
        found, wanted = (sorted(rows, key=lambda row: [str(value) for value in row[:3]]) for rows in (found, wanted))
    assert len(found) == len(wanted), query
    for mine, theirs in zip(found, wanted, strict=True):
        assert all(alike(a, b) for a, b in zip(mine, theirs, strict=True)), (query, mine, theirs)


def alike(a: Any, b: Any) -> bool:
    if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (a, b)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return bool(a == b)


def not_empty(rows: Rows, query: str) -> Rows:
    """Without groups that hold nothing: a view does not know which are empty, a table does not have them."""
    return rows if "GROUP BY" not in query else [row for row in rows if row[_place_of_n(query)] > 0]


def _place_of_n(query: str) -> int:
    return [one.alias for one in parse_one(query, dialect="duckdb").expressions].index("n")


def test_the_library(view: View, asked: list[tuple[str, Rows]]) -> None:
    for query, wanted in asked:
        table = view.sql(query)
        names = [one.alias for one in parse_one(query, dialect="duckdb").expressions]
        found = [[plain(row[name]) for name in names] for row in table]
        same(not_empty(found, query), wanted, query)


def weighted(node: Any) -> Any:
    """A SELECT over rows as one over totals: COUNT(*) is SUM(count), AVG(a) is SUM(a * count) / SUM(count)."""
    count = exp.column("count")
    if isinstance(node, exp.Count):
        whole = exp.Sum(this=count.copy())
        if isinstance(node.this, exp.Star):
            return whole
        return exp.func("coalesce", _where_there(whole, node.this), exp.Literal.number(0))
    if isinstance(node, (exp.Avg, exp.Sum)) and isinstance(node.this, exp.Column) and node.this.name != "count":
        total = exp.Sum(this=exp.Mul(this=node.this.copy(), expression=count.copy()))
        if isinstance(node, exp.Sum):
            return _where_there(total, node.this, held=True)
        return exp.Div(
            this=_where_there(total, node.this),
            expression=exp.func("nullif", _where_there(exp.Sum(this=count.copy()), node.this), exp.Literal.number(0)),
        )
    return node


def _where_there(total: Any, column: Any, *, held: bool = False) -> Any:
    there = f"{column.sql('duckdb')} IS NOT NULL" + (" AND count > 0" if held else "")
    return exp.Filter(this=total, expression=exp.Where(this=parse_one(there, dialect="duckdb")))


def test_an_exported_database(view: View, asked: list[tuple[str, Rows]], tmp_path: Path) -> None:
    """In plain SQL on the relation of cells."""
    view.export(tmp_path / "flights.duckdb")
    with duckdb.connect(tmp_path / "flights.duckdb", read_only=True) as connection:
        for query, wanted in asked:
            text = (
                parse_one(query, dialect="duckdb")
                .transform(weighted)
                .sql("duckdb")
                .replace("FROM view", "FROM flights")
            )
            rows = [[plain(value) for value in row] for row in connection.execute(text).fetchall()]
            found = [
                [0.0 if one is None and name == "n" else one for one, name in zip(row, _names(query), strict=True)]
                for row in rows
            ]
            same(not_empty(found, query), wanted, query)


def _names(query: str) -> list[str]:
    return [one.alias for one in parse_one(query, dialect="duckdb").expressions]


def test_the_explorer(view: View, asked: list[tuple[str, Rows]], browser: Any, tmp_path: Path) -> None:
    """In a real browser; bounds are those of the library."""
    path = tmp_path / "view.html"
    view.explore(path)
    with opened(browser, path) as tab:
        answers = tab.evaluate("list => list.map((sql) => ripost.sql(sql).rows)", [query for query, _ in asked])
    for (query, wanted), rows in zip(asked, answers, strict=True):
        kinds = [one.this for one in parse_one(query, dialect="duckdb").expressions]
        found = [[_read(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in rows]
        same(not_empty(found, query), wanted, query)
        if "ORDER BY" in query:
            ends = [
                [row[f"{name}{end}"] for name in _names(query) for end in ("_low", "_high") if f"{name}{end}" in row]
                for row in view.sql(query)
            ]
            shown = [[cell[end] for cell in row if isinstance(cell, dict) for end in ("low", "high")] for row in rows]
            same(shown, ends, query)


def _read(cell: Any, kind: Any) -> Any:
    """A cell of the page as a value."""
    if isinstance(cell, dict):
        return plain(cell["value"])
    attribute = DOMAIN.attributes[kind.name]
    if cell == "(missing)":
        return None
    match kind.name:
        case "a":
            return float(cell)
        case "b":
            return cell == "true"
        case "d":
            return attribute.value(attribute.tick(cell))  # type: ignore[attr-defined]
    return cell
