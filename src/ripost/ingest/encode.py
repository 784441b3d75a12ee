"""Encode: from an opened source to its non-empty cells, as one Ibis expression.

The codes of a row are packed into as few 64-bit keys as hold the domain, so that engines group by one or two whole
numbers instead of by many columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ibis
import ibis.expr.operations as ops
import pyarrow as pa

from ripost.ingest.bound import bounded
from ripost.ingest.codes import clip, code, floats, found, integer, real, spelled
from ripost.ingest.opened import Opened
from ripost.ingest.packing import packed
from ripost.ingest.schema import Schema, Sum
from ripost.space.attribute import Category
from ripost.space.domain import Domain

FEW = 12  # categories compared one by one; more are looked up by a join


def encode(opened: Opened, schema: Schema, *, secret: str) -> Any:
    """The cells as a table: a row a non-empty cell, its packed keys `k0`, `k1`, … and its `amount`."""
    nan = opened.backend.has_operation(ops.IsNan)
    coded = _coded(opened, schema, nan=nan)
    keys = _keys(coded, schema.domain)
    extra = {"unit": coded.unit} if schema.unit is not None else {}
    if schema.total is not None:
        extra["amount"] = coded.amount
    rows = coded.select(**keys, **extra)
    if schema.unit is not None:
        rows = bounded(
            rows.filter(*(rows[name].notnull() for name in keys)),
            unit="unit",
            content=[name for name in rows.columns if name != "unit"],
            max_rows=schema.row_unit.max_rows,
            secret=secret,
            backend=opened.backend,
        )
    amount = rows.count() if schema.total is None else rows.amount.sum().cast("int64")
    return rows.group_by(list(keys)).aggregate(amount=amount)


def _coded(opened: Opened, schema: Schema, *, nan: bool) -> Any:
    """The table with columns `c0`, `c1`, … of codes, and `unit` and `amount` where the schema has them."""
    table = opened.table
    attributes = [(attribute, table[attribute.column or name]) for name, attribute in schema.domain]
    first = {}
    for number, (attribute, column) in enumerate(attributes):
        looked_up = isinstance(attribute, Category) and attribute.count > FEW
        first[f"c{number}"] = spelled(column, nan=nan) if looked_up else code(column, attribute, nan=nan)
    if schema.unit is not None:
        first["unit"] = table[schema.unit]
    if schema.total is not None:
        first["amount"] = _steps(table[schema.total.sum], schema.total, nan=nan)
    coded = table.select(**first)
    for number, (attribute, _) in enumerate(attributes):
        if isinstance(attribute, Category) and attribute.count > FEW:
            coded = _looked_up(coded, f"c{number}", attribute, opened.lend)
    return coded


def _looked_up(table: Any, name: str, attribute: Category, lend: Callable[[pa.Table], Any] = ibis.memtable) -> Any:
    """The table with a column of names turned into codes."""
    codes = pa.array(range(attribute.count), pa.int64())
    names = lend(pa.table({f"{name}_name": pa.array(attribute.names, pa.string()), f"{name}_code": codes}))
    joined = table.left_join(names, [(name, f"{name}_name")])
    kept = {column: joined[column] for column in table.columns}
    return joined.select(**{**kept, name: found(joined[name], joined[f"{name}_code"], attribute)})


def _keys(coded: Any, domain: Domain) -> dict[str, Any]:
    keys = {}
    for number, axes in enumerate(packed(domain.shape)):
        terms = [
            coded[f"c{axis}"] * integer(math.prod(domain.shape[axis + 1 : axes.stop]))
            if axis + 1 < axes.stop
            else coded[f"c{axis}"]
            for axis in axes
        ]
        keys[f"k{number}"] = sum(terms[1:], terms[0])
    return keys


def _steps(column: Any, total: Sum, *, nan: bool) -> Any:
    """What each row adds, in whole steps: clamped, rounded half up, nothing where it is missing."""
    x = floats(column)
    steps = (clip(x, real(0), real(total.max)) / real(total.step) + real(0.5)).floor()
    missing = x.isnull() | x.isnan() if nan else x.isnull()
    return ibis.cases((missing, integer(0)), else_=ibis.least(steps, integer(total.bound)).cast("int64"))
