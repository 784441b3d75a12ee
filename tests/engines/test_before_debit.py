"""What a server or a cluster fails on: public texts before the debit, rows after it, and then the debit stays."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import ripost
from ripost.budget_ledger.operations import read_ledger
from ripost.data.read import Reader, read_tensor
from ripost.errors import SourceError
from tests.budget_ledger.making import open_ledger

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of Py4J
SCHEMA = ripost.Schema.from_dict({"attributes": {"x": {"type": "integer", "min": 0, "max": 9}}})


def fails_after_the_debit(source: Any, folder: Path, table: str | None = None) -> None:
    path = open_ledger(folder)
    with pytest.raises(SourceError):
        ripost.publish(source, SCHEMA, epsilon=1, method="identity", ledger=path, table=table)
    assert [paid.state for paid in read_ledger(path).debits.values()] == ["failed"]


def test_a_row_that_postgres_fails_on(postgres_url: str, tmp_path: Path) -> None:
    import psycopg

    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE VIEW broken AS SELECT 1 / (hour - hour) AS x FROM trips")
    fails_after_the_debit(postgres_url, tmp_path, "broken")


def test_a_row_that_spark_fails_on(spark: Any, tmp_path: Path) -> None:
    fails_after_the_debit(spark.sql("SELECT CAST(raise_error('a row') AS INT) + id AS x FROM range(9)"), tmp_path)


def make_latin1_database(postgres_url: str, table: str) -> str:
    """The URL of a new database that has letters of LATIN1 alone, with a table."""
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS latin")
        connection.execute("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    url = postgres_url.rpartition("/")[0] + "/latin"
    with psycopg.connect(url) as connection:
        connection.execute(table)
    return url


@pytest.mark.parametrize("number", [2, 20], ids=["compared one by one", "looked up in a table"])
@pytest.mark.parametrize("value", ["日本", "a\0b"], ids=["a letter that the database lacks", "NUL"])
def test_texts_that_postgresql_cannot_hold_cost_nothing(
    postgres_url: str, tmp_path: Path, number: int, value: str
) -> None:
    """Listed values are public, so that the refusal must come before the debit."""
    url = make_latin1_database(postgres_url, "CREATE TABLE t (town text); INSERT INTO t VALUES ('Lyon'), ('Nîmes')")
    values = ["Nîmes", *(f"town {one}" for one in range(number))]
    ledger = open_ledger(tmp_path)
    known, unknown = (
        ripost.Schema.from_dict({"attributes": {"town": {"type": "category", "values": listed}}})
        for listed in (values, [*values, value])
    )
    with pytest.raises(SourceError, match="ripost cannot read attribute town on postgres"):
        ripost.publish(url, unknown, epsilon=1, table="t", method="identity", ledger=ledger)
    assert not read_ledger(ledger).debits
    assert ripost.publish(url, known, epsilon=1, table="t", method="identity", ledger=ledger).domain.shape == (
        number + 3,
    )


@pytest.mark.parametrize("alias", ["日本", "a\0b"], ids=["a letter that the database lacks", "NUL"])
def test_aliases_of_discovered_values_that_postgresql_cannot_hold_cost_nothing(
    postgres_url: str, tmp_path: Path, alias: str
) -> None:
    """They are public, and no query names them before the values are found."""
    table = "CREATE TABLE t AS SELECT 'Lyon'::text AS town FROM generate_series(1, 99)"
    url = make_latin1_database(postgres_url, table)
    town = {"type": "category", "values": "discover", "aliases": {alias: "Lyon"}}
    ledger = open_ledger(tmp_path)
    with pytest.raises(SourceError, match="ripost cannot read attribute town on postgres"):
        ripost.publish(
            url,
            ripost.Schema.from_dict({"attributes": {"town": town}}),
            epsilon=9,
            delta=1e-6,
            table="t",
            ledger=ledger,
        )
    assert not read_ledger(ledger).debits


@pytest.mark.parametrize("declared", ["TEXT", ""])
def test_more_lists_than_sqlite_can_look_up_are_refused_before_the_debit(declared: str, tmp_path: Path) -> None:
    """Also where only rows show the types of its columns."""
    with closing(sqlite3.connect(tmp_path / "t.db")) as connection, connection:
        connection.execute(f"CREATE TABLE t (x {declared})")
        connection.execute("INSERT INTO t VALUES ('1')")
    listed = {"type": "category", "column": "x", "values": [str(number) for number in range(13)]}
    for lists in (63, 64):
        schema = ripost.Schema.from_dict({"attributes": {f"a{number}": listed for number in range(lists)}})
        if lists == 63:
            assert read_tensor(f"sqlite://{tmp_path / 't.db'}", schema, table="t").counts.sum() == 1
            continue
        with pytest.raises(SourceError, match="SQLite looks up at most 63 long lists of values; leave some out"):
            Reader.of(f"sqlite://{tmp_path / 't.db'}", schema, table="t")
