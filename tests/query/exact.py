"""A small table, and a view of it without noise whose blocks are its cells, so that it tells the truth."""

from __future__ import annotations

import datetime as dt
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from ripost.answering.content.tree import TreeContent
from ripost.privacy.mechanisms import laplace_variance
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT, Measure
from ripost.space.blocks import Blocks
from ripost.space.tree import Growth, Tree
from ripost.view import View
from tests.answering.making import promise

DOMAIN = Domain.from_json(
    {
        "a": {"type": "integer", "min": -3, "max": 8},
        "d": {"type": "date", "min": "2013-01-20", "max": "2013-02-28", "missing": "drop"},
        "c": {"type": "category", "values": ["x", "y", "z"], "outside": "drop"},
        "b": {"type": "boolean", "missing": "drop"},
    }
)
START = dt.date(2013, 1, 20)


def all_cells(shape: tuple[int, ...]) -> Tree:
    """The tree whose leaves are single cells."""
    growth, nodes, blocks = Growth(shape), np.array([0]), Blocks.whole(shape)
    while (large := ~blocks.is_cell).any():
        nodes, blocks = nodes[large], blocks.take(large)
        axis = blocks.sizes.argmax(axis=1)
        rows = np.arange(len(axis))
        cut = (blocks.lower[rows, axis] + blocks.upper[rows, axis]) // 2
        nodes, blocks = growth.split(nodes, axis, cut), blocks.split(axis, cut)
    return growth.tree()


def exact_rows(seed: int = 0, number: int = 3000) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    found: list[dict[str, Any]] = []
    for _ in range(number):
        a, c = int(rng.binomial(12, 0.6)) - 3, int(rng.integers(0, 4))
        found.append(
            {
                "a": a if a <= 8 else None,
                "d": START + dt.timedelta(days=int(39 * rng.beta(2, 3))),
                "c": [*"xyz", None][c],
                "b": bool(rng.random() < 0.3 + 0.1 * c),
            }
        )
    return found


def exact_view(rows: list[dict[str, Any]], *, entropy: str = "operating system", measure: Measure = COUNT) -> View:
    shape = DOMAIN.shape
    counts = np.zeros(shape)
    for row in rows:
        a = 12 if row["a"] is None else row["a"] + 3
        counts[a, (row["d"] - START).days, "xyz".index(row["c"]) if row["c"] else 3, int(row["b"])] += 1
    tree = all_cells(shape)
    cells = tree.boxes.lower[tree.leaves]
    variances = np.where(tree.is_leaf, laplace_variance(1 / 500), np.inf)  # 1e-217: as good as none
    content = TreeContent(shape, tree=tree, values=counts[tuple(cells.T)], variances=variances)
    privacy = promise(len(cells), epsilon="1000", entropy=entropy, bound=measure.bound)
    return View(domain=DOMAIN, content=content, privacy=privacy, method="exact", measure=measure)


def database(rows: list[dict[str, Any]]) -> duckdb.DuckDBPyConnection:
    """The same rows as a table that is called view."""
    connection = duckdb.connect()
    kinds = pa.schema([("a", pa.int64()), ("d", pa.date32()), ("c", pa.string()), ("b", pa.bool_())])
    connection.register("rows_", pa.Table.from_pylist(rows, schema=kinds))
    connection.execute('CREATE TABLE "view" AS SELECT * FROM rows_')
    connection.execute("CREATE MACRO count_if(x) AS count(*) FILTER (WHERE x)")  # DuckDB's own is NULL if all x are
    return connection
