"""The slow twin of ingest: a plain loop over rows, one value at a time, on a calendar made of dates."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ripost.data.tensor import Tensor
from ripost.schema.attribute import AttributeBase, Boolean, Category, Date, Integer, Number, OrderedAttribute, Timestamp
from ripost.schema.schema import Schema

Row = Mapping[str, Any]


def cells_of(tensor: Tensor) -> dict[tuple[int, ...], int]:
    """The tensor as a dictionary."""
    return dict(zip(map(tuple, tensor.coords.tolist()), tensor.counts.tolist(), strict=True))


def slow_cells(rows: Sequence[Row], schema: Schema) -> dict[tuple[int, ...], int]:
    """What a schema without a unit makes of rows."""
    cells: Counter[tuple[int, ...]] = Counter()
    for row in rows:
        codes = [slow_code(row[attribute.column or name], attribute) for name, attribute in schema.domain]
        if None not in codes:
            cells[tuple(code for code in codes if code is not None)] += slow_amount(row, schema)
    return {cell: amount for cell, amount in cells.items() if amount}


def slow_amount(row: Row, schema: Schema) -> int:
    if schema.total is None:
        return 1
    value: float | None = row[schema.total.sum]
    if value is None or math.isnan(value):
        return 0
    steps = math.floor(min(max(value, 0.0), schema.total.max) / schema.total.step + 0.5)
    return min(steps, schema.total.bound)


def slow_code(value: Any, attribute: AttributeBase) -> int | None:
    """The code of a value, None where its row is dropped."""
    if is_missing(value):
        return attribute.missing_code if attribute.missing == "bin" else None
    if isinstance(attribute, Boolean):
        return int(value)
    if isinstance(attribute, Category):
        text = str(value)
        if text in attribute.values:
            return attribute.values.index(text)
        return attribute.other_code if attribute.outside == "other" else None
    assert isinstance(attribute, OrderedAttribute)
    place, side = slow_place(value, attribute)
    if side == 0 or attribute.outside == "clamp":
        return place
    return attribute.other_code if attribute.outside == "other" else None


def is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def slow_place(value: Any, attribute: AttributeBase) -> tuple[int, int]:
    """The nearest bin, and on which side of the range the value lies: -1, 0 or 1."""
    starts: list[Any]
    if isinstance(attribute, Integer):
        side = -1 if value < attribute.min else int(value >= attribute.max + 1)
        nearest = min(max(value, attribute.min), attribute.max)
        return int((math.floor(nearest) - attribute.min) // attribute.width), side
    if isinstance(attribute, Number):
        if attribute.edges is not None:
            starts, last = list(attribute.edges[:-1]), attribute.edges[-1]
        else:
            assert attribute.min is not None and attribute.max is not None
            starts, last = [attribute.bins.edge(code) for code in range(attribute.count)], attribute.max
        side = -1 if value < starts[0] else int(value > last)
    elif isinstance(attribute, Date):
        day = value.date() if isinstance(value, dt.datetime) else value
        side = -1 if day < attribute.min else int(day > attribute.max)
        starts = [start.date() for start in calendar(attribute.start, attribute.stop, attribute.width)]
        value = day
    else:
        assert isinstance(attribute, Timestamp)
        side = -1 if value < attribute.min else int(value >= attribute.max)
        starts = calendar(attribute.min, attribute.max, attribute.width)
    return max(sum(start <= value for start in starts) - 1, 0), side


def calendar(start: dt.datetime, stop: dt.datetime, width: str) -> list[dt.datetime]:
    """Where bins begin."""
    number, period = int(width.split(maxsplit=1)[0]), width.split()[1].rstrip("s")
    starts = []
    at = start
    while at < stop:
        starts.append(at)
        if period in ("month", "quarter", "year"):
            for _ in range(number * {"month": 1, "quarter": 3, "year": 12}[period]):
                at = (at + dt.timedelta(days=31)).replace(day=1)
        else:
            at += number * dt.timedelta(**{f"{period}s": 1})
    return starts
