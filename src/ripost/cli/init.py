"""`ripost init`: a first schema for a table, to be reviewed by its steward."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ripost.cli.output import console, print_json
from ripost.cli.source_options import FILES, Encoding, Table, format_command
from ripost.errors import InputError

if TYPE_CHECKING:
    from ripost.draft.draft_parts import SchemaDraft


def init(
    source: Annotated[str | None, typer.Argument(help=f"{FILES}, or a database URL.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The draft; by default named after the table.")
    ] = None,
    metadata: Annotated[
        Path | None,
        typer.Option("--from", help="What you have stated already: CSVW, Frictionless (JSON) or SmartNoise (YAML)."),
    ] = None,
    resource: Annotated[str | None, typer.Option(help="Which table of the metadata.")] = None,
    unit: Annotated[
        str | None, typer.Option(help="The column that identifies people: protect people, not rows.")
    ] = None,
    max_rows: Annotated[int | None, typer.Option(min=1, help="The most rows kept of one unit.")] = None,
    discover: Annotated[
        bool, typer.Option("--discover", help="Leave values, bounds and max_rows to be discovered when publishing.")
    ] = False,
    table: Table = None,
    encoding: Encoding = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the draft.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Draft a schema. What comes from the data is marked `unreviewed`, and publish refuses until it is confirmed."""
    from ripost.draft.discover_draft import discover_draft
    from ripost.draft.draft_schema import draft_schema
    from ripost.draft.format_draft import format_draft
    from ripost.draft.metadata.load_metadata import load_metadata
    from ripost.release.atomic import check_target, write_whole

    target = output or Path(f"{default_stem(source, table, metadata)}.toml")
    check_target(target, force=force, reads=(source, metadata))
    if max_rows is not None and unit is None and metadata is None:
        raise InputError("--max-rows needs --unit: name the column that identifies people")
    stated = load_metadata(metadata, resource=resource, source=table or source) if metadata else None
    draft = draft_schema(source, table=table, encoding=encoding, unit=unit, max_rows=max_rows, stated=stated)
    if discover:
        draft = discover_draft(draft)
    if not draft.attributes:
        raise InputError(
            "no column can be drafted as an attribute; write the schema by hand, as docs/reference/schema.md says"
        )
    write_whole(target, format_draft(draft).encode(), force=force, secret=True)
    if as_json:
        print_json({"draft": str(target), **_to_json(draft)})
        return
    _print_draft(draft, target, format_command("check", source or "TABLE", target, table=table, encoding=encoding))


def default_stem(source: str | None, table: str | None, metadata: Path | None) -> str:
    """What a draft is called: as the table, without its folder and endings."""
    name = table or source or (str(metadata) if metadata else "schema")
    last = Path(name.rstrip("/")).name
    return "".join(sign for sign in last.split(".")[0] if sign.isalnum() or sign in "-_ ").strip() or "schema"


def _to_json(draft: SchemaDraft) -> dict[str, Any]:
    """What a draft holds, in names of columns and keys; no value from the data."""
    from ripost.draft.format_draft import name_attributes

    names = name_attributes([one.column for one in draft.attributes])
    return {
        "attributes": [
            {
                "name": names[one.column],
                "column": one.column,
                "type": one.keys["type"],
                "from": [origin.name.lower() for origin in one.origins],
                "unreviewed": list(one.unreviewed),
                "fill_in": list(one.gaps),
            }
            for one in draft.attributes
        ],
        "left_out": [one.column for one in draft.left_out],
        "unit": draft.unit,
        "choose_unit": list(draft.people) if draft.must_choose_unit else [],
    }


def _print_draft(draft: SchemaDraft, target: Path, check: str) -> None:
    from rich.table import Table
    from rich.text import Text

    from ripost.draft.format_draft import describe_origin, name_attributes, to_printable

    out = console()
    names = name_attributes([one.column for one in draft.attributes])
    out.print(
        f"Drafted {target}: {len(draft.attributes):,} attributes. Only you can read it; keep it so until reviewed.\n"
    )
    shown = Table("attribute", "type", "known from", "unreviewed", box=None, pad_edge=False)
    gaps = sum(bool(one.gaps) for one in draft.attributes)
    if gaps:
        shown.add_column("to fill in")
    for one in draft.attributes[:MOST]:
        words = [
            names[one.column],
            one.keys["type"],
            describe_origin(one),
            ", ".join(one.unreviewed),
            ", ".join(one.gaps),
        ]
        shown.add_row(*map(Text, words[: len(shown.columns)]))
    out.print(shown)
    if (more := len(draft.attributes) - MOST) > 0:
        out.print(f"and {more:,} more")
    if draft.left_out:
        left = ", ".join(to_printable(one.column) for one in draft.left_out[:MOST])
        out.print(f"\nLeft out, the draft says why: {left}{' …' if len(draft.left_out) > MOST else ''}")
    if draft.must_choose_unit:
        out.print(
            "\nWhom to protect, a row or a person? The draft names columns that may tell people apart; decide there."
        )
    elif draft.unit is None:
        out.print("\nEach row is protected. If a person can have several, draft again with --unit COLUMN.")
    waiting = sum(bool(one.unreviewed) for one in draft.attributes) + draft.must_choose_unit
    out.print(f"\nNext: edit {target}" + (f", where {waiting:,} unreviewed lines wait" if waiting else "") + ".")
    if gaps:
        out.print(f"      {gaps:,} attributes have keys to fill in.")
    out.print(f"      Then: {check}")


MOST = 40  # lines of a list that a screen shows
