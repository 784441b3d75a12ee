"""Faults that double the privacy loss while the ledger states the price: for the audits, which must see each."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ripost.data import read
from ripost.privacy.account import Account
from ripost.privacy.ledger import Charge
from ripost.sources.encoding import encode as encoding
from tests.audit.faults import half_the_noise

Patch = pytest.MonkeyPatch


def row_counts_twice(patch: Patch) -> None:
    """Each row of the source adds 2 to its cell, as a join that finds two partners for it makes it."""
    encode = read.encode_rows

    def twice(*given: Any, **named: Any) -> Any:
        cells = encode(*given, **named)
        return cells.mutate(amount=cells.amount * 2)

    patch.setattr(read, "encode_rows", twice)


def one_row_too_many(patch: Patch) -> None:
    """Contribution bounding keeps max_rows + 1 rows of a unit."""
    bounded = encoding.bound_contributions

    def more(*given: Any, max_rows: int, **named: Any) -> Any:
        return bounded(*given, max_rows=max_rows + 1, **named)

    patch.setattr(encoding, "bound_contributions", more)


def half_the_scale(patch: Patch) -> None:
    """Noise has half its scale, and OpenDP is not asked what a draw costs: a release asks, and refuses."""
    half_the_noise(patch)
    patch.setattr("ripost.privacy.noise._confirm", lambda *_: None)


def budget_spent_twice(patch: Patch) -> None:
    """Methods get twice the budget, and the ledger records half of what they pay."""
    made, paid = Account.__init__, Account.charge

    def twice(self: Account, *given: Any, epsilon: Fraction, **others: Any) -> None:
        made(self, *given, epsilon=2 * epsilon, **others)

    def half(self: Account, states: Any, entry: Charge) -> Any:
        return paid(self, states, replace(entry, epsilon=entry.epsilon / 2))

    patch.setattr(Account, "__init__", twice)
    patch.setattr(Account, "charge", half)
