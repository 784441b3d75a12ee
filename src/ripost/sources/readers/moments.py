"""Timestamps of seconds and milliseconds as microseconds, in which DuckDB computes.

DuckDB fails on a moment that microseconds cannot hold, so one row could decide whether a release succeeds. Here it
becomes NULL, which is missing.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

PER_UNIT = {"s": 1_000_000, "ms": 1_000}  # microseconds
LARGEST = 2**62  # microseconds before and after 1970; DuckDB's own range is a little less than twice that


def is_coarse(kind: pa.DataType) -> bool:
    """Whether a column of this type holds moments in seconds or milliseconds."""
    values = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.types.is_timestamp(values) and values.unit in PER_UNIT


def has_coarse_moments(types: pa.Schema) -> bool:
    """Whether any column holds moments in seconds or milliseconds."""
    return any(is_coarse(kind) for kind in types.types)


def refine_schema(types: pa.Schema) -> pa.Schema:
    """The names and types that `refine_batch` gives."""
    return pa.schema([pa.field(field.name, refine_type(field.type)) for field in types])


def refine_type(kind: pa.DataType) -> pa.DataType:
    if not is_coarse(kind):
        return kind
    return pa.timestamp("us", kind.value_type.tz if pa.types.is_dictionary(kind) else kind.tz)


def refine_rows(rows: Any) -> Any:
    """Arrow data as DuckDB reads it: a table stays one, all else is a reader of batches if a column had to change."""
    if not has_coarse_moments(rows.schema):
        return rows
    if isinstance(rows, pa.Table):
        return pa.Table.from_batches([refine_batch(batch) for batch in rows.to_batches()], refine_schema(rows.schema))
    batches = rows if isinstance(rows, pa.RecordBatchReader) else rows.scanner().to_reader()
    return pa.RecordBatchReader.from_batches(refine_schema(batches.schema), (refine_batch(batch) for batch in batches))


def refine_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch with its moments in microseconds."""
    return pa.RecordBatch.from_arrays([_refine(column) for column in batch.columns], schema=refine_schema(batch.schema))


def _refine(column: pa.Array) -> pa.Array:
    if not is_coarse(column.type):
        return column
    plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    count, factor = plain.cast("int64"), PER_UNIT[plain.type.unit]
    inside = pc.and_(pc.greater_equal(count, -LARGEST // factor), pc.less_equal(count, LARGEST // factor))
    return pc.multiply(pc.if_else(inside, count, None), factor).cast(refine_type(column.type))
