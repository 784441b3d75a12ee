"""means: how often true means lie in their intervals, over several releases of the demo's flights, and how much of an
interval is due to values inside bins.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import pandas as pd
import typer

from experiments.bench.tables import flights
from ripost import View, publish
from ripost.answering.answer import LEVEL
from ripost.arrays import Floats
from ripost.cli.demo import EPSILON, load_flights
from ripost.query.distribution import BinTotals, Distribution
from ripost.queryable import read_region

MEANS = {"dep_delay": ("origin", "carrier", "hour", "month"), "distance": ("origin", "carrier", "hour", "month")}
FEWEST = 500  # rows of a group that counts
FEWEST_VALUES, FEWEST_DISTINCT = 200, 20  # of a column that counts
BINS = (5, 10, 20, 40)  # about so many bins a column


def means(
    runs: Annotated[int, typer.Option(help="Releases.", min=1)] = 10,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    columns: Annotated[
        Path | None, typer.Option(help="A folder of CSV files, to bin their columns of numbers.")
    ] = None,
) -> None:
    """Print the coverage and the mean half-width of intervals of means; those of the ends of bins for comparison."""
    if columns is not None:
        print_columns(columns)
        return
    table = load_flights()
    found: dict[tuple[str, str], list[tuple[bool, float, float]]] = {}
    for seed in range(seed_from, seed_from + runs):
        view = publish(flights(), epsilon=EPSILON, seed=seed)
        for name, group, truth, told in true_and_told(view, table):
            _, low, high = told.mean()
            lowest, highest = told.outermost_mean()
            row = (low <= truth <= high, (high - low) / 2, (highest - lowest) / 2)
            found.setdefault((name, group), []).append(row)
    typer.echo(
        f"| mean of | by | intervals of {runs} releases | inside | half-width | by the ends of bins |\n"
        "| --- | --- | ---: | ---: | ---: | ---: |"
    )
    for (name, group), rows in found.items():
        inside, half, outermost = np.mean(rows, axis=0)
        typer.echo(f"| {name} | {group} | {len(rows)} | {100 * inside:.1f} % | {half:.3g} | {outermost:.3g} |")


def true_and_told(view: View, table: pd.DataFrame) -> Iterator[tuple[str, str, float, Distribution]]:
    """Attributes and groupings, with the true mean and what the view tells, of each group that is large enough."""
    for name, keys in MEANS.items():
        attribute = view.domain.attributes[name]
        values = table[name].clip(attribute.min, attribute.max)  # type: ignore[attr-defined]
        for key in ("(all)", *keys):
            parts = {None: values} if key == "(all)" else dict(iter(values.groupby(table[key])))
            groups = {one: part.dropna() for one, part in parts.items() if part.count() >= FEWEST}
            regions = [read_region(view.domain, {} if one is None else {key: one}) for one in groups]
            told = BinTotals(view, name, regions).distributions()
            yield from ((name, key, float(part.mean()), one) for part, one in zip(groups.values(), told, strict=True))


def print_columns(folder: Path) -> None:
    """For columns of numbers in bins of round widths: how often the interval of the mean, without noise, holds it."""
    held: dict[int, list[bool]] = {bins: [] for bins in BINS}
    for path in sorted([*folder.rglob("*.csv"), *folder.rglob("*.csv.bz2")]):
        table = pd.read_csv(path, header=None).apply(pd.to_numeric, errors="coerce")
        for _, column in table.items():
            values = column.dropna().to_numpy(float)
            if len(values):  # the ends of a schema's range leave out few rows
                values = values[(values >= np.quantile(values, 0.001)) & (values <= np.quantile(values, 0.999))]
            if len(values) < FEWEST_VALUES or len(np.unique(values)) < FEWEST_DISTINCT:
                continue
            for bins in BINS:
                held[bins] += holds_mean(values, bins)
    typer.echo("| bins | columns | inside |\n| ---: | ---: | ---: |")
    for bins, each in held.items():
        typer.echo(f"| {bins} | {len(each)} | {100 * np.mean(each):.1f} % |")


def holds_mean(values: Floats, bins: int) -> list[bool]:
    """Whether the interval holds the mean of values of which only their bins are known; nothing if bins are values."""
    step = 1.0 if (values == np.round(values)).all() else 0.0
    width = (values.max() - values.min()) / bins
    unit = 10 ** np.floor(np.log10(width))
    width = unit * min((1, 2, 5, 10), key=lambda times: abs(times * unit - width))
    if width <= step:
        return []
    start = np.floor(values.min() / width) * width
    mass = np.bincount(np.floor((values - start) / width + 1e-9).astype(int)).astype(float)
    first = start + width * np.arange(len(mass))
    upto = np.concatenate([[0.0], np.cumsum(mass) / mass.sum()])
    count = float(mass.sum())
    told = Distribution(first, first + width - step, mass, upto, upto, (count, count, count), LEVEL)
    _, low, high = told.mean()
    return [bool(low - 1e-9 * width <= values.mean() <= high + 1e-9 * width)]
