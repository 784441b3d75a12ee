"""Separated text: CSV and TSV as tables of the embedded DuckDB.

How a file is read depends on its ending and its header, never on its rows: DuckDB's guesses of separator, quoting and
types are switched off, since one odd row can turn them. Before rows may be read the header is taken byte by byte, up to
the end of its line, and nothing else is decoded.
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
from ripost.sources.duckdb_engine import connect, escape_glob, new_table_name, quote_literal
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.text_encodings import (
    ADVICE,
    Recoder,
    copy_as_utf8,
    decode_bytes,
    describe_decoding,
    find_encoding,
)
from ripost.sources.readers.zstd_frames import is_whole
from ripost.sources.source_table import SourceTable, defer_error, require_columns

HEADER = 1 << 20  # bytes within which the header ends
COMPRESSED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}  # endings, and the bytes that such files begin with
MARK = codecs.BOM_UTF8
SEPARATORS = (",", ";", "\t", "|")
SIGNS = "".join(SEPARATORS).encode()


Layouts = dict[tuple[str, tuple[str, ...]], list[Path]]  # files, by their separator and the names in their header


def read_csv(paths: Sequence[Path], columns: Sequence[str], name: str, *, encoding: str | None = None) -> SourceTable:
    encoding = encoding and find_encoding(encoding)
    layouts: Layouts = defaultdict(list)
    broken = []
    for path in paths:
        if (found := read_header(path, columns=columns, encoding=encoding)) is None:
            broken.append(path)
            continue
        separator, names = found
        require_header(columns, names, name=str(path))
        layouts[separator, tuple(names)].append(path)
    if broken:
        return defer_error(name, columns, connect(), damaged_csv_error(broken[0]))
    if encoding is not None:
        return open_recoded_csv(name, columns, layouts, encoding)
    return open_csv_text(name, columns, layouts)


def open_recoded_csv(name: str, columns: Sequence[str], layouts: Layouts, encoding: str) -> SourceTable:
    """The columns of files in another encoding, which are copied as UTF-8 once rows may be read."""
    connection = connect()
    copies: list[Path] = []

    def copy(path: Path) -> Path:
        require_whole([path])
        copies.append(copy_as_utf8(path, encoding))
        return copies[-1]

    def load() -> Any:
        return build_csv_table(
            connection, name, columns, {key: list(map(copy, paths)) for key, paths in layouts.items()}
        )

    def end() -> None:
        connection.disconnect()
        for one in copies:
            one.unlink(missing_ok=True)

    complain, text = describe_csv_error(name), ibis.table(dict.fromkeys(columns, "string"), name="unread")
    return SourceTable(name, text, connection, typed=False, end=end, complain=complain, load=load)


def damaged_csv_error(path: Path) -> SourceError:
    return SourceError(f"{path}: is damaged, or cut short")


def open_csv_text(name: str, columns: Sequence[str], layouts: Layouts) -> SourceTable:
    """The columns of files that are known by their separator and the names in their first lines."""
    connection = connect()
    table, complain = build_csv_table(connection, name, columns, layouts), describe_csv_error(name)

    def load() -> Any:
        for paths in layouts.values():
            require_whole(paths)
        return table

    return SourceTable(name, table, connection, typed=False, end=connection.disconnect, complain=complain, load=load)


def require_whole(paths: Sequence[Path]) -> None:
    """SourceError for a file of Zstandard that was cut short, which DuckDB takes for a shorter table."""
    for path in paths:
        if path.suffix.lower() == ".zst" and not redact_errors(partial(is_whole, path), say=f"{path}: cannot be read"):
            raise damaged_csv_error(path)


def build_csv_table(connection: Any, name: str, columns: Sequence[str], layouts: Layouts) -> Any:
    """The columns of all files as one Ibis table of text."""
    tables = redact_errors(
        lambda: [
            build_csv_query(connection, files, separator, names, columns)
            for (separator, names), files in layouts.items()
        ],
        say=describe_csv_error(name),
    )
    return ibis.union(*tables) if len(tables) > 1 else tables[0]


def build_csv_query(
    connection: Any, files: Sequence[Path], separator: str, names: Sequence[str], columns: Sequence[str]
) -> Any:
    """The columns of some files as an Ibis table of text.

    The SQL is written out, since Ibis takes half a minute to describe a file of ten thousand columns.
    """
    places = {column: f"c{names.index(column)}" for column in columns}
    types = ", ".join(f"'c{place}': 'VARCHAR'" for place in range(len(names)))
    options = "quote = '\"', escape = '\"', nullstr = '', header = true, auto_detect = false"
    rules = f"delim = {quote_literal(separator)}, {options}"
    source = f"read_csv([{', '.join(map(quote_literal, map(escape_glob, files)))}], columns = {{{types}}}, {rules})"
    title = new_table_name()
    chosen = dict.fromkeys(places.values())
    connection.con.execute(f"CREATE TEMP VIEW {title} AS SELECT {', '.join(chosen)} FROM {source}")
    table = connection.sql(f"SELECT * FROM {title}", schema=dict.fromkeys(chosen, "string"))
    return table.select(**{column: table[place] for column, place in places.items()})


def describe_csv_error(name: str) -> Callable[[Exception], str]:
    def complain(error: Exception) -> str:
        if "unicode" in str(error).lower():
            return f"{name}: is not UTF-8 text; {ADVICE}"
        rules = "each line needs as many fields as the header, quotes must close, and lines must end alike"
        return f"{name}: is not well-formed: {rules}"

    return complain


def require_header(columns: Sequence[str], names: Sequence[str], *, name: str) -> None:
    if not set(columns) & set(names):
        raise SourceError(f"{name}: has none of the schema's columns in its first line; is it a header?")
    require_columns(columns, names, name=name, beside=columns)


def read_header(path: Path, *, columns: Sequence[str], encoding: str | None = None) -> tuple[str, list[str]] | None:
    """The separator under which the header has most of the columns, and the names in it.

    None where what is compressed breaks off before the header ends: it is packed together with rows.
    """
    packed = path.suffix.lower() in COMPRESSED
    if packed:
        redact_errors(partial(_require_packed, path), say=partial(_describe_start, path, encoding))
    try:
        content = redact_errors(partial(_start, path, encoding), say=partial(_describe_start, path, encoding))
    except SourceError:
        if packed:
            return None
        raise
    tabbed = bare_suffix(path) == ".tsv"
    return parse_header(content, columns=columns, name=str(path), separators=("\t",) if tabbed else SEPARATORS)


def bare_suffix(path: Path) -> str:
    """The ending of a file's name in small letters, without that of a compression: .csv of T.CSV.gz."""
    name = path.name.lower()
    return Path(next((name.removesuffix(end) for end in COMPRESSED if name.endswith(end)), name)).suffix


