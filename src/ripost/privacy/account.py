"""Account: pays for every draw before it is made, along every path of blocks.

Blocks of a frontier share no cell, so one record lies in at most one of them: a draw over the frontier costs each
block's path the price of one block (parallel composition), and what a path pays adds up (sequential composition,
also when later choices depend on earlier results; proofs/composition.md). To keep this true by construction a
block is in exactly one frontier that is still alive: cutting, parting or joining a frontier uses it up.

A descent is paid once for a block and all that comes of it; a frontier remembers which descent each of its blocks is
on and how often it was tested, so that no method can make a test tell more than was paid for (proofs/biased_test.md).
So it is with choices by a sample, which goes along with the frontier (proofs/sample_choices.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Protocol, Self, TypeVar

import numpy as np

from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.accountant import Event
from ripost.privacy.ledger import Currency, Entry, Ledger, Step
from ripost.privacy.mechanisms import (
    BiasedTest,
    Choice,
    Composed,
    Gaussian,
    Laplace,
    LeastPartition,
    Mechanism,
    SampleChoices,
)
from ripost.privacy.noise import Ints, Noise, Thinning
from ripost.privacy.sensitivity import LENGTH, STATISTICS, SUM
from ripost.space.blocks import Blocks, Codes, Mask
from ripost.space.cuts import Cuts
from ripost.space.question import Pairs, Question
from ripost.space.runs import Runs

CHUNK = 4_000_000  # scores computed at a time
OVER = 0  # the number of no descent
MOST_SHIFT = 2**62

M = TypeVar("M", bound=Mechanism)
Watch = Callable[[str, int], None]  # told the purpose and the number of blocks of each draw


class Cells(Protocol):
    """The private half of a frontier: an engine that holds its cells and computes statistics of its blocks."""

    def compute(self, statistic: str, first: int, last: int, question: Question | None = None) -> Ints: ...

    def split(self, axis: Codes, cut: Codes) -> Self: ...

    def part(self, mask: Mask) -> tuple[Self, Self]: ...

    def join(self, others: Sequence[Self]) -> Self: ...

    def thin(self, draw: Thinning) -> Cells: ...


class Frontier:
    """Blocks that share no cell, and what the path to each has paid."""

    def __init__(
        self, account: Account, blocks: Blocks, cells: Cells, state: Ints, tests: Ints, sample: Cells | None = None
    ) -> None:
        self.account = account
        self.blocks = blocks
        self._cells = cells
        self._sample = sample  # the same blocks, with the records of a sample
        self._state = state  # number of each block's step in the ledger
        self._tests = tests  # (n, 2): the descent or sample that each block is on, and how many of its tests were made
        self._alive = True

    def __len__(self) -> int:
        return len(self.blocks)

    @property
    def unspent(self) -> tuple[list[Fraction], Ints]:
        """The different amounts that paths have left, exact, and which of them each block's path has."""
        states, where = np.unique(self._state, return_inverse=True)
        left = [self.account.epsilon - self.account.spent(state) for state in states.tolist()]
        amounts = sorted(set(left))
        return amounts, np.array([amounts.index(amount) for amount in left], np.int64)[where]

    def split(self, axis: Codes, cut: Codes) -> Frontier:
        """The two halves of every block: left 0, right 0, left 1, right 1, …"""
        self.retire()
        self.account.settle(self._state, 1)
        halves, cells = self.blocks.split(axis, cut), self._cells.split(axis, cut)
        sample = None if self._sample is None else self._sample.split(axis, cut)
        state, tests = np.repeat(self._state, 2), np.repeat(self._tests, 2, axis=0)
        return Frontier(self.account, halves, cells, state, tests, sample)

    def part(self, mask: Mask) -> tuple[Frontier, Frontier]:
        """The blocks where the mask holds, and the others."""
        if mask.dtype != np.bool_ or mask.shape != (len(self),):
            raise PrivacyError("a mask must say yes or no once for every block, or blocks could be had twice")
        self.retire()
        cells = self._cells.part(mask)
        samples = (None, None) if self._sample is None else self._sample.part(mask)
        chosen, rest = (
            Frontier(self.account, self.blocks.take(side), held, self._state[side], self._tests[side], sample)
            for side, held, sample in zip((mask, ~mask), cells, samples, strict=True)
        )
        return chosen, rest

    def join(self, *others: Frontier) -> Frontier:
        """All these blocks as one frontier, in order."""
        parts = (self, *others)
        if any(part.account is not self.account for part in parts):
            raise PrivacyError("these blocks belong to different accounts")
        for part in parts:
            part.retire()
        lower, upper = (np.concatenate([getattr(p.blocks, side) for p in parts]) for side in ("lower", "upper"))
        cells = self._cells.join([other._cells for other in others])
        state, tests = (np.concatenate([getattr(p, name) for p in parts]) for name in ("_state", "_tests"))
        samples = [part._sample for part in parts if part._sample is not None]
        sample = samples[0].join(samples[1:]) if len(samples) == len(parts) else None
        return Frontier(self.account, Blocks(lower, upper), cells, state, tests, sample)

    def retire(self) -> None:
        """Use the frontier up; PrivacyError if it already was."""
        if not self._alive:
            raise PrivacyError("these blocks were cut, parted or joined: ask the frontier that came of it")
        self._alive = False

    def pay(self, entry: Entry) -> None:
        """Charge every block's path; BudgetExceeded, and nothing charged, if one cannot afford it."""
        if not self._alive:
            raise PrivacyError("these blocks were cut, parted or joined: ask the frontier that came of it")
        self._state = self.account.charge(self._state, entry)

    def _compute_event(self, event: Event, question: Question | None, noise: Noise) -> Ints:
        """The statistic of an event, of all records or of a sample that nobody learns."""
        sampled = event.rate < 1
        cells = self._cells.thin(Thinning(noise, event.rate)) if sampled else self._cells
        return cells.compute(event.statistic.name, 0, len(self), question)

    def _draw_sample(self, number: int, rate: Fraction) -> None:
        """Let each record be in a sample with this probability; nobody learns which are."""
        self._sample = self._cells.thin(Thinning(self.account.noise, rate))
        self._tests[:] = number, 0

    def _compute_sample(self, statistic: str, question: Question) -> Ints:
        if self._sample is None:
            raise PrivacyError("these blocks have no sample")
        return self._sample.compute(statistic, 0, len(self), question)

    def _count(self, descent: int) -> Ints:
        """How many tests of the descent each block had before, now that it has one more."""
        if not self._alive:
            raise PrivacyError("these blocks were cut, parted or joined: ask the frontier that came of it")
        if not (self._tests[:, 0] == descent).all():
            raise PrivacyError("a block that is not on this descent, or whose descent is over, cannot be tested")
        self._tests[:, 1] += 1
        return self._tests[:, 1] - 1

    def _compute(self, statistic: str, first: int, last: int, question: Question | None = None) -> Ints:
        return self._cells.compute(statistic, first, last, question)


