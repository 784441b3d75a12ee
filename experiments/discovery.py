"""discovery: how often values are found by how many rows hold them, and the error beside a schema that lists them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer

from ripost import Schema, View, publish
from ripost.cli.demo import load_flights
from ripost.methods.discovery_budget import plan_discovery
from ripost.privacy.discovery import DiscoveryAccount
from ripost.privacy.seeded_noise import SeededNoise

OPEN = '[attributes.dest]\ntype = "category"\nvalues = "discover"\n'
MONTHS = '[attributes.month]\ntype = "integer"\nmin = 1\nmax = 12\n'
VALUES = 2000  # with so many rows each
SIZES = (40, 60, 70, 80, 90, 100, 150)  # rows that hold a value, in units of 1 / epsilon
DELTA = "1e-9"


def discovery(
    eps: Annotated[str, typer.Option(help="Epsilons of a release, with commas.")] = "0.1,1",
    runs: Annotated[int, typer.Option(help="How many releases of the flights.", min=1)] = 3,
) -> None:
    """Print which share of values is found, and the errors of counts of flights by destination."""
    epsilons = [Fraction(one) for one in eps.split(",")]
    typer.echo(
        "| rows with a value, times epsilon | "
        + " | ".join(f"found at epsilon {float(one):g}" for one in epsilons)
        + " |"
    )
    typer.echo("| ---: |" + " ---: |" * len(epsilons))
    for size in SIZES:
        shares = [f"{100 * find_share(epsilon, round(size / epsilon)):.1f} %" for epsilon in epsilons]
        typer.echo(f"| {size} | {' | '.join(shares)} |")
    typer.echo("\n| epsilon | schema | destinations | found | error, destination | error, destination and month |")
    typer.echo("| ---: | --- | ---: | ---: | ---: | ---: |")
    flights = load_flights()
    for epsilon in epsilons:
        for name in ("listed", "discovered"):
            found = [measure(flights, epsilon, seed, listed=name == "listed") for seed in range(runs)]
            number, one, both = np.mean(found, axis=0)
            typer.echo(
                f"| {float(epsilon):g} | {name} | {flights.dest.nunique()} | {number:.0f} | {one:.0f} | {both:.1f} |"
            )


def find_share(epsilon: Fraction, rows: int) -> float:
    """The share of VALUES that is found if each is held by so many rows, at the usual share of epsilon."""
    parts = Schema.parse(OPEN + f"max_values = {VALUES}\n").open
    plan = plan_discovery(parts, epsilon=epsilon, delta=Fraction(DELTA))
    account = DiscoveryAccount(epsilon=plan.epsilon, delta=plan.delta, noise=SeededNoise(1))
    names = [f"{number:06}" for number in range(VALUES)]
    return len(account.charge(plan.charges[0]).find_values(names, np.full(VALUES, rows))) / VALUES


def measure(flights: pd.DataFrame, epsilon: Fraction, seed: int, *, listed: bool) -> tuple[int, float, float]:
    """How many destinations a view lists, and its mean absolute errors; of what is not listed the answer is 0."""
    names = sorted(flights.dest.unique())
    stated = f'[attributes.dest]\ntype = "category"\nvalues = {names}\n'
    shares: dict[str, Any] = {} if listed else {"delta": DELTA, "discover_delta_share": 1}
    view = publish(flights, Schema.parse((stated if listed else OPEN) + MONTHS), epsilon=epsilon, seed=seed, **shares)
    known = set(view.domain.attributes["dest"].names)  # type: ignore[attr-defined]
    one = flights.groupby("dest").size()
    both = (
        flights.groupby(["dest", "month"])
        .size()
        .reindex(pd.MultiIndex.from_product([names, range(1, 13)]), fill_value=0)
    )
    errors = [abs(count(view, known, dest) - true) for dest, true in one.items()]
    finer = [abs(count(view, known, dest, month) - true) for (dest, month), true in both.items()]
    return len(known & set(names)), float(np.mean(errors)), float(np.mean(finer))


def count(view: View, known: set[str], dest: Any, month: int | None = None) -> float:
    """The count of a destination, 0 if the view does not list it."""
    more = {} if month is None else {"month": month}
    return float(view.count(dest=dest, **more)) if dest in known else 0.0
