"""`ripost query`: a count from a view file, with its interval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json, shout


def query(
    view: Annotated[Path, typer.Argument(help="The view file.")],
    condition: Annotated[
        str,
        typer.Argument(help="For example: \"hour between 6 and 9 and origin = 'JFK'\". Empty: everything."),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Answer a question from a view."""
    from ripost.query.condition import parse_condition
    from ripost.view.file import open_view

    opened = open_view(view)
    answer = opened.answer_selection(parse_condition(condition, opened.domain))
    shout(opened.privacy)
    if as_json:
        print_json(
            {
                "measure": opened.measure.title,
                "where": condition,
                "value": answer.value,
                "stderr": answer.stderr if answer.is_bounded else None,
                "low": answer.low if answer.is_bounded else None,
                "high": answer.high if answer.is_bounded else None,
                "private": opened.privacy.is_private,
            }
        )
        return
    console().print(f"{opened.measure.title}: {answer}")
