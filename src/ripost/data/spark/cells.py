"""SparkCells: the private half of a frontier, its blocks' cells on a cluster (privacy/proofs/spread.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ripost.data.cells import ROUNDS, Cells
from ripost.data.rounds import Sums, settled
from ripost.data.spark.chunks import Coins, SumUp
from ripost.data.spark.owners import Owners
from ripost.data.statistics import Ints
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks, Codes, Mask
from ripost.space.question import Question
from ripost.space.tree import Growth

if TYPE_CHECKING:
    from ripost.data.spark.spread import Spread


class Draw(Protocol):
    """How many of a cell's records are in a secret part."""

    def __call__(self, counts: Ints) -> Ints: ...

    def spread(self) -> Coins | None: ...


@dataclass(frozen=True)
class SparkCells:
    """Blocks that share no cell, as nodes of one tree of cuts. Cells never move: cuts are sent to where they lie."""

    spread: Spread
    growth: Growth
    blocks: Blocks
    nodes: Codes  # numbers of the blocks in the tree

    @classmethod
    def of(cls, spread: Spread) -> SparkCells:
        shape = spread.domain.shape
        return cls(spread, Growth(shape), Blocks.whole(shape), np.array([0]))

    def compute(self, statistic: str, first: int, last: int, question: Question | None = None) -> Ints:
        """A statistic of blocks first to last, laid end to end."""
        if statistic not in ROUNDS:
            raise PrivacyError(f"{statistic} is no sum over cells, so executors cannot compute it")
        which = np.arange(first, last)
        blocks, owners = self.blocks.take(which), Owners.of(self.growth.tree(), self.nodes[which])
        rounds = ROUNDS[statistic](blocks) if question is None else ROUNDS[statistic](blocks, question)
        return settled(rounds, partial(self._sum_up, blocks, owners))

    def split(self, axis: Codes, cut: Codes) -> SparkCells:
        """The cells of each block's two halves, in the order of Blocks.split."""
        halves = self.blocks.split(axis, cut)
        return SparkCells(self.spread, self.growth, halves, self.growth.split(self.nodes, axis, cut))

    def part(self, mask: Mask) -> tuple[SparkCells, SparkCells]:
        """The cells of the blocks where the mask holds, and of the others."""
        return self._take(mask), self._take(~mask)

    def join(self, others: Sequence[SparkCells]) -> SparkCells:
        """The cells of these blocks and of the others."""
        parts = [self, *others]
        lower, upper = (np.concatenate([getattr(part.blocks, side) for part in parts]) for side in ("lower", "upper"))
        nodes = np.concatenate([part.nodes for part in parts])
        return SparkCells(self.spread, self.growth, Blocks(lower, upper), nodes)

    def thin(self, draw: Draw) -> Cells:
        """A part of the records of all cells, as those of one block, in the memory of the driver."""
        if len(self.nodes) != 1 or self.nodes[0] != 0:
            raise PrivacyError("samples of cells on a cluster are drawn of all of them")
        coins = draw.spread()
        return Cells.of(self.spread.gathered()).thin(draw) if coins is None else Cells.of(self.spread.thinned(coins))

    def _take(self, mask: Mask) -> SparkCells:
        return SparkCells(self.spread, self.growth, self.blocks.take(mask), self.nodes[mask])

    def _sum_up(self, blocks: Blocks, owners: Owners, sums: Sums) -> Ints:
        return self.spread.sum_up(SumUp(sums, blocks, owners))
