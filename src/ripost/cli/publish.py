"""`ripost publish`: a table and its schema become a view file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ripost.cli.certificate import Csvw, Registry, print_blanks, write_certificate
from ripost.cli.exit_codes import keep_interrupt_notes
from ripost.cli.output import console, print_json, progress, tell_warnings, warn_if_not_private
from ripost.cli.source_options import FILES, Encoding, MethodOptions, Table, expected_rows, format_command
from ripost.errors import InputError, LedgerError, ReleaseError
from ripost.release.promise import promise

if TYPE_CHECKING:
    from ripost.certify.certified_release import CertifiedRelease
    from ripost.schema.schema import Schema
    from ripost.view import View

SUFFIX = ".ripost.parquet"
NOT_OPTIONS = {
    "source",
    "workload",
    "protect",
    "schema",
    "epsilon",
    "method",
    "seed",
    "table",
    "encoding",
    "watch",
    "reading",
    "engine",
    "memory",
    "rows",
    "period",
    "ledger",
    "anchor",
    "output",
    "force",
    "measurements",
}


def publish(
    source: Annotated[str, typer.Argument(help=f"{FILES}, a database URL, or - for CSV piped in.")],
    schema: Annotated[Path, typer.Argument(help="The schema, a TOML file: which columns, and their public domains.")],
    epsilon: Annotated[
        str, typer.Option("--epsilon", "-e", help="The privacy budget, such as 1 or 1/10; smaller is more private.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The view file; by default named after the schema, and the period."),
    ] = None,
    method: Annotated[str, typer.Option(help="How to make blocks; docs/methods lists all.")] = "ripost+",
    option: MethodOptions = None,
    protect: Annotated[
        list[str] | None,
        typer.Option(help='Attributes whose pairs matter most, such as "carrier,origin"; may be repeated. Public.'),
    ] = None,
    table: Table = None,
    encoding: Encoding = None,
    engine: Annotated[str, typer.Option(help="Of a Spark table: memory, spark, or auto to go by its size.")] = "auto",
    memory: Annotated[
        str | None, typer.Option(help="What reading may hold, such as 2GB; more is spilled to disk, privately.")
    ] = None,
    rows: Annotated[
        str | None,
        typer.Option(help="About how many rows you expect: warns first of attributes that will be lost in noise."),
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(help="The period to publish, such as 2026-10 where the schema says period = 'month(date)'."),
    ] = None,
    ledger: Annotated[
        str | None,
        typer.Option(help="The ledger of the data set, a file or postgresql://…, debited first; see ripost ledger."),
    ] = None,
    anchor: Annotated[Path | None, typer.Option(help="A file elsewhere that keeps heads of the ledger too.")] = None,
    certificate: Annotated[
        bool, typer.Option(help="Write a certificate for people beside the view, as a page and as text.")
    ] = True,
    measurements: Annotated[
        bool, typer.Option(help="Keep the noisy measurements in the view, so that it can be estimated again.")
    ] = True,
    registry: Registry = None,
    csvw: Csvw = None,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite the view file and what is written with it.")
    ] = False,
    insecure_seed: Annotated[
        int | None, typer.Option(help="Repeatable noise, for tests only: the view is NOT PRIVATE.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Publish a table as a private view.

    The view is one differentially private file. Anyone who has it can query it any number of times.
    """
    from ripost.certify.certificate_files import certificate_paths, check_targets
    from ripost.certify.certified_release import CertifiedRelease
    from ripost.publishing.publish import publish as publish_view
    from ripost.release.atomic import check_release_target
    from ripost.schema.schema import Schema

    reads = (source, schema, ledger, anchor)
    if output is not None:
        check_release_target(output, force=force, reads=reads)
    target = output or Path(schema.name.removesuffix(".toml") + (f"-{period}" if period else "") + SUFFIX)
    html, text = certificate_paths(target) if certificate else (None, None)
    if registry and insecure_seed is not None:
        raise InputError("a seeded view protects nobody, so it has no entry in a registry; leave out --registry")
    written_files = [path for path in (target, html, text, registry, csvw) if path]
    check_targets(written_files, force=force, reads=reads)  # before anything is spent
    description = Schema.load(schema)
    with (
        progress("Publishing") as (watch, reading),
        tell_warnings() as warned,
        keep_interrupt_notes(),
    ):
        view = publish_view(
            source,
            description,
            epsilon=epsilon,
            method=method,
            protect=protect or (),
            seed=insecure_seed,
            table=table,
            encoding=encoding,
            engine=engine,
            memory=memory,
            rows=None if rows is None else expected_rows(rows),
            period=period,
            watch=watch,
            reading=reading,
            ledger=ledger,
            anchor=anchor,
            output=target,
            force=force,
            measurements=measurements,
            **parse_options(option or []),
        )
    if rows is None:
        warned += _tell_lost(view, description)
    subject = (
        CertifiedRelease.of_file(view.file, target, libraries=libraries()) if certificate or registry or csvw else None
    )
    written = _write_certificate(subject, target, html, text, registry, csvw, force=force) if subject else []
    warn_if_not_private(view.privacy)
    books = {} if ledger is None else _describe_ledger(view, ledger)
    if as_json:
        files = {"certificate": [str(path) for path in written]} if written else {}
        print_json(
            {
                "view": str(target),
                "blocks": len(view.blocks),
                **files,
                **view.privacy.to_json(),
                **books,
                "warnings": warned,
            }
        )
        return
    out = console()
    size = target.stat().st_size / 1024
    out.print(f"Published {target} with {len(view.blocks):,} {view.content.noun} ({size:,.0f} KiB).")
    out.print(promise(view.privacy))
    if ledger is not None:
        from ripost.budget_ledger.ledger_store import open_store

        out.print(f"Debit {books['debit']['number']} in {open_store(ledger).name}. {books['budget']}")
        out.print(f"Head of the ledger, to keep: {books['head']}")
    if subject:
        out.print(f"With it: {', '.join(map(str, written))}.")
        print_blanks(subject, registry)
    out.print(f"Next: {format_command('info', target)}")


