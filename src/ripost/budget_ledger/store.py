"""Store: what keeps the entries of a ledger, an SQLite file or a PostgreSQL server; both in whole transactions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ripost.budget_ledger.chain import Link, first_broken, next_link
from ripost.budget_ledger.place import AnyPlace
from ripost.budget_ledger.records import Record
from ripost.errors import LedgerError

PATIENCE = 60.0  # seconds to wait for others who write
SERVERS = ("postgresql", "postgres")
Target = str | os.PathLike[str]  # a path, or the URL of a server


@dataclass(frozen=True)
class Snapshot:
    """A ledger at one moment: its entries, each of which follows from those before it, and its place."""

    links: list[Link]
    place: AnyPlace


@dataclass(frozen=True)
class Transaction:
    """A transaction in which nobody else writes: the ledger as it is, and the way to add to it."""

    place: AnyPlace
    insert: Callable[[Link], object]
    links: list[Link] = field(default_factory=list)

    def write(self, record: Record) -> Link:
        """Add an entry; it counts when the transaction is over."""
        link = next_link(self.links, record.kind, record.dump())
        self.insert(link)
        self.links.append(link)
        return link


class Store(Protocol):
    """What both kinds of stores can do; whatever goes wrong is a LedgerError."""

    @property
    def name(self) -> str:
        """What people call it; never with a password."""

    def read(self) -> Snapshot:
        """The ledger as it is now."""

    def writing(self) -> AbstractContextManager[Transaction]:
        """A transaction: all of it is there for good when it ends, or nothing."""

    def create(self, first: Callable[[AnyPlace], Record], publishers: Sequence[str] = ()) -> None:
        """Make a ledger with its first entry, which roles other than the owner may only add to."""


def store_of(target: Target) -> Store:
    """The store that a path or a URL names."""
    text = target if isinstance(target, str) else ""
    scheme, colon, _ = text.partition("://")
    if colon and scheme.lower() in SERVERS:
        from ripost.budget_ledger.server import ServerStore

        return ServerStore(text)
    if colon and scheme.lower() not in SERVERS:
        raise LedgerError(f"a ledger is an SQLite file or a URL that begins with postgresql://, not {scheme}://")
    from ripost.budget_ledger.file import FileStore

    return FileStore(Path(target))


def following(entries: Iterable[Link]) -> list[Link]:
    """Entries of which each follows from those before it; LedgerError if one does not."""
    links = list(entries)
    if (place := first_broken(links)) is not None:
        raise LedgerError(f"the ledger was edited: entry {place} does not follow from those before it")
    return links
