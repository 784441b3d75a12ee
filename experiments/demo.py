"""demo: how often the true answers of the demo's questions lie in their intervals, over several releases."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from experiments.bench.tables import flights
from ripost import publish
from ripost.cli.demo import EPSILON, QUESTIONS, compare, load_flights


def demo(
    runs: Annotated[int, typer.Option(help="Releases.", min=1)] = 10,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    delta: Annotated[float, typer.Option(help="Above 0: the promise (epsilon, delta).")] = 0,
) -> None:
    """Publish the demo's flights several times; print for each question how many true answers lie inside."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with TemporaryDirectory() as folder:
        table = Path(folder) / "flights.parquet"
        load_flights().to_parquet(table, index=False)
        for seed in range(seed_from, seed_from + runs):
            view = publish(flights(), epsilon=EPSILON, seed=seed, delta=delta)
            for question in QUESTIONS:
                row = compare(view, table, question)
                found[row["where"]].append(row)
    typer.echo(
        f"| flights where | truth | inside, of {runs} | mean error | mean width |\n| --- | ---: | ---: | ---: | ---: |"
    )
    for where, rows in found.items():
        inside = sum(row["low"] <= row["truth"] <= row["high"] for row in rows)
        error = sum(row["view"] - row["truth"] for row in rows) / runs
        width = sum(row["high"] - row["low"] for row in rows) / runs
        typer.echo(f"| {where} | {rows[0]['truth']:,} | {inside} | {error:+,.0f} | {width:,.0f} |")
