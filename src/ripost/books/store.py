"""Store: the entries in an SQLite file, read and written in whole transactions.

The journal is a rollback journal, not a write-ahead log: between transactions the one file is all there is, so a copy
of it is never silently older than it seems. A kill leaves a journal beside it, and the next to open it rolls back.
`synchronous = EXTRA` waits for the disk, and for the folder too, before a debit counts as written.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ripost.books.chain import Link, first_broken, next_link
from ripost.books.records import Record
from ripost.errors import LedgerError

PATIENCE = 60.0  # seconds to wait for others who write
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
    sqlite3.SQLITE_BUSY: f"others have been writing to it for {PATIENCE:.0f} seconds; try again",
    sqlite3.SQLITE_LOCKED: f"others have been writing to it for {PATIENCE:.0f} seconds; try again",
    sqlite3.SQLITE_NOTADB: "it is no ledger",
    sqlite3.SQLITE_CORRUPT: "it is damaged; take up a sound copy with ripost ledger adopt",
    sqlite3.SQLITE_READONLY: "permission to write it was denied",
    sqlite3.SQLITE_CANTOPEN: "permission was denied",
    sqlite3.SQLITE_PERM: "permission was denied",
    sqlite3.SQLITE_IOERR: "the disk failed",
    sqlite3.SQLITE_TOOBIG: "it is damaged; take up a sound copy with ripost ledger adopt",
}


@dataclass(frozen=True)
class Pen:
    """A transaction that is under way: the entries so far, and the way to write more."""

    connection: sqlite3.Connection
    links: list[Link] = field(default_factory=list)

    def write(self, record: Record) -> Link:
        """Add an entry; it counts when the transaction is over."""
        link = next_link(self.links, record.kind, record.dump())
        self.connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", link)
        self.connection.execute("INSERT OR REPLACE INTO head VALUES (0, ?, ?)", (link.number, link.chain))
        self.links.append(link)
        return link


def read(path: Path) -> list[Link]:
    """The entries of a ledger, of which each follows from those before it; LedgerError if one does not."""
    with _connected(path) as connection, _transaction(connection, "BEGIN"):
        return _entries(connection)


@contextmanager
def writing(path: Path) -> Iterator[Pen]:
    """A transaction that nobody else writes in: all of it is there for good when it ends, or nothing."""
    with _connected(path) as connection, _transaction(connection, "BEGIN IMMEDIATE"):
        yield Pen(connection, _entries(connection))


def create(path: Path, first: Callable[[], Record]) -> Link:
    """A new ledger with its first entry; LedgerError if there is something already."""
    try:
        path.touch(0o600, exist_ok=False)
    except FileExistsError:
        pass  # an empty file is what a creation that was cut short leaves
    except OSError as error:
        raise LedgerError(f"cannot make the ledger {path}: {error.strerror}") from None
    with _connected(path) as connection, _transaction(connection, "BEGIN IMMEDIATE"):
        if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise LedgerError(f"{path} exists already; a cap is set once, so choose another name")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        for statement in TABLES.values():
            connection.execute(statement)
        return Pen(connection).write(first())


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise LedgerError(f"there is no ledger {path}; make one with ripost ledger init")
    place = f"{path.resolve().as_uri()}?mode=rw"  # a reader too may have to roll back what a kill left
    try:
        connection = sqlite3.connect(place, uri=True, isolation_level=None, timeout=PATIENCE)
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
        with contextlib.suppress(sqlite3.Error):  # else closing does it
            connection.execute("ROLLBACK")
        raise


def _entries(connection: sqlite3.Connection) -> list[Link]:
    """All entries, after every check that needs nothing but the file."""
    tables = dict(connection.execute("SELECT name, sql FROM sqlite_master").fetchall())
    if not tables:
        raise LedgerError("the ledger is empty: making it was cut short; run ripost ledger init again")
    if tables != TABLES:
        raise LedgerError("the ledger has other tables than ripost makes")
    if (found := connection.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
        raise LedgerError(f"the ledger is damaged in {len(found)} places")
    links = [Link(*row) for row in connection.execute("SELECT * FROM entries ORDER BY number")]
    if (place := first_broken(links)) is not None:
        raise LedgerError(f"the ledger was edited: entry {place} does not follow from those before it")
    heads = connection.execute("SELECT * FROM head").fetchall()
    if not links or heads != [(0, links[-1].number, links[-1].chain)]:
        raise LedgerError("the ledger was edited: its last entry is not the one that was written last")
    return links


def _reason(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    known = REASONS.get(code & 0xFF) if isinstance(code, int) else None
    return known or "it is damaged or was edited"
