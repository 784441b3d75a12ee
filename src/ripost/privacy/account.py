"""Account: pays for every draw before it is made, along every path of blocks.

Blocks of a partition share no cell, so one record lies in at most one of them: a draw over the partition costs each
block's path the price of one block (parallel composition), and what a path pays adds up (sequential composition,
also when later choices depend on earlier results; proofs/composition.md). To keep this true by construction a
block is in exactly one partition that is still alive: cutting, parting or joining a partition uses it up.

A descent is paid once for a block and all that comes of it; a partition remembers which descent each of its blocks is
on and how often it was tested, so that no method can make a test tell more than was paid for (proofs/biased_test.md).
So it is with choices by a sample, which goes along with the partition (proofs/sample_choices.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Ints, Mask
from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.gaussian_accounting import DpEvent
from ripost.privacy.ledger import Charge, Currency, Ledger, Step
from ripost.privacy.mechanisms import BiasedThresholdTest, ComposedMechanism, Laplace, Mechanism, SampleChoices
from ripost.privacy.noise import Noise
from ripost.privacy.paid_queries import OVER, PaidQuery, PaidSampleChoices, ThresholdSequence
from ripost.privacy.subsampling import RowSampler
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import QueryParameters
from ripost.statistics.block_data import BlockData
from ripost.statistics.statistic import Statistic, is_proved

Watch = Callable[[str, int], None]  # told the purpose and the number of blocks of each draw


class Partition:
    """Blocks that share no cell, and what the path to each has paid."""

    def __init__(
        self,
        account: Account,
        blocks: Blocks,
        cells: BlockData,
        state: Ints,
        tests: Ints,
        sample: BlockData | None = None,
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

    def split(self, axis: Codes, cut: Codes) -> Partition:
        """The two halves of every block: left 0, right 0, left 1, right 1, …"""
        self.retire()
        self.account.settle(self._state, 1)
        halves, cells = self.blocks.split(axis, cut), self._cells.split(axis, cut)
        sample = None if self._sample is None else self._sample.split(axis, cut)
        state, tests = self._state.repeat(2), self._tests.repeat(2, axis=0)
        return Partition(self.account, halves, cells, state, tests, sample)

    def select(self, mask: Mask) -> tuple[Partition, Partition]:
        """The blocks where the mask holds, and the others."""
        if mask.dtype != np.bool_ or mask.shape != (len(self),):
            raise PrivacyError("a mask must say yes or no once for every block, or blocks could be had twice")
        self.retire()
        cells = self._cells.select(mask)
        samples = (None, None) if self._sample is None else self._sample.select(mask)
        chosen, rest = (
            Partition(self.account, self.blocks.take(side), held, self._state[side], self._tests[side], sample)
            for side, held, sample in zip(map(np.flatnonzero, (mask, ~mask)), cells, samples, strict=True)
        )
        return chosen, rest

    def merge(self, *others: Partition) -> Partition:
        """All these blocks as one partition, in order."""
        parts = (self, *others)
        if any(part.account is not self.account for part in parts):
            raise PrivacyError("these blocks belong to different accounts")
        for part in parts:
            part.retire()
        lower, upper = (np.concatenate([getattr(p.blocks, side) for p in parts]) for side in ("lower", "upper"))
        cells = self._cells.merge([other._cells for other in others])
        state, tests = (np.concatenate([getattr(p, name) for p in parts]) for name in ("_state", "_tests"))
        samples = [part._sample for part in parts if part._sample is not None]
        sample = samples[0].merge(samples[1:]) if len(samples) == len(parts) else None
        return Partition(self.account, Blocks(lower, upper), cells, state, tests, sample)

    def retire(self) -> None:
        """Use the partition up; PrivacyError if it already was."""
        if not self._alive:
            raise PrivacyError("these blocks were cut, parted or joined: ask the partition that came of it")
        self._alive = False

    def pay(self, entry: Charge) -> None:
        """Charge every block's path; BudgetExceeded, and nothing charged, if one cannot afford it."""
        if not self._alive:
            raise PrivacyError("these blocks were cut, parted or joined: ask the partition that came of it")
        self._state = self.account.charge(self._state, entry)

    def _compute_event(self, event: DpEvent, parameters: QueryParameters | None, noise: Noise) -> Ints:
        """The statistic of an event, of all records or of a sample that nobody learns."""
        sampled = event.rate < 1
        cells = self._cells.subsample(RowSampler(noise, event.rate)) if sampled else self._cells
        return cells.compute(event.statistic, 0, len(self), parameters)

    def _draw_sample(self, number: int, rate: Fraction) -> None:
        """Let each record be in a sample with this probability; nobody learns which are."""
        self._sample = self._cells.subsample(RowSampler(self.account.noise, rate))
        self._tests[:] = number, 0

    def _compute_sample(self, statistic: Statistic, parameters: QueryParameters) -> Ints:
        if self._sample is None:
            raise PrivacyError("these blocks have no sample")
        return self._sample.compute(statistic, 0, len(self), parameters)

    def _count(self, descent: int) -> Ints:
        """How many tests of the descent each block had before, now that it has one more."""
        if not self._alive:
            raise PrivacyError("these blocks were cut, parted or joined: ask the partition that came of it")
        if not (self._tests[:, 0] == descent).all():
            raise PrivacyError("a block that is not on this descent, or whose descent is over, cannot be tested")
        self._tests[:, 1] += 1
        return self._tests[:, 1] - 1

    def _compute(self, statistic: Statistic, first: int, last: int, parameters: QueryParameters | None = None) -> Ints:
        return self._cells.compute(statistic, first, last, parameters)


