"""`ripost export`: a view file, or tables of it, in the format of another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ripost.cli.output import console, print_json, warn_if_not_private

NEXT = {
    "duckdb": "Ask it in any tool that opens DuckDB files; SELECT * FROM about tells what it is. Begin with",
    "csv": "Columns that end in _low and _high are the ends of 95 % intervals.",
    "json-stat": "The dimension figure tells the value from the ends of its 95 % interval.",
    "xlsx": "The last sheet holds the promise and the ledger.",
}


def export(
    view: Annotated[Path, typer.Argument(help="The view file.")],
    file: Annotated[
        Path | None,
        typer.Argument(help="The file to write; its ending (.duckdb, .csv, .json, .xlsx) tells the format."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write, as another way to name it.")
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", "-f", help="duckdb, csv, json-stat or xlsx, whatever the file is called.")
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(help="Dimensions of a table, such as origin,hour; once for each table. Else each by itself."),
    ] = None,
    where: Annotated[str | None, typer.Option(help='A condition that the tables keep to, such as "hour < 12".')] = None,
    sql: Annotated[str | None, typer.Option(help="A SELECT ... FROM view whose answer is the table.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Export a view as a database or tables.

    A DuckDB database that answers without ripost, or tables as CSV, JSON-stat or XLSX.
    """
    from ripost.errors import InputError
    from ripost.export.formats import FORMATS, export_view, format_of
    from ripost.release.atomic import check_target
    from ripost.release.file import stem
    from ripost.view import open_view

    if file is not None and output is not None:
        raise InputError(f"the file is named twice, {file} and {output}; name it once")
    named = file or output
    if named is None and format is None:
        raise InputError(f"name the file to write, such as {stem(view)}.duckdb, or a format with --format")
    kind = format_of(named or "", format)
    target = named or view.with_name(stem(view) + FORMATS[kind].suffixes[0])
    check_target(target, force=force, reads=(view,))
    opened = open_view(view)
    wanted = export_view(opened, target, format=kind, by=by or (), where=where, sql=sql, force=force)
    warn_if_not_private(opened.privacy)
    size = target.stat().st_size
    left_out = wanted.left_out if kind != "duckdb" else ()
    if as_json:
        print_json(
            {
                "export": str(target),
                "format": kind,
                "bytes": size,
                "left_out": list(left_out),
                "private": opened.privacy.is_private,
            }
        )
        return
    out = console()
    out.print(f"Wrote {target} ({size / 1024:,.0f} KiB), format {kind}.")
    if left_out:
        out.print(f"Left out, having too many codes for a table: {', '.join(left_out)}; ask for bins with --sql.")
    out.print(NEXT[kind])
    if kind == "duckdb":
        from ripost.query.source import table_name

        [first, *_] = opened.domain.names
        out.print(f"  SELECT * FROM {table_name(stem(target))}_by(['{first}'])")
