"""A table with measures whose means depend on its attributes, and its exact sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ripost.schema.schema import Schema
from ripost.view import View

ROWS = 6000
SCHEMA: dict[str, Any] = {
    "attributes": {
        "hour": {"type": "integer", "min": 0, "max": 23, "missing": "drop"},
        "place": {"type": "category", "values": ["a", "b", "c", "d"], "missing": "drop"},
    },
    "measures": {
        "delay": {"min": -30.0, "max": 90.0, "missing": "drop"},
        "seats": {"column": "chairs", "min": 0.0, "max": 300.0, "step": 10.0, "weight": 2.0},
    },
}


def draw_table(rows: int = ROWS, seed: int = 0) -> pa.Table:
    """Delays grow over the day, seats depend on the place; some delays are missing, and some beyond the range."""
    rng = np.random.default_rng(seed)
    hour, place = rng.integers(0, 24, rows), rng.integers(0, 4, rows)
    delay = rng.normal(hour * 2.0 - 15, 10)
    seats = 50.0 + 60 * place + rng.integers(0, 5, rows) * 10
    missing = rng.random(rows) < 0.05
    return pa.table(
        {
            "hour": hour,
            "place": pa.array(np.array(["a", "b", "c", "d"])[place]),
            "delay": pa.array(delay, mask=missing),
            "chairs": seats,
            "person": np.arange(rows) // 2,
        }
    )


def make_schema(**changes: Any) -> Schema:
    return Schema.from_dict({**SCHEMA, **changes})


def exact(table: pa.Table, name: str, **where: Any) -> tuple[float, float]:
    """The number of rows that count and the sum of a measure, by a loop over the rows."""
    count = total = 0.0
    for row in table.to_pylist():
        if row["delay"] is None or any(row[key] != value for key, value in where.items()):
            continue
        value = max(-30.0, min(90.0, row["delay"])) if name == "delay" else max(0.0, min(300.0, row["chairs"]))
        count, total = count + 1, total + value
    return count, total


def answer(view: View, question: str) -> list[float]:
    """The only row of a SELECT."""
    return list(view.sql(question).rows[0])
