"""Hash chain: each entry has a hash of all entries up to it, so that none can be changed, removed or inserted alone.

It contains no secret: whoever can write the file can write a new chain. A hash that is kept elsewhere, in a release or
on paper, reveals that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

START = hashlib.sha256(b"ripost ledger 1").hexdigest()


class LedgerEntry(NamedTuple):
    """One entry as it is stored."""

    number: int  # its place, from 0
    kind: str
    body: str  # JSON
    chain: str  # hash of the one before and of this


def hash_entry(before: str, number: int, kind: str, body: str) -> str:
    """The hash of an entry and of the hash before it."""
    text = json.dumps([before, number, kind, body], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def next_entry(entries: Sequence[LedgerEntry], kind: str, body: str) -> LedgerEntry:
    """The entry that comes after these."""
    before = entries[-1].chain if entries else START
    return LedgerEntry(len(entries), kind, body, hash_entry(before, len(entries), kind, body))


def find_broken_entry(entries: Sequence[LedgerEntry]) -> int | None:
    """The index of the first entry that does not follow from those before it; None if all do."""
    before = START
    for place, entry in enumerate(entries):
        try:
            sound = hash_entry(before, place, entry.kind, entry.body) == entry.chain and _is_number(entry.number, place)
        except (TypeError, ValueError):  # a field that holds no text
            sound = False
        if not sound:
            return place
        before = entry.chain
    return None


def _is_number(number: object, place: int) -> bool:
    """Whether a stored number is this whole number. Its type counts too, because SQLite distinguishes 1.0 from 1."""
    return type(number) is int and number == place