class Account:
    """The budget of one release, the partition it starts from, and the ledger of what was paid."""

    def __init__(
        self,
        cells: BlockData,
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
        self._entries: list[Charge] = []
        self._steps: list[tuple[int | None, int | None]] = [(None, None)]
        self._spent = [Fraction(0)]
        self._ended = [1]
        self._descents = OVER
        self.root = Partition(self, Blocks.whole(shape), cells, np.zeros(1, np.int64), np.zeros((1, 2), np.int64))

    def charge_query(self, purpose: str, mechanism: Mechanism, partition: Partition) -> PaidQuery:
        """Pay for one draw over the partition; the term that it returns can be drawn once."""
        self._pay(purpose, mechanism, partition)
        return PaidQuery(mechanism, partition, self)

    def prefetch_noise(self, mechanism: Laplace, number: int) -> None:
        """Say that about so many values will need this noise. It may be drawn beside other work, and meets no value
        before that is paid for.
        """
        self.noise.prefetch_noise(mechanism, self.bound, number)

    def charge_threshold_sequence(
        self, purpose: str, mechanism: BiasedThresholdTest, partition: Partition
    ) -> ThresholdSequence:
        """Pay once for tests of these blocks and of all that comes of them; a block leaves any descent it was on."""
        descent = ThresholdSequence(purpose, mechanism, self._descents + 1, self)
        self._pay(purpose, mechanism, partition)
        self._descents += 1
        partition._tests[:] = self._descents, 0
        return descent

    def charge_sample_choices(self, purpose: str, mechanism: SampleChoices, partition: Partition) -> PaidSampleChoices:
        """Pay once for choices by a secret sample of these blocks' records, and draw it."""
        if self.bound > 1:
            raise PrivacyError("a sample of steps is no sample of records: sums cannot be drawn from a part")
        sample = PaidSampleChoices(purpose, mechanism, self._descents + 1, self)
        self._pay(purpose, mechanism, partition)
        self._descents += 1
        partition._draw_sample(self._descents, mechanism.rate)
        return sample

    def _pay(self, purpose: str, mechanism: Mechanism, partition: Partition) -> None:
        if partition.account is not self:
            raise PrivacyError(f"{purpose}: these blocks belong to another account")
        if self.currency is Currency.ACCOUNTED and (
            not isinstance(mechanism, ComposedMechanism)
            or (mechanism.cost, mechanism.delta) != (self.epsilon, self.delta)
        ):
            raise PrivacyError(
                f"{purpose}: an account of epsilon at a delta pays for one course of draws at that delta, all at once"
            )
        price = mechanism.price(self.currency)
        if mechanism.cost <= 0:
            raise PrivacyError(f"{purpose}: a draw must cost something, got {mechanism.cost}")
        events = mechanism.events if isinstance(mechanism, ComposedMechanism) else ()
        for statistic in (mechanism.statistic, *(event.statistic for event in events)):
            if not is_proved(statistic):
                raise PrivacyError(f"{purpose}: no proof of the sensitivity of {statistic.name!r}")
        entry = Charge(
            purpose=purpose,
            mechanism=mechanism.title,
            statistic=mechanism.statistic.name,
            sensitivity=mechanism.statistic.sensitivity(self.bound),
            epsilon=price,
            scale=mechanism.scale(self.bound),
            blocks=len(partition),
            terms=mechanism.terms,
        )
        if len(partition):
            partition.pay(entry)
        self.tell(purpose, len(partition))

    def tell(self, purpose: str, blocks: int) -> None:
        """Let who watches know of a draw."""
        if self._watch is not None:
            self._watch(purpose, blocks)

    def spent(self, step: int) -> Fraction:
        return self._spent[step]

    def charge(self, states: Ints, entry: Charge) -> Ints:
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
