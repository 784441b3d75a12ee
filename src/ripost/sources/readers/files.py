"""Files as tables of the embedded DuckDB, one or many, by their endings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from ripost.errors import SourceError
from ripost.sources.duckdb_engine import connect, escape_glob
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.csv_files import bare_suffix, list_csv_columns, read_csv
from ripost.sources.readers.csv_pipe import is_pipe, read_pipe
from ripost.sources.readers.excel import list_sheet_columns, read_excel
from ripost.sources.readers.ipc_files import list_ipc_columns, open_batches, read_ipc
from ripost.sources.readers.json_files import list_json_columns, read_json
from ripost.sources.readers.moments import is_coarse
from ripost.sources.readers.statistical import FUNCTIONS, list_statistical_columns, read_statistical
from ripost.sources.source_table import SourceTable, require_columns, select_columns


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A kind of file: how to read it, how to list its columns, and which options choose among ways to read it."""

    read: Callable[..., SourceTable]
    list_columns: Callable[..., list[str]]
    options: frozenset[str] = frozenset()
    names_in_rows: bool = False  # whether only rows tell the names of columns


def open_files(
    pattern: str | Path, *, columns: Sequence[str], table: str | None = None, encoding: str | None = None
) -> SourceTable:
    """A file, all files that match a glob, or what comes through a pipe."""
    if is_pipe(pattern):
        return read_pipe(str(pattern), columns, **choose_options(CSV, pattern, table=table, encoding=encoding))
    paths = find_files(pattern)
    kinds = {file_extension(path) for path in paths}
    if len(kinds) > 1:
        raise SourceError(f"{pattern}: matches files of several kinds: {', '.join(sorted(kinds))}")
    kind = FORMATS[kinds.pop()]
    return kind.read(paths, columns, str(pattern), **choose_options(kind, pattern, table=table, encoding=encoding))


def choose_options(kind: FileFormat, pattern: str | Path, **given: str | None) -> dict[str, str]:
    """The options that were given; SourceError where one has no meaning for the kind of file."""
    for name, value in given.items():
        if value is not None and name not in kind.options:
            where = "database URLs and Excel files" if name == "table" else "CSV, Stata, SPSS and SAS files"
            raise SourceError(f"{pattern}: {name} is for {where}; leave it out here")
    return {name: value for name, value in given.items() if value is not None}


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
    kind = bare_suffix(path)
    if kind in FORMATS and (kind == path.suffix.lower() or FORMATS[kind] in PACKED):
        return kind
    packed, others = ([end for end, one in FORMATS.items() if (one in PACKED) is wanted] for wanted in (True, False))
    known = f"{', '.join(packed)} (also with .gz or .zst), {', '.join(others)}"
    raise SourceError(f"{path}: has an ending that cannot be read; known: {known}")


def read_parquet(paths: Sequence[Path], columns: Sequence[str], name: str) -> SourceTable:
    kinds: dict[str, set[str]] = {column: set() for column in columns}
    found = [read_parquet_schema(path) for path in paths]
    for path, schema in zip(paths, found, strict=True):
        require_columns(columns, schema.names, name=str(path))
        for column in columns:
            kinds[column] |= exact_type(schema.field(column).type)
    say = describe_parquet_error(name)
    if any(is_coarse(schema.field(column).type) for schema in found for column in columns):
        return open_batches(paths, columns, name, found=found, read=read_parquet_batches, say=say)
    files = [escape_glob(path) for path in paths]
    connection = connect()
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


def read_parquet_batches(path: Path, columns: list[str]) -> Iterator[pa.RecordBatch]:
    from pyarrow.parquet import ParquetFile

    with ParquetFile(str(path)) as file:
        yield from file.iter_batches(columns=columns)


def describe_parquet_error(name: str) -> str:
    return f"{name}: is not Parquet, or is damaged or cut short"


def list_parquet_columns(path: Path) -> list[str]:
    return list(read_parquet_schema(path).names)


def list_file_columns(
    pattern: str | Path, *, table: str | None = None, encoding: str | None = None, public: bool = False
) -> list[str]:
    """The names of the columns of a file, or of the first that matches a glob, in their order.

    Args:
        public: leave out names that only rows tell.
    """
    if is_pipe(pattern):
        raise SourceError(f"{pattern}: is read more than once, and a pipe cannot be; give a file")
    path = find_files(pattern)[0]
    kind = FORMATS[file_extension(path)]
    if public and kind.names_in_rows:
        return []
    return kind.list_columns(path, **choose_options(kind, pattern, table=table, encoding=encoding))


CSV = FileFormat(read_csv, list_csv_columns, frozenset({"encoding"}))
JSON = FileFormat(read_json, list_json_columns, names_in_rows=True)
EXCEL = FileFormat(read_excel, list_sheet_columns, frozenset({"table"}), names_in_rows=True)
STATISTICAL = FileFormat(read_statistical, list_statistical_columns, frozenset({"encoding"}))
PACKED = (CSV, JSON)  # kinds that may be compressed
FORMATS: dict[str, FileFormat] = {
    **dict.fromkeys((".csv", ".tsv", ".txt"), CSV),
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), JSON),
    ".parquet": FileFormat(read_parquet, list_parquet_columns),
    **dict.fromkeys((".feather", ".arrow", ".ipc"), FileFormat(read_ipc, list_ipc_columns)),
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), EXCEL),
    **dict.fromkeys(FUNCTIONS, STATISTICAL),
}