class Account:
    """The budget of one release, the frontier it starts from, and the ledger of what was paid."""

    def __init__(
        self,
        cells: Cells,
        *,
        shape: Sequence[int],
        epsilon: Fraction,
        noise: Noise,
        bound: int = 1,
        watch: Watch | None = None,
        currency: Currency = Currency.EPSILON,
        delta: Fraction = Fraction(0),
    ) -> None:
        self.shape = tuple(shape)
        self.epsilon = epsilon  # in the currency
        self.currency = currency
        self.delta = delta  # of the promise
        self.bound = bound
        self.noise = noise
        self._watch = watch
        self._entries: list[Entry] = []
        self._steps: list[tuple[int | None, int | None]] = [(None, None)]
        self._spent = [Fraction(0)]
        self._ended = [1]
        self._descents = OVER
        self.root = Frontier(self, Blocks.whole(shape), cells, np.zeros(1, np.int64), np.zeros((1, 2), np.int64))

    def open(self, purpose: str, mechanism: Mechanism, frontier: Frontier) -> Term:
        """Pay for one draw over the frontier; the term that it returns can be drawn once."""
        self._pay(purpose, mechanism, frontier)
        return Term(mechanism, frontier, self)

    def descend(self, purpose: str, mechanism: BiasedTest, frontier: Frontier) -> Descent:
        """Pay once for tests of these blocks and of all that comes of them; a block leaves any descent it was on."""
        descent = Descent(purpose, mechanism, self._descents + 1, self)
        self._pay(purpose, mechanism, frontier)
        self._descents += 1
        frontier._tests[:] = self._descents, 0
        return descent

    def sample(self, purpose: str, mechanism: SampleChoices, frontier: Frontier) -> Sample:
        """Pay once for choices by a secret sample of these blocks' records, and draw it."""
        if self.bound > 1:
            raise PrivacyError("a sample of steps is no sample of records: sums cannot be drawn from a part")
        sample = Sample(purpose, mechanism, self._descents + 1, self)
        self._pay(purpose, mechanism, frontier)
        self._descents += 1
        frontier._draw_sample(self._descents, mechanism.rate)
        return sample

    def _pay(self, purpose: str, mechanism: Mechanism, frontier: Frontier) -> None:
        if frontier.account is not self:
            raise PrivacyError(f"{purpose}: these blocks belong to another account")
        if self.currency is Currency.ACCOUNTED and (
            not isinstance(mechanism, Composed) or (mechanism.cost, mechanism.delta) != (self.epsilon, self.delta)
        ):
            raise PrivacyError(
                f"{purpose}: an account of epsilon at a delta pays for one course of draws at that delta, all at once"
            )
        price = mechanism.price(self.currency)
        if mechanism.cost <= 0:
            raise PrivacyError(f"{purpose}: a draw must cost something, got {mechanism.cost}")
        if mechanism.statistic not in STATISTICS:
            raise PrivacyError(f"{purpose}: no proof of the sensitivity of {mechanism.statistic.name!r}")
        entry = Entry(
            purpose=purpose,
            mechanism=mechanism.title,
            statistic=mechanism.statistic.name,
            sensitivity=mechanism.statistic.sensitivity(self.bound),
            epsilon=price,
            scale=mechanism.scale(self.bound),
            blocks=len(frontier),
        )
        if len(frontier):
            frontier.pay(entry)
        self.tell(purpose, len(frontier))

    def tell(self, purpose: str, blocks: int) -> None:
        """Let who watches know of a draw."""
        if self._watch is not None:
            self._watch(purpose, blocks)

    def spent(self, step: int) -> Fraction:
        return self._spent[step]

    def charge(self, states: Ints, entry: Entry) -> Ints:
        """Charge the paths in these states; their new states."""
        old, where, blocks = np.unique(states, return_inverse=True, return_counts=True)
        spent = [self._spent[state] + entry.epsilon for state in old.tolist()]
        if max(spent) > self.epsilon:
            raise BudgetExceeded(f"{entry.purpose}: costs {float(entry.epsilon):g}, more than a path has left")
        self._entries.append(entry)
        new = len(self._steps) + np.arange(len(old))
        for state, number in zip(old.tolist(), blocks.tolist(), strict=True):
            self._steps.append((state, len(self._entries) - 1))
            self._ended[state] -= number
            self._ended.append(number)
        self._spent += spent
        return new[where]

    def settle(self, states: Ints, extra: int) -> None:
        """Note that each path now ends in so many more blocks."""
        for state, number in zip(*np.unique(states, return_counts=True), strict=True):
            self._ended[int(state)] += int(number) * extra

    @property
    def ledger(self) -> Ledger:
        steps = zip(self._steps, self._ended, strict=True)
        return Ledger(tuple(self._entries), tuple(Step(after, entry, ended) for (after, entry), ended in steps))


