"""Table: the result of a question, an Arrow table that prints itself."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ripost.markup.notebook import Piece, TextTable

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

MOST_SHOWN = 60  # rows in print
KEY = b"ripost"  # of the warning in the metadata


@dataclass(frozen=True)
class ResultColumn:
    """One column: its type as Arrow calls it, and its values, None where there is none."""

    name: str
    type: str
    values: Sequence[Any]


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
        values: list[Any] = self._table.column(name).to_pylist()
        return values

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
        """Rows as text, the first MOST_SHOWN of them."""
        head = self._table.slice(0, MOST_SHOWN)
        return [list(row) for row in zip(*([_text(v) for v in c.to_pylist()] for c in head.columns), strict=True)]

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


def _text(value: Any) -> str:
    """A value in print: numbers with the digits that count, moments as ISO has them."""
    if value is None:
        return "NULL"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:,.0f}" if abs(value) >= 1000 or value == round(value) else f"{value:.4g}"
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    return str(value).lower() if isinstance(value, bool) else str(value)
