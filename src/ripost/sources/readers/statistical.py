"""Stata, SPSS and SAS files, by pyreadstat.

Such a file states names, formats and value labels apart from its rows, so these are known before rows may be read: text
is text, a column with value labels is the text of its labels, a number in a format of dates is a date or a timestamp,
and any other number is a number. Rows are read in pieces.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from ripost.errors import SourceError
from ripost.sources.duckdb_engine import connect
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.staging import open_pieces, require_package
from ripost.sources.readers.text_encodings import ADVICE, find_encoding
from ripost.sources.source_table import SourceTable, defer_error, require_columns

CELLS = 2_000_000  # of a piece
RECORD = 80  # bytes; a transport file consists of whole records
BLANK_NUMBER = 1e-39  # above every number that is spelled in blanks in a transport file, and below any other of use
FUNCTIONS = {".dta": "read_dta", ".sav": "read_sav", ".zsav": "read_sav", ".sas7bdat": "read_sas7bdat"}
FUNCTIONS |= {".xpt": "read_xport"}


@dataclass(frozen=True, slots=True)
class NumberedDates:
    """How a program writes dates: as numbers that count from an origin, in columns of certain formats."""

    origin: dt.datetime
    dates: re.Pattern[str]
    moments: re.Pattern[str]
    date_unit: str  # what a number in a column of dates counts
    moment_unit: str


SAS = NumberedDates(
    dt.datetime(1960, 1, 1),
    re.compile(r"(DATE|DAY|DDMMYY|MMDDYY|YYMMDD|JULIAN|JULDAY|MONYY|WORDDAT|WEEKDAT|[EB]8601DA|IS8601DA)[A-Z]?\d*$"),
    re.compile(r"(DATETIME|DATEAMPM|[EB]8601DT|IS8601DT)\d*"),
    "days",
    "seconds",
)
STATA = NumberedDates(
    dt.datetime(1960, 1, 1), re.compile(r"%-?(td|d)"), re.compile(r"%-?t[cC]"), "days", "milliseconds"
)
SPSS = NumberedDates(
    dt.datetime(1582, 10, 14),
    re.compile(r"([AEJS]?DATE|MOYR|QYR|WKYR)\d+"),
    re.compile(r"(DATETIME|YMDHMS)\d+"),
    "seconds",
    "seconds",
)
CALENDARS = {".dta": STATA, ".sav": SPSS, ".zsav": SPSS, ".sas7bdat": SAS, ".xpt": SAS}


def read_statistical(
    paths: Sequence[Path], columns: Sequence[str], name: str, *, encoding: str | None = None
) -> SourceTable:
    """The columns of files of one program."""
    require_pyreadstat()
    try:
        headers = [Header.of(path, encoding) for path in paths]
    except SourceError as error:  # what describes the columns may stand behind the rows, or be cut off with them
        return defer_error(name, columns, connect(), error)
    for header in headers:
        require_columns(columns, header.names, name=str(header.path))
    types = pa.schema([(column, headers[0].type_of(column)) for column in dict.fromkeys(columns)])
    for header in headers[1:]:
        for column in columns:
            if header.type_of(column) != types.field(column).type:
                raise SourceError(f"{name}: column {column} is not of one type in all files; write them with one type")
    labeled = frozenset(column for column in columns for header in headers if column in header.labels)

    def pieces() -> Iterator[pa.RecordBatch]:
        for header in headers:
            yield from header.read(types)

    say = f"{name}: is damaged or cut short, or is text of another encoding; {ADVICE}"
    return open_pieces(name, types, pieces, say=say, mixed=labeled)


def list_statistical_columns(path: Path, *, encoding: str | None = None) -> list[str]:
    require_pyreadstat()
    return Header.of(path, encoding).names


def require_pyreadstat() -> None:
    try:
        import pyreadstat  # noqa: F401
    except ImportError as error:
        raise require_package(error, "Stata, SPSS and SAS files", "statistical") from None


@dataclass(frozen=True, slots=True)
class Header:
    """What a file states apart from its rows."""

    path: Path
    names: list[str]
    formats: Mapping[str, str | None]
    texts: frozenset[str]  # columns of text
    labels: Mapping[str, Mapping[Any, str]]
    reading: Callable[..., Any]

    @classmethod
    def of(cls, path: Path, encoding: str | None) -> Header:
        import pyreadstat

        function = getattr(pyreadstat, FUNCTIONS[path.suffix.lower()])
        told = {"encoding": find_encoding(encoding)} if encoding else {}
        reading = partial(function, str(path), output_format="dict", disable_datetime_conversion=True, **told)
        say = f"{path}: is damaged, or cut short, or is not what its ending says"
        found = redact_errors(lambda: reading(metadataonly=True)[1], say=say)
        texts = frozenset(column for column, kind in found.readstat_variable_types.items() if kind == "string")
        labels = {column: dict(known) for column, known in found.variable_value_labels.items() if known}
        return cls(path, found.column_names, found.original_variable_types, texts, labels, reading)

    def type_of(self, column: str) -> pa.DataType:
        """The type of a column, by its format and its value labels."""
        written, calendar = self.formats.get(column) or "", CALENDARS[self.path.suffix.lower()]
        if column in self.texts or column in self.labels:
            return pa.string()
        if calendar.moments.match(written):
            return pa.timestamp("us")
        return pa.date32() if calendar.dates.match(written) else pa.float64()

    def read(self, types: pa.Schema) -> Iterator[pa.RecordBatch]:
        """The rows, a piece at a time."""
        if self.path.suffix.lower() == ".xpt" and self.path.stat().st_size % RECORD:
            raise SourceError(f"{self.path}: is cut short")
        padded = self.path.suffix.lower() == ".xpt"
        columns = self.names if padded else types.names
        step, first = max(CELLS // len(columns), 1000), 0
        while True:
            found, _ = self.reading(usecols=columns, row_offset=first, row_limit=step)
            arrays = [self.to_array(column, found.get(column, []), types.field(column).type) for column in types.names]
            piece = pa.record_batch(arrays, schema=types)
            yield piece.filter(pa.array(self.hold_anything(found), pa.bool_())) if padded else piece
            if piece.num_rows < step:
                return
            first += step

    def hold_anything(self, found: Mapping[str, Sequence[Any]]) -> list[bool]:
        """Whether each row of a transport file holds anything.

        Blanks also fill up such a file. pyreadstat takes rows of blanks for filling unless another row follows, so
        this row would decide whether they count. Here they never do.
        """
        return [any(map(holds_anything, row)) for row in zip(*found.values(), strict=True)]

    def to_array(self, column: str, values: Sequence[Any], kind: pa.DataType) -> pa.Array:
        labels, calendar = self.labels.get(column, {}), CALENDARS[self.path.suffix.lower()]
        if pa.types.is_string(kind):
            return pa.array([labels.get(value) or format_value(value) for value in values], kind)
        if pa.types.is_floating(kind):
            return pa.array(values, kind, from_pandas=True)
        if pa.types.is_timestamp(kind):
            return pa.array([to_moment(value, calendar.origin, calendar.moment_unit) for value in values], kind)
        moments = [to_moment(value, calendar.origin, calendar.date_unit) for value in values]
        return pa.array([None if moment is None else moment.date() for moment in moments], kind)


def holds_anything(value: Any) -> bool:
    """Whether a value of a transport file is more than blanks; a missing number is written as a dot."""
    return not 0 < value < BLANK_NUMBER if isinstance(value, float) else value != ""


def format_value(value: Any) -> str | None:
    """The text of a value without a label, None where it is missing."""
    if value is None or value == "":
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def to_moment(value: float | None, origin: dt.datetime, unit: str) -> dt.datetime | None:
    """The moment that a number counts to; None where it is missing, or beyond the years 1 to 9999."""
    try:
        return None if value is None else origin + dt.timedelta(**{unit: value})
    except (OverflowError, ValueError):
        return None
