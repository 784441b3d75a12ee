"""Staging: rows that a library hands over in pieces, as a table of the embedded DuckDB.

The table is a temporary one. DuckDB holds it within its memory limit, and spills the rest to the private folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import ibis
import pyarrow as pa

from ripost.errors import SourceError
from ripost.sources.duckdb_engine import connect, new_table_name
from ripost.sources.error_redaction import redact_errors
from ripost.sources.source_table import SourceTable, build_null_table, select_columns

Pieces = Callable[[], Iterator[pa.RecordBatch]]  # the rows, from the first on


def open_pieces(
    name: str,
    types: pa.Schema,
    pieces: Pieces,
    *,
    say: str,
    known: bool = True,
    typed: bool = True,
    mixed: frozenset[str] = frozenset(),
) -> SourceTable:
    """A source whose rows come in pieces once they may be read.

    Args:
        say: what to say where the rows cannot be read.
        known: whether the names and types are stated apart from the rows.
    """
    connection = connect()

    def load() -> Any:
        return redact_errors(lambda: stage_pieces(connection, types, pieces()), say=say)

    def describe() -> Any:
        connection.con.register("piece", types.empty_table())
        return ibis.table(ibis.Schema.from_pyarrow(types), name="unread")

    try:
        unread = redact_errors(describe, say=f"{name}: has columns that DuckDB cannot read")
    except SourceError:
        connection.disconnect()
        raise
    table = unread if known else build_null_table(types.names)
    return SourceTable(
        name,
        table,
        connection,
        typed=typed,
        end=connection.disconnect,
        complain=lambda _: say,
        mixed=mixed,
        load=load,
    )


def stage_pieces(connection: Any, types: pa.Schema, pieces: Iterator[pa.RecordBatch]) -> Any:
    """Insert all rows into a temporary table, a piece at a time, and return it as an Ibis table."""
    title, engine = new_table_name(), connection.con
    engine.register("piece", types.empty_table())
    engine.execute(f"CREATE TEMP TABLE {title} AS FROM piece")
    for piece in pieces:
        engine.register("piece", pa.Table.from_batches([piece], types))
        engine.execute(f"INSERT INTO {title} FROM piece")
    engine.unregister("piece")
    return select_columns(connection.sql(f"SELECT * FROM {title}", schema=ibis.Schema.from_pyarrow(types)), types.names)


def require_package(error: ImportError, what: str, extra: str) -> SourceError:
    """The error that says which extra of ripost reads a kind of file."""
    return SourceError(f"reading {what} needs the package {error.name}: pip install 'ripost[{extra}]'")
