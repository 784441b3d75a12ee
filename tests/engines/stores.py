"""Stores: the same columns as a table of every engine, with text under every collation that the engine has."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import ibis
import pyarrow as pa

from tests.marks import slow

TABLE = "people"
Fixture = Callable[[str], Any]
Source = tuple[Any, str | None]  # and the name of the table, for a database


@dataclass(frozen=True)
class Store:
    """An engine, and how its text columns compare."""

    engine: str
    collation: str | None = None
    pads: bool = False  # whether blanks at the end of a text are no part of it, as in char(n)

    def __str__(self) -> str:
        return f"{self.engine} {self.collation or 'as it is'}"

    @contextmanager
    def holds(self, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
        """The source of a table with these columns, all of its text under the collation."""
        with PUT[self.engine](self, table, folder, fixture) as source:
            yield source


STORES = [
    Store("memory"),
    Store("csv"),
    Store("parquet"),
    *(Store("duckdb", collation) for collation in (None, "NOCASE", "NOACCENT", "NOCASE.NOACCENT", "NFC")),
    *(Store("duckdb session", collation) for collation in ("NOCASE", "NOACCENT", "NOCASE.NOACCENT")),
    *(Store("sqlite", collation) for collation in (None, "NOCASE", "RTRIM")),
    *(Store("postgres", collation) for collation in ("text", "ignore_all", "ignore_case", "citext")),
    Store("postgres", "char(80)", pads=True),
    *(Store("spark", f"STRING COLLATE {name}") for name in ("UTF8_BINARY", "UTF8_LCASE", "UNICODE_CI_AI")),
    Store("spark", "STRING COLLATE UTF8_LCASE_RTRIM"),
]
ONE_OF_SEVERAL = ("NOCASE", "NOACCENT", "ignore_case")  # on DuckDB and PostgreSQL, beside one that ignores all of it
EACH_STORE = [slow(one) if one.collation in ONE_OF_SEVERAL and one.engine != "sqlite" else one for one in STORES]
ENGINES = ("memory", "csv", "parquet", "duckdb", "sqlite", "postgres", "spark")


@contextmanager
def in_memory(_: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    yield table, None


@contextmanager
def in_csv(_: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    """Quoted by hand: an empty text cannot be told from a missing value in CSV, so there is none in the tables."""
    lines = [",".join(table.column_names)]
    for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
        lines.append(",".join("" if one is None else '"' + str(one).replace('"', '""') + '"' for one in row))
    path = folder / "people.csv"
    path.write_bytes("\n".join([*lines, ""]).encode())
    yield path, None


@contextmanager
def in_parquet(_: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    import pyarrow.parquet

    pyarrow.parquet.write_table(table, folder / "people.parquet")
    yield folder / "people.parquet", None


@contextmanager
def in_duckdb(store: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    path = folder / "people.duckdb"
    with duckdb.connect(path) as connection:
        connection.register("arrow", table)
        collate = f" COLLATE {store.collation}" if store.collation else ""
        kinds = {row[0]: row[1] for row in connection.execute("DESCRIBE arrow").fetchall()}
        columns = [f'"{name}" {kind}{collate if kind == "VARCHAR" else ""}' for name, kind in kinds.items()]
        connection.execute(f"CREATE TABLE {TABLE} ({', '.join(columns)})")
        connection.execute(f"INSERT INTO {TABLE} FROM arrow")
    yield f"duckdb://{path}", TABLE


@contextmanager
def in_session(store: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    """A session of somebody else's whose default collation is not binary."""
    connection = ibis.duckdb.connect()
    connection.con.execute(f"SET default_collation = '{store.collation}'")
    connection.con.register("arrow", table)
    connection.con.execute(f"CREATE TABLE {TABLE} AS FROM arrow")
    yield connection.sql(f"SELECT * FROM {TABLE}", schema=ibis.Schema.from_pyarrow(table.schema)), None
    connection.disconnect()


@contextmanager
def in_sqlite(store: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    path = folder / "people.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE {TABLE} ({declare_columns(table, sqlite_type(store))})")
        insert(connection.executemany, table, "?")
    yield f"sqlite://{path}", TABLE


def sqlite_type(store: Store) -> Callable[[pa.DataType], str]:
    collate = f" COLLATE {store.collation}" if store.collation else ""
    kinds = {"string": f"TEXT{collate}", "double": "REAL", "int64": "INTEGER"}
    return lambda kind: kinds.get(str(kind), "TIMESTAMP")


@contextmanager
def in_postgres(store: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    import psycopg

    url = fixture("postgres_url")
    text = store.collation or "text"
    text = f"text COLLATE {text}" if text.startswith("ignore") else text
    kinds = {"string": text, "double": "double precision", "int64": "bigint", "timestamp[us]": "timestamp"}
    with psycopg.connect(url) as connection:
        for statement in COLLATIONS:
            connection.execute(statement)
        connection.execute(f"DROP TABLE IF EXISTS {TABLE}")
        connection.execute(
            f"CREATE TABLE {TABLE} ({declare_columns(table, lambda kind: kinds.get(str(kind), 'timestamptz'))})"
        )
        insert(connection.cursor().executemany, table, "%s")
    yield url, TABLE


COLLATIONS = (
    "CREATE EXTENSION IF NOT EXISTS citext",
    "CREATE COLLATION IF NOT EXISTS ignore_all (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
    "CREATE COLLATION IF NOT EXISTS ignore_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
)


@contextmanager
def in_spark(store: Store, table: pa.Table, folder: Path, fixture: Fixture) -> Iterator[Source]:
    frame = fixture("spark").createDataFrame(table)
    for name, kind in frame.dtypes:
        if kind == "string" and store.collation:
            frame = frame.withColumn(name, frame[name].cast(store.collation))
    yield frame, None


def declare_columns(table: pa.Table, type_of: Callable[[pa.DataType], str]) -> str:
    return ", ".join(f'"{field.name}" {type_of(field.type)}' for field in table.schema)


def insert(run: Callable[[str, Sequence[Any]], Any], table: pa.Table, mark: str) -> None:
    marks = ", ".join([mark] * table.num_columns)
    rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
    if mark == "?":  # SQLite keeps moments as text
        rows = [tuple(str(one) if hasattr(one, "isoformat") else one for one in row) for row in rows]
    run(f"INSERT INTO {TABLE} VALUES ({marks})", rows)


PUT: dict[str, Any] = {
    "memory": in_memory,
    "csv": in_csv,
    "parquet": in_parquet,
    "duckdb": in_duckdb,
    "duckdb session": in_session,
    "sqlite": in_sqlite,
    "postgres": in_postgres,
    "spark": in_spark,
}
