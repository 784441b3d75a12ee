"""Rows that a server or a cluster fails on: the debit is written by then, and stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ripost
from ripost.budget_ledger.operations import read_ledger
from ripost.errors import SourceError
from tests.budget_ledger.making import opened

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of Py4J
SCHEMA = ripost.Schema.from_dict({"attributes": {"x": {"type": "integer", "min": 0, "max": 9}}})


def fails_after_the_debit(source: Any, folder: Path, table: str | None = None) -> None:
    path = opened(folder)
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
