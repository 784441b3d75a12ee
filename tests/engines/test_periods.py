"""One exam for all engines: a row is in one period of a rule, by its own moment, or in none."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import ibis
import pyarrow as pa
import pyarrow.parquet
import pytest

from ripost.data.read import read_tensor
from ripost.errors import SourceError
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema
from tests.engines.stores import STORES, Store
from tests.marks import slow
from tests.schema.labels import label_of
from tests.sources.twin import cells_of

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates
ENGINES = [store for store in STORES if store.collation in (None, "text", "STRING COLLATE UTF8_BINARY")]
MOMENTS = [
    *(dt.datetime(2026, 10, 1), dt.datetime(2026, 10, 31, 23, 59, 59), dt.datetime(2026, 11, 1)),
    *(dt.datetime(2026, 12, 31, 23, 59, 59), dt.datetime(2027, 1, 1), dt.datetime(2027, 1, 3, 12)),
    *(dt.datetime(1969, 12, 31, 23, 59, 59), dt.datetime(1970, 1, 1), dt.datetime(2024, 2, 29, 1), None),
]
TEXTS = [f"{at:%d/%m/%Y %H:%M}" for at in MOMENTS if at] + ["29/02/2023 10:00", "soon", "", None]
ROWS = 30
NAMES = [f"name {number}" for number in range(13)]  # more than are compared one by one
TABLE = pa.table(
    {
        "at": pa.array((MOMENTS * 3)[:ROWS], pa.timestamp("us")),
        "text": pa.array((TEXTS * 3)[:ROWS], pa.string()),
        "x": pa.array([number % 13 for number in range(ROWS)], pa.int64()),
        "name": pa.array([NAMES[number % 13] for number in range(ROWS)], pa.string()),
    }
)
RULES = {
    f"{span}({moment})": (span, column)
    for moment, column in (("at", "at"), ("strptime(text, '%d/%m/%Y %H:%M')", "text"))
    for span in ("year", "quarter", "month", "week", "day")
}
ATTRIBUTES = {
    "name": {"type": "category", "values": NAMES, "missing": "bin"},
    "x": {"type": "integer", "min": 0, "max": 12, "missing": "bin"},
}


def moment_of(row: dict[str, object], column: str) -> dt.datetime | None:
    value = row[column]
    if isinstance(value, str):
        try:
            return dt.datetime.strptime(value, "%d/%m/%Y %H:%M")
        except ValueError:
            return None
    return value if isinstance(value, dt.datetime) else None


REPEATED = ("parquet", "duckdb")  # DuckDB again, as for tables in memory


@pytest.mark.parametrize("store", [slow(one) if one.engine in REPEATED else one for one in ENGINES], ids=str)
def test_every_engine_puts_each_row_into_its_period(
    store: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with store.holds(TABLE, tmp_path, request.getfixturevalue) as (source, table):
        for rule, (span, column) in RULES.items():
            expected: dict[str, Counter[tuple[int, ...]]] = {}
            for row in TABLE.to_pylist():
                if (at := moment_of(row, column)) is not None:
                    expected.setdefault(label_of(span, at), Counter())[(NAMES.index(row["name"]), row["x"])] += 1
            assert len(expected) > 3
            schema = Schema.from_dict({"period": rule, "attributes": ATTRIBUTES})
            step = {"memory": 1, "spark": 9}.get(store.engine, 3)  # a query of Spark takes a second
            for label in sorted(expected)[::step]:
                found = read_tensor(source, schema, table=table, period=ReleasePeriod(rule, label))
                assert cells_of(found) == dict(expected[label]), (rule, label)
        empty = read_tensor(source, schema, table=table, period=ReleasePeriod(rule, "1990-01-01"))
        assert cells_of(empty) == {}


def test_rows_of_other_periods_do_not_use_up_the_bound_on_contributions() -> None:
    many, one = 50, dt.datetime(2026, 11, 1)
    table = pa.table(
        {"who": ["a"] * (many + 1), "at": [dt.datetime(2026, 10, 1)] * many + [one], "x": [0] * many + [1]}
    )
    schema = Schema.from_dict(
        {"period": "month(at)", "unit": "who", "max_rows": 1, "attributes": {"x": ATTRIBUTES["x"]}}
    )
    november, october = (read_tensor(table, schema, period=ReleasePeriod("month(at)", f"2026-{n}")) for n in (11, 10))
    assert (cells_of(november), cells_of(october)) == ({(1,): 1}, {(0,): 1})


def test_a_column_that_is_no_date_is_refused_before_any_row_is_read() -> None:
    schema = Schema.from_dict({"period": "month(x)", "attributes": ATTRIBUTES})
    with pytest.raises(SourceError, match="x holds integers but the expression of the period reads it as a date"):
        read_tensor(TABLE, schema, period=ReleasePeriod("month(x)", "2026-10"))


def month_of(source: object, table: str | None = None) -> dict[str, int]:
    """How many rows of a source each month around the turn of October 2026, and this month, has."""
    schema = Schema.from_dict({"period": "month(at)", "attributes": {"x": ATTRIBUTES["x"]}})
    labels = {"2026-10", "2026-11", f"{dt.datetime.now(dt.UTC):%Y-%m}"}
    found = {
        label: read_tensor(source, schema, table=table, period=ReleasePeriod("month(at)", label)) for label in labels
    }
    return {label: sum(cells_of(tensor).values()) for label, tensor in found.items() if cells_of(tensor)}


@pytest.mark.parametrize("kind", ["TIMESTAMP", "DATE", "TEXT"])
def test_no_word_is_the_time_of_the_query(kind: str, tmp_path: Path) -> None:
    """SQLite reads `now` as the current time: the row would be in the month of every release."""
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE t (at {kind}, x INTEGER)")
        words = ["now", " NOW ", "now\0 1", b"now", "subsec", "subsecond"]
        connection.executemany("INSERT INTO t VALUES (?, 0)", [(word,) for word in words])
    assert month_of(f"sqlite://{path}", "t") == {}


def test_midnight_at_the_end_of_a_day_is_in_at_most_one_month(tmp_path: Path) -> None:
    """DuckDB takes 24:00 for the next day, and SQLite for this one."""
    path = tmp_path / "t.sqlite"
    texts = ["2026-10-31 24:00:00", "2026-10-31T24:00"]
    minutes = ["2026-10-31 10:24:00", "2026-10-31T23:24:24.5"]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (at TIMESTAMP, x INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?, 0)", [(text,) for text in [*texts, *minutes]])
    for number, text in enumerate(texts):
        assert set(month_of(pa.table({"at": [text], "x": [number]}))) <= {"2026-11"}
    assert month_of(f"sqlite://{path}", "t") == {"2026-10": len(minutes)}


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("late", [500, 999, 999_999_999], ids=str)
def test_nanoseconds_do_not_round_a_row_into_the_next_month(zone: str | None, late: int, tmp_path: Path) -> None:
    """The last nanoseconds of October are in October, in memory, in a file and as text."""
    end = int(dt.datetime(2026, 11, 1, tzinfo=dt.UTC).timestamp()) * 10**9
    table = pa.table({"at": pa.array([end - 1000 + late % 1000, end - 10**9 + late], pa.timestamp("ns", zone))})
    table = table.append_column("x", pa.array([0, 1]))
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    texts = pa.table({"at": table["at"].cast(pa.timestamp("ns", zone and "UTC")).cast(pa.string()), "x": [0, 1]})
    for source in (table, tmp_path / "t.parquet", texts):
        assert month_of(source) == {"2026-10": 2}


def test_no_date_makes_postgres_fail(postgres_url: str) -> None:
    """It has dates beyond its timestamps. One row with such a date would decide whether there is a release."""
    import psycopg

    with psycopg.connect(postgres_url) as connection:
        connection.execute("DROP TABLE IF EXISTS far; CREATE TABLE far (at date, x integer)")
        dates = ["2026-10-31", "5874897-12-31", "294277-01-01", "infinity", "-infinity", "4713-01-01 BC", None]
        connection.cursor().executemany("INSERT INTO far VALUES (%s, 0)", [(date,) for date in dates])
    assert month_of(postgres_url, "far") == {"2026-10": 1}
    day = {"type": "date", "min": "2026-01-01", "max": "2026-12-31", "width": "1 year", "outside": "other"}
    found = read_tensor(postgres_url, Schema.from_dict({"attributes": {"at": day}}), table="far")
    assert cells_of(found) == {(0,): 1, (1,): 5, (2,): 1}


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_a_session_in_another_time_zone_or_calendar_is_refused(engine: str, request: pytest.FixtureRequest) -> None:
    """Half past eleven at the end of October, in UTC, is in November in Tokyo."""
    backend = ibis.duckdb.connect() if engine == "duckdb" else ibis.connect(request.getfixturevalue("postgres_url"))
    backend.con.execute("CREATE TEMP TABLE zoned AS SELECT TIMESTAMPTZ '2026-10-31 23:30:00+00' AS at, 0 AS x")
    assert month_of(backend.table("zoned")) == {"2026-10": 1}
    backend.con.execute("SET TimeZone = 'Asia/Tokyo'")
    with pytest.raises(SourceError, match="TimeZone of its session is Asia/Tokyo, which moves dates; set it to UTC"):
        month_of(backend.table("zoned"))
    if engine == "duckdb":  # which moves the year too
        backend.con.execute("SET TimeZone = 'UTC'; SET Calendar = 'buddhist'")
        with pytest.raises(SourceError, match="Calendar of its session is buddhist"):
            month_of(backend.table("zoned"))
    backend.disconnect()


@pytest.mark.parametrize("expression", ["DATE_DIFF('day', at, TIMESTAMP '2026-03-01')", "EXTRACT(isodow FROM at)"])
def test_no_day_that_is_none_makes_sqlite_fail(expression: str, tmp_path: Path) -> None:
    """SQLite takes 31 February for a date. One row with it would decide whether there is a release."""
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE t (at TIMESTAMP)")
        dates = ["2026-02-23", "2026-02-31", "2023-02-29 23:59:59", "2026-02-2724:00", "2026-04-31T12:00"]
        connection.executemany("INSERT INTO t VALUES (?)", [(date,) for date in dates])
    attribute = {"type": "integer", "min": 0, "max": 6, "missing": "bin", "expression": expression}
    found = read_tensor(f"sqlite://{path}", Schema.from_dict({"attributes": {"x": attribute}}), table="t")
    assert cells_of(found) == {(6 if "DIFF" in expression else 1,): 1, (7,): 4}
