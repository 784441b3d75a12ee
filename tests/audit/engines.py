"""The end-to-end tester: neighboring tables published with real noise through one engine, and how often they differ.

The two tables differ by one row, or by all rows of one person. Their releases differ most in one cell, known before
anything is drawn, so the event needs no runs to be chosen: that the published count of this cell reaches a threshold.
Clopper and Pearson's bounds on its two probabilities give a lower bound of the epsilon that was spent.

Reading a table without a unit draws nothing, so its cells are read through the engine once and published many times.
Contribution bounding draws at random, so the table with the person is read anew for every release. Nobody in the
table without the person has more rows than are kept: it is read once too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import ripost
from ripost.data.tensor import Tensor
from ripost.view import View

from .planted import half_the_scale, one_row_too_many, row_counts_twice
from .sampled import Bound, bound_of

Row = tuple[str | None, int | None]  # place and age
Fixture = Callable[[str], Any]  # the name of a server -> how to reach it

PLACES = [f"place {number}" for number in range(13)]  # more than are compared one by one
CROWD: dict[str, Row] = {"a": ("place 5", 0), "b": ("place 7", 0)}  # in cells of their own
HOME: Row = ("place 6", 1)  # a person's one row in another cell than the other rows
ROWS = 200  # of a person, in one cell
ATTRIBUTES = {
    "place": f'[attributes.place]\ntype = "category"\nvalues = {PLACES}\n',
    "age": '[attributes.age]\ntype = "integer"\nmin = 0\nmax = 2\n',
}
AT_HOME = {"place": 6, "age": 1}

SHOWN, TOLD = 8, 2  # epsilon at which few releases show a loss, and at which more tell it from twice the loss


@dataclass(frozen=True)
class Numbers:
    """How many releases there are of each table."""

    runs: int  # of the one without the row or person
    more: int  # of the other


FEW = {False: Numbers(80, 80), True: Numbers(200, 12)}  # by whether people are protected: reading takes longest
MANY = {False: Numbers(600, 600), True: Numbers(1500, 80)}


@dataclass(frozen=True)
class Policy:
    """What a schema does with missing and outside values, and a row that this decides."""

    attribute: str
    missing: str
    outside: str
    row: Row
    code: int | None  # the row's; None: the row is dropped

    def text(self, *, unit: bool) -> str:
        """The schema file."""
        head = 'unit = "person"\nmax_rows = 1\n' if unit else ""
        rules = f'missing = "{self.missing}"\noutside = "{self.outside}"\n'
        return head + ATTRIBUTES[self.attribute] + rules


POLICIES = {
    "value inside": Policy("place", "drop", "drop", ("place 3", 1), 3),
    "missing: bin": Policy("place", "bin", "drop", (None, None), 13),
    "missing: drop": Policy("age", "drop", "clamp", (None, None), None),
    "outside: clamp": Policy("age", "bin", "clamp", ("place 3", 9), 2),
    "outside: other": Policy("place", "drop", "other", ("elsewhere", 9), 13),
    "outside: drop": Policy("age", "bin", "drop", ("elsewhere", 9), None),
}


@dataclass(frozen=True)
class Source:
    """What `publish` is given."""

    data: Any
    table: str | None = None

    def release(self, schema: ripost.Schema, epsilon: int) -> View:
        return ripost.publish(self.data, schema, epsilon=epsilon, method="identity", table=self.table)

    def tensor(self, schema: ripost.Schema) -> Tensor:
        return Tensor.from_table(self.data, schema, table=self.table)


def in_csv(table: pa.Table, path: Path, _: Fixture) -> Source:
    pyarrow.csv.write_csv(table, path.with_suffix(".csv"))
    return Source(path.with_suffix(".csv"))


def in_parquet(table: pa.Table, path: Path, _: Fixture) -> Source:
    pyarrow.parquet.write_table(table, path.with_suffix(".parquet"))
    return Source(path.with_suffix(".parquet"))


def in_feather(table: pa.Table, path: Path, _: Fixture) -> Source:
    pyarrow.feather.write_feather(table, path.with_suffix(".feather"))
    return Source(path.with_suffix(".feather"))


def in_excel(table: pa.Table, path: Path, _: Fixture) -> Source:
    pytest.importorskip("python_calamine")
    with pytest.importorskip("xlsxwriter").Workbook(path.with_suffix(".xlsx")) as workbook:
        sheet = workbook.add_worksheet()
        for number, row in enumerate([table.column_names, *map(dict.values, table.to_pylist())]):
            sheet.write_row(number, 0, row)
    return Source(path.with_suffix(".xlsx"))


def in_stata(table: pa.Table, path: Path, _: Fixture) -> Source:
    pytest.importorskip("pyreadstat").write_dta(table.to_pandas(), path.with_suffix(".dta"))
    return Source(path.with_suffix(".dta"))


def in_duckdb(table: pa.Table, path: Path, _: Fixture) -> Source:
    with duckdb.connect(path.with_suffix(".duckdb")) as connection:
        connection.register("arrow", table)
        connection.execute("CREATE TABLE people AS FROM arrow").fetchall()
    return Source(f"duckdb://{path.with_suffix('.duckdb')}", "people")


def in_sqlite(table: pa.Table, path: Path, _: Fixture) -> Source:
    connection = sqlite3.connect(path.with_suffix(".sqlite"))
    connection.execute("CREATE TABLE people (person TEXT, place TEXT, age INTEGER)")
    connection.executemany("INSERT INTO people VALUES (:person, :place, :age)", table.to_pylist())
    connection.commit()
    connection.close()
    return Source(f"sqlite://{path.with_suffix('.sqlite')}", "people")


def in_postgres(table: pa.Table, path: Path, fixture: Fixture) -> Source:
    import psycopg

    url = fixture("postgres_url")
    with psycopg.connect(url) as connection:
        connection.execute(f'DROP TABLE IF EXISTS "{path.name}"')
        connection.execute(f'CREATE TABLE "{path.name}" (person TEXT, place TEXT, age BIGINT)')
        insert = f'INSERT INTO "{path.name}" VALUES (%(person)s, %(place)s, %(age)s)'
        connection.cursor().executemany(insert, table.to_pylist())
    return Source(url, path.name)


ENGINES: dict[str, Callable[[pa.Table, Path, Fixture], Source]] = {
    "Arrow": lambda table, *_: Source(table),
    "pandas": lambda table, *_: Source(table.to_pandas()),
    "CSV": in_csv,
    "Parquet": in_parquet,
    "Feather": in_feather,
    "Excel": in_excel,
    "Stata": in_stata,
    "DuckDB": in_duckdb,
    "SQLite": in_sqlite,
    "PostgreSQL": in_postgres,
    "Spark": lambda table, _, fixture: Source(fixture("spark").createDataFrame(table)),
}


@dataclass(frozen=True)
class Trial:
    """Two neighboring tables, released many times by the code that their owner runs, or by code with a fault."""

    policy: str = "value inside"
    unit: bool = False
    fault: Callable[[pytest.MonkeyPatch], None] | None = None
    threshold: int = 1  # of the event; a fault that counts a row twice shows best at 2

    @property
    def name(self) -> str:
        fault = f", {self.fault.__name__}" if self.fault else ""
        return f"{self.policy}, {'people' if self.unit else 'rows'}{fault}"

    @property
    def schema(self) -> ripost.Schema:
        return ripost.Schema.parse(POLICIES[self.policy].text(unit=self.unit))

    @property
    def home(self) -> int:
        """The code of the person's row that no policy drops."""
        return AT_HOME[POLICIES[self.policy].attribute]

    @property
    def code(self) -> int:
        """The code whose count differs most between the two tables."""
        code = POLICIES[self.policy].code
        return self.home if code is None else code

    @property
    def shows(self) -> bool:
        """Whether the count of any code differs between the two tables."""
        return self.unit or POLICIES[self.policy].code is not None

    def sources(self, engine: str, folder: Path, fixture: Fixture) -> tuple[Source, Source]:
        """The table without the row or person, and the table with it."""
        crowd = [(person, *row) for person, row in CROWD.items()]
        own = [POLICIES[self.policy].row] * ROWS + [HOME] if self.unit else [POLICIES[self.policy].row]
        more = [("q", *row) for row in own]
        make = ENGINES[engine]
        return make(_table(crowd), folder / "one", fixture), make(_table(crowd + more), folder / "other", fixture)

    def bound(self, sources: tuple[Source, Source], epsilon: int, numbers: Numbers, *, rate: float) -> Bound:
        """The lower bound of what releases of the two tables spend; it is wrong with at most this rate."""
        less, more = sources
        with pytest.MonkeyPatch.context() as patch:
            if self.fault:
                self.fault(patch)
            seldom = self._events(self._publish_views(less.tensor(self.schema), epsilon, numbers.runs), epsilon)
            if self.unit:
                views = (more.release(self.schema, epsilon) for _ in range(numbers.more))
            else:
                views = self._publish_views(more.tensor(self.schema), epsilon, numbers.more)
            likely = self._events(views, epsilon)
        return bound_of(likely, numbers.more, seldom, numbers.runs, rate=rate)

    def _publish_views(self, tensor: Tensor, epsilon: int, runs: int) -> Iterator[View]:
        return (ripost.publish(tensor, epsilon=epsilon, method="identity") for _ in range(runs))

    def _events(self, views: Iterator[View], epsilon: int) -> int:
        """How many of the views show the event; a block of this method is a cell."""
        found = 0
        for view in views:
            assert view.privacy.entropy == "operating system" and view.privacy.epsilon_spent == epsilon
            found += int(view.content.values[self.code] > self.threshold - 0.5)
        assert view.blocks.lower[self.code] == [self.code]
        return found


def _table(rows: list[tuple[str, str | None, int | None]]) -> pa.Table:
    types = pa.schema({"person": pa.string(), "place": pa.string(), "age": pa.int64()})
    return pa.Table.from_arrays([*map(pa.array, zip(*rows, strict=True))], ["person", "place", "age"]).cast(types)


SOUND = [Trial(policy, unit) for unit in (False, True) for policy in POLICIES]
FAULTS = {
    "one row counts twice": Trial(fault=row_counts_twice, threshold=2),
    "max_rows off by one": Trial(unit=True, fault=one_row_too_many, threshold=2),
    "half the noise": Trial(fault=half_the_scale),
}