def list_csv_columns(path: Path, *, encoding: str | None = None) -> list[str]:
    """The names in the header of a file."""
    if (found := read_header(path, columns=(), encoding=encoding and find_encoding(encoding))) is None:
        raise damaged_csv_error(path)
    return found[1]


def _require_packed(path: Path) -> None:
    start = COMPRESSED[path.suffix.lower()]
    with path.open("rb") as stream:
        if stream.read(len(start)) != start:
            raise ValueError


def _start(path: Path, encoding: str | None) -> bytes:
    with pa.input_stream(str(path), compression="detect") as stream:
        return read_first_record(partial(stream.read, 1), Recoder(encoding) if encoding else None)


def _describe_start(path: Path, encoding: str | None, error: Exception) -> str:
    if encoding is not None and isinstance(error, UnicodeError):
        return describe_decoding(path, encoding, error)
    return f"{path}: cannot be read, or is not compressed as its ending says"


def read_first_record(next_byte: Callable[[], bytes], recoder: Recoder | None = None) -> bytes:
    """The bytes up to the first line end outside of quotes, or one more than HEADER if there is none; no byte after
    them is taken. Text of another encoding is given in UTF-8. What comes after must go through the same recoder, which
    has seen the mark of the byte order.

    Quotes open at the beginning of a field, so after any separator: which one it is, the record itself will tell.
    """
    next_byte = next_byte if recoder is None else decode_bytes(next_byte, recoder)
    record, quoted_now, fresh = bytearray(), False, True
    while len(record) <= HEADER and (byte := next_byte()):
        record += byte
        if byte == b'"':
            quoted_now, fresh = fresh and not quoted_now, quoted_now  # a quote after a closing one opens again
        elif not quoted_now:
            if byte in (b"\n", b"\r"):
                break
            fresh = byte in SIGNS or record == MARK
    return bytes(record)


def parse_header(
    content: bytes, *, columns: Sequence[str], name: str, separators: Sequence[str] = SEPARATORS
) -> tuple[str, list[str]]:
    """The separator and the names, from the first record; without columns to look for, most names win."""
    if len(content) > HEADER:
        raise SourceError(f"{name}: has a first line of more than {HEADER:,} bytes; is it CSV?")
    text = redact_errors(lambda: content.decode("utf-8-sig"), say=f"{name}: is not UTF-8 text; {ADVICE}")

    def names(separator: str) -> list[str]:
        return [field.strip() for field in next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])]

    say = f"{name}: has a first line that cannot be read as names of columns"
    rows = {one: redact_errors(partial(names, one), say=say) for one in separators}
    best = max(separators, key=lambda one: (len(set(columns) & set(rows[one])), len(rows[one])))
    if not any(rows[best]):
        raise SourceError(f"{name}: is empty; it needs at least a line with the names of the columns")
    return best, rows[best]
