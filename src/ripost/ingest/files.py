"""Files as tables of the embedded DuckDB: CSV, TSV, JSON lines and Parquet, one or many, also compressed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ripost.errors import SourceError
from ripost.ingest.embedded import connect
from ripost.ingest.opened import Opened, chosen, require
from ripost.ingest.pipe import is_pipe, read_pipe
from ripost.ingest.separated import header, read_separated
from ripost.ingest.shield import shielded

COMPRESSED = (".gz", ".zst")


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


def read_json(paths: Sequence[Path], columns: Sequence[str], name: str) -> Opened:
    names = json_names(paths, name)
    if names:
        require(columns, names, name=name)
    connection = connect()
    say = broken_json(name)
    types = dict.fromkeys(columns, "VARCHAR")
    files = [str(path) for path in paths]
    table = shielded(lambda: connection.read_json(files, columns=types, format=json_layout(paths)), say=say)
    return Opened(name, table, connection, typed=False, end=connection.disconnect, complain=lambda _: say)


def json_names(paths: Sequence[Path], name: str) -> list[str]:
    """The keys of the objects in some files; none where there is no object."""
    connection = connect()

    def keys() -> list[str]:
        files = [str(path) for path in paths]
        return list(connection.read_json(files, map_inference_threshold=-1, format=json_layout(paths)).columns)

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
    for path in paths:
        require(columns, parquet_names(path), name=str(path))
    files = [str(path) for path in paths]
    connection = connect()
    say = broken_parquet(name)
    options = {"union_by_name": True, "hive_partitioning": False}
    table = shielded(lambda: connection.read_parquet(files, **options), say=say)
    return Opened(name, chosen(table, columns), connection, end=connection.disconnect, complain=lambda _: say)


def parquet_names(path: Path) -> list[str]:
    from pyarrow.parquet import read_schema

    return shielded(lambda: list(read_schema(str(path)).names), say=broken_parquet(str(path)))


def broken_parquet(name: str) -> str:
    return f"{name}: is not Parquet, or is damaged or cut short"


def names_in_files(pattern: str | Path) -> list[str]:
    """The names of the columns of a file, or of the first that matches a glob, in their order."""
    if is_pipe(pattern):
        raise SourceError(f"{pattern}: is read more than once, and a pipe cannot be; give a file")
    path = find(pattern)[0]
    kind = ending(path)
    if READERS[kind] is read_separated:
        return header(path, columns=())[1]
    return json_names([path], str(path)) if READERS[kind] is read_json else parquet_names(path)


READERS: dict[str, Callable[[Sequence[Path], Sequence[str], str], Opened]] = {
    ".csv": read_separated,
    ".tsv": read_separated,
    ".txt": read_separated,
    ".jsonl": read_json,
    ".ndjson": read_json,
    ".json": read_json,
    ".parquet": read_parquet,
}
