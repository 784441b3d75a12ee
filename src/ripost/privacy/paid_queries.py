"""Draws that an account was paid for: one by one, as a course, or for blocks and all that comes of them."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

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
from ripost.space.cuts import Cuts
from ripost.space.query_parameters import Pairs, QueryParameters
from ripost.space.runs import Runs
from ripost.statistics.statistic import LENGTH, SUM

if TYPE_CHECKING:
    from ripost.privacy.account import Account, Partition

CHUNK = 4_000_000  # scores computed at a time
OVER = 0  # the number of no descent
MOST_SHIFT = 2**62

M = TypeVar("M", bound=Mechanism)


class PaidQuery:
    """A draw that was paid for, to be made once."""

    def __init__(self, mechanism: Mechanism, partition: Partition, account: Account) -> None:
        self.mechanism = mechanism
        self._partition = partition
        self._account = account
        self._drawn = False

    def measure(self, parameters: QueryParameters | None = None) -> Ints:
        """The statistic of every block with noise, laid end to end."""
        noise, bound = self._account.noise, self._account.bound
        if isinstance(self.mechanism, Gaussian):
            gaussian = self._once(Gaussian)
            return noise.gaussian(self._figures(parameters), gaussian, bound)
        laplace = self._once(Laplace)
        return noise.laplace(self._figures(parameters), laplace, bound)

    def at_most(self, threshold: int) -> Mask:
        """Whether each block's noisy statistic is at most the threshold; the value itself stays unknown."""
        mechanism = self._once(Laplace)
        return self._account.noise.at_most(self._figures(), threshold, mechanism, self._account.bound)

    def choose_cuts(self, allowed: Mask | None = None) -> Ints:
        """One chosen cut per block, counted within the block; `allowed` marks candidates in the order of Cuts."""
        mechanism = self._once(Choice)
        cuts = Cuts.of(self._partition.blocks)
        picks = [np.zeros(0, np.int64)]
        for first, last in _runs(cuts.start):
            scores = self._partition._compute(mechanism.statistic, first, last)
            start = cuts.start[first : last + 1] - cuts.start[first]
            stand = np.ones(start[-1], bool) if allowed is None else allowed[cuts.start[first] : cuts.start[last]]
            kept = np.flatnonzero(stand)
            narrow: Ints = np.searchsorted(kept, start)
            if not np.diff(narrow).all():
                raise PrivacyError("a choice was asked of a block that has no candidate")
            pick = self._account.noise.choose(scores[kept], narrow, mechanism, self._account.bound)
            picks.append(kept[narrow[:-1] + pick] - start[:-1])
        return np.concatenate(picks)

    def choose_axes(self, parameters: Pairs, allowed: Mask) -> Ints:
        """One chosen axis per block, by how the block answers the parameters; `allowed` is (blocks, axes)."""
        mechanism = self._once(Choice)
        _check_axes(parameters, allowed)
        return _chosen_axes(self._exact(parameters), allowed, mechanism, self._account)

    def choose_partition(self, parameters: Runs, price: Ints) -> Ints:
        """The runs, by number along the curve, that cover the one block at the least noisy cost and price of pieces."""
        mechanism = self._once(LeastPartition)
        if len(self._partition) != 1:
            raise PrivacyError("a partition is asked of one block")
        return self._account.noise.partition(self._exact(parameters), parameters, price, mechanism, self._account.bound)

    def start_sequence(self) -> GaussianSequence:
        """The draws of a course, to be made one after the other."""
        return GaussianSequence(self._once(ComposedMechanism), self._partition, self._account)

    def choose_one(self, parameters: QueryParameters) -> int:
        """One choice among all that the parameters asks about a single block."""
        mechanism = self._once(Choice)
        if len(self._partition) != 1:
            raise PrivacyError("a choice among candidates of all kinds is made for one block")
        scores = self._exact(parameters)
        if not len(scores):
            raise PrivacyError("a choice was asked of a block that has no candidate")
        start = np.array([0, len(scores)])
        return int(self._account.noise.choose(scores, start, mechanism, self._account.bound)[0])

    def _figures(self, parameters: QueryParameters | None = None) -> Ints:
        """The exact statistic, for noise on each figure."""
        exact = self._exact(parameters)
        _check_norm(self.mechanism, len(exact), len(self._partition))
        return exact

    def _exact(self, parameters: QueryParameters | None = None) -> Ints:
        return self._partition._compute(self.mechanism.statistic, 0, len(self._partition), parameters)

    def _once(self, kind: type[M]) -> M:
        if self._drawn:
            raise BudgetExceeded("this draw was already made; open and pay for another")
        if not isinstance(self.mechanism, kind):
            raise PrivacyError(f"{self.mechanism.title} cannot be drawn this way")
        self._drawn = True
        return self.mechanism


