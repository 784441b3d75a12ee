"""`ripost check`: a schema held against a table, before anything is spent; it says public things only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json
from ripost.cli.source_options import FILES, Encoding, Table, expected_rows, format_command


def check(
    source: Annotated[str, typer.Argument(help=f"{FILES}, or a database URL.")],
    schema: Annotated[Path, typer.Argument(help="The schema, a TOML file.")],
    rows: Annotated[
        str | None, typer.Option(help="About how many rows you expect, such as 1e6; the table is not counted.")
    ] = None,
    epsilon: Annotated[str, typer.Option("--epsilon", "-e", help="The budget that you have in mind.")] = "1",
    table: Table = None,
    encoding: Encoding = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 2 on warnings too.")] = False,
    fit: Annotated[
        bool, typer.Option("--fit", help="Also read the rows and show how they fit. PRIVATE: for a terminal only.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a schema against a table.

    Without --fit it reads no rows (of JSON only the keys, of Excel the first row) and prints only public facts.

    Exits with 0 if publish would accept it, with 2 if not; warnings do not count unless --strict is given.
    """
    if fit:
        from ripost.cli.fit import require_terminal

        require_terminal(as_json=as_json)
    from ripost.check.schema_check import check_schema
    from ripost.draft.format_draft import to_printable
    from ripost.privacy.budget import parse_epsilon
    from ripost.schema.schema import Schema

    expected = None if rows is None else expected_rows(rows)
    budget = float(parse_epsilon(epsilon))
    description = Schema.load(schema)
    found = check_schema(source, description, table=table, encoding=encoding, rows=expected, epsilon=budget)
    levels = {finding.level for finding in found}
    fine = "error" not in levels and not (strict and "warning" in levels)
    if as_json:
        listed = [
            {"level": one.level, "check": one.about, "attribute": one.attribute, "says": one.says} for one in found
        ]
        print_json({"ok": fine, "findings": listed})
    else:
        for one in found:
            kind = f"{one.about} " if one.about == "measure" else f"{one.about}: attribute "
            where = f"{kind}{one.attribute}" if one.attribute else one.about
            mark, style = STYLES[one.level]
            console().print(f"{mark} {to_printable(f'{where}: {one.says}')}", style=style)
    if fit and "error" not in levels:
        from ripost.check.fit import measure_fit
        from ripost.cli.fit import print_fit

        print_fit(measure_fit(source, description, table=table, encoding=encoding))
    if not fine:
        raise typer.Exit(2)
    if not as_json:
        options = {"table": table, "encoding": encoding}
        if not fit:
            console().print(f"Next: {format_command('check', source, schema, '--fit', **options)}")
        lead = "Next:" if fit else "Then:"
        period = ("--period", "PERIOD") if description.period else ()
        console().print(f"{lead} {format_command('publish', source, schema, '--epsilon', epsilon, *period, **options)}")


STYLES = {"ok": ("ok  ", "green"), "warning": ("WARN", "yellow"), "error": ("FAIL", "bold red")}
