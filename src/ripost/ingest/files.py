"""Files as tables of the embedded DuckDB: CSV, TSV, JSON lines and Parquet, one or many, also compressed.

How a file is read depends on its ending and its header, never on its rows: DuckDB's guesses of separator, quoting and
types are switched off, since one odd row can turn them.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa

from ripost.errors import SourceError
from ripost.ingest.opened import Opened, chosen, require
from ripost.ingest.shield import shielded

COMPRESSED = (".gz", ".zst")
HEADER = 1 << 20  # bytes within which the header ends


def open_files(pattern: str | Path, *, columns: Sequence[str]) -> Opened:
    """A file, or all files that match a glob."""
    paths = find(pattern)
    kinds = {ending(path) for path in paths}
    if len(kinds) > 1:
        raise SourceError(f"{pattern}: matches files of several kinds: {', '.join(sorted(kinds))}")
    return READERS[kinds.pop()](paths, columns, str(pattern))


def connect() -> Any:
    """A fresh embedded DuckDB that never reaches for the network."""
    return silenced(ibis.duckdb.connect(autoinstall_known_extensions=False))


def silenced(backend: Any) -> Any:
    """A DuckDB that does not print how far it is: it would after two seconds, into the output of a command."""
    backend.raw_sql("SET enable_progress_bar = false")
    return backend


def find(pattern: str | Path) -> list[Path]:
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
        return paths
    raise SourceError(f"{pattern}: matches no file")


def ending(path: Path) -> str:
    """What kind of file it is, by its name."""
    name = path.name.lower()
    plain = next((name.removesuffix(end) for end in COMPRESSED if name.endswith(end)), name)
    kind = Path(plain).suffix
    if kind in READERS and (plain == name or kind != ".parquet"):
        return kind
    known = f"{', '.join(READERS)}, all but .parquet also with .gz or .zst"
    raise SourceError(f"{path}: has an ending that cannot be read; known: {known}")


def read_separated(paths: Sequence[Path], columns: Sequence[str], name: str) -> Opened:
    layouts: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for path in paths:
        separator, names = header(path, columns=columns)
        if not set(columns) & set(names):
            raise SourceError(f"{path}: has none of the schema's columns in its first line; is it a header?")
        require(columns, names, name=str(path))
        layouts[separator, tuple(names)].append(str(path))
    connection = connect()

    def read(separator: str, names: tuple[str, ...], files: list[str]) -> Any:
        table = connection.read_csv(
            files,
            columns={f"c{place}": "VARCHAR" for place in range(len(names))},
            delim=separator,
            quote='"',
            escape='"',
            nullstr="",
            header=True,
            auto_detect=False,
        )
        return table.select(**{column: table[f"c{names.index(column)}"] for column in columns})

    def complain(error: Exception) -> str:
        if "unicode" in str(error).lower():
            return f"{name}: is not UTF-8 text"
        rules = "each line needs as many fields as the header, quotes must close, and lines must end alike"
        return f"{name}: is not well-formed: {rules}"

    tables = shielded(
        lambda: [read(separator, names, files) for (separator, names), files in layouts.items()], say=complain
    )
    table = ibis.union(*tables) if len(tables) > 1 else tables[0]
    return Opened(name, table, connection, typed=False, end=connection.disconnect, complain=complain)


def header(path: Path, *, columns: Sequence[str]) -> tuple[str, list[str]]:
    """The separator under which the first line has most of the columns, and the names in that line."""

    def start() -> str:
        with pa.input_stream(str(path), compression="detect") as stream:
            return codecs.getincrementaldecoder("utf-8-sig")().decode(stream.read(HEADER))

    def complain(error: Exception) -> str:
        if isinstance(error, UnicodeDecodeError):
            return f"{path}: is not UTF-8 text"
        return f"{path}: cannot be read, or is not compressed as its ending says"

    text = shielded(start, say=complain)
    separators = ("\t",) if ending(path) == ".tsv" else (",", ";", "\t", "|")

    def names(separator: str) -> list[str]:
        return [field.strip() for field in next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])]

    say = f"{path}: has a first line that cannot be read as names of columns"
    rows = {one: shielded(partial(names, one), say=say) for one in separators}
    best = max(separators, key=lambda one: len(set(columns) & set(rows[one])))
    if not any(rows[best]):
        raise SourceError(f"{path}: is empty; it needs at least a line with the names of the columns")
    return best, rows[best]


def read_json(paths: Sequence[Path], columns: Sequence[str], name: str) -> Opened:
    files = [str(path) for path in paths]
    connection = connect()
    options = {"format": "auto" if ending(paths[0]) == ".json" else "newline_delimited"}

    def complain(_: Exception) -> str:
        return f"{name}: is not one JSON object a line in UTF-8, or is cut short"

    def keys() -> Sequence[str]:
        found: Sequence[str] = connection.read_json(files, map_inference_threshold=-1, **options).columns
        return found

    names = shielded(keys, say=complain)
    if tuple(names) != ("json",):  # what DuckDB calls the column of a file without any object
        require(columns, names, name=name)
    types = dict.fromkeys(columns, "VARCHAR")
    table = shielded(lambda: connection.read_json(files, columns=types, **options), say=complain)
    return Opened(name, table, connection, typed=False, end=connection.disconnect, complain=complain)


def read_parquet(paths: Sequence[Path], columns: Sequence[str], name: str) -> Opened:
    from pyarrow.parquet import read_schema

    def complain(_: Exception) -> str:
        return f"{name}: is not Parquet, or is damaged or cut short"

    def names(path: Path) -> list[str]:
        return list(read_schema(str(path)).names)

    for path in paths:
        require(columns, shielded(partial(names, path), say=complain), name=str(path))
    files = [str(path) for path in paths]
    connection = connect()
    options = {"union_by_name": True, "hive_partitioning": False}
    table = shielded(lambda: connection.read_parquet(files, **options), say=complain)
    return Opened(name, chosen(table, columns), connection, end=connection.disconnect, complain=complain)


READERS: dict[str, Callable[[Sequence[Path], Sequence[str], str], Opened]] = {
    ".csv": read_separated,
    ".tsv": read_separated,
    ".txt": read_separated,
    ".jsonl": read_json,
    ".ndjson": read_json,
    ".json": read_json,
    ".parquet": read_parquet,
}