class GaussianSequence:
    """Draws that were paid for together, to be made once each, in the order in which they were listed."""

    def __init__(self, mechanism: ComposedMechanism, partition: Partition, account: Account) -> None:
        if account.bound > 1 and any(event.rate < 1 for event in mechanism.events):
            raise PrivacyError("a sample of steps is no sample of records: sums cannot be drawn from a part")
        self._left = iter([event for event in mechanism.events for _ in range(event.times)])
        self._partition = partition
        self._account = account

    def measure(self, parameters: QueryParameters | None = None) -> Ints:
        """The next event's statistic of every block, of all records or of a secret sample, with its noise."""
        event = next(self._left, None)
        if event is None:
            raise BudgetExceeded("this course is over; open and pay for another")
        noise, bound = self._account.noise, self._account.bound
        exact, mechanism = (
            self._partition._compute_event(event, parameters, noise),
            Gaussian(event.statistic, event.rho),
        )
        _check_norm(mechanism, len(exact), len(self._partition))
        return noise.gaussian(exact, mechanism, bound)


class ThresholdSequence:
    """Tests that were paid for once, to be made of blocks and then of their parts for as long as they pass."""

    def __init__(self, purpose: str, mechanism: BiasedThresholdTest, number: int, account: Account) -> None:
        self.mechanism = mechanism
        self._purpose = purpose
        self._number = number
        self._account = account
        self._each = mechanism.each
        self._bias, self._floor = mechanism.bias(account.bound), mechanism.floor(account.bound)

    def at_most(self, partition: Partition) -> Mask:
        """Whether each block's biased noisy statistic is at most the threshold; where it is, its descent is over."""
        mechanism, account = self.mechanism, self._account
        if partition.account is not account:
            raise PrivacyError(f"{self._purpose}: these blocks belong to another account")
        number = mechanism.first + partition._count(self._number)
        account.tell(self._purpose, len(partition))
        exact = partition._compute(mechanism.statistic, 0, len(partition))
        shift = np.minimum(number, MOST_SHIFT // self._bias) * self._bias  # beyond, all are at the floor
        lowered = np.maximum(exact - shift.reshape(-1, *[1] * (exact.ndim - 1)), self._floor)
        ended = account.noise.at_most(lowered, mechanism.threshold, self._each, account.bound)
        partition._tests[ended, 0] = OVER
        return ended


class PaidSampleChoices:
    """Choices that were paid for once, by a secret sample of the records, to be made of blocks and of their parts."""

    def __init__(self, purpose: str, mechanism: SampleChoices, number: int, account: Account) -> None:
        self.mechanism = mechanism
        self._purpose = purpose
        self._number = number
        self._account = account

    def choose_axes(self, partition: Partition, parameters: Pairs, allowed: Mask) -> Ints:
        """One chosen axis per block, by how the sample in it answers the parameters; `allowed` is (blocks, axes)."""
        if partition.account is not self._account:
            raise PrivacyError(f"{self._purpose}: these blocks belong to another account")
        _check_axes(parameters, allowed)
        if (partition._count(self._number) >= self.mechanism.times).any():
            raise BudgetExceeded(f"{self._purpose}: a path has made all its choices; open and pay for others")
        self._account.tell(self._purpose, len(partition))
        scores = partition._compute_sample(self.mechanism.statistic, parameters)
        return _chosen_axes(scores, allowed, self.mechanism.each, self._account)


def _check_axes(parameters: Pairs, allowed: Mask) -> None:
    if allowed.shape != parameters.cut.shape or not allowed.any(axis=1).all():
        raise PrivacyError("a choice was asked of a block that has no candidate")


def _chosen_axes(scores: Ints, allowed: Mask, mechanism: Choice, account: Account) -> Ints:
    """One of the allowed axes of each block, by their scores."""
    kept = np.flatnonzero(allowed)
    start: Ints = np.concatenate([[0], np.cumsum(allowed.sum(axis=1))])
    pick = account.noise.choose(scores[kept], start, mechanism, account.bound)
    chosen: Ints = kept[start[:-1] + pick] % allowed.shape[1]
    return chosen


def _check_norm(mechanism: Mechanism, figures: int, blocks: int) -> None:
    """PrivacyError unless the sensitivity of these figures is of the kind that the noise needs.

    One figure a block is always fine: a record lies in one block, so it changes one figure.
    """
    enough = (SUM, LENGTH) if isinstance(mechanism, Gaussian) else (SUM,)
    if mechanism.statistic.norm not in enough and figures > blocks:
        raise PrivacyError(f"{mechanism.statistic.name}: one record can change many figures; draw them one by one")


def _runs(start: Ints) -> list[tuple[int, int]]:
    """Runs of blocks with at most about CHUNK scores together."""
    number = start[:-1] // CHUNK
    edges = np.flatnonzero(np.diff(number)) + 1
    bounds = [0, *edges.tolist(), len(start) - 1]
    return [(a, b) for a, b in pairwise(bounds) if b > a]
