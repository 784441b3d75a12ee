"""Table: the result of a question, an Arrow table that prints itself."""

from __future__ import annotations

import datetime as dt
import math
import numbers
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ripost.errors import QueryError, suggest_nearest
from ripost.markup.notebook import Piece, TextTable
from ripost.schema.attribute_base import shorten

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

MOST_SHOWN = 60  # rows in print
MOST_DECIMALS = 6  # of numbers in print
KEY = b"ripost"  # of the warning in the metadata


@dataclass(frozen=True)
class ResultColumn:
    """One column: its type as Arrow calls it, and its values, None where there is none."""

    name: str
    type: str
    values: Sequence[Any]
    blanks: Sequence[str] | None = None  # what to print for None in each row: `(missing)` or `(all)`; by default NULL
    show: Callable[[Any], str] | None = None  # how to print other values; by default those of a column look alike

    def take(self, rows: Sequence[int]) -> ResultColumn:
        """Some of its rows, in this order."""
        blanks = self.blanks and [self.blanks[row] for row in rows]
        return replace(self, values=[self.values[row] for row in rows], blanks=blanks)

    def rename(self, name: str) -> ResultColumn:
        return replace(self, name=name)


class Table:
    """Rows and named columns. A warning says that the view was not private, and stays with the table; a note tells
    what to know before relying on its figures.
    """

    def __init__(self, columns: Sequence[ResultColumn], *, warning: str | None = None, note: str = "") -> None:
        import pyarrow as pa

        arrays = [pa.array(column.values, _arrow_type(column.type)) for column in columns]
        fields = [pa.field(column.name, array.type) for column, array in zip(columns, arrays, strict=True)]
        metadata = {KEY: warning.encode()} if warning else None
        self._table: pa.Table = pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata=metadata))
        self.warning, self.note = warning, note
        self._shown = [(column.blanks, column.show) for column in columns]

    @property
    def columns(self) -> list[str]:
        names: list[str] = self._table.column_names
        return names

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        return list(zip(*(column.to_pylist() for column in self._table.columns), strict=True))

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column."""
        if not isinstance(name, str) or name not in self.columns:
            hint = suggest_nearest(name[:100], self.columns) if isinstance(name, str) else "give its name"
            raise QueryError(f"the table has no column {shorten(name)}; {hint}")
        values: list[Any] = self._table.column(name).to_pylist()
        return values

    def head(self, n: int = 5) -> Table:
        """The first n rows."""
        if isinstance(n, bool) or not isinstance(n, numbers.Integral) or n < 0:
            raise QueryError(f"the number of rows must be a whole number from 0, got {shorten(n)}")
        found = copy(self)
        found._table = self._table.slice(0, min(int(n), len(self)))
        return found

    def to_arrow(self) -> pa.Table:
        return self._table

    def to_pandas(self) -> pd.DataFrame:
        return self._table.to_pandas()

    def to_polars(self) -> pl.DataFrame:
        import polars as pl

        return pl.DataFrame(self._table)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow PyCapsule interface, by which other libraries read a table without a copy."""
        return self._table.__arrow_c_stream__(requested_schema)

    def format_rows(self) -> list[list[str]]:
        """Rows as text, the first MOST_SHOWN of them; the numbers of a column and of its ends have one format."""
        values = [column.to_pylist() for column in self._table.slice(0, MOST_SHOWN).columns]
        names = _name_figures(self.columns)
        alike: dict[str, list[Any]] = {}
        for name, column in zip(names, values, strict=True):
            alike.setdefault(name, []).extend(column)
        decimals = {name: _count_decimals(numbers) for name, numbers in alike.items()}
        columns = []
        for name, column, (blanks, show) in zip(names, values, self._shown, strict=True):
            write = show or partial(_text, decimals=decimals[name])
            instead = ["NULL"] * len(column) if blanks is None else blanks
            texts = zip(column, instead, strict=False)
            columns.append([blank if value is None else write(value) for value, blank in texts])
        return [list(row) for row in zip(*columns, strict=True)]

    def __str__(self) -> str:
        rows = self.format_rows()
        widths = [max([len(name), *(len(row[i]) for row in rows)]) for i, name in enumerate(self.columns)]
        right = [self.is_number(name) for name in self.columns]
        lines = [self.warning] if self.warning else []
        for row in [self.columns, *rows]:
            cells = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
            lines.append("  ".join(cells).rstrip())
        if (more := len(self) - len(rows)) > 0:
            lines.append(f"and {more:,} more rows")
        if self.note:
            lines.append(f"Note: {self.note}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def is_number(self, name: str) -> bool:
        return str(self._table.schema.field(name).type) in ("int64", "double")

    def _repr_html_(self) -> str:
        more = len(self) - MOST_SHOWN
        rest = [f"and {more:,} more rows"] if more > 0 else []
        note = [f"Note: {self.note}"] if self.note else []
        return Piece([TextTable(self.format_rows(), self.columns), *rest, *note], warning=self.warning).html()


def _arrow_type(name: str) -> Any:
    import pyarrow as pa

    return pa.timestamp("us") if name == "timestamp" else pa.type_for_alias(name)


def _name_figures(columns: Sequence[str]) -> list[str]:
    """The column that each belongs to: the one whose interval it ends, or itself."""
    known = set(columns)
    figures = [name.removesuffix("_low").removesuffix("_high") for name in columns]
    return [figure if figure in known else name for figure, name in zip(figures, columns, strict=True)]


def print_value(value: Any) -> str:
    """One value in print, with decimals of its own."""
    return _text(value, _count_decimals([value]))


def _count_decimals(values: Sequence[Any]) -> int:
    """Decimals that show four digits of the largest number and two of the least; none among thousands."""
    sizes = [abs(value) for value in values if isinstance(value, float) and math.isfinite(value) and value]
    if not sizes or max(sizes) >= 1000 or all(size == round(size) for size in sizes):
        return 0
    most, least = (math.floor(math.log10(end(sizes))) for end in (max, min))
    return min(max(3 - most, 1 - least, 0), MOST_DECIMALS)


def _text(value: Any, decimals: int) -> str:
    if isinstance(value, float) and math.isfinite(value):
        return f"{round(value, decimals) + 0.0:,.{decimals}f}"
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    return str(value).lower() if isinstance(value, bool) else str(value)
