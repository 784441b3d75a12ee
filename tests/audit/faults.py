"""Faults that are planted in the real code, while the ledger still states the price."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.arrays import Codes
from ripost.data.memory import MemoryBlockData
from ripost.methods import ripost as paper
from ripost.privacy import account as accounts
from ripost.privacy import mechanisms
from ripost.privacy.account import Account
from ripost.privacy.budget import scale_for
from ripost.privacy.ledger import Charge
from ripost.privacy.paid_queries import PaidQuery
from ripost.privacy.partition import Partition
from ripost.statistics.cut_scores import MIXTURE_OF_CUT
from ripost.statistics.statistic import Statistic

from .family import Family, Ints

Patch = pytest.MonkeyPatch

Fault = Callable[[Patch], None]


def alter_statistic(patch: Patch, name: str, change: Callable[[Ints, Any], Ints]) -> None:
    """Let a statistic be computed otherwise, from its exact values and the query parameters."""
    exact = MemoryBlockData.compute

    def compute(self: MemoryBlockData, statistic: Statistic, first: int, last: int, asked: Any = None) -> Ints:
        found = exact(self, statistic, first, last, asked)
        return change(found, asked) if statistic.name == name else found

    patch.setattr(MemoryBlockData, "compute", compute)


def half_the_noise(patch: Patch) -> None:
    whole = mechanisms.Laplace.scale
    patch.setattr(mechanisms.Laplace, "scale", lambda self, bound: whole(self, bound) / 2)


def a_tenth_less_noise(patch: Patch) -> None:
    whole = mechanisms.Laplace.scale
    patch.setattr(mechanisms.Laplace, "scale", lambda self, bound: whole(self, bound) * 0.9)


def deviation_counted_once(patch: Patch) -> None:
    _restate(patch, "DEVIATION", per_count=1)


def deviation_of_cut_counted_once(patch: Patch) -> None:
    _restate(patch, "DEVIATION_OF_CUT", per_count=1)


def choice_without_the_two(patch: Patch) -> None:
    patch.setattr(
        mechanisms.Choice, "scale", lambda self, bound: scale_for(self.statistic.sensitivity(bound), self.cost)
    )


def mixture_at_a_third(patch: Patch) -> None:
    whole = mechanisms.Choice.scale

    def scale(self: mechanisms.Choice, bound: int) -> float:
        return whole(self, bound) / (3 if self.statistic is MIXTURE_OF_CUT else 1)

    patch.setattr(mechanisms.Choice, "scale", scale)


def bound_forgotten(patch: Patch) -> None:
    patch.setattr(Statistic, "sensitivity", lambda self, bound: self.per_count + self.per_cell)


def deviation_in_tenths(patch: Patch) -> None:
    """A finer grid that kept the sensitivity of whole numbers."""
    alter_statistic(patch, "deviation", lambda found, _: 10 * found)


def leaves_drawn_twice(patch: Patch) -> None:
    once = PaidQuery.measure

    def twice(self: PaidQuery, *asked: Any) -> Ints:
        first = once(self, *asked)
        self._drawn = False
        return (first + once(self, *asked)) // 2

    patch.setattr(PaidQuery, "measure", twice)


def halves_that_forget(patch: Patch) -> None:
    """A block's halves start with a fresh budget."""
    remembering = Partition.split

    def split(self: Partition, axis: Codes, cut: Codes) -> Partition:
        halves = remembering(self, axis, cut)
        halves._state = np.zeros_like(halves._state)
        return halves

    patch.setattr(Partition, "split", split)


def charges_that_are_dropped(patch: Patch) -> None:
    """Tests are drawn and not paid for."""
    strict = Account.charge

    def charge(self: Account, states: Ints, entry: Charge) -> Ints:
        return states if "test" in entry.purpose else strict(self, states, entry)

    patch.setattr(Account, "charge", charge)


def omit_charges(word: str) -> Fault:
    """Draws whose purpose has this word are not paid for."""

    def fault(patch: Patch) -> None:
        strict = Account.charge

        def charge(self: Account, states: Ints, entry: Charge) -> Ints:
            return states if word in entry.purpose else strict(self, states, entry)

        patch.setattr(Account, "charge", charge)

    fault.__name__ = f"uncharged_{word}"
    return fault


def less_noise(statistic: Statistic, part: int) -> Fault:
    """One statistic gets a part of its noise."""

    def fault(patch: Patch) -> None:
        for kind in (mechanisms.Laplace, mechanisms.Choice):
            whole = kind.scale

            def scale(self: Any, bound: int, whole: Callable[..., float] = whole) -> float:
                return whole(self, bound) / (part if self.statistic is statistic else 1)

            patch.setattr(kind, "scale", scale)

    fault.__name__ = f"less_noise_for_{statistic.name.replace(' ', '_')}"
    return fault


def counted_twice(name: str) -> Fault:
    """A statistic that moves twice as far as its sensitivity says."""

    def fault(patch: Patch) -> None:
        alter_statistic(patch, name, lambda found, _: 2 * found)

    fault.__name__ = f"{name.replace(' ', '_')}_counted_twice"
    return fault


def weights_without_offset(patch: Patch) -> None:
    patch.setattr(paper, "weight", lambda depth, *, k: Fraction(k, depth * (depth + 1)))


def an_account_without_limit(patch: Patch) -> None:
    strict = Account.charge

    def charge(self: Account, states: Ints, entry: Charge) -> Ints:
        limit, self.epsilon = self.epsilon, Fraction(10**6)
        try:
            return strict(self, states, entry)
        finally:
            self.epsilon = limit

    patch.setattr(Account, "charge", charge)


def _restate(patch: Patch, name: str, **figures: int) -> None:
    wrong = replace(getattr(paper, name), **figures)
    patch.setattr(paper, name, wrong)
    patch.setattr(accounts, "is_proved", lambda _: True)


def _fresh(family: Family) -> Family:
    """The family with nothing worked out yet."""
    return Family(family.shape, family.most, family.bound)
