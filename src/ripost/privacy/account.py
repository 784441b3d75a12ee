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
from typing import Protocol, Self

import numpy as np

from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.accountant import Event
from ripost.privacy.draws import OVER, Descent, Sample, Term
from ripost.privacy.ledger import Currency, Entry, Ledger, Step
from ripost.privacy.mechanisms import BiasedTest, Composed, Laplace, Mechanism, SampleChoices
from ripost.privacy.noise import Ints, Noise, Thinning
from ripost.privacy.sensitivity import STATISTICS
from ripost.space.blocks import Blocks, Codes, Mask
from ripost.space.question import Question

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
        states, _ = _census(self._state)
        left = [self.account.epsilon - self.account.spent(state) for state in states.tolist()]
        amounts = sorted(set(left))
        which = np.zeros(int(states[-1]) + 1 if len(states) else 0, np.int64)
        which[states] = [amounts.index(amount) for amount in left]
        return amounts, which[self._state]

    def split(self, axis: Codes, cut: Codes) -> Frontier:
        """The two halves of every block: left 0, right 0, left 1, right 1, …"""
        self.retire()
        self.account.settle(self._state, 1)
        halves, cells = self.blocks.split(axis, cut), self._cells.split(axis, cut)
        sample = None if self._sample is None else self._sample.split(axis, cut)
        state, tests = self._state.repeat(2), self._tests.repeat(2, axis=0)
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
            for side, held, sample in zip(map(np.flatnonzero, (mask, ~mask)), cells, samples, strict=True)
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

    def foresee(self, mechanism: Laplace, number: int) -> None:
        """Say that about so many values will need this noise. It may be drawn beside other work, and meets no value
        before that is paid for.
        """
        self.noise.foresee(mechanism, self.bound, number)

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
            terms=mechanism.terms,
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
        old, blocks = _census(states)
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

    def settle(self, states: Ints, extra: int) -> None:
        """Note that each path now ends in so many more blocks."""
        for state, number in zip(*map(np.ndarray.tolist, _census(states)), strict=True):
            self._ended[state] += number * extra

    @property
    def ledger(self) -> Ledger:
        steps = zip(self._steps, self._ended, strict=True)
        return Ledger(tuple(self._entries), tuple(Step(after, entry, ended) for (after, entry), ended in steps))


def _census(states: Ints) -> tuple[Ints, Ints]:
    """The different states, in order, and how many blocks are in each."""
    number: Ints = np.bincount(states)
    found = np.flatnonzero(number)
    return found, number[found]
