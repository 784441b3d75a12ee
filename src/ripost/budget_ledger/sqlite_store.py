"""A ledger in an SQLite file.

The journal is a rollback journal, not a write-ahead log: between transactions the one file is all there is, so a copy
of it is never silently older than it seems. A kill leaves a journal beside it, and the next to open it rolls back.
`synchronous = EXTRA` waits for the disk, and for the folder too, before a debit counts as written.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ripost.budget_ledger.hash_chain import LedgerEntry
from ripost.budget_ledger.ledger_store import LOCK_TIMEOUT_SECONDS, Snapshot, Transaction, require_chain
from ripost.budget_ledger.location import FileLocation, LedgerLocation
from ripost.budget_ledger.records import Record
from ripost.errors import LedgerError

APPLICATION = 0x5249504F  # "RIPO"
TABLES = {
    "entries": "CREATE TABLE entries (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, "
    "chain TEXT NOT NULL)",
    "head": "CREATE TABLE head (only INTEGER PRIMARY KEY CHECK (only = 0), number INTEGER NOT NULL, "
    "chain TEXT NOT NULL)",
}
SETTINGS = (
    "PRAGMA synchronous = EXTRA",
    "PRAGMA fullfsync = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
)
REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_BUSY: f"others have been writing to it for {LOCK_TIMEOUT_SECONDS:.0f} seconds; try again",
    sqlite3.SQLITE_LOCKED: f"others have been writing to it for {LOCK_TIMEOUT_SECONDS:.0f} seconds; try again",
    sqlite3.SQLITE_NOTADB: "it is not a ledger",
    sqlite3.SQLITE_CORRUPT: "it is damaged; take up a sound copy with ripost ledger adopt",
    sqlite3.SQLITE_READONLY: "permission to write it was denied",
    sqlite3.SQLITE_CANTOPEN: "permission was denied",
    sqlite3.SQLITE_PERM: "permission was denied",
    sqlite3.SQLITE_IOERR: "the disk failed",
    sqlite3.SQLITE_TOOBIG: "it is damaged; take up a sound copy with ripost ledger adopt",
}


@dataclass(frozen=True)
class SqliteStore:
    """A ledger in an SQLite file."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    def read(self) -> Snapshot:
        with _connect(self.path) as connection, _transaction(connection, "BEGIN"):
            return Snapshot(_entries(connection), FileLocation.of(self.path))

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        with _connect(self.path) as connection, _transaction(connection, "BEGIN IMMEDIATE"):
            entries = _entries(connection)
            if os.stat(self.path).st_nlink > 1:  # noqa: PTH116
                why = "has a second name (a hard link), under which a crash would not be seen; unlink it"
                raise LedgerError(f"{self.path} {why}")
            yield Transaction(FileLocation.of(self.path), lambda entry: _insert(connection, entry), entries)

    def create(self, first: Callable[[LedgerLocation], Record], publishers: Sequence[str] = ()) -> None:
        if publishers:
            raise LedgerError("a file has no roles; --publisher is for a ledger in PostgreSQL")
        try:
            self.path.touch(0o600, exist_ok=False)
        except FileExistsError:
            pass  # an interrupted creation leaves an empty file
        except OSError as error:
            raise LedgerError(f"cannot make the ledger {self.path}: {error.strerror}") from None
        with _connect(self.path) as connection, _transaction(connection, "BEGIN IMMEDIATE"):
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise LedgerError(f"{self.path} exists already; a cap is set once, so choose another name")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            for statement in TABLES.values():
                connection.execute(statement)
            place = FileLocation.of(self.path)
            Transaction(place, lambda entry: _insert(connection, entry)).write(first(place))


def _insert(connection: sqlite3.Connection, entry: LedgerEntry) -> None:
    connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", entry)
    connection.execute("INSERT OR REPLACE INTO head VALUES (0, ?, ?)", (entry.number, entry.chain))


@contextmanager
def _connect(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise LedgerError(f"there is no ledger {path}; make one with ripost ledger init")
    place = f"{path.resolve().as_uri()}?mode=rw"  # a reader may also have to roll back a transaction that was killed
    try:
        connection = sqlite3.connect(place, uri=True, isolation_level=None, timeout=LOCK_TIMEOUT_SECONDS)
        try:
            for setting in SETTINGS:
                connection.execute(setting)
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise LedgerError(f"the ledger {path} cannot be used: {_reason(error)}") from None


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    [(mode,)] = connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    if mode != "delete":
        raise LedgerError("the ledger is in a mode that a copy would break; nobody else may have it open")
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # else closing rolls it back
            connection.execute("ROLLBACK")
        raise


def _entries(connection: sqlite3.Connection) -> list[LedgerEntry]:
    """All entries, after every check that needs only the file."""
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master").fetchall())
    if not tables:
        raise LedgerError("the ledger is empty: making it was cut short; run ripost ledger init again")
    if tables != TABLES:
        raise LedgerError("the ledger has other tables than ripost makes")
    if (found := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
        raise LedgerError(f"the ledger is damaged in {len(found)} places")
    entries = require_chain(LedgerEntry(*row) for row in connection.execute("SELECT * FROM entries ORDER BY number"))
    heads = connection.execute("SELECT * FROM head").fetchall()
    if not entries or heads != [(0, entries[-1].number, entries[-1].chain)]:
        raise LedgerError("the ledger was edited: its last entry is not the one that was written last")
    return entries


def _reason(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    known = REASONS.get(code & 0xFF) if isinstance(code, int) else None
    return known or "it is damaged or was edited"