class Term:
    """A draw that was paid for, to be made once."""

    def __init__(self, mechanism: Mechanism, frontier: Frontier, account: Account) -> None:
        self.mechanism = mechanism
        self._frontier = frontier
        self._account = account
        self._drawn = False

    def values(self, question: Question | None = None) -> Ints:
        """The statistic of every block with noise, laid end to end."""
        noise, bound = self._account.noise, self._account.bound
        if isinstance(self.mechanism, Gaussian):
            gaussian = self._once(Gaussian)
            return noise.gaussian(self._figures(question), gaussian, bound)
        laplace = self._once(Laplace)
        return noise.laplace(self._figures(question), laplace, bound)

    def at_most(self, threshold: int) -> Mask:
        """Whether each block's noisy statistic is at most the threshold; the value itself stays unknown."""
        mechanism = self._once(Laplace)
        return self._account.noise.at_most(self._figures(), threshold, mechanism, self._account.bound)

    def choices(self, allowed: Mask | None = None) -> Ints:
        """One chosen cut per block, counted within the block; `allowed` marks candidates in the order of Cuts."""
        mechanism = self._once(Choice)
        cuts = Cuts.of(self._frontier.blocks)
        picks = [np.zeros(0, np.int64)]
        for first, last in _runs(cuts.start):
            scores = self._frontier._compute(mechanism.statistic.name, first, last)
            start = cuts.start[first : last + 1] - cuts.start[first]
            stand = np.ones(start[-1], bool) if allowed is None else allowed[cuts.start[first] : cuts.start[last]]
            kept = np.flatnonzero(stand)
            narrow: Ints = np.searchsorted(kept, start)
            if not np.diff(narrow).all():
                raise PrivacyError("a choice was asked of a block that has no candidate")
            pick = self._account.noise.choose(scores[kept], narrow, mechanism, self._account.bound)
            picks.append(kept[narrow[:-1] + pick] - start[:-1])
        return np.concatenate(picks)

    def axes(self, question: Pairs, allowed: Mask) -> Ints:
        """One chosen axis per block, by how the block answers the question; `allowed` is (blocks, axes)."""
        mechanism = self._once(Choice)
        _check_axes(question, allowed)
        return _chosen_axes(self._exact(question), allowed, mechanism, self._account)

    def partition(self, question: Runs, price: Ints) -> Ints:
        """The runs, by number along the curve, that cover the one block at the least noisy cost and price of pieces."""
        mechanism = self._once(LeastPartition)
        if len(self._frontier) != 1:
            raise PrivacyError("a partition is asked of one block")
        return self._account.noise.partition(self._exact(question), question, price, mechanism, self._account.bound)

    def course(self) -> Course:
        """The draws of a course, to be made one after the other."""
        return Course(self._once(Composed), self._frontier, self._account)

    def pick(self, question: Question) -> int:
        """One choice among all that the question asks about a single block."""
        mechanism = self._once(Choice)
        if len(self._frontier) != 1:
            raise PrivacyError("a choice among candidates of all kinds is made for one block")
        scores = self._exact(question)
        if not len(scores):
            raise PrivacyError("a choice was asked of a block that has no candidate")
        start = np.array([0, len(scores)])
        return int(self._account.noise.choose(scores, start, mechanism, self._account.bound)[0])

    def _figures(self, question: Question | None = None) -> Ints:
        """The exact statistic, for noise on each figure."""
        exact = self._exact(question)
        _check_norm(self.mechanism, len(exact), len(self._frontier))
        return exact

    def _exact(self, question: Question | None = None) -> Ints:
        return self._frontier._compute(self.mechanism.statistic.name, 0, len(self._frontier), question)

    def _once(self, kind: type[M]) -> M:
        if self._drawn:
            raise BudgetExceeded("this draw was already made; open and pay for another")
        if not isinstance(self.mechanism, kind):
            raise PrivacyError(f"{self.mechanism.title} cannot be drawn this way")
        self._drawn = True
        return self.mechanism


