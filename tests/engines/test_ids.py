"""Ids that are numbers or moments: each value is one unit, on every engine, whatever text the engine makes of it."""

from __future__ import annotations

import datetime as dt
import math
import sqlite3
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pytest

from ripost.data.read import read_tensor
from ripost.errors import SourceError
from ripost.schema.schema import Schema
from tests.engines.stores import ENGINES, Store
from tests.sources.twin import cells_of

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates

NEXT = [math.nextafter(0.1, 1), math.nextafter(1e16, math.inf), math.nextafter(1e300, math.inf), math.nextafter(-3, 0)]
FLOATS = [0.1, 1e16, 1e300, -3.0, 5e-324, 0.0, math.inf, -math.inf, *NEXT]
IDS = {
    "floats": pa.array([*FLOATS, *FLOATS, -0.0, None], pa.float64()),
    "integers": pa.array([2**53, 2**53 + 1, 2**62, 2**62 + 1, -(2**63), 2**63 - 1, 2**53, None], pa.int64()),
    "decimals": pa.array([Decimal(10**17), Decimal(10**17 + 1), Decimal(1), Decimal(1), None], pa.decimal128(18, 0)),
    "moments": pa.array([dt.datetime(2024, 10, 27, 2, 30, 0, part) for part in (0, 1, 2, 1)], pa.timestamp("us")),
}
ONE_EACH = Schema.from_dict(
    {"unit": "who", "max_rows": 1, "attributes": {"x": {"type": "integer", "min": 0, "max": 99}}}
)


def places(ids: Iterable[Any]) -> list[int]:
    """A cell for each id, 99 for none."""
    numbers: dict[Any, int] = {}
    return [99 if one is None else numbers.setdefault(one, len(numbers)) for one in ids]


def expected_counts(cells: Sequence[int]) -> dict[tuple[int, ...], int]:
    return {(cell,): 1 for cell in cells if cell != 99}