def _tell_lost(view: View, schema: Schema) -> list[str]:
    """Say which attributes are lost in noise, by the released total, where nobody stated the rows beforehand."""
    from ripost.check.release_risks import describe_lost

    if schema.total is not None or view.privacy.warning:
        return []
    attributes: Any = view.domain.attributes
    known = schema.resolve(attributes, view.privacy.unit.max_rows)  # with what was discovered
    found = describe_lost(known, rows=max(float(view.count()), 1), epsilon=float(view.privacy.epsilon))
    if found is None:
        return []
    console(stderr=True).print(f"ripost: {found}")
    return [found]


def _write_certificate(subject: CertifiedRelease, target: Path, *paths: Path | None, force: bool) -> list[Path]:
    """Write what was asked for beside the view; the files."""
    try:
        return write_certificate(subject, *paths, force=force)
    except ReleaseError as error:
        raise ReleaseError(f"{error}; the view is there, so run: {format_command('certificate', target)}") from None


def libraries() -> dict[str, str]:
    """The versions of what a release rests on, as they are now."""
    import platform
    from importlib.metadata import version

    return {"OpenDP": version("opendp"), "NumPy": version("numpy"), "Python": platform.python_version()}


def _describe_ledger(view: View, ledger: str) -> dict[str, Any]:
    """Where the view was paid for, and how the ledger stands now."""
    from ripost.budget_ledger.operations import read_ledger
    from ripost.cli.ledger import describe_budget

    try:
        state = read_ledger(ledger)
    except LedgerError as error:
        raise LedgerError(f"{error}; the view is there, and paid for") from None
    return {"debit": view.debit and view.debit.to_json(), "budget": describe_budget(state)[1], "head": state.head.chain}


def parse_options(pairs: list[str]) -> dict[str, Any]:
    """name=value pairs; values are read as JSON where they can be."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name.isidentifier():
            raise InputError(f"--option must read name=value, got {pair!r}")
        if name in NOT_OPTIONS:
            raise InputError(f"{name} is not a parameter of a method; see ripost publish --help")
        try:
            options[name] = json.loads(text)
        except (ValueError, RecursionError):
            options[name] = text
    return options
