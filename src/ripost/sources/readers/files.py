"""Files as tables of the embedded DuckDB: CSV, TSV, JSON lines and Parquet, one or many, also compressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ripost.errors import SourceError
from ripost.sources.duckdb_engine import connect, escape_glob
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.csv_files import COMPRESSED, damaged_csv_error, read_csv, read_header
from ripost.sources.readers.csv_pipe import is_pipe, read_pipe
from ripost.sources.source_table import SourceTable, build_null_table, require_columns, select_columns

ALL = -1


def open_files(pattern: str | Path, *, columns: Sequence[str]) -> SourceTable:
    """A file, all files that match a glob, or what comes through a pipe."""
    if is_pipe(pattern):
        return read_pipe(str(pattern), columns)
    paths = find_files(pattern)
    kinds = {file_extension(path) for path in paths}
    if len(kinds) > 1:
        raise SourceError(f"{pattern}: matches files of several kinds: {', '.join(sorted(kinds))}")
    return READERS[kinds.pop()](paths, columns, str(pattern))


def find_files(pattern: str | Path) -> list[Path]:
    """The files a path or glob stands for."""
    path = Path(pattern).expanduser()
    if path.is_dir():
        raise SourceError(f"{pattern}: is a directory; name a file in it, or a glob such as *.parquet")
    if path.exists():
        return [path]
    if not any(sign in str(path) for sign in "*?["):
        raise SourceError(f"{pattern}: there is no such file")
    matches = Path(path.anchor).glob(str(path.relative_to(path.anchor)))
    if paths := sorted(match for match in matches if match.is_file()):
        require_different(paths, name=str(pattern))
        return paths
    raise SourceError(f"{pattern}: matches no file")


def require_different(paths: Sequence[Path], *, name: str) -> None:
    """SourceError where two names are links to one file, whose rows would count twice."""
    seen: dict[tuple[int, int], Path] = {}
    for path in paths:
        status = path.stat()
        if (other := seen.setdefault((status.st_dev, status.st_ino), path)) != path:
            why = "are one file, whose rows would count twice; remove the link or narrow the glob"
            raise SourceError(f"{name}: {other} and {path} {why}")


def file_extension(path: Path) -> str:
    """What kind of file it is, by its name."""
    name = path.name.lower()
    plain = next((name.removesuffix(end) for end in COMPRESSED if name.endswith(end)), name)
    kind = Path(plain).suffix
    if kind in READERS and (plain == name or kind != ".parquet"):
        return kind
    known = f"{', '.join(READERS)}, all but .parquet also with .gz or .zst"
    raise SourceError(f"{path}: has an ending that cannot be read; known: {known}")


def read_json(paths: Sequence[Path], columns: Sequence[str], name: str) -> SourceTable:
    """The columns of JSON objects. Which keys these have only rows tell, so nothing is known before it is loaded."""
    connection = connect()
    say = describe_json_error(name)

    def load() -> Any:
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
    return "auto" if file_extension(paths[0]) == ".json" else "newline_delimited"


def describe_json_error(name: str) -> str:
    return f"{name}: is not one JSON object a line in UTF-8, or is cut short"


def read_parquet(paths: Sequence[Path], columns: Sequence[str], name: str) -> SourceTable:
    kinds: dict[str, set[str]] = {column: set() for column in columns}
    for path in paths:
        schema = read_parquet_schema(path)
        require_columns(columns, schema.names, name=str(path))
        for column in columns:
            kinds[column] |= exact_type(schema.field(column).type)
    files = [escape_glob(path) for path in paths]
    connection = connect()
    say = describe_parquet_error(name)
    options = {"union_by_name": True, "hive_partitioning": False}
    table = redact_errors(lambda: connection.read_parquet(files, **options), say=say)
    mixed = frozenset(column for column, several in kinds.items() if len(several) > 1)
    return SourceTable(
        name,
        select_columns(table, columns),
        connection,
        end=connection.disconnect,
        complain=lambda _: say,
        mixed=mixed,
    )


def exact_type(dtype: pa.DataType) -> set[str]:
    """What a type holds, alike for types whose values keep apart when files are read together; nothing for no values.

    Whole numbers beside floats become floats, and decimals beside others lose digits: different values become one.
    """
    if pa.types.is_null(dtype):
        return set()
    for kind, holds in (("integers", pa.types.is_integer), ("timestamps", pa.types.is_timestamp)):
        if holds(dtype):
            return {kind}
    is_text = pa.types.is_string(dtype) or pa.types.is_large_string(dtype) or pa.types.is_dictionary(dtype)
    return {"text" if is_text else str(dtype)}


def read_parquet_schema(path: Path) -> Any:
    from pyarrow.parquet import read_schema

    return redact_errors(lambda: read_schema(str(path)), say=describe_parquet_error(str(path)))


def describe_parquet_error(name: str) -> str:
    return f"{name}: is not Parquet, or is damaged or cut short"


def list_file_columns(pattern: str | Path) -> list[str]:
    """The names of the columns of a file, or of the first that matches a glob, in their order."""
    if is_pipe(pattern):
        raise SourceError(f"{pattern}: is read more than once, and a pipe cannot be; give a file")
    path = find_files(pattern)[0]
    kind = file_extension(path)
    if READERS[kind] is read_csv:
        if (found := read_header(path, columns=())) is None:
            raise damaged_csv_error(path)
        return found[1]
    return read_json_keys([path], str(path)) if READERS[kind] is read_json else list(read_parquet_schema(path).names)


READERS: dict[str, Callable[[Sequence[Path], Sequence[str], str], SourceTable]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".txt": read_csv,
    ".jsonl": read_json,
    ".ndjson": read_json,
    ".json": read_json,
    ".parquet": read_parquet,
}