@pytest.mark.parametrize("kind", IDS)
@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine != "csv"])
def test_each_number_is_one_unit(engine: str, kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """SQLite writes 15 digits of a float, so that 0.1 and the next float were one person."""
    if (engine, kind) in (("sqlite", "moments"), ("sqlite", "decimals"), ("postgres", "decimals")):
        pytest.skip("the tests have no such table; the next ones have")
    cells = places(IDS[kind].to_pylist())
    table = pa.table({"who": IDS[kind], "x": pa.array(cells, pa.int64())})
    with Store(engine).holds(table, tmp_path, request.getfixturevalue) as source:
        assert cells_of(read_tensor(source[0], ONE_EACH, table=source[1])) == expected_counts(cells)


@pytest.mark.parametrize("declared", ["REAL", "INTEGER", "DECIMAL(20, 4)", "BOOLEAN", ""])
def test_sqlite_ids_are_told_apart_whatever_their_column_is_declared_as(declared: str, tmp_path: Path) -> None:
    ids = [1, 0.1, math.nextafter(0.1, 1), 2**62, 2, "abc", "abd", 0, None, 1, 0.1]
    if declared == "BOOLEAN":
        ids.remove(ids[2])  # a fraction of 16 digits
    cells = places(ids)
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.execute(f"CREATE TABLE t (who {declared}, x INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", zip(ids, cells, strict=True))
    connection.close()
    source = f"sqlite://{tmp_path / 't.db'}"
    assert cells_of(read_tensor(source, ONE_EACH, table="t")) == expected_counts(cells)


def test_sqlite_fractions_in_a_column_of_integers_stay_in_their_cell(tmp_path: Path) -> None:
    """2.5 in a column of integers had the code 2.5, and so a cell of another row, or none."""
    whole = {"type": "integer", "min": 0, "max": 9, "missing": "drop"}
    schema = Schema.from_dict({"attributes": {"x": whole, "y": whole}})
    rows = [(0.5, 9), (9.9, 9.9), (9.75, 9.5), (2.5, 0), (-0.5, 10.5), (None, 1)]
    with sqlite3.connect(tmp_path / "t.db") as connection:
        connection.execute("CREATE TABLE t (x INTEGER, y INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    connection.close()
    tensor = read_tensor(f"sqlite://{tmp_path / 't.db'}", schema, table="t")
    assert cells_of(tensor) == {(0, 9): 2, (9, 9): 2, (2, 0): 1}


def test_duckdb_nanoseconds_with_a_zone_are_told_apart(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        try:
            connection.execute("CREATE TABLE t (who TIMESTAMPTZ_NS, x INTEGER)")
        except duckdb.Error:
            pytest.skip("this DuckDB has no nanoseconds with a zone")
        for number, part in enumerate((1, 2, 1000)):
            connection.execute(f"INSERT INTO t VALUES ('2024-10-27 02:30:00.{part:09d}+00', {number})")
    tensor = read_tensor(f"duckdb://{tmp_path / 't.duckdb'}", ONE_EACH, table="t")
    assert cells_of(tensor) == {(0,): 1, (1,): 1, (2,): 1}


def test_a_macro_of_the_database_does_not_stand_in_for_a_function_of_duckdb(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute("CREATE MACRO encode(text) AS upper(text)::BLOB")
        connection.execute("CREATE TABLE t AS SELECT * FROM (VALUES ('a', 0), ('A', 1)) AS rows (who, x)")
    tensor = read_tensor(f"duckdb://{tmp_path / 't.duckdb'}", ONE_EACH, table="t")
    assert cells_of(tensor) == {(0,): 1, (1,): 1}


@pytest.mark.parametrize(
    ("make", "declared", "ids", "kept"),
    [
        ("ALTER DATABASE {name} SET extra_float_digits = -5", "float8", ["0.1", "0.10000000000000002"], 2),
        ("CREATE TYPE letter AS ENUM ('a', 'A')", "letter", ["'a'", "'A'"], 2),
        ("SELECT", "numeric(9, 2)", ["'NaN'", "'NaN'", "1"], 1),  # NaN is a missing id
        (
            "CREATE FUNCTION convert_to(text, text) RETURNS bytea LANGUAGE sql AS $$ SELECT '1'::bytea $$",
            "text",
            ["'a'", "'b'"],
            2,
        ),
    ],
)
def test_postgres_ids_are_told_apart_whatever_a_database_is_set_to(
    make: str, declared: str, ids: list[str], kept: int, postgres_url: str
) -> None:
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE odd")
    url = postgres_url.rpartition("/")[0] + "/odd"
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(make.format(name="odd").encode())
            connection.execute(f"CREATE TABLE t (who {declared}, x integer)".encode())
            for number, one in enumerate(ids):
                connection.execute(f"INSERT INTO t VALUES ({one}, {number})".encode())
        assert len(cells_of(read_tensor(url, ONE_EACH, table="t"))) == kept
    finally:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute("DROP DATABASE odd WITH (FORCE)")


def test_moments_that_are_python_objects_are_no_ids() -> None:
    """Arrow takes the nanoseconds off, so that two people would become one."""
    moments = [pd.Timestamp("2024-01-01 00:00:00.000000001"), pd.Timestamp("2024-01-01 00:00:00.000000002")]
    frame = pd.DataFrame({"who": pd.Series(moments, dtype=object), "x": [0, 1]})
    with pytest.raises(SourceError, match="column who holds moments as Python objects; make it datetime64"):
        read_tensor(frame, ONE_EACH)
    for dtype in ("datetime64[ns]", pd.CategoricalDtype(pd.DatetimeIndex(moments))):
        frame["who"] = pd.Series(moments).astype(dtype)
        assert cells_of(read_tensor(frame, ONE_EACH)) == {(0,): 1, (1,): 1}


def test_long_numbers_of_json_are_different_ids(tmp_path: Path) -> None:
    """Whole numbers of more than 64 bits keep their digits."""
    numbers = [2**64, 2**64 + 1, -(2**63) - 1, 10**40, 10**40 + 1, 10**40]
    lines = [f'{{"who": {who}, "x": {place}}}\n' for who, place in zip(numbers, places(numbers), strict=True)]
    (tmp_path / "t.jsonl").write_text("".join(lines), "utf-8")
    assert cells_of(read_tensor(tmp_path / "t.jsonl", ONE_EACH)) == expected_counts(places(numbers))
