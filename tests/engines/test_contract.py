"""One exam for all engines: the same tensor of the same table, and with the same seed the same view."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import ibis
import polars as pl
import pyarrow.parquet
import pytest

import ripost
from ripost.data.read import read_tensor
from tests.engines.comparing import assert_same
from tests.engines.table import ROWS, SCHEMAS, TABLE
from tests.sources.twin import cells_of, slow_cells

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of Py4J

Source = tuple[Any, str | None]  # and the name of the table, for a database


def in_duckdb(folder: Path) -> Source:
    with duckdb.connect(folder / "t.duckdb") as connection:
        connection.register("arrow", TABLE)
        connection.execute("CREATE TABLE trips AS FROM arrow").fetchall()
    return f"duckdb://{folder / 't.duckdb'}", "trips"


def in_parquet(folder: Path) -> Source:
    pyarrow.parquet.write_table(TABLE, folder / "t.parquet")
    return folder / "t.parquet", None


ENGINES: dict[str, Callable[[Path, Callable[[str], Any]], Source]] = {
    "pandas": lambda *_: (TABLE.to_pandas(), None),
    "polars": lambda *_: (pl.DataFrame(TABLE), None),
    "parquet": lambda folder, _: in_parquet(folder),
    "duckdb": lambda folder, _: in_duckdb(folder),
    "ibis": lambda *_: (ibis.memtable(TABLE), None),
    "spark": lambda _, fixture: (fixture("spark").createDataFrame(TABLE), None),
    "postgres": lambda _, fixture: (fixture("postgres_url"), "trips"),
}
WAYS = [(name, "auto") for name in ENGINES] + [("spark", "memory"), ("spark", "spark")]


@pytest.fixture(params=ENGINES)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Source:
    return ENGINES[request.param](tmp_path, request.getfixturevalue)


@cache
def cells_in_memory(kind: str) -> dict[tuple[int, ...], int]:
    return cells_of(read_tensor(TABLE, SCHEMAS[kind], secret="the same for all"))


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_same_tensor(source: Source, kind: str) -> None:
    schema, expected = SCHEMAS[kind], cells_in_memory(kind)
    assert len(expected) > 30
    assert cells_of(read_tensor(source[0], schema, table=source[1], secret="the same for all")) == expected


@pytest.mark.parametrize("kind", ["rows", "wide"])
def test_the_tensor_is_that_of_a_loop(kind: str) -> None:
    spelled = [{**row, "rate": row["rate"] and f"{row['rate']:g}".removesuffix(".0")} for row in ROWS]
    assert cells_of(read_tensor(TABLE, SCHEMAS[kind])) == slow_cells(spelled, SCHEMAS[kind])


def test_rows_in_impossible_cells_are_dropped() -> None:
    """As a loop over rows does it; the codes are in the order of the levels."""
    spelled = [{**row, "rate": row["rate"] and f"{row['rate']:g}".removesuffix(".0")} for row in ROWS]
    kept = [row for row in spelled if not is_impossible(row)]
    assert 0 < len(kept) < len(spelled)
    assert cells_of(read_tensor(TABLE, SCHEMAS["levels"])) == slow_cells(kept, SCHEMAS["levels"])


def is_impossible(row: dict[str, Any]) -> bool:
    """What the conditions of the schema say, of a row as it is."""
    hour, delay, rate = row["hour"], row["delay"], row["rate"]
    early = row["night"] is True and hour is not None and hour < 4  # below the range it is clamped to 0
    lost = row["origin"] == "JFK" and (delay is None or math.isnan(delay))
    odd = row["origin"] in ("JFK", "LGA", "a,b;'c") and rate is not None and rate != "1"
    return early or lost or odd


@pytest.mark.parametrize(("name", "engine"), WAYS, ids=[" ".join(way) for way in WAYS])
def test_the_same_view(
    name: str, engine: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda _: "the same for all")
    source, table = ENGINES[name](tmp_path, request.getfixturevalue)
    expected, found = (
        ripost.publish(one, SCHEMAS["sums of people"], epsilon=60, seed=11, **options)
        for one, options in ((TABLE, {}), (source, {"table": table, "engine": engine}))
    )
    assert len(expected.blocks) > 8
    assert_same(found, expected)
