"""Rows with values of every kind, measures of them, and what each row adds, by a loop."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa

from ripost.data.tensor import Tensor
from ripost.schema.measured_column import MeasuredColumn
from ripost.schema.schema import Schema

MEASURES: dict[str, dict[str, Any]] = {
    "signed": {"column": "v", "min": -10.0, "max": 10.0},
    "fine": {"column": "v", "min": 0.5, "max": 2.0, "step": 0.25, "missing": 1.0},
    "uneven": {"column": "v", "min": -1.0, "max": 1.0, "step": 0.3},
    "dropped": {"column": "w", "min": -5.0, "max": -1.0, "missing": "drop", "missing_values": ["-3"]},
}


def schema_of(names: list[str], **more: Any) -> Schema:
    attributes = {"x": {"type": "integer", "min": 0, "max": 2, "missing": "drop"}}
    return Schema.from_dict({**more, "attributes": attributes, "measures": {name: MEASURES[name] for name in names}})


def table_of(rows: list[tuple[int, float | None, float | None]], **more: Any) -> pa.Table:
    x, v, w = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    return pa.table(
        {"x": pa.array(x, pa.int64()), "v": pa.array(v, pa.float64()), "w": pa.array(w, pa.float64()), **more}
    )


def half_steps(measured: MeasuredColumn, value: float | None) -> int | None:
    """What a row adds, as the page on measures says it."""
    if value is None or math.isnan(value) or value in measured.missing_numbers:
        return None if measured.missing_steps is None else 2 * measured.missing_steps - measured.bound
    steps = math.floor((max(measured.min, min(measured.max, value)) - measured.min) / measured.step + 0.5)
    return 2 * max(0, min(measured.bound, steps)) - measured.bound


def dense(tensor: Tensor) -> np.ndarray:
    """Counts and sums of each cell, (1 + measures, 3)."""
    assert tensor.sums is not None
    found = np.zeros((1 + len(tensor.sums), 3), np.int64)
    found[:, tensor.coords[:, 0]] = np.vstack([tensor.counts, tensor.sums])
    return found
