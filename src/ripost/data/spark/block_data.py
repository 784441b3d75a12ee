"""SparkCells: the private half of a partition, its blocks' cells on a cluster (privacy/proofs/spread.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ripost.arrays import Codes, Ints, Mask
from ripost.data.memory import MemoryBlockData
from ripost.data.spark.chunks import SumUp
from ripost.data.spark.owners import Owners
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import QueryParameters
from ripost.space.tree import Growth
from ripost.statistics.block_data import Subsampler
from ripost.statistics.map_reduce import Sums, run_steps
from ripost.statistics.statistic import Statistic

if TYPE_CHECKING:
    from ripost.data.spark.distributed_cells import DistributedCells


@dataclass(frozen=True)
class SparkCells:
    """Disjoint blocks, as nodes of one tree of splits. Cells stay where they are: executors get the splits."""

    cells: DistributedCells
    growth: Growth
    blocks: Blocks
    nodes: Codes  # numbers of the blocks in the tree

    @classmethod
    def of(cls, cells: DistributedCells) -> SparkCells:
        shape = cells.domain.shape
        return cls(cells, Growth(shape), Blocks.whole(shape), np.array([0]))

    def compute(self, statistic: Statistic, first: int, last: int, parameters: QueryParameters | None = None) -> Ints:
        """Return a statistic of blocks `first` to `last`, concatenated."""
        if statistic.in_memory_only:
            raise PrivacyError(f"{statistic.name} is no sum over cells, so executors cannot compute it")
        which = np.arange(first, last)
        blocks, owners = self.blocks.take(which), Owners.of(self.growth.tree(), self.nodes[which])
        steps = statistic.steps(blocks) if parameters is None else statistic.steps(blocks, parameters)
        return run_steps(steps, partial(self._sum_up, blocks, owners))

    def split(self, axis: Codes, cut: Codes) -> SparkCells:
        """The cells of each block's two halves, in the order of Blocks.split."""
        halves = self.blocks.split(axis, cut)
        return SparkCells(self.cells, self.growth, halves, self.growth.split(self.nodes, axis, cut))

    def select(self, mask: Mask) -> tuple[SparkCells, SparkCells]:
        """The cells of the blocks where the mask holds, and of the others."""
        return self._take(mask), self._take(~mask)

    def merge(self, others: Sequence[SparkCells]) -> SparkCells:
        """The cells of these blocks and of the others."""
        parts = [self, *others]
        lower, upper = (np.concatenate([getattr(part.blocks, side) for part in parts]) for side in ("lower", "upper"))
        nodes = np.concatenate([part.nodes for part in parts])
        return SparkCells(self.cells, self.growth, Blocks(lower, upper), nodes)

    def subsample(self, draw: Subsampler) -> MemoryBlockData:
        """A sample of the rows of all cells, as one block, in the memory of the driver."""
        if len(self.nodes) != 1 or self.nodes[0] != 0:
            raise PrivacyError("samples of cells on a cluster are drawn of all of them")
        sampler = draw.with_key()
        return (
            MemoryBlockData.of(self.cells.gather()).subsample(draw)
            if sampler is None
            else MemoryBlockData.of(self.cells.subsample(sampler))
        )

    def _take(self, mask: Mask) -> SparkCells:
        return SparkCells(self.cells, self.growth, self.blocks.take(mask), self.nodes[mask])

    def _sum_up(self, blocks: Blocks, owners: Owners, sums: Sums) -> Ints:
        return self.cells.sum_up(SumUp(sums, blocks, owners))
