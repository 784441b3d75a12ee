"""Sources: whatever the owner's table comes as, opened as an Ibis table on the engine that holds it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa

from ripost.errors import SourceError
from ripost.ingest.database import names_in_database, open_database
from ripost.ingest.embedded import connect, fresh_name
from ripost.ingest.files import names_in_files, open_files
from ripost.ingest.opened import Opened, chosen, require
from ripost.ingest.shield import shielded
from ripost.ingest.spark import frame_of, is_spark, open_frame, open_url


def open_source(source: Any, *, columns: Sequence[str], table: str | None = None) -> Opened:
    """The columns of a path, glob, data frame, Arrow data, Ibis table, Spark frame or database URL."""
    if isinstance(source, str) and "://" in source:
        opening = open_url if is_spark(source) else open_database
        return opening(source, columns=columns, table=table)
    if table is not None:
        raise SourceError("table is for database URLs; leave it out here")
    if isinstance(source, (str, Path)):
        return open_files(source, columns=columns)
    if isinstance(source, ibis.expr.types.Table):
        return _ibis(source, columns)
    if type(source).__module__.startswith("pyspark.sql"):
        return open_frame(source, columns=columns)
    return _arrow(source, columns)


def _ibis(table: Any, columns: Sequence[str]) -> Opened:
    require(columns, table.columns, name="table")
    backend = ibis.get_backend(table)
    if backend.name != "pyspark":
        return Opened("table", chosen(table, columns), backend)
    frame = shielded(lambda: frame_of(backend, table), say="table: cannot be read")
    return open_frame(frame, columns=columns, name="table")


def column_names(source: str | Path, *, table: str | None = None) -> list[str]:
    """The names of all columns of a path, glob or database URL, in their order, without a look at any row."""
    if isinstance(source, str) and "://" in source:
        return names_in_database(source, table=table)
    if table is not None:
        raise SourceError("table is for database URLs; leave it out here")
    return names_in_files(source)


def _arrow(source: Any, columns: Sequence[str]) -> Opened:
    """Anything that can hand over Arrow data."""
    kind = type(source).__name__
    home = type(source).__module__.partition(".")[0]
    if home == "pandas" and kind == "DataFrame":
        data = _pandas(source, columns)
    elif home == "polars" and kind in ("DataFrame", "LazyFrame"):
        data = _polars(source, columns)
    elif isinstance(source, (pa.Table, pa.RecordBatch)):
        require(columns, source.schema.names, name="table")
        data = pa.table(source.select(list(columns)))
    elif isinstance(source, pa.RecordBatchReader) or (home == "pyarrow" and hasattr(source, "scanner")):
        data = source
    elif hasattr(source, "__arrow_c_stream__"):
        data = shielded(lambda: pa.RecordBatchReader.from_stream(source), say=f"{kind}: gives no Arrow stream")
    else:
        ways = "a path, a data frame, Arrow data, an Ibis table, a Spark frame or a database URL"
        raise SourceError(f"cannot read a table from {kind}; give {ways}")
    require(columns, data.schema.names, name="table")
    backend = connect()
    name = fresh_name()
    say = "table: has columns that DuckDB cannot read"
    shielded(lambda: backend.con.register(name, data), say=say)
    types = shielded(lambda: ibis.Schema.from_pyarrow(data.schema), say=say)
    table = backend.sql(f'SELECT * FROM "{name}"', schema=types)
    once = isinstance(data, pa.RecordBatchReader)
    return Opened("table", table.select(*columns), backend, once=once, end=backend.disconnect)


def _pandas(frame: Any, columns: Sequence[str]) -> pa.Table:
    names = [str(label) for label in frame.columns]
    require(columns, names, name="frame")
    arrays = {}
    for column in columns:
        values = frame.iloc[:, names.index(column)]
        say = f"frame: column {column} mixes kinds of values; make it one kind"
        arrays[column] = shielded(partial(pa.array, values, from_pandas=True), say=say)
    return pa.table(arrays)


def _polars(frame: Any, columns: Sequence[str]) -> pa.Table:
    say = "frame: cannot be read"
    names = shielded(lambda: frame.lazy().collect_schema().names(), say=say)
    require(columns, names, name="frame")
    return shielded(lambda: frame.lazy().select(columns).collect().to_arrow(), say=say)
