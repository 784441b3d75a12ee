"""Discovery: values, bounds and max_rows from noisy votes of units. Each draw is charged before it is made.

A unit votes once in each draw: for one value of a category, for one cell of a public grid, or for one number of rows.
What is found is a function of the noisy votes alone; only values, whose names are not public, cost delta.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ripost.arrays import Ints
from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.discovery_ledger import MAX_ROWS, VALUES, DiscoveryCharge, DiscoveryLedger
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.noise import Noise
from ripost.statistics.totals import TOTAL

VOTE_BOUND = 1  # counts that one vote adds
REST = 20  # one in so many units may have more rows than max_rows keeps
MARGIN = 8  # and as many more as so many scales of the noise: with few units, a small max_rows costs least


class DiscoveryAccount:
    """The budget of discovery for one unit, and the ledger of its charges."""

    def __init__(self, *, epsilon: Fraction, delta: Fraction, noise: Noise) -> None:
        self.epsilon = epsilon
        self.delta = delta
        self.noise = noise
        self._entries: list[DiscoveryCharge] = []

    def charge(self, entry: DiscoveryCharge) -> PaidVotes:
        """Charge one draw of noisy votes; BudgetExceeded, and no charge, if too little is left."""
        epsilon, delta = self.ledger.epsilon + entry.epsilon, self.ledger.delta + entry.delta
        if epsilon > self.epsilon or delta > self.delta:
            raise BudgetExceeded(f"{entry.purpose}: costs more than discovery has left")
        if entry.epsilon <= 0 or (entry.delta > 0) != (entry.what == VALUES):
            raise PrivacyError(f"{entry.purpose}: values cost epsilon and delta, all else costs epsilon alone")
        self._entries.append(entry)
        return PaidVotes(entry, self.noise)

    @property
    def ledger(self) -> DiscoveryLedger:
        return DiscoveryLedger(tuple(self._entries))


class PaidVotes:
    """Votes whose noisy counts were charged and can be drawn once."""

    def __init__(self, entry: DiscoveryCharge, noise: Noise) -> None:
        self.entry = entry
        self._noise = noise
        self._drawn = False

    def find_values(self, values: Sequence[str], votes: Ints) -> tuple[str, ...]:
        """The values whose noisy votes reach the threshold, at most `cells` of them, sorted by their bytes."""
        noisy, entry = self._measure(votes, VALUES), self.entry
        reached = np.flatnonzero(noisy >= entry.threshold).tolist()
        best = sorted(reached, key=lambda place: (-noisy[place], values[place].encode()))[: entry.cells]
        return tuple(sorted((values[place] for place in best), key=str.encode))

    def find_bounds(self, votes: Ints) -> tuple[int, int]:
        """The first and the last cell of the grid that count as full; the fullest one if none does."""
        noisy = self._measure(votes, "bounds")
        full = np.flatnonzero(noisy >= self.entry.threshold)
        first, last = (full[0], full[-1]) if len(full) else (noisy.argmax(), noisy.argmax())
        return int(first), int(last)

    def find_max_rows(self, votes: Ints, listed: Sequence[int]) -> int:
        """The least number of the list that about one unit in REST, or fewer, exceeds."""
        noisy = self._measure(votes, MAX_ROWS)
        more = noisy.sum() - noisy.cumsum()
        enough = np.flatnonzero(REST * (more - math.ceil(MARGIN * self.entry.scale)) <= max(noisy.sum(), 0))
        return listed[int(enough[0]) if len(enough) else len(listed) - 1]

    def _measure(self, votes: Ints, what: str) -> Ints:
        """The votes with discrete Laplace noise."""
        if self._drawn:
            raise BudgetExceeded(f"{self.entry.purpose}: this draw was already made; charge another one")
        if self.entry.what != what:
            raise PrivacyError(f"{self.entry.purpose}: {what} were not charged")
        if what != VALUES and len(votes) != self.entry.cells:
            raise PrivacyError(f"{self.entry.purpose}: a public grid has one number of votes for each cell")
        self._drawn = True
        return self._noise.laplace(votes, Laplace(TOTAL, self.entry.epsilon), VOTE_BOUND)
