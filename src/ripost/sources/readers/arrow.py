"""Arrow data and data frames, as tables of the embedded DuckDB.

Before rows may be read only the names and types that a source states are taken from it. Columns of Python objects have
no type before their values are looked at, and lazy frames and streams may look at rows to tell even their names: of
these nothing is known until the table is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import ibis
import pyarrow as pa

from ripost.errors import SourceError
from ripost.sources.duckdb_engine import connect, new_table_name
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.moments import has_coarse_moments, refine_rows, refine_schema
from ripost.sources.source_table import SourceTable, require_columns, select_columns

OF_VALUES = ("CategoricalDtype", "SparseDtype")  # dtypes of pandas that are made of values
Load = Callable[[], Any]  # Arrow data that DuckDB can read


def open_arrow(source: Any, *, columns: Sequence[str]) -> SourceTable:
    """The columns of a data frame or of Arrow data."""
    name = "frame" if _is(source, "pandas", "polars") else "table"
    types, load = _parts(source, columns)
    if types is not None:
        require_columns(columns, types.names, name=name)
    backend, title = connect(), new_table_name()

    def load_rows() -> Any:
        data = redact_errors(lambda: refine_rows(load()), say=f"{name}: cannot be read")
        require_columns(columns, data.schema.names, name=name, hint=types is not None)
        return _register(backend, title, data, columns, name)

    try:
        known = pa.schema([(column, pa.null()) for column in columns]) if types is None else types
        empty = redact_errors(refine_schema(known).empty_table, say=f"{name}: has columns that DuckDB cannot read")
        table = _register(backend, title, empty, columns, name)
    except SourceError:
        backend.disconnect()
        raise
    held = isinstance(source, (pa.Table, pa.RecordBatch)) or _is(source, "pandas", "polars")
    once = not held and (hasattr(source, "__arrow_c_stream__") or (types is not None and has_coarse_moments(types)))
    dtypes = source.dtypes.items() if _is(source, "pandas") and hasattr(source, "columns") else ()
    objects = frozenset(str(label) for label, dtype in dtypes if str(dtype) == "object")
    return SourceTable(name, table, backend, once=once, end=backend.disconnect, objects=objects, load=load_rows)


def _parts(source: Any, columns: Sequence[str]) -> tuple[pa.Schema | None, Load]:
    """The names and types of a source, None where only rows tell them; and the way to its rows."""
    kind = type(source).__name__
    if _is(source, "pandas") and hasattr(source, "columns"):
        return _pandas(source, columns)
    if _is(source, "polars") and kind == "DataFrame":
        return _polars(source, columns)
    if _is(source, "polars") and kind == "LazyFrame":
        return None, partial(_collect, source, columns)
    if isinstance(source, (pa.Table, pa.RecordBatch)):
        require_columns(columns, source.schema.names, name="table")
        chosen = pa.table(source.select(list(columns)))
        return chosen.schema, lambda: chosen
    if isinstance(source, pa.RecordBatchReader) or (_is(source, "pyarrow") and hasattr(source, "scanner")):
        return source.schema, lambda: source
    if hasattr(source, "__arrow_c_stream__"):
        stream = partial(pa.RecordBatchReader.from_stream, source)
        return None, lambda: redact_errors(stream, say=f"{kind}: gives no Arrow stream")
    ways = "a path, a data frame, Arrow data, an Ibis table, a Spark frame or a database URL"
    raise SourceError(f"cannot read a table from {kind}; give {ways}")


def _is(source: Any, *packages: str) -> bool:
    """Whether a source is of a class of these packages, or of one that is built on it."""
    return any(base.__module__.partition(".")[0] in packages for base in type(source).__mro__)


def _register(backend: Any, title: str, data: Any, columns: Sequence[str], name: str) -> Any:
    say = f"{name}: has columns that DuckDB cannot read"
    redact_errors(lambda: backend.con.register(title, data), say=say)
    types = redact_errors(lambda: ibis.Schema.from_pyarrow(data.schema), say=say)
    return select_columns(backend.sql(f'SELECT * FROM "{title}"', schema=types), columns)


def _pandas(frame: Any, columns: Sequence[str]) -> tuple[pa.Schema, Load]:
    names = [str(label) for label in frame.columns]
    require_columns(columns, names, name="frame")
    series = {column: frame.iloc[:, names.index(column)] for column in columns}

    def load() -> pa.Table:
        arrays = {
            column: _array(column, values, "mixes kinds of values; make it one kind")
            for column, values in series.items()
        }
        return pa.table(arrays)

    return pa.schema([(column, _type(column, values)) for column, values in series.items()]), load


def _type(column: str, values: Any) -> pa.DataType:
    """The type of a column of pandas by its dtype alone, null where that says nothing about its values."""
    dtype = values.dtype
    if str(dtype) == "object" or type(dtype).__name__ in OF_VALUES or not _is(dtype, "numpy", "pandas"):
        return pa.null()
    return _array(column, values.iloc[:0], f"is of dtype {dtype}, which Arrow cannot hold").type


def _array(column: str, values: Any, why: str) -> Any:
    return redact_errors(partial(pa.array, values, from_pandas=True), say=f"frame: column {column} {why}")


def _polars(frame: Any, columns: Sequence[str]) -> tuple[pa.Schema, Load]:
    require_columns(columns, frame.columns, name="frame")
    chosen = frame.select(columns)
    say = "frame: has columns that Arrow cannot hold"
    types = redact_errors(lambda: chosen.clear().to_arrow().schema, say=say)
    return types, lambda: redact_errors(chosen.to_arrow, say=say)


def _collect(frame: Any, columns: Sequence[str]) -> pa.Table:
    """A lazy frame, worked out."""
    say = "frame: cannot be read"
    require_columns(columns, redact_errors(lambda: frame.collect_schema().names(), say=say), name="frame", hint=False)
    return redact_errors(lambda: frame.select(columns).collect().to_arrow(), say=say)
