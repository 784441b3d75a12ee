"""CSV: one table as text, with numbers in full."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from ripost.errors import InputError
from ripost.export.formula import marked
from ripost.export.wanted import Wanted, measure_name
from ripost.query.table import Table

SHOUT = "NOT PRIVATE"  # the column that a view which is not private adds to every row


def csv_bytes(wanted: Wanted) -> bytes:
    """What was asked for; by default every dimension by itself, one below the other."""
    if wanted.sql is not None:
        return _written(wanted.answered.columns, wanted.answered.rows, wanted)
    measure = measure_name(wanted.view.measure, wanted.view.domain.names)
    if wanted.is_usual:
        rows = [
            [one.keys[0].name, one.words(0, code), *map(_finite, figures)]
            for one in wanted.crossed
            for (code,), figures in zip(one.codes, one.figures, strict=True)
        ]
        return _written(["dimension", "value", measure, f"{measure}_low", f"{measure}_high"], rows, wanted)
    if len(wanted.crossed) > 1:
        raise InputError("a CSV file holds one table; name one set of dimensions, or export to xlsx or json-stat")
    table: Table = wanted.crossed[0].table(measure)
    return _written(table.columns, table.rows, wanted)


def _written(head: Sequence[str], rows: Sequence[Sequence[Any]], wanted: Wanted) -> bytes:
    warning = wanted.view.privacy.warning
    more = [warning.removeprefix(f"{SHOUT}: ")] if warning else []
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe(name) for name in head] + ([SHOUT] if warning else []))
    writer.writerows([safe(value) for value in row] + more for row in rows)
    return out.getvalue().encode()


def safe(value: Any) -> Any:
    """A value for a field, which no spreadsheet takes for a formula."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if isinstance(value, bool):
        return str(value).lower()
    return marked(value) if isinstance(value, str) else value


def _finite(number: float) -> float | None:
    return number if abs(number) < float("inf") else None
