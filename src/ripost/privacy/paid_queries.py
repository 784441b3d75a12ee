"""Draws that an account has charged: a single draw, a sequence of draws, or draws over blocks and everything below."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TypeVar

import numpy as np

from ripost.arrays import Ints, Mask
from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.mechanisms import (
    BiasedThresholdTest,
    Choice,
    ComposedMechanism,
    Gaussian,
    Laplace,
    LeastPartition,
    Mechanism,
    SampleChoices,
)
from ripost.privacy.partition import Partition
from ripost.privacy.paths import AccountPaths
from ripost.space.cuts import Cuts
from ripost.space.measurement import Measurement, to_table
from ripost.space.query_parameters import Pairs, QueryParameters
from ripost.space.runs import Runs
from ripost.statistics.statistic import LENGTH, SUM
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART

CHUNK = 4_000_000  # scores computed at a time
MOST_SHIFT = 2**62

M = TypeVar("M", bound=Mechanism)


class PaidQuery:
    """A draw that was charged and can be made once."""

    def __init__(self, mechanism: Mechanism, partition: Partition, entry: int) -> None:
        self.mechanism = mechanism
        self._partition = partition
        self._entry = entry  # of the ledger
        self._account = partition.account
        self._drawn = False

    def measure(self, parameters: QueryParameters | None = None) -> Ints:
        """The noisy statistics of all blocks, concatenated. The account keeps them for the release file."""
        noise, bound = self._account.noise, self._account.bound
        if isinstance(self.mechanism, Gaussian):
            gaussian = self._once(Gaussian)
            noisy = noise.gaussian(self._exact_for_noise(parameters), gaussian, bound)
        else:
            laplace = self._once(Laplace)
            noisy = noise.laplace(self._exact_for_noise(parameters), laplace, bound)
        self._keep(noisy, parameters)
        return noisy

    def at_most(self, threshold: int) -> Mask:
        """Whether each block's noisy statistic is at most the threshold. The value itself is not released."""
        mechanism = self._once(Laplace)
        return self._account.noise.at_most(self._exact_for_noise(), threshold, mechanism, self._account.bound)

    def choose_cuts(self, allowed: Mask | None = None) -> Ints:
        """Choose one cut per block, numbered within the block; `allowed` marks candidates in the order of Cuts."""
        mechanism = self._once(Choice)
        cuts = Cuts.of(self._partition.blocks)
        picks = [np.zeros(0, np.int64)]
        for first, last in _chunk_blocks(cuts.start):
            scores = self._partition._compute(mechanism.statistic, first, last)
            start = cuts.start[first : last + 1] - cuts.start[first]
            stand = np.ones(start[-1], bool) if allowed is None else allowed[cuts.start[first] : cuts.start[last]]
            kept = np.flatnonzero(stand)
            narrow: Ints = np.searchsorted(kept, start)
            if not np.diff(narrow).all():
                raise PrivacyError("a block has no candidate to choose from")
            pick = self._account.noise.choose(scores[kept], narrow, mechanism, self._account.bound)
            picks.append(kept[narrow[:-1] + pick] - start[:-1])
        return np.concatenate(picks)

    def choose_axes(self, parameters: Pairs, allowed: Mask) -> Ints:
        """Choose one axis per block by the statistic with these parameters; `allowed` is (blocks, axes)."""
        mechanism = self._once(Choice)
        _check_axes(parameters, allowed)
        return _choose_axes(self._exact(parameters), allowed, mechanism, self._account)

    def choose_partition(self, parameters: Runs, price: Ints) -> Ints:
        """The runs, by number along the curve, that cover the one block at the least noisy cost and price."""
        mechanism = self._once(LeastPartition)
        if len(self._partition) != 1:
            raise PrivacyError("choose_partition needs a partition of one block")
        return self._account.noise.partition(self._exact(parameters), parameters, price, mechanism, self._account.bound)

    def start_sequence(self) -> GaussianSequence:
        """The draws of a composed mechanism, in order."""
        return GaussianSequence(self._once(ComposedMechanism), self._partition)

    def choose_one(self, parameters: QueryParameters) -> int:
        """Choose one of the candidates that the parameters list for a single block."""
        mechanism = self._once(Choice)
        if len(self._partition) != 1:
            raise PrivacyError("choose_one needs a partition of one block")
        scores = self._exact(parameters)
        if not len(scores):
            raise PrivacyError("a block has no candidate to choose from")
        start = np.array([0, len(scores)])
        return int(self._account.noise.choose(scores, start, mechanism, self._account.bound)[0])

    def _keep(self, noisy: Ints, parameters: QueryParameters | None) -> None:
        """Keep noisy values with what is public about them: the entry that paid, and their boxes if they are totals."""
        if not len(self._partition):
            return  # nothing was charged
        statistic, blocks = self.mechanism.statistic, self._partition.blocks
        whole = len(blocks) == 1 and blocks.volume(0) == math.prod(self._account.shape)
        table = to_table(parameters) if statistic is TOTAL_OF_PART and whole else None
        known = statistic is TOTAL or table is not None
        self._account.measurements.append(Measurement(self._entry, noisy.copy(), blocks if known else None, table))

    def _exact_for_noise(self, parameters: QueryParameters | None = None) -> Ints:
        """The exact statistic, if noise may be added to each of its values."""
        exact = self._exact(parameters)
        _check_norm(self.mechanism, len(exact))
        return exact

    def _exact(self, parameters: QueryParameters | None = None) -> Ints:
        return self._partition._compute(self.mechanism.statistic, 0, len(self._partition), parameters)

    def _once(self, kind: type[M]) -> M:
        if self._drawn:
            raise BudgetExceeded("this draw was already made; charge another query")
        if not isinstance(self.mechanism, kind):
            raise PrivacyError(f"{self.mechanism.title} cannot be drawn this way")
        self._drawn = True
        return self.mechanism


