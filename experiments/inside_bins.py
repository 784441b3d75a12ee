"""inside-bins: how often true counts lie in their intervals if a bound lies inside a bin, with and without what the
interval allows for rows anywhere in the bin.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pandas as pd
import typer

from experiments.bench.tables import flights
from ripost import View, publish
from ripost.answering.answer import Answers
from ripost.cli.demo import EPSILON, load_flights
from ripost.query.condition import parse_condition

BOUNDS = {"dep_delay": (10, 1, -30, 300), "distance": (100, 10, 0, 5000)}
"""Attributes with the width of their bins, the step of the bounds, and the first and the last bound."""


def inside_bins(
    runs: Annotated[int, typer.Option(help="Releases.", min=1)] = 3,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
) -> None:
    """Ask the demo's flights for counts below bounds inside bins; print the coverage and the median width."""
    table = load_flights()
    found: dict[tuple[str, str], list[tuple[bool, float]]] = {}
    for seed in range(seed_from, seed_from + runs):
        view = publish(flights(), epsilon=EPSILON, seed=seed)
        for name in BOUNDS:
            for kind, rows in measure_coverage(view, table, name).items():
                found.setdefault((name, kind), []).extend(rows)
    typer.echo(f"| flights where | interval | inside, {runs} releases | median width |\n| --- | --- | ---: | ---: |")
    for (name, kind), each in found.items():
        inside, widths = zip(*each, strict=True)
        typer.echo(f"| {name} < d | {kind} | {sum(inside)} of {len(each)} | {np.median(widths):,.0f} |")


def measure_coverage(view: View, table: pd.DataFrame, name: str) -> dict[str, list[tuple[bool, float]]]:
    """Whether each interval holds the truth, and its width: by proportion alone, and as the view answers."""
    width, step, first, last = BOUNDS[name]
    bounds = [bound for bound in range(first, last, step) if (bound - first) % width]
    regions = [parse_condition(f"{name} < {bound}", view.domain) for bound in bounds]
    truth = np.array([int((table[name] < bound).sum()) for bound in bounds])
    plain = view.content.regions(regions).at(view.level).no_shorter(view.min_interval_width)

    def rows(answers: Answers) -> list[tuple[bool, float]]:
        inside = (answers.low <= truth) & (truth <= answers.high)
        return list(zip(inside.tolist(), (answers.high - answers.low).tolist(), strict=True))

    return {"in proportion to length": rows(plain), "anywhere in the bin": rows(view.answer_regions(regions))}
