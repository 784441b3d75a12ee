"""series: totals over a year of the demo's flights, published by months or weeks.

How often true totals lie in the intervals of a series; and for months, the errors beside those of releases of the whole
table.
"""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from typing import Annotated

import numpy as np
import pandas as pd
import typer

from ripost import Tensor, View, publish, union
from ripost.arrays import Codes, Floats, Mask
from ripost.cli.demo import load_flights
from ripost.data.read import read_tensor
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema

PERIODS = {
    "month": [f"2013-{month:02}" for month in range(1, 13)],
    "week": [f"2013-W{week:02}" for week in range(1, 53)],
}
BOXES = {1: 200, 2: 400, 3: 200}  # random boxes of a series, by how many attributes they bound

Boxes = tuple[Codes, Codes]

# The whole table at once needs a release every month too: each has a twelfth of epsilon. Or one, when the year is over.
ERRORS_HEAD = """
| epsilon | attributes | series, year | January | twelve releases, year | January | one at the end, year | January |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def series(
    every: Annotated[str, typer.Option(help="The length of a period: month or week.")] = "month",
    eps: Annotated[str, typer.Option(help="Epsilons of each release, with commas.")] = "0.1,1",
    runs: Annotated[int, typer.Option(help="How many series.", min=1)] = 2,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
) -> None:
    """Print the coverage of intervals of totals over all periods, and of one period, by bounded attributes.

    For months a second table has the errors of the totals, beside those of releases of the whole table.
    """
    labels, table, schema = PERIODS[every], load_table(), load_schema(f"{every}(date)")
    truth = [read_tensor(table, schema, period=ReleasePeriod(f"{every}(date)", label)) for label in labels]
    typer.echo("| periods | epsilon | attributes | intervals | inside, all periods | inside, one period |")
    typer.echo("| --- | ---: | ---: | ---: | ---: | ---: |")
    errors: list[str] = []
    for epsilon in eps.split(","):
        squares: dict[int, list[list[float]]] = {bounded: [] for bounded in BOXES}
        found: dict[int, list[tuple[Mask, Mask]]] = {bounded: [] for bounded in BOXES}
        for run in range(seed_from, seed_from + runs):
            views = [
                publish(table, schema, epsilon=epsilon, period=label, seed=100 * run + at)
                for at, label in enumerate(labels)
            ]
            whole = publish_whole(table, epsilon, run) if every == "month" else []
            rng = np.random.default_rng(run)
            for bounded, number in BOXES.items():
                boxes = draw_boxes(schema.domain.shape, number, bounded, rng)
                found[bounded].append((cover(union(views), truth, boxes), cover(views[0], truth[:1], boxes)))
                answers = [answer_all_and_first(view, boxes) for view in (union(views), *whole)]
                true = [sum(one.answer(*boxes) for one in some) for some in (truth, truth[:1])]
                squares[bounded].append(
                    [
                        float(((told - right) ** 2).mean())
                        for one in answers
                        for told, right in zip(one, true, strict=True)
                    ]
                )
        for bounded, masks in found.items():
            inside, alone = (100 * np.concatenate(each).mean() for each in zip(*masks, strict=True))
            number = runs * BOXES[bounded]
            typer.echo(
                f"| {len(labels)} {every}s | {epsilon} | {bounded} | {number} | {inside:.1f} % | {alone:.1f} % |"
            )
        for bounded, runs_of in squares.items():
            figures = " | ".join(f"{one:,.0f}" for one in np.sqrt(np.mean(runs_of, axis=0)))
            errors.append(f"| {epsilon} | {bounded} | {figures} |")
    if every == "month":
        typer.echo(ERRORS_HEAD + "\n".join(errors))


def load_table() -> pd.DataFrame:
    """The flights of the demo with a date."""
    flights = load_flights()
    return flights.assign(date=pd.to_datetime(flights[["year", "month", "day"]]))


def publish_whole(table: pd.DataFrame, epsilon: str, seed: int) -> list[View]:
    """The year with the attribute month: the last of twelve releases that share epsilon, and one with all of it."""
    demo = Schema.parse(files("ripost.cli").joinpath("flights.toml").read_text("utf-8"))
    return [publish(table, demo, epsilon=Fraction(epsilon) / share, seed=100 * seed + 50) for share in (12, 1)]


def answer_all_and_first(view: View, boxes: Boxes) -> list[Floats]:
    """The answers of all periods, and of the first, which are codes of the first attribute."""
    periods, number = view.domain.shape[0], len(boxes[0])
    return [
        view.answer(np.insert(boxes[0], 0, 0, axis=1), np.insert(boxes[1], 0, np.full(number, end), axis=1))
        for end in (periods, 1)
    ]


def load_schema(rule: str) -> Schema:
    """The schema of the demo with a rule of periods, without its attribute month."""
    demo = Schema.parse(files("ripost.cli").joinpath("flights.toml").read_text("utf-8"))
    attributes = {name: attribute for name, attribute in demo.attributes.items() if name != "month"}
    return demo.model_copy(update={"period": rule, "attributes": attributes})


def draw_boxes(shape: tuple[int, ...], number: int, bounded: int, rng: np.random.Generator) -> Boxes:
    """Random boxes that bound so many attributes."""
    lower, upper = np.zeros((number, len(shape)), np.int64), np.tile(shape, (number, 1))
    for row in range(number):
        for axis in rng.choice(len(shape), bounded, replace=False):
            lower[row, axis], upper[row, axis] = np.sort(rng.choice(shape[axis] + 1, 2, replace=False))
    return lower, upper


def cover(view: View, periods: list[Tensor], boxes: Boxes) -> Mask:
    """Whether the true total of some periods in each box lies in the interval of a view."""
    shape, first = periods[0].domain.shape, len(view.domain) - len(periods[0].domain)
    regions = [
        ({first + i: [(float(low[i]), float(high[i]))] for i in np.flatnonzero(high - low < shape).tolist()},)
        for low, high in zip(*boxes, strict=True)
    ]
    told, truth = view.answer_regions(regions), sum(period.answer(*boxes) for period in periods)
    return (told.low <= truth) & (truth <= told.high)
