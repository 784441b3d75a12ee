"""Files as tables of the embedded DuckDB: CSV, TSV, JSON lines and Parquet, one or many, also compressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ripost.errors import SourceError
from ripost.sources.duckdb_engine import connect, literal
from ripost.sources.error_redaction import shielded
from ripost.sources.readers.csv_files import COMPRESSED, damaged, header, read_separated
from ripost.sources.readers.csv_pipe import is_pipe, read_pipe
from ripost.sources.source_table import Opened, chosen, require, untyped

ALL = -1


def open_files(pattern: str | Path, *, columns: Sequence[str]) -> Opened:
    """A file, all files that match a glob, or what comes through a pipe."""
    if is_pipe(pattern):
        return read_pipe(str(pattern), columns)
    paths = find(pattern)
    kinds = {ending(path) for path in paths}
    if len(kinds) > 1:
        raise SourceError(f"{pattern}: matches files of several kinds: {', '.join(sorted(kinds))}")
    return READERS[kinds.pop()](paths, columns, str(pattern))


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


def ending(path: Path) -> str:
    """What kind of file it is, by its name."""
    name = path.name.lower()
    plain = next((name.removesuffix(end) for end in COMPRESSED if name.endswith(end)), name)
    kind = Path(plain).suffix
    if kind in READERS and (plain == name or kind != ".parquet"):
        return kind
    known = f"{', '.join(READERS)}, all but .parquet also with .gz or .zst"
    raise SourceError(f"{path}: has an ending that cannot be read; known: {known}")


def read_json(paths: Sequence[Path], columns: Sequence[str], name: str) -> Opened:
    """The columns of JSON objects. Which keys these have only rows tell, so nothing is known before it is loaded."""
    connection = connect()
    say = broken_json(name)

    def load() -> Any:
        require_keys(paths, columns, name)
        files = [literal(path) for path in paths]
        types = dict.fromkeys(columns, "VARCHAR")
        return shielded(lambda: connection.read_json(files, columns=types, format=json_layout(paths)), say=say)

    return Opened(
        name,
        untyped(columns),
        connection,
        typed=False,
        end=connection.disconnect,
        complain=lambda _: say,
        load=load,
    )


def require_keys(paths: Sequence[Path], columns: Sequence[str], name: str) -> None:
    """SourceError, which shows no key, where no object has a key for a column; there need not be any object."""
    names = json_names(paths, name)
    if not names:
        return
    if not set(columns) <= set(names):
        names = json_names(paths, name, objects=ALL)  # a key may come late
    require(columns, names, name=name, hint=False)


def json_names(paths: Sequence[Path], name: str, *, objects: int = 20_480) -> list[str]:
    """The keys of the first objects in some files; none where there is no object."""
    connection = connect()

    def keys() -> list[str]:
        files = [literal(path) for path in paths]
        layout = {"format": json_layout(paths), "map_inference_threshold": -1, "sample_size": objects}
        return list(connection.read_json(files, **layout).columns)

    try:
        names = shielded(keys, say=broken_json(name))
    finally:
        connection.disconnect()
    return [] if names == ["json"] else names  # what DuckDB calls the column of a file without any object


def json_layout(paths: Sequence[Path]) -> str:
    return "auto" if ending(paths[0]) == ".json" else "newline_delimited"


def broken_json(name: str) -> str:
    return f"{name}: is not one JSON object a line in UTF-8, or is cut short"


def read_parquet(paths: Sequence[Path], columns: Sequence[str], name: str) -> Opened:
    kinds: dict[str, set[str]] = {column: set() for column in columns}
    for path in paths:
        schema = parquet_schema(path)
        require(columns, schema.names, name=str(path))
        for column in columns:
            kinds[column] |= exact_kind(schema.field(column).type)
    files = [literal(path) for path in paths]
    connection = connect()
    say = broken_parquet(name)
    options = {"union_by_name": True, "hive_partitioning": False}
    table = shielded(lambda: connection.read_parquet(files, **options), say=say)
    mixed = frozenset(column for column, several in kinds.items() if len(several) > 1)
    return Opened(
        name,
        chosen(table, columns),
        connection,
        end=connection.disconnect,
        complain=lambda _: say,
        mixed=mixed,
    )


def exact_kind(dtype: pa.DataType) -> set[str]:
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


def parquet_schema(path: Path) -> Any:
    from pyarrow.parquet import read_schema

    return shielded(lambda: read_schema(str(path)), say=broken_parquet(str(path)))


def broken_parquet(name: str) -> str:
    return f"{name}: is not Parquet, or is damaged or cut short"


def names_in_files(pattern: str | Path) -> list[str]:
    """The names of the columns of a file, or of the first that matches a glob, in their order."""
    if is_pipe(pattern):
        raise SourceError(f"{pattern}: is read more than once, and a pipe cannot be; give a file")
    path = find(pattern)[0]
    kind = ending(path)
    if READERS[kind] is read_separated:
        if (found := header(path, columns=())) is None:
            raise damaged(path)
        return found[1]
    return json_names([path], str(path)) if READERS[kind] is read_json else list(parquet_schema(path).names)


READERS: dict[str, Callable[[Sequence[Path], Sequence[str], str], Opened]] = {
    ".csv": read_separated,
    ".tsv": read_separated,
    ".txt": read_separated,
    ".jsonl": read_json,
    ".ndjson": read_json,
    ".json": read_json,
    ".parquet": read_parquet,
}
