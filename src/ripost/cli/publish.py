"""`ripost publish`: a table and its schema become a view file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ripost.cli.output import console, print_json, progress, shout
from ripost.errors import InputError
from ripost.view.promise import promise

SUFFIX = ".ripost.parquet"
NOT_OPTIONS = {"source", "workload", "schema", "epsilon", "method", "seed", "table", "watch"}


def publish(
    source: Annotated[str, typer.Argument(help="CSV, TSV, Parquet or JSON lines (a glob too), or a database URL.")],
    schema: Annotated[Path, typer.Argument(help="The schema, a TOML file: which columns, and their public domains.")],
    epsilon: Annotated[
        str, typer.Option("--epsilon", "-e", help="The privacy budget, such as 1 or 1/10; smaller is more private.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The view file; by default named after the schema.")
    ] = None,
    method: Annotated[str, typer.Option(help="How to make blocks; docs/methods lists all.")] = "ripost+",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="A parameter of the method, as name=value; may be repeated."),
    ] = None,
    table: Annotated[str | None, typer.Option(help="Table of a database URL.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the view file.")] = False,
    insecure_seed: Annotated[
        int | None, typer.Option(help="Repeatable noise, for tests only: the view is NOT PRIVATE.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Publish a table as a private view.

    The view is one file of differentially private blocks; whoever has it may ask it anything, for ever.
    """
    from ripost.ingest.schema import Schema
    from ripost.publishing import publish as publish_view
    from ripost.view.file import check_target

    target = output or Path(schema.name.removesuffix(".toml") + SUFFIX)
    check_target(target, force=force)  # before any budget is spent
    description = Schema.load(schema)
    with progress("Publishing") as watch:
        view = publish_view(
            source,
            description,
            epsilon=epsilon,
            method=method,
            seed=insecure_seed,
            table=table,
            watch=watch,
            **parse_options(option or []),
        )
        view.save(target, force=force)
    shout(view.privacy)
    if as_json:
        print_json({"view": str(target), "blocks": len(view.blocks), **view.privacy.to_json()})
        return
    out = console()
    out.print(
        f"Published {target} with {len(view.blocks):,} {view.content.noun} ({target.stat().st_size / 1024:,.0f} KiB)."
    )
    out.print(promise(view.privacy))
    out.print(f"Next: ripost info {target}")


def parse_options(pairs: list[str]) -> dict[str, Any]:
    """name=value pairs; values are read as JSON where they can be."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"--option must read name=value, got {pair!r}")
        if name in NOT_OPTIONS:
            raise InputError(f"{name} is no parameter of a method; see ripost publish --help")
        try:
            options[name] = json.loads(text)
        except json.JSONDecodeError:
            options[name] = text
    return options
