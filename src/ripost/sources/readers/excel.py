"""Excel workbooks and OpenDocument sheets, by python-calamine, as tables of text.

A cell is the text that it shows in a plain format: 5 for a number 5.0, 2013-01-31 for a date. So a column that mixes
numbers and text is read by the types of the schema, as a CSV file is. The first row that holds anything has the names
of the columns. Rows without any content are no rows.
"""

from __future__ import annotations

import datetime as dt
import itertools
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow as pa

from ripost.errors import SourceError, suggest_nearest
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.staging import open_pieces, require_package
from ripost.sources.source_table import SourceTable, require_columns

ZIPPED = (".xlsx", ".xlsm", ".xlsb")  # workbooks that list their sheets apart from the rows
PIECE = 50_000  # rows


def read_excel(paths: Sequence[Path], columns: Sequence[str], name: str, *, table: str | None = None) -> SourceTable:
    """The columns of one sheet, of each workbook. What is in it only its rows tell, but for the names of sheets."""
    require_calamine()
    for path in paths:
        if path.suffix.lower() in ZIPPED and (sheets := list_sheets(path)):
            choose_sheet(sheets, table, path)

    def pieces() -> Iterator[pa.RecordBatch]:
        for path in paths:
            yield from read_sheet(path, columns, table)

    types = pa.schema([(column, pa.string()) for column in dict.fromkeys(columns)])
    return open_pieces(name, types, pieces, say=describe_excel_error(name), known=False, typed=False)


def list_sheet_columns(path: Path, *, table: str | None = None) -> list[str]:
    """The names in the first row of a sheet."""
    require_calamine()
    rows = redact_errors(lambda: open_sheet(path, table), say=describe_excel_error(path))
    return name_columns(rows, path)


def require_calamine() -> None:
    try:
        import python_calamine  # noqa: F401
    except ImportError as error:
        raise require_package(error, "Excel files", "excel") from None


def list_sheets(path: Path) -> list[str]:
    """The names of the sheets, from the part of the file that holds no rows; none where that cannot be read."""
    try:
        with zipfile.ZipFile(path) as parts:
            root = ElementTree.fromstring(parts.read("xl/workbook.xml"))
    except Exception:  # whatever the codec of a part raises
        return []
    return [sheet.get("name", "") for sheet in root.iter() if sheet.tag.endswith("}sheet")]


def choose_sheet(sheets: Sequence[str], table: str | None, path: Path) -> str:
    """The sheet that is meant: the one that is named, or the only one."""
    if table is None and len(sheets) != 1:
        listed = ", ".join(sheets[:12]) + (", …" if len(sheets) > 12 else "")
        raise SourceError(f"{path}: has {len(sheets)} sheets ({listed}); choose one with --table (table= in Python)")
    if table is not None and table not in sheets:
        raise SourceError(f"{path}: has no sheet {table!r}; {suggest_nearest(table, sheets)}")
    return table or sheets[0]


def read_sheet(path: Path, columns: Sequence[str], table: str | None) -> Iterator[pa.RecordBatch]:
    """The rows of a sheet as text, a piece at a time."""
    rows = open_sheet(path, table)
    names = name_columns(rows, path)
    require_columns(columns, names, name=str(path), beside=columns)
    places = [names.index(column) for column in dict.fromkeys(columns)]
    kept = (row for row in rows if any(cell not in ("", None) for cell in row))
    while piece := list(itertools.islice(kept, PIECE)):
        texts = [pa.array([format_cell(row[place]) for row in piece], pa.string()) for place in places]
        yield pa.record_batch(texts, names=list(dict.fromkeys(columns)))


def open_sheet(path: Path, table: str | None) -> Iterator[Sequence[Any]]:
    """The rows of a sheet; calamine holds all of its cells in memory."""
    from python_calamine import CalamineWorkbook

    workbook = CalamineWorkbook.from_path(path)
    sheet = workbook.get_sheet_by_name(choose_sheet(workbook.sheet_names, table, path))
    return iter(sheet.iter_rows())


def name_columns(rows: Iterator[Sequence[Any]], path: Path) -> list[str]:
    """The names in the first row that holds anything."""
    for row in rows:
        if any(cell not in ("", None) for cell in row):
            return [(format_cell(cell) or "").strip() for cell in row]
    raise SourceError(f"{path}: has no rows; the first needs the names of the columns")


def format_cell(cell: Any) -> str | None:
    """The text of a cell, None where it is empty; different numbers have different texts."""
    match cell:
        case None | "":
            return None
        case bool():
            return "true" if cell else "false"
        case float() if cell.is_integer():
            return str(int(cell))
        case dt.datetime() if cell.time() == dt.time():
            return cell.date().isoformat()
    return str(cell)


def describe_excel_error(name: str | Path) -> str:
    return f"{name}: is not a sheet that can be read, or is damaged, or has a password"