class Course:
    """Draws that were paid for together, to be made once each, in the order in which they were listed."""

    def __init__(self, mechanism: Composed, frontier: Frontier, account: Account) -> None:
        if account.bound > 1 and any(event.rate < 1 for event in mechanism.events):
            raise PrivacyError("a sample of steps is no sample of records: sums cannot be drawn from a part")
        self._left = iter([event for event in mechanism.events for _ in range(event.times)])
        self._frontier = frontier
        self._account = account

    def values(self, question: Question | None = None) -> Ints:
        """The next event's statistic of every block, of all records or of a secret sample, with its noise."""
        event = next(self._left, None)
        if event is None:
            raise BudgetExceeded("this course is over; open and pay for another")
        noise, bound = self._account.noise, self._account.bound
        exact, mechanism = self._frontier._compute_event(event, question, noise), Gaussian(event.statistic, event.rho)
        _check_norm(mechanism, len(exact), len(self._frontier))
        return noise.gaussian(exact, mechanism, bound)


class Descent:
    """Tests that were paid for once, to be made of blocks and then of their parts for as long as they pass."""

    def __init__(self, purpose: str, mechanism: BiasedTest, number: int, account: Account) -> None:
        self.mechanism = mechanism
        self._purpose = purpose
        self._number = number
        self._account = account
        self._bias, self._floor = mechanism.bias(account.bound), mechanism.floor(account.bound)

    def at_most(self, frontier: Frontier) -> Mask:
        """Whether each block's biased noisy statistic is at most the threshold; where it is, its descent is over."""
        mechanism, account = self.mechanism, self._account
        if frontier.account is not account:
            raise PrivacyError(f"{self._purpose}: these blocks belong to another account")
        number = mechanism.first + frontier._count(self._number)
        account.tell(self._purpose, len(frontier))
        exact = frontier._compute(mechanism.statistic.name, 0, len(frontier))
        shift = np.minimum(number, MOST_SHIFT // self._bias) * self._bias  # beyond, all are at the floor
        lowered = np.maximum(exact - shift.reshape(-1, *[1] * (exact.ndim - 1)), self._floor)
        ended = account.noise.at_most(lowered, mechanism.threshold, mechanism.each, account.bound)
        frontier._tests[ended, 0] = OVER
        return ended


class Sample:
    """Choices that were paid for once, by a secret sample of the records, to be made of blocks and of their parts."""

    def __init__(self, purpose: str, mechanism: SampleChoices, number: int, account: Account) -> None:
        self.mechanism = mechanism
        self._purpose = purpose
        self._number = number
        self._account = account

    def axes(self, frontier: Frontier, question: Pairs, allowed: Mask) -> Ints:
        """One chosen axis per block, by how the sample in it answers the question; `allowed` is (blocks, axes)."""
        if frontier.account is not self._account:
            raise PrivacyError(f"{self._purpose}: these blocks belong to another account")
        _check_axes(question, allowed)
        if (frontier._count(self._number) >= self.mechanism.times).any():
            raise BudgetExceeded(f"{self._purpose}: a path has made all its choices; open and pay for others")
        self._account.tell(self._purpose, len(frontier))
        scores = frontier._compute_sample(self.mechanism.statistic.name, question)
        return _chosen_axes(scores, allowed, self.mechanism.each, self._account)


def _check_axes(question: Pairs, allowed: Mask) -> None:
    if allowed.shape != question.cut.shape or not allowed.any(axis=1).all():
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
