"""CSV: one table as text, with numbers in full."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from ripost.errors import InputError
from ripost.export.formula import escape_formula
from ripost.export.wanted import Wanted
from ripost.query.table import Table
from ripost.query.tabulate import ENDS, measure_name

NOTE = "note"  # the column that tells what to know of figures, where there is anything
SHOUT = "NOT PRIVATE"  # the column that a view which is not private adds to every row


def csv_bytes(wanted: Wanted) -> bytes:
    """What was asked for; by default every dimension by itself, one below the other."""
    if wanted.sql is not None:
        return _of_table(wanted.answered, wanted)
    measure = measure_name(wanted.view.measure, wanted.view.domain.names)
    if wanted.is_usual:
        domain = wanted.view.domain
        labels = {name: domain.find(name).label for name in domain.attributes_and_levels}
        more = {"label": any(labels.values()), NOTE: any(one.note for one in wanted.crossed)}
        rows = []
        for one in wanted.crossed:
            name = one.keys[0].name
            facts = {"label": labels[name], NOTE: one.note}
            told = [facts[column] for column, there in more.items() if there]
            rows += [
                [name, one.words(0, code), *map(_finite, figures), *told]
                for (code,), figures in zip(one.codes, one.all_figures, strict=True)
            ]
        head = [
            "dimension",
            "value",
            *(title + end for title in (measure, *wanted.crossed[0].measured_titles) for end in ENDS),
            *(name for name, there in more.items() if there),
        ]
        return _encode_csv(head, rows, wanted)
    if len(wanted.crossed) > 1:
        raise InputError("a CSV file holds one table; name one set of dimensions, or export to xlsx or json-stat")
    return _of_table(wanted.crossed[0].table(measure), wanted)


def _of_table(table: Table, wanted: Wanted) -> bytes:
    if not table.note:
        return _encode_csv(table.columns, table.rows, wanted)
    return _encode_csv([*table.columns, NOTE], [(*row, table.note) for row in table.rows], wanted)


def _encode_csv(head: Sequence[str], rows: Sequence[Sequence[Any]], wanted: Wanted) -> bytes:
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
    return escape_formula(value) if isinstance(value, str) else value


def _finite(number: float) -> float | None:
    return number if abs(number) < float("inf") else None
