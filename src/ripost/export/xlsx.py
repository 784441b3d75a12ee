"""XLSX: a sheet for each table, and one with the promise and the ledger. Labels are text, never formulas."""

from __future__ import annotations

import datetime as dt
import io
import math
import re
from typing import Any

from ripost.errors import InputError
from ripost.export.about import LEDGER, about, describe_attribute, ledger_rows
from ripost.export.formula import is_formula
from ripost.export.wanted import Wanted
from ripost.query.table import Table
from ripost.query.tabulate import measure_name

LONGEST_TEXT = 32_000  # a cell holds 32,767 characters
LONGEST_NAME = 31  # of a sheet
FIRST_YEAR = 1900  # of dates in a sheet
PLAIN = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False, "in_memory": True}


def xlsx_bytes(wanted: Wanted) -> bytes:
    try:
        import xlsxwriter
    except ModuleNotFoundError:
        raise InputError("xlsx needs the library XlsxWriter; install it with pip install 'ripost[xlsx]'") from None
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, PLAIN) as book:
        pen = Pen(book, wanted.view.privacy.warning, wanted.view.title)
        for title, table in _tables(wanted):
            pen.table(title, table)
        pen.promise(wanted)
    return out.getvalue()


def _tables(wanted: Wanted) -> list[tuple[str, Table]]:
    if wanted.sql is not None:
        return [("answer", wanted.answered)]
    measure = measure_name(wanted.view.measure, wanted.view.domain.names)
    return [(", ".join(key.name for key in one.keys), one.table(measure)) for one in wanted.crossed]


class Pen:
    """Writes sheets of one book, each with a name of its own, the warning and the title on top, if there are any."""

    def __init__(self, book: Any, warning: str | None, title: str | None) -> None:
        self.book, self.warning, self.title = book, warning, title
        self.used: set[str] = {"history"}  # a name that Excel keeps for itself
        self.heading = book.add_format({"bold": True})
        self.bold = book.add_format({"bold": True, "bottom": 1})
        self.loud = book.add_format({"bold": True, "font_color": "#FFFFFF", "bg_color": "#B00020"})
        self.number = book.add_format({"num_format": "#,##0.##"})
        self.day = book.add_format({"num_format": "yyyy-mm-dd"})
        self.moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        self.text = book.add_format({"quote_prefix": True})  # stays text when somebody edits the cell
        self.wrapped = book.add_format({"text_wrap": True, "valign": "top"})

    def table(self, title: str, table: Table) -> None:
        sheet, row = self._sheet(title)
        if self.title:
            sheet.write_string(row, 0, self.title[:LONGEST_TEXT], self.heading)
            row += 1
        if table.note:
            sheet.write_string(row, 0, table.note[:1].upper() + table.note[1:] + ".")
            row += 1
        for column, name in enumerate(table.columns):
            sheet.write_string(row, column, name[:LONGEST_TEXT], self.bold)
        for number, values in enumerate(table.rows, row + 1):
            for column, value in enumerate(values):
                self._cell(sheet, number, column, value)
        sheet.freeze_panes(row + 1, 0)
        sheet.set_column(0, len(table.columns) - 1, 16)

    def promise(self, wanted: Wanted) -> None:
        sheet, row = self._sheet("privacy")
        sheet.set_column(0, 0, 24)
        sheet.set_column(1, 1, 60)
        sheet.set_column(2, len(LEDGER) - 1, 16)
        attributes = [(name, describe_attribute(attribute)) for name, attribute in wanted.view.domain]
        for fact, value in [*about(wanted.view), *((name, words) for name, words in attributes if words)]:
            sheet.write_string(row, 0, fact, self.bold)
            sheet.write_string(row, 1, value[:LONGEST_TEXT], self.wrapped)
            row += 1
        for number, line in enumerate([LEDGER, *ledger_rows(wanted.view.privacy)], row + 1):
            for column, value in enumerate(line):
                self._cell(sheet, number, column, value, self.bold if number == row + 1 else None)

    def _sheet(self, title: str) -> tuple[Any, int]:
        """A new sheet, and its first free row."""
        sheet = self.book.add_worksheet(self._name(title))
        if not self.warning:
            return sheet, 0
        sheet.write_string(0, 0, self.warning, self.loud)
        return sheet, 1

    def _name(self, title: str) -> str:
        plain = re.sub(r"[\[\]:*?/\\\x00-\x1f]", "_", title).strip("' ") or "table"
        name, turn = plain[:LONGEST_NAME], 1
        while name.lower() in self.used:
            turn += 1
            name = f"{plain[: LONGEST_NAME - 4].rstrip()} {turn}"
        self.used.add(name.lower())
        return name

    def _cell(self, sheet: Any, row: int, column: int, value: Any, look: Any = None) -> None:
        match value:
            case None:
                return
            case bool():
                sheet.write_boolean(row, column, value, look)
            case int() | float() if math.isfinite(value):
                sheet.write_number(row, column, value, look or self.number)
            case dt.date() if value.year >= FIRST_YEAR:
                is_moment = isinstance(value, dt.datetime)
                sheet.write_datetime(row, column, value, self.moment if is_moment else self.day)
            case dt.date():
                sheet.write_string(row, column, value.isoformat(), look)
            case str():
                sheet.write_string(row, column, value[:LONGEST_TEXT], self.text if is_formula(value) else look)
