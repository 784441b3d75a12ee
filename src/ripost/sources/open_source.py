"""Sources: whatever the owner's table comes as, opened as an Ibis table on the engine that holds it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ibis

from ripost.errors import SourceError
from ripost.sources.error_redaction import shielded
from ripost.sources.readers.arrow import open_arrow
from ripost.sources.readers.database import names_in_database, open_database
from ripost.sources.readers.files import names_in_files, open_files
from ripost.sources.readers.spark import frame_of, is_spark, open_frame, open_url
from ripost.sources.source_table import Opened, chosen, require


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
    return open_arrow(source, columns=columns)


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
