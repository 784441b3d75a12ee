"""Paths: what the path from the root to every block has been charged.

Paths that were charged the same entries in the same order share a state, which is a step of the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ripost.arrays import Ints
from ripost.errors import BudgetExceeded
from ripost.privacy.ledger import Charge, Ledger, Step
from ripost.privacy.noise import Noise
from ripost.space.measurement import Measurement

Watch = Callable[[str, int], None]  # called with the purpose and the number of blocks of each draw


class AccountPaths:
    """The charges along all paths of one account, and the noise of its draws."""

    def __init__(
        self, *, shape: Sequence[int], epsilon: Fraction, noise: Noise, bound: int, watch: Watch | None
    ) -> None:
        self.shape = tuple(shape)  # of the domain
        self.epsilon = epsilon  # the budget of a path, in the currency of the account
        self.noise = noise
        self.bound = bound  # the most that one row adds to a cell, in counts
        self._watch = watch
        self._entries: list[Charge] = []
        self._steps: list[tuple[int | None, int | None]] = [(None, None)]  # state before, entry
        self._spent = [Fraction(0)]  # by state
        self._ended = [1]  # by state: number of blocks whose path ends there
        self.measurements: list[Measurement] = []  # the noisy values that draws returned, in order

    def charge(self, states: Ints, entry: Charge) -> Ints:
        """Charge one path per block and return its new state; BudgetExceeded, and no charge, if one has too little."""
        old, blocks = count_states(states)
        spent = [self._spent[state] + entry.epsilon for state in old.tolist()]
        if max(spent) > self.epsilon:
            raise BudgetExceeded(f"{entry.purpose}: costs {float(entry.epsilon):g}, more than a path has left")
        self._entries.append(entry)
        new = np.zeros(int(old[-1]) + 1, np.int64)
        new[old] = len(self._steps) + np.arange(len(old))
        for state, number in zip(old.tolist(), blocks.tolist(), strict=True):
            self._steps.append((state, len(self._entries) - 1))
            self._ended[state] -= number
            self._ended.append(number)
        self._spent += spent
        return new[states]

    def count_splits(self, states: Ints) -> None:
        """Count one more block at the end of each of these paths."""
        for state, number in zip(*map(np.ndarray.tolist, count_states(states)), strict=True):
            self._ended[state] += number

    def unspent(self, states: Ints) -> tuple[list[Fraction], Ints]:
        """The distinct amounts that these paths have left, exact, and the number of each path's amount."""
        found, _ = count_states(states)
        left = [self.epsilon - self._spent[state] for state in found.tolist()]
        amounts = sorted(set(left))
        which = np.zeros(int(found[-1]) + 1 if len(found) else 0, np.int64)
        which[found] = [amounts.index(amount) for amount in left]
        return amounts, which[states]

    def report(self, purpose: str, blocks: int) -> None:
        """Call the watch, if there is one, about a draw."""
        if self._watch is not None:
            self._watch(purpose, blocks)

    @property
    def last_entry(self) -> int:
        """The number of the last charge."""
        return len(self._entries) - 1

    @property
    def ledger(self) -> Ledger:
        """All charges, and the paths through them."""
        steps = zip(self._steps, self._ended, strict=True)
        return Ledger(tuple(self._entries), tuple(Step(after, entry, ended) for (after, entry), ended in steps))


def count_states(states: Ints) -> tuple[Ints, Ints]:
    """The distinct states, in order, and the number of blocks in each."""
    number: Ints = np.bincount(states)
    found = np.flatnonzero(number)
    return found, number[found]
