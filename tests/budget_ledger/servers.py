"""Ledgers in PostgreSQL for tests: a server that asks for passwords, and a database of its own for each ledger."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg

from ripost.budget_ledger.operations import create_ledger
from tests.engines import postgres

OWNER, PASSWORD = postgres.USER, "s3cr3t p@ss/w%rd?:x"  # with letters that have a meaning in URLs
PUBLISHER = "publisher"
NUMBERS = itertools.count()


@dataclass(frozen=True)
class Ledger:
    """A database with a ledger in it."""

    owner: str  # URLs, without passwords
    publisher: str

    def ask(self, statement: str, *values: object, role: str = OWNER) -> list[tuple[Any, ...]]:
        """Run a statement as a role."""
        url = self.owner if role == OWNER else self.publisher
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values or None)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def running() -> Iterator[str]:
    """The URL of a server with a role for publishers. Its password is the owner's; PGPASSWORD must hold it."""
    with postgres.server(PASSWORD) as url:
        with psycopg.connect(url, password=PASSWORD, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {PUBLISHER} LOGIN PASSWORD '{PASSWORD}'".encode())
        yield url


def database(server: str) -> Ledger:
    """A new database without a ledger."""
    name = f"budget{next(NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    owner = server.replace("/postgres", f"/{name}")
    return Ledger(owner, owner.replace(f"{OWNER}@", f"{PUBLISHER}@"))


def ledger(
    server: str, *, epsilon: str = "3", publishers: Sequence[str] = (PUBLISHER,), unit: str | None = None
) -> Ledger:
    made = database(server)
    create_ledger(made.owner, dataset="flights", epsilon=epsilon, unit=unit, publishers=publishers)
    return made
