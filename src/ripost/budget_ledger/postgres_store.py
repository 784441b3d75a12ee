"""A ledger in PostgreSQL: one budget for many publishers, kept apart from them.

A publisher's role may read and insert, nothing else, and a trigger of the owner lets in only the entry that follows
from the last one. So it can add nonsense, which everybody sees, but it cannot change, drop or reorder what is there.
Debits wait for each other under a lock; without it the primary key would still let only one of two through.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ripost.budget_ledger.hash_chain import LedgerEntry
from ripost.budget_ledger.ledger_store import LOCK_TIMEOUT_SECONDS, Snapshot, Transaction, require_chain
from ripost.budget_ledger.location import LedgerLocation, ServerLocation
from ripost.budget_ledger.postgres_schema import (
    ENTRIES,
    FAILED,
    INSERT,
    LOCK,
    LOST,
    MAKE,
    MAY_CHANGE,
    PLACE,
    SETTINGS,
    STATES,
)
from ripost.budget_ledger.records import Record
from ripost.errors import LedgerError, redact_passwords

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[Any, ...]]

TRIES, PAUSE = 5, 1.0  # to learn what came of a commit, and the seconds between


@dataclass(frozen=True, repr=False)
class PostgresStore:
    """A ledger in a database of a PostgreSQL server, in its schema `ripost`."""

    url: str  # may hold a password: never shown

    @property
    def name(self) -> str:
        """The server and its database, without user and password."""
        return "postgresql://" + redact_passwords(self.url).partition("://")[2].rpartition("@")[2].partition("?")[0]

    def read(self) -> Snapshot:
        with self._connect() as connection:
            place = _place(connection)
            return Snapshot(_entries(connection), place)

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        with self._transaction() as (connection, written):
            place, entries = _place(connection), _entries(connection)
            yield Transaction(place, lambda entry: _insert(connection, entry, written), entries)

    def create(self, first: Callable[[LedgerLocation], Record], publishers: Sequence[str] = ()) -> None:
        with self._transaction() as (connection, written):
            for statement in MAKE:
                connection.execute(statement.encode())
            for role in publishers:
                _grant(connection, role)
            place = _place(connection)
            Transaction(place, lambda entry: _insert(connection, entry, written)).write(first(place))

    @contextmanager
    def _transaction(self) -> Iterator[tuple[Connection, list[LedgerEntry]]]:
        """An exclusive transaction: when it ends, everything that was written is committed, or nothing."""
        written: list[LedgerEntry] = []
        with self._connect() as connection:
            connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            for setting in (*SETTINGS, LOCK):
                connection.execute(setting)
            yield connection, written
            committed = _commit(connection)
        if written and not committed:
            self._find(written[-1])

    def _find(self, entry: LedgerEntry) -> None:
        """Return if an entry was committed although the connection broke before the confirmation; else LedgerError.

        The broken transaction holds the lock until it is over, so its outcome is known once the lock is ours.
        """
        lost = f"the connection to {self.name} was lost"
        for trial in range(TRIES):
            with suppress(LedgerError), self._transaction() as (connection, _):
                if entry in _entries(connection):
                    return
                break
            time.sleep(PAUSE * (trial < TRIES - 1))
        else:
            raise LedgerError(f"{lost}; no noise was drawn, and entry {entry.number} may be there: it stays if it is")
        raise LedgerError(f"{lost}; nothing was written, so try again")

    @contextmanager
    def _connect(self) -> Iterator[Connection]:
        """Connect; an error becomes one sentence without the driver's message, which may quote the URL."""
        try:
            import psycopg
        except ImportError:
            raise LedgerError("a ledger in PostgreSQL needs psycopg: pip install 'ripost[postgres]'") from None
        fault = connection = None
        try:
            connection = psycopg.connect(self.url, autocommit=True, prepare_threshold=None, connect_timeout=20)
            yield connection
        except psycopg.Error as error:
            fault = self._sentence(error, connected=connection is not None)
        finally:
            if connection is not None:
                connection.close()
        if fault is not None:
            raise LedgerError(fault)  # outside the handler: the driver's error is not even attached

    def _sentence(self, error: psycopg.Error, *, connected: bool) -> str:
        if not connected:
            ways = "the role, and its password (in PGPASSWORD or a password file)"
            return f"cannot connect to {self.name}; check the server, {ways}"
        state = error.sqlstate or ""
        known = STATES.get(state) or STATES.get(state[:2]) or (LOST if not state else FAILED)
        return known.format(name=self.name, patience=f"{LOCK_TIMEOUT_SECONDS:.0f}", state=state)


def _commit(connection: Connection) -> bool:
    """Commit, and return whether the server confirmed it. An unconfirmed commit may still have happened."""
    import psycopg

    try:
        return connection.execute("COMMIT").statusmessage == "COMMIT"
    except psycopg.Error:
        return False


def _insert(connection: Connection, entry: LedgerEntry, written: list[LedgerEntry]) -> None:
    connection.execute(INSERT, entry)
    written.append(entry)


def _entries(connection: Connection) -> list[LedgerEntry]:
    entries = require_chain(LedgerEntry(*row) for row in connection.execute(ENTRIES))
    if not entries:
        raise LedgerError("the ledger was edited: it has no entries")
    return entries


def _place(connection: Connection) -> ServerLocation:
    row = connection.execute(PLACE).fetchone()
    assert row is not None
    return ServerLocation(cluster=str(row[0]), database=row[1], table=row[2])


def _grant(connection: Connection, role: str) -> None:
    """Grant a role the right to read and insert; LedgerError if it already has more rights."""
    from psycopg import sql

    if (found := connection.execute(MAY_CHANGE, {"role": role}).fetchone()) is None:
        raise LedgerError(f"the server has no role {role}; make it with CREATE ROLE, then run this again")
    if found[0]:
        why = "it owns the database or the ledger, is a superuser, or belongs to a role that does"
        raise LedgerError(f"the role {role} could change the ledger ({why}); choose another role for publishers")
    for right in ("USAGE ON SCHEMA ripost", "SELECT, INSERT ON ripost.entries"):
        connection.execute(sql.SQL("GRANT {} TO {}").format(sql.SQL(right), sql.Identifier(role)))
