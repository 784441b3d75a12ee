"""Partition: blocks that share no cell, and the state of the path to each.

One row lies in at most one block of a partition, so a draw over it costs each path the price of one block (parallel
composition, proofs/composition.md). A block is in exactly one partition that is alive: split, select and merge retire
the partition that they are called on.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Ints, Mask
from ripost.errors import PrivacyError
from ripost.privacy.gaussian_accounting import DpEvent
from ripost.privacy.ledger import Charge
from ripost.privacy.paths import AccountPaths
from ripost.privacy.subsampling import RowSampler
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import QueryParameters
from ripost.statistics.block_data import BlockData
from ripost.statistics.statistic import Statistic

OVER = 0  # number of the sequence of a block that is on none


class Partition:
    """Disjoint blocks of an account."""

    def __init__(
        self,
        account: AccountPaths,
        blocks: Blocks,
        cells: BlockData,
        state: Ints,
        tests: Ints,
        sample: BlockData | None = None,
    ) -> None:
        self.account = account
        self.blocks = blocks
        self._cells = cells
        self._sample = sample  # the same blocks, with the rows of a sample
        self._state = state  # (n,): the state of each block's path
        self._tests = tests  # (n, 2): the sequence that each block is on, and how many of its draws were made
        self._alive = True

    def __len__(self) -> int:
        return len(self.blocks)

    @property
    def unspent(self) -> tuple[list[Fraction], Ints]:
        """The distinct amounts that paths have left, exact, and the number of the amount of each block's path."""
        return self.account.unspent(self._state)

    def split(self, axis: Codes, cut: Codes) -> Partition:
        """The two halves of every block: left 0, right 0, left 1, right 1, …"""
        self._retire()
        self.account.count_splits(self._state)
        halves, cells = self.blocks.split(axis, cut), self._cells.split(axis, cut)
        sample = None if self._sample is None else self._sample.split(axis, cut)
        state, tests = self._state.repeat(2), self._tests.repeat(2, axis=0)
        return Partition(self.account, halves, cells, state, tests, sample)

    def select(self, mask: Mask) -> tuple[Partition, Partition]:
        """The blocks where the mask holds, and the others."""
        if mask.dtype != np.bool_ or mask.shape != (len(self),):
            raise PrivacyError("a mask must have one boolean per block, or a block could be used twice")
        self._retire()
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
            part._retire()
        lower, upper = (np.concatenate([getattr(p.blocks, side) for p in parts]) for side in ("lower", "upper"))
        cells = self._cells.merge([other._cells for other in others])
        state, tests = (np.concatenate([getattr(p, name) for p in parts]) for name in ("_state", "_tests"))
        samples = [part._sample for part in parts if part._sample is not None]
        sample = samples[0].merge(samples[1:]) if len(samples) == len(parts) else None
        return Partition(self.account, Blocks(lower, upper), cells, state, tests, sample)

    def charge(self, entry: Charge) -> None:
        """Charge every block's path; BudgetExceeded, and no charge, if one has too little left."""
        self._require_alive()
        self._state = self.account.charge(self._state, entry)

    def _start_sequence(self, number: int, *, rate: Fraction | None = None) -> None:
        """Put all blocks on this sequence; a rate draws the secret sample that its choices read."""
        if rate is not None:
            self._sample = self._cells.subsample(RowSampler(self.account.noise, rate))
        self._tests[:] = number, 0

    def _end_sequence(self, ended: Mask) -> None:
        """Take these blocks off their sequence."""
        self._tests[ended, 0] = OVER

    def _require_alive(self) -> None:
        if not self._alive:
            raise PrivacyError("these blocks were split, selected or merged; use the partition that resulted")

    def _retire(self) -> None:
        self._require_alive()
        self._alive = False

    def _count(self, sequence: int) -> Ints:
        """The number of earlier draws of the sequence over each block, after counting one more."""
        self._require_alive()
        if not (self._tests[:, 0] == sequence).all():
            raise PrivacyError("a block is not on this sequence, or its sequence is over")
        self._tests[:, 1] += 1
        return self._tests[:, 1] - 1

    def _compute(self, statistic: Statistic, first: int, last: int, parameters: QueryParameters | None = None) -> Ints:
        return self._cells.compute(statistic, first, last, parameters)

    def _compute_event(self, event: DpEvent, parameters: QueryParameters | None) -> Ints:
        """The statistic of an event, of all rows or of a fresh secret sample."""
        sampled = event.rate < 1
        cells = self._cells.subsample(RowSampler(self.account.noise, event.rate)) if sampled else self._cells
        return cells.compute(event.statistic, 0, len(self), parameters)

    def _compute_sample(self, statistic: Statistic, parameters: QueryParameters) -> Ints:
        if self._sample is None:
            raise PrivacyError("these blocks have no sample")
        return self._sample.compute(statistic, 0, len(self), parameters)
