"""Chain: entries that each carry a hash of everything up to them, so that none can be changed, left out or put in.

There is no secret in it. Who can write the file can write a whole new chain; what gives that away is a hash that is
kept elsewhere, in a release or on paper.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

START = hashlib.sha256(b"ripost ledger 1").hexdigest()


class Link(NamedTuple):
    """One entry as it is stored."""

    number: int  # its place, from 0
    kind: str
    body: str  # JSON
    chain: str  # hash of the one before and of this


def chained(before: str, number: int, kind: str, body: str) -> str:
    """The hash of an entry after another's hash."""
    text = json.dumps([before, number, kind, body], separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def next_link(links: Sequence[Link], kind: str, body: str) -> Link:
    """The entry that comes after these."""
    before = links[-1].chain if links else START
    return Link(len(links), kind, body, chained(before, len(links), kind, body))


def first_broken(links: Sequence[Link]) -> int | None:
    """The place of the first entry that does not follow from those before it, or None if all do."""
    before = START
    for place, link in enumerate(links):
        try:
            sound = chained(before, place, link.kind, link.body) == link.chain and _same(link.number, place)
        except (TypeError, ValueError):  # a field that holds no text
            sound = False
        if not sound:
            return place
        before = link.chain
    return None


def _same(number: object, place: int) -> bool:
    """SQLite keeps 1.0 and 1 apart, and so must this."""
    return type(number) is int and number == place
