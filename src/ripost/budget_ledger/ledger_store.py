"""Ledger store: keeps the entries of a ledger, in an SQLite file or on a PostgreSQL server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ripost.budget_ledger.hash_chain import LedgerEntry, find_broken_entry, next_entry
from ripost.budget_ledger.location import LedgerLocation
from ripost.budget_ledger.records import Record
from ripost.errors import LedgerError

LOCK_TIMEOUT_SECONDS = 60.0  # seconds to wait for others who write
SERVERS = ("postgresql", "postgres")
Target = str | os.PathLike[str]  # a path, or the URL of a server


@dataclass(frozen=True)
class Snapshot:
    """A ledger at one moment: its entries, whose chain was checked, and its location."""

    entries: list[LedgerEntry]
    location: LedgerLocation


@dataclass(frozen=True)
class Transaction:
    """An exclusive transaction: the ledger as it is, and a method to add an entry."""

    location: LedgerLocation
    insert: Callable[[LedgerEntry], object]
    entries: list[LedgerEntry] = field(default_factory=list)

    def write(self, record: Record) -> LedgerEntry:
        """Add an entry; it is committed at the end of the transaction."""
        entry = next_entry(self.entries, record.kind, record.dump())
        self.insert(entry)
        self.entries.append(entry)
        return entry


class LedgerStore(Protocol):
    """The interface of both stores; all their errors are LedgerErrors."""

    @property
    def name(self) -> str:
        """The name for messages; it never has a password."""

    def read(self) -> Snapshot:
        """Read the ledger as it is now."""

    def begin(self) -> AbstractContextManager[Transaction]:
        """Begin a transaction: when it ends, all of it is on the disk, or nothing."""

    def create(self, first: Callable[[LedgerLocation], Record], publishers: Sequence[str] = ()) -> None:
        """Create a ledger with its first entry. Roles other than the owner may only add entries."""


def open_store(target: Target) -> LedgerStore:
    """Open the store that a path or a URL names."""
    text = target if isinstance(target, str) else ""
    scheme, colon, _ = text.partition("://")
    if colon and scheme.lower() in SERVERS:
        from ripost.budget_ledger.postgres_store import PostgresStore

        return PostgresStore(text)
    if colon and scheme.lower() not in SERVERS:
        raise LedgerError(f"a ledger is an SQLite file or a URL that begins with postgresql://, not {scheme}://")
    from ripost.budget_ledger.sqlite_store import SqliteStore

    return SqliteStore(Path(target))


def require_chain(entries: Iterable[LedgerEntry]) -> list[LedgerEntry]:
    """Return the entries if each follows from those before it; else raise LedgerError."""
    entries = list(entries)
    if (place := find_broken_entry(entries)) is not None:
        raise LedgerError(f"the ledger was edited: entry {place} does not follow from those before it")
    return entries
