"""JSON lines and JSON arrays as tables of text of the embedded DuckDB."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ripost.sources.duckdb_engine import connect, escape_glob
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.csv_files import bare_suffix, require_whole
from ripost.sources.source_table import SourceTable, build_null_table, require_columns

ALL = -1


def read_json(paths: Sequence[Path], columns: Sequence[str], name: str) -> SourceTable:
    """The columns of JSON objects. Which keys these have only rows tell, so nothing is known before it is loaded."""
    connection = connect()
    say = describe_json_error(name)

    def load() -> Any:
        require_whole(paths)
        require_keys(paths, columns, name)
        files = [escape_glob(path) for path in paths]
        types = dict.fromkeys(columns, "VARCHAR")
        return redact_errors(lambda: connection.read_json(files, columns=types, format=json_layout(paths)), say=say)

    return SourceTable(
        name,
        build_null_table(columns),
        connection,
        typed=False,
        end=connection.disconnect,
        complain=lambda _: say,
        load=load,
    )


def require_keys(paths: Sequence[Path], columns: Sequence[str], name: str) -> None:
    """SourceError, which shows no key, where no object has a key for a column; there need not be any object."""
    names = read_json_keys(paths, name)
    if not names:
        return
    if not set(columns) <= set(names):
        names = read_json_keys(paths, name, objects=ALL)  # a key may come late
    require_columns(columns, names, name=name, hint=False)


def read_json_keys(paths: Sequence[Path], name: str, *, objects: int = 20_480) -> list[str]:
    """The keys of the first objects in some files; none where there is no object."""
    connection = connect()

    def keys() -> list[str]:
        files = [escape_glob(path) for path in paths]
        layout = {"format": json_layout(paths), "map_inference_threshold": -1, "sample_size": objects}
        return list(connection.read_json(files, **layout).columns)

    try:
        names = redact_errors(keys, say=describe_json_error(name))
    finally:
        connection.disconnect()
    return [] if names == ["json"] else names  # what DuckDB calls the column of a file without any object


def json_layout(paths: Sequence[Path]) -> str:
    return "auto" if bare_suffix(paths[0]) == ".json" else "newline_delimited"


def list_json_columns(path: Path) -> list[str]:
    return read_json_keys([path], str(path))


def describe_json_error(name: str) -> str:
    return f"{name}: is not one JSON object a line in UTF-8, or is cut short"