class GaussianSequence:
    """Draws that were charged together. Each is made once, in the listed order."""

    def __init__(self, mechanism: ComposedMechanism, partition: Partition) -> None:
        if partition.account.bound > 1 and any(event.rate < 1 for event in mechanism.events):
            raise PrivacyError("sums cannot be sampled by row: a row adds more than one count to its cell")
        self._left = iter([event for event in mechanism.events for _ in range(event.times)])
        self._partition = partition

    def measure(self, parameters: QueryParameters | None = None) -> Ints:
        """The noisy statistic of the next event, of all rows or of a secret sample."""
        event = next(self._left, None)
        if event is None:
            raise BudgetExceeded("this sequence of draws is over; charge another query")
        noise, bound = self._partition.account.noise, self._partition.account.bound
        exact, mechanism = self._partition._compute_event(event, parameters), Gaussian(event.statistic, event.rho)
        _check_norm(mechanism, len(exact))
        return noise.gaussian(exact, mechanism, bound)


class ThresholdSequence:
    """Tests that were charged once: of blocks, and of the blocks below them as long as the tests pass."""

    def __init__(self, purpose: str, mechanism: BiasedThresholdTest, number: int, account: AccountPaths) -> None:
        self.mechanism = mechanism
        self._purpose = purpose
        self._number = number
        self._account = account
        self._each = mechanism.each
        self._bias, self._floor = mechanism.bias(account.bound), mechanism.floor(account.bound)

    def at_most(self, partition: Partition) -> Mask:
        """Whether each block's biased noisy statistic is at most the threshold. If so, its sequence is over."""
        mechanism, account = self.mechanism, self._account
        if partition.account is not account:
            raise PrivacyError(f"{self._purpose}: these blocks belong to another account")
        number = mechanism.first + partition._count(self._number)
        account.report(self._purpose, len(partition))
        exact = partition._compute(mechanism.statistic, 0, len(partition))
        shift = np.minimum(number, MOST_SHIFT // self._bias) * self._bias  # beyond, all are at the floor
        lowered = np.maximum(exact - shift.reshape(-1, *[1] * (exact.ndim - 1)), self._floor)
        ended = account.noise.at_most(lowered, mechanism.threshold, self._each, account.bound)
        partition._end_sequence(ended)
        return ended


class PaidSampleChoices:
    """Choices by a secret sample of the rows that were charged once, for blocks and everything below them."""

    def __init__(self, purpose: str, mechanism: SampleChoices, number: int, account: AccountPaths) -> None:
        self.mechanism = mechanism
        self._purpose = purpose
        self._number = number
        self._account = account

    def choose_axes(self, partition: Partition, parameters: Pairs, allowed: Mask) -> Ints:
        """Choose one axis per block by the statistic of the sample; `allowed` is (blocks, axes)."""
        if partition.account is not self._account:
            raise PrivacyError(f"{self._purpose}: these blocks belong to another account")
        _check_axes(parameters, allowed)
        if (partition._count(self._number) >= self.mechanism.times).any():
            raise BudgetExceeded(f"{self._purpose}: a path has made all its choices; charge others")
        self._account.report(self._purpose, len(partition))
        scores = partition._compute_sample(self.mechanism.statistic, parameters)
        return _choose_axes(scores, allowed, self.mechanism.each, self._account)


def _check_axes(parameters: Pairs, allowed: Mask) -> None:
    if allowed.shape != parameters.cut.shape or not allowed.any(axis=1).all():
        raise PrivacyError("a block has no candidate to choose from")


def _choose_axes(scores: Ints, allowed: Mask, mechanism: Choice, account: AccountPaths) -> Ints:
    """Choose one of the allowed axes of each block by its score."""
    kept = np.flatnonzero(allowed)
    start: Ints = np.concatenate([[0], np.cumsum(allowed.sum(axis=1))])
    pick = account.noise.choose(scores[kept], start, mechanism, account.bound)
    chosen: Ints = kept[start[:-1] + pick] % allowed.shape[1]
    return chosen


def _check_norm(mechanism: Mechanism, values: int) -> None:
    """PrivacyError unless the statistic's sensitivity bounds the norm that the noise needs.

    One value of one block always suffices. As many values as blocks do not: all of them may belong to one block.
    """
    enough = (SUM, LENGTH) if isinstance(mechanism, Gaussian) else (SUM,)
    if mechanism.statistic.norm not in enough and values > 1:
        raise PrivacyError(f"{mechanism.statistic.name}: one row can change many values; draw them one by one")


def _chunk_blocks(start: Ints) -> list[tuple[int, int]]:
    """Runs of consecutive blocks with at most about CHUNK scores each."""
    number = start[:-1] // CHUNK
    edges = np.flatnonzero(np.diff(number)) + 1
    bounds = [0, *edges.tolist(), len(start) - 1]
    return [(a, b) for a, b in pairwise(bounds) if b > a]
