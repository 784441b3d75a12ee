"""`ripost query`: a count or a table from a view file, with intervals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ripost.cli.output import console, print_json, print_table, warn_if_not_private
from ripost.errors import InputError

if TYPE_CHECKING:
    from ripost.query.table import Table
    from ripost.view import View

STATEMENT = re.compile(
    r"[\s(]*(select|with|from|create|drop|copy|attach|explain|describe|pragma|insert\s+into|delete\s+from|show\s+tables|"
    r"update\s+\S+\s+set)\b(?!\s*(=|<|>|!|between\b|in\b|is\b|not\b))",
    re.IGNORECASE,
)


def query(
    view: Annotated[Path, typer.Argument(help="The view file.")],
    question: Annotated[
        str,
        typer.Argument(
            help="A condition such as \"hour between 6 and 9 and origin = 'JFK'\", or one "
            '"SELECT origin, COUNT(*) FROM view GROUP BY origin". Empty: everything.'
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV; of a SELECT only.")] = False,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Intervals that hold all together; of a SELECT only.")
    ] = False,
) -> None:
    """Answer a question from a view."""
    from ripost.view import open_view

    if as_json and as_csv:
        raise InputError("choose one of --json and --csv")
    opened = open_view(view)
    if STATEMENT.match(question):
        table = opened.sql(question, simultaneous=simultaneous)
        warn_if_not_private(opened.privacy)
        _print_table(table, opened, question, as_json=as_json, as_csv=as_csv)
        return
    if as_csv:
        raise InputError("--csv prints a table; ask a SELECT, such as SELECT COUNT(*) FROM view")
    if simultaneous:
        raise InputError("--simultaneous is about the rows of a table; ask a SELECT with GROUP BY")
    _print_count(opened, question, as_json=as_json)


def _print_count(opened: View, condition: str, *, as_json: bool) -> None:
    from ripost.query.condition import answer_condition

    answer = answer_condition(opened, condition)
    warn_if_not_private(opened.privacy)
    if as_json:
        print_json(
            {
                "measure": opened.measure.title,
                "where": condition,
                "value": answer.value,
                "stderr": answer.stderr if answer.is_bounded else None,
                "low": answer.low if answer.is_bounded else None,
                "high": answer.high if answer.is_bounded else None,
                **_note_field(answer.note),
                "private": opened.privacy.is_private,
            }
        )
        return
    console().print(f"{opened.measure.title}: {answer}")
    if answer.note:
        console().print(f"Note: {answer.note}")


def _print_table(table: Table, opened: View, question: str, *, as_json: bool, as_csv: bool) -> None:
    if as_json:
        rows = [{name: _to_plain(value) for name, value in row.items()} for row in table]
        print_json({"query": question, "rows": rows, **_note_field(table.note), "private": opened.privacy.is_private})
        return
    if as_csv:
        import csv
        import sys

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(table.columns)
        writer.writerows([_to_plain(value) for value in row] for row in table.rows)
        return
    shown = table.format_rows()
    numbers = {i for i, name in enumerate(table.columns) if table.is_number(name)}
    print_table(table.columns, shown, right=numbers, rule=True)
    if (more := len(table) - len(shown)) > 0:
        console().print(f"and {more:,} more rows; --csv and --json print all")
    if table.note:
        console().print(f"Note: {table.note}")


def _note_field(note: str) -> dict[str, str]:
    return {"note": note} if note else {}


def _to_plain(value: object) -> object:
    """A value that JSON and CSV can hold."""
    return value.isoformat() if hasattr(value, "isoformat") else value
