"""Discovery on every engine: the same votes of the same table, whatever its collation, and the same values found."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ripost.data.read import Reader
from ripost.data.votes import read_votes, require_votes_compiled
from ripost.schema.discovery import LONGEST_VALUE, MAX_ROWS, OpenValues, is_listable
from ripost.schema.period import ReleasePeriod
from ripost.schema.schema import Schema
from tests.engines.stores import EACH_STORE, ENGINES, Store

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of Py4J

TEXTS = [
    "a",
    "A",
    "á",
    "a ",
    "b",
    "it's",
    'say "b"',
    "back\\slash",
    "%_",
    "=1+1",
    "日本",
    "(other)",
    "two\nlines",
    "x" * 300,
    None,
]
SCHEMA = """
period = "month(day)"
[attributes.place]
type = "category"
values = "discover"
missing_values = ["b"]
aliases = { "á" = "a" }
[attributes.size]
type = "number"
min = "discover"
max = "discover"
bins = 10
"""
PEOPLE = 'unit = "person"\nmax_rows = "discover"\n'


def rows() -> list[dict[str, Any]]:
    """Every text, some of them often, of people with 1 to 7 rows; the last row has no person."""
    found = []
    for number in range(90):
        text, person = TEXTS[number % len(TEXTS)], f"p{number % 20}{'!' * (number % 3 == 0)}"
        size = None if number % 11 == 0 else (number - 40) * 2.5
        found.append({"person": person, "place": text, "size": size, "day": f"2026-{10 + number % 2}-05"})
    return [*found, {"person": None, "place": "a", "size": 1.0, "day": "2026-10-01"}]


def table() -> pa.Table:
    types = pa.schema({"person": pa.string(), "place": pa.string(), "size": pa.float64(), "day": pa.string()})
    listed = pa.Table.from_pylist(rows(), schema=types)
    days = pa.array([f"{day} 00:00:00" for day in listed["day"].to_pylist()])
    return listed.set_column(3, "day", days.cast(pa.timestamp("us")))


def votes_of(source: Any, name: str | None, *, people: bool, period: str | None = None) -> Any:
    schema = Schema.parse((PEOPLE if people else "") + SCHEMA)
    selected = None if period is None else ReleasePeriod("month(day)", period)
    reader = Reader.of(source, schema, table=name, period=selected)
    try:
        found, grids = read_votes(replace(reader, opened=reader.opened.load_rows()), secret="the same for all")
    finally:
        reader.close()
    values, votes = found["place"]
    assert values == sorted(values, key=str.encode)
    return dict(zip(values, votes.tolist(), strict=True)), {name: grid.tolist() for name, grid in grids.items()}


def count_plainly(period: str | None) -> tuple[dict[str, int], list[int]]:
    """The votes of rows by a loop, and how many rows have a size."""
    kept = [row for row in rows() if period is None or row["day"].startswith(period)]
    named = Counter({"á": "a"}.get(row["place"], row["place"]) for row in kept if row["place"] not in (None, "b"))
    return {text: votes for text, votes in named.items() if is_listable(text)}, [
        row["size"] for row in kept if row["size"] is not None
    ]


@pytest.mark.parametrize("period", [None, "2026-10"])
@pytest.mark.parametrize("store", EACH_STORE, ids=str)
def test_the_same_votes(store: Store, period: str | None, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    expected, sizes = count_plainly(period)
    people = table()
    if store.pads:  # text of a fixed length has no blanks at its end
        trimmed = [text and text[:80].rstrip(" ") for text in people["place"].to_pylist()]
        people = people.set_column(1, "place", pa.array(trimmed))
        expected["a"] += expected.pop("a ")
        expected["x" * 80] = sum(len(row["place"] or "") > 80 and row["day"].startswith(period or "") for row in rows())
    with store.holds(people, tmp_path, request.getfixturevalue) as (source, name):
        values, grids = votes_of(source, name, people=False, period=period)
    assert values == expected
    assert sum(grids["size"]) == len(sizes)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_person_votes_once(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    own = Counter(row["person"] for row in rows() if row["person"] is not None)
    with Store(engine).holds(table(), tmp_path, request.getfixturevalue) as (source, name):
        found = votes_of(source, name, people=True)
    assert found == votes_of(table(), None, people=True)
    values, grids = found
    able = {row["person"] for row in rows() if row["person"] and row["place"] not in (None, "b")}
    assert sum(values.values()) <= len(able) <= len(own)
    assert sum(grids["size"]) == len({row["person"] for row in rows() if row["person"] and row["size"] is not None})
    cells = Counter(next(cell for cell, most in enumerate(MAX_ROWS) if number <= most) for number in own.values())
    assert grids[None] == [cells[cell] for cell in range(len(MAX_ROWS))]


def test_a_long_text_and_bytes_that_are_no_text_have_no_vote(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    path = tmp_path / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE people (place TEXT)")
        odd = ["x" * LONGEST_VALUE, "x" * (LONGEST_VALUE + 1), b"\xff\xfe", "nul\x00here", "a", ""]
        connection.executemany("INSERT INTO people VALUES (?)", [(one,) for one in odd])
    schema = Schema.parse('[attributes.place]\ntype = "category"\nvalues = "discover"\n')
    reader = Reader.of(f"sqlite://{path}", schema, table="people")
    found, _ = read_votes(reader)
    reader.close()
    assert found["place"][0] == ["a", "x" * LONGEST_VALUE] and isinstance(schema.open.attributes["place"], OpenValues)


def test_numbers_with_a_fraction_have_no_vote() -> None:
    schema = Schema.parse('[attributes.place]\ntype = "category"\nvalues = "discover"\n')
    reader = Reader.of(pa.table({"place": [1.0, 2.5, -0.0, None, 1e300, float("nan")]}), schema)
    found, _ = read_votes(replace(reader, opened=reader.opened.load_rows()))
    reader.close()
    assert found["place"][0] == ["0", "1"]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le"])
def test_bytes_that_are_no_text_stop_no_release_of_people(encoding: str, tmp_path: Path) -> None:
    """SQLite holds them in columns of text, as ids of units and as values: one row must not stop a release."""
    import sqlite3
    from contextlib import closing

    path = tmp_path / "odd.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA encoding = '{encoding}'")
        connection.execute("CREATE TABLE people (person TEXT, place TEXT)")
        odd = [("p", "a"), ("p", "a"), (b"\xffp", "a"), ("q", b"\xff"), (b"\xff", b"\xff")]
        connection.executemany("INSERT INTO people VALUES (CAST(? AS TEXT), CAST(? AS TEXT))", odd)
    schema = Schema.parse('unit = "person"\nmax_rows = 1\n[attributes.place]\ntype = "category"\nvalues = "discover"\n')
    reader = Reader.of(f"sqlite://{path}", schema, table="people")
    found, _ = read_votes(reader)
    values, votes = found["place"]
    assert dict(zip(values, votes.tolist(), strict=True)) == {"a": 2}
    part = schema.open.attributes["place"]
    assert isinstance(part, OpenValues)
    listed = schema.resolve({"place": part.resolve(schema.attributes["place"], values)}, 1)
    assert replace(reader, schema=listed).tensor().counts.sum() == 4  # one row of each of four people
    reader.close()


@pytest.mark.parametrize(("encoding", "letter"), [("LATIN1", "é"), ("WIN1252", "é"), ("KOI8R", "ж"), ("EUC_JP", "ж")])
def test_values_of_a_postgres_database_of_any_encoding(
    encoding: str, letter: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres_url")
    import psycopg

    name = f"letters_{encoding.lower()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name}")
        connection.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    there = f"{url.rpartition('/')[0]}/{name}"
    with psycopg.connect(there) as connection:
        connection.execute("CREATE TABLE people (place text)")
        connection.execute("INSERT INTO people VALUES (%s), (%s), ('a')", (letter, letter))
    reader = Reader.of(
        there, Schema.parse('[attributes.place]\ntype = "category"\nvalues = "discover"\n'), table="people"
    )
    found, _ = read_votes(reader)
    reader.close()
    values, votes = found["place"]
    assert dict(zip(values, votes.tolist(), strict=True)) == {"a": 1, letter: 2}


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_ids_and_values_of_two_collations(engine: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Engines refuse to join texts of two collations, which would be found after the debit."""
    rows = "SELECT 'p' || (n % 40), CASE WHEN n % 2 = 0 THEN 'a' ELSE 'A' END FROM generate_series(1, 200)"
    if engine == "postgres":
        url, ids, values = request.getfixturevalue("postgres_url"), "two_ids", 'pg_catalog."C"'
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "CREATE COLLATION IF NOT EXISTS two_ids "
                "(provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
            )
            connection.execute("DROP TABLE IF EXISTS two_collations")
            connection.execute(f"CREATE TABLE two_collations (person text COLLATE {ids}, place text COLLATE {values})")
            connection.execute(f"INSERT INTO two_collations {rows} n")
    else:
        import duckdb

        url = f"duckdb://{tmp_path / 'two.duckdb'}"
        with duckdb.connect(str(tmp_path / "two.duckdb")) as connection:
            connection.execute("CREATE TABLE two_collations (person text COLLATE nocase, place text COLLATE noaccent)")
            connection.execute(f"INSERT INTO two_collations {rows} t(n)")
    schema = Schema.parse('unit = "person"\nmax_rows = 1\n[attributes.place]\ntype = "category"\nvalues = "discover"\n')
    reader = Reader.of(url, schema, table="two_collations")
    require_votes_compiled(reader)
    found, _ = read_votes(reader)
    reader.close()
    assert dict(zip(found["place"][0], found["place"][1].tolist(), strict=True)) == {"A": 20, "a": 20}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of Ibis, where it looks for a table
def test_sql_of_votes_that_an_engine_refuses_is_refused_before_the_debit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ibis

    import ripost
    from ripost.budget_ledger.operations import create_ledger, read_ledger
    from ripost.errors import SourceError

    connection = ibis.duckdb.connect()
    connection.con.execute("CREATE TABLE t (person text COLLATE nocase, place text COLLATE noaccent)")
    schema = Schema.parse('unit = "person"\nmax_rows = 1\n[attributes.place]\ntype = "category"\nvalues = "discover"\n')
    ledger = tmp_path / "budget.sqlite"
    create_ledger(ledger, dataset="t", epsilon=9, delta=0.1, unit="person")
    monkeypatch.setattr("ripost.sources.dialect.TO_HEX", {})  # joins the texts as they are
    with pytest.raises(SourceError, match="ripost cannot count votes on duckdb; list what the schema discovers"):
        ripost.publish(connection.table("t"), schema, epsilon=1, delta=1e-6, ledger=ledger)
    assert not read_ledger(ledger).debits
