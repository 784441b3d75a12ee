"""Sources: whatever the owner's table comes as, opened as an Ibis table on the engine that holds it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import ibis

from ripost.errors import SourceError
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.arrow import open_arrow
from ripost.sources.readers.database import list_database_columns, open_database
from ripost.sources.readers.files import list_file_columns, open_files
from ripost.sources.readers.spark import is_spark, open_frame, open_url, to_spark_frame
from ripost.sources.source_table import SourceTable, require_columns, select_columns

UTC = ("UTC", "Etc/UTC")
SETTINGS: dict[str, dict[str, tuple[str, ...]]] = {
    "duckdb": {"TimeZone": UTC, "Calendar": ("gregorian",)},
    "postgres": {"TimeZone": UTC},
}


def open_source(
    source: Any, *, columns: Sequence[str], table: str | None = None, encoding: str | None = None
) -> SourceTable:
    """The columns of a path, glob, data frame, Arrow data, Ibis table, Spark frame or database URL.

    Args:
        table: the table of a database, or the sheet of a workbook.
        encoding: of a text file that is not UTF-8, or of a Stata, SPSS or SAS file that does not state its own.
    """
    if isinstance(source, (str, Path)) and "://" not in str(source):
        return open_files(source, columns=columns, table=table, encoding=encoding)
    if encoding is not None:
        raise SourceError("encoding is for CSV, Stata, SPSS and SAS files; leave it out here")
    if isinstance(source, str):
        opening = open_url if is_spark(source) else open_database
        return opening(source, columns=columns, table=table)
    if table is not None:
        raise SourceError("table is for database URLs and Excel files; leave it out here")
    if isinstance(source, ibis.expr.types.Table):
        return _ibis(source, columns)
    if type(source).__module__.startswith("pyspark.sql"):
        return open_frame(source, columns=columns)
    return open_arrow(source, columns=columns)


def _ibis(table: Any, columns: Sequence[str]) -> SourceTable:
    require_columns(columns, table.columns, name="table")
    backend = ibis.get_backend(table)
    if backend.name != "pyspark":
        _require_utc(backend)
        return SourceTable("table", select_columns(table, columns), backend)
    frame = redact_errors(lambda: to_spark_frame(backend, table), say="table: cannot be read")
    return open_frame(frame, columns=columns, name="table")


def _require_utc(backend: Any) -> None:
    """SourceError for a session of somebody else's with another zone or calendar: a row would be in another month."""
    for setting, allowed in SETTINGS.get(backend.name, {}).items():
        found = redact_errors(partial(_read_setting, backend, setting), say="table: its session cannot be asked")
        if found not in allowed:
            raise SourceError(f"table: {setting} of its session is {found}, which moves dates; set it to {allowed[0]}")


def list_columns(
    source: str | Path, *, table: str | None = None, encoding: str | None = None, public: bool = False
) -> list[str]:
    """The names of all columns of a path, glob or database URL, in their order. Only keys of JSON objects and the
    first row of a sheet are looked for among rows, and these are left out where names must be `public`.
    """
    if "://" not in str(source):
        return list_file_columns(source, table=table, encoding=encoding, public=public)
    if encoding is not None:
        raise SourceError("encoding is for CSV, Stata, SPSS and SAS files; leave it out here")
    return list_database_columns(str(source), table=table)


def _read_setting(backend: Any, name: str) -> str:
    return str(backend.con.execute(f"SELECT current_setting('{name}')").fetchall()[0][0])
