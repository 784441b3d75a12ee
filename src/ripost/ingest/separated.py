"""Separated text: CSV and TSV as tables of the embedded DuckDB.

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
from ripost.ingest.embedded import connect, fresh_name, quoted
from ripost.ingest.opened import Opened, require
from ripost.ingest.shield import shielded

HEADER = 1 << 20  # bytes within which the header ends
SEPARATORS = (",", ";", "\t", "|")


def read_separated(paths: Sequence[Path], columns: Sequence[str], name: str) -> Opened:
    layouts: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for path in paths:
        separator, names = header(path, columns=columns)
        require_header(columns, names, name=str(path))
        layouts[separator, tuple(names)].append(str(path))
    return opened_text(name, columns, layouts)


def opened_text(name: str, columns: Sequence[str], layouts: dict[tuple[str, tuple[str, ...]], list[str]]) -> Opened:
    """The columns of files that are known by their separator and the names in their first lines."""
    connection = connect()
    complain = complaint(name)
    tables = shielded(
        lambda: [view(connection, files, separator, names, columns) for (separator, names), files in layouts.items()],
        say=complain,
    )
    table = ibis.union(*tables) if len(tables) > 1 else tables[0]
    return Opened(name, table, connection, typed=False, end=connection.disconnect, complain=complain)


def view(connection: Any, files: Sequence[str], separator: str, names: Sequence[str], columns: Sequence[str]) -> Any:
    """The columns of some files as an Ibis table of text.

    The SQL is written out, since Ibis takes half a minute to describe a file of ten thousand columns.
    """
    places = {column: f"c{names.index(column)}" for column in columns}
    types = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(names)))
    rules = (
        f"delim = {quoted(separator)}, quote = '\"', escape = '\"', nullstr = '', header = true, auto_detect = false"
    )
    source = f"read_csv([{', '.join(map(quoted, files))}], columns = {{{types}}}, {rules})"
    title = fresh_name()
    chosen = dict.fromkeys(places.values())
    connection.con.execute(f"CREATE TEMP VIEW {title} AS SELECT {', '.join(chosen)} FROM {source}")
    table = connection.sql(f"SELECT * FROM {title}", schema=dict.fromkeys(chosen, "string"))
    return table.select(**{column: table[place] for column, place in places.items()})


def complaint(name: str) -> Callable[[Exception], str]:
    def complain(error: Exception) -> str:
        if "unicode" in str(error).lower():
            return f"{name}: is not UTF-8 text"
        rules = "each line needs as many fields as the header, quotes must close, and lines must end alike"
        return f"{name}: is not well-formed: {rules}"

    return complain


def require_header(columns: Sequence[str], names: Sequence[str], *, name: str) -> None:
    if not set(columns) & set(names):
        raise SourceError(f"{name}: has none of the schema's columns in its first line; is it a header?")
    require(columns, names, name=name, beside=columns)


def header(path: Path, *, columns: Sequence[str]) -> tuple[str, list[str]]:
    """The separator under which the first line has most of the columns, and the names in that line."""

    def start() -> bytes:
        with pa.input_stream(str(path), compression="detect") as stream:
            content: bytes = stream.read(HEADER)
            return content

    content = shielded(start, say=f"{path}: cannot be read, or is not compressed as its ending says")
    tabbed = ".tsv" in [suffix.lower() for suffix in path.suffixes[-2:]]
    return first_line(content, columns=columns, name=str(path), separators=("\t",) if tabbed else SEPARATORS)


def first_line(
    content: bytes, *, columns: Sequence[str], name: str, separators: Sequence[str] = SEPARATORS
) -> tuple[str, list[str]]:
    """The separator and the names, from how a file begins; without columns to look for, most names win."""
    decode = codecs.getincrementaldecoder("utf-8-sig")().decode
    text = shielded(lambda: decode(content), say=f"{name}: is not UTF-8 text")

    def names(separator: str) -> list[str]:
        return [field.strip() for field in next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])]

    say = f"{name}: has a first line that cannot be read as names of columns"
    rows = {one: shielded(partial(names, one), say=say) for one in separators}
    best = max(separators, key=lambda one: (len(set(columns) & set(rows[one])), len(rows[one])))
    if not any(rows[best]):
        raise SourceError(f"{name}: is empty; it needs at least a line with the names of the columns")
    return best, rows[best]
