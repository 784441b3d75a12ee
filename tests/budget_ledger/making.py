"""Ledgers for tests."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from pathlib import Path

from ripost.budget_ledger import operations as books
from ripost.budget_ledger.audit import ReleaseClaim
from ripost.budget_ledger.hash_chain import LedgerEntry
from ripost.budget_ledger.ledger_store import open_store
from ripost.budget_ledger.records import FailureReason, PeriodRecord
from ripost.cli.release_claims import read_claims
from ripost.privacy.ledger import Debit

DIGEST = "ab" * 32
Cost = tuple[Fraction, Fraction]
Paid = tuple[PeriodRecord | None, Cost]


def open_ledger(folder: Path, *, epsilon: str = "3", delta: str = "0", unit: str | None = None) -> Path:
    path = folder / "budget.sqlite"
    books.create_ledger(path, dataset="flights", epsilon=epsilon, delta=delta, unit=unit)
    return path


def debit_once(path: Path, epsilon: str = "1", delta: str = "0", unit: str | None = None) -> Debit:
    return books.debit(path, epsilon=Fraction(epsilon), delta=Fraction(delta), unit=unit, method="ripost+", view="v")


def entries(path: Path) -> list[LedgerEntry]:
    return open_store(path).read().entries


def fill_ledger(folder: Path) -> Path:
    """A ledger with an entry of most kinds: released, failed, and open."""
    path = open_ledger(folder)
    books.close(path, debit_once(path), DIGEST)
    books.close(path, debit_once(path, "1/10"), FailureReason.SOURCE)
    debit_once(path, "0.3")
    return path


def claim(
    pointer: Debit | None, *, digest: str = DIGEST, epsilon: str = "1", delta: str = "0", name: str = "v"
) -> ReleaseClaim:
    return ReleaseClaim(name, digest, pointer, Fraction(epsilon), Fraction(delta), None)


def read_claim(view: Path) -> ReleaseClaim:
    """The claim of a file of one release."""
    [found] = read_claims(view)
    return found


def edit(path: Path, change: Callable[[sqlite3.Connection], object]) -> None:
    """What somebody with an editor for SQLite files can do."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        with connection:
            change(connection)


def ask(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def pay(target: str | Path, period: PeriodRecord | None, epsilon: str = "1", delta: str = "0", **more: str) -> Debit:
    price = {"epsilon": Fraction(epsilon), "delta": Fraction(delta)}
    return books.debit(target, **price, unit=more.get("unit"), method="identity", period=period)
