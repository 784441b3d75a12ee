"""MemoryBlockData: the private half of a partition, its blocks' cells in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes, Ints, Mask
from ripost.data.split_history import ABSENT, Nodes, SplitHistory, on_all_processors
from ripost.data.tensor import Tensor
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import QueryParameters
from ripost.statistics.block_data import Subsampler
from ripost.statistics.exact_sums import PIECE, pieces
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import run_steps
from ripost.statistics.statistic import Statistic

AT_A_TIME = 2**20  # cells sampled at a time
MOST_DRAWN = 2**24  # rows of one cell that can be sampled


@dataclass
class CellStore:
    """Cells in a fixed order, and the block of each when it was last looked up."""

    coords: NDArray[np.int32]  # (d, cells)
    counts: Ints  # (cells,)
    node: Nodes  # (cells,): number of a block in the split history; replaced, never written to
    known: int  # number of blocks at the last look-up

    def follow(self, paths: SplitHistory) -> None:
        """Look up the blocks of the cells again if blocks were split since."""
        if self.known < paths.made:
            self.node, self.known = paths.follow(self.coords, self.node, self.known), paths.made

    def take(self, kept: Codes) -> CellStore:
        return CellStore(self.coords[:, kept], self.counts[kept], self.node[kept], self.known)


@dataclass
class MemoryBlockData:
    """The cells of disjoint blocks.

    A split is only recorded. Cells are moved to their blocks when a statistic is next computed, through all splits
    since then. If they are a subset of all cells, they are then stored separately, as are those of their halves.
    """

    blocks: Blocks
    nodes: Codes  # numbers of the blocks in the split history
    paths: SplitHistory
    all: CellStore  # the cells of all blocks
    near: CellStore  # a subset that contains the cells of these blocks

    @classmethod
    def of(cls, tensor: Tensor) -> MemoryBlockData:
        """All cells, as one block."""
        return cls._whole(tensor, tensor.counts)

    @classmethod
    def of_measures(cls, tensor: Tensor) -> list[MemoryBlockData]:
        """All cells, as one block, with the sums of each measure in place of counts; they may be negative."""
        return [] if tensor.sums is None else [cls._whole(tensor, sums) for sums in tensor.sums]

    @classmethod
    def _whole(cls, tensor: Tensor, counts: Ints) -> MemoryBlockData:
        whole = Blocks.whole(tensor.domain.shape)
        owner = np.broadcast_to(np.int64(0), len(counts))
        return cls.on(Layout(whole, _across(tensor.coords), counts, owner))

    @classmethod
    def on(cls, layout: Layout) -> MemoryBlockData:
        """All cells of a layout."""
        node = (
            np.broadcast_to(np.int32(0), len(layout.owner))
            if len(layout.blocks) == 1
            else layout.owner.astype(np.int32)
        )
        held = CellStore(layout.coords, layout.counts, node, len(layout.blocks))
        return cls(layout.blocks, np.arange(len(layout.blocks)), SplitHistory(len(layout.blocks)), held, held)

    @cached_property
    def layout(self) -> Layout:
        """The cells of these blocks alone."""
        held = self.near
        held.follow(self.paths)
        number, every = self.paths.owners(self.nodes)
        owner = _looked_up(number, held.node)
        if not every:
            kept = np.flatnonzero(owner != ABSENT)
            if len(kept) < len(owner):
                held, owner = held.take(kept), owner[kept]
                self.near = held
        return Layout(self.blocks, held.coords, held.counts, owner)

    def compute(self, statistic: Statistic, first: int, last: int, parameters: QueryParameters | None = None) -> Ints:
        """Return a statistic of blocks `first` to `last`, concatenated."""
        layout = self.layout
        if (first, last) != (0, len(self.blocks)):
            kept = np.flatnonzero((layout.owner >= first) & (layout.owner < last))
            some = self.blocks.take(np.arange(first, last))
            layout = Layout(some, layout.coords[:, kept], layout.counts[kept], layout.owner[kept] - first)
        steps = statistic.steps(layout.blocks) if parameters is None else statistic.steps(layout.blocks, parameters)
        return run_steps(steps, lambda sums: sums(layout))

    def split(self, axis: Codes, cut: Codes) -> MemoryBlockData:
        """The cells of each block's two halves, in the order of Blocks.split."""
        halves = self.blocks.split(axis, cut)
        return MemoryBlockData(halves, self.paths.split(self.nodes, axis, cut), self.paths, self.all, self.near)

    def select(self, mask: Mask) -> tuple[MemoryBlockData, MemoryBlockData]:
        """The cells of the blocks where the mask holds, and of the others."""
        some, others = np.flatnonzero(mask), np.flatnonzero(~mask)
        near = self.all if len(others) else self.near
        chosen = MemoryBlockData(self.blocks.take(some), self.nodes[some], self.paths, self.all, near)
        return chosen, MemoryBlockData(self.blocks.take(others), self.nodes[others], self.paths, self.all, self.near)

    def merge(self, others: Sequence[MemoryBlockData]) -> MemoryBlockData:
        """The cells of these blocks and of the others."""
        parts = [self, *others]
        lower, upper = (np.concatenate([getattr(part.blocks, side) for part in parts]) for side in ("lower", "upper"))
        nodes = np.concatenate([part.nodes for part in parts])
        if any(part.paths is not self.paths for part in parts):
            raise PrivacyError("these blocks lie on different paths")
        return MemoryBlockData(Blocks(lower, upper), nodes, self.paths, self.all, self.all)

    def subsample(self, draw: Subsampler) -> MemoryBlockData:
        """The same blocks with a sample of each cell's rows; `draw` draws its size."""
        layout = self.layout
        which, drawn = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for cells in pieces(max(len(layout.counts), 1), AT_A_TIME):
            counts = draw(np.minimum(layout.counts[cells], MOST_DRAWN))
            kept = np.flatnonzero(counts)
            which.append(kept + cells.start)
            drawn.append(counts[kept])
        taken = np.concatenate(which)
        return MemoryBlockData.on(
            Layout(layout.blocks, layout.coords[:, taken], np.concatenate(drawn), layout.owner[taken])
        )


def _looked_up(number: Codes, node: Nodes) -> Ints:
    """The number of each cell's block."""
    if len(number) == 1:
        return np.broadcast_to(number[0], len(node))
    owner = np.empty(len(node), np.int64)

    def look_up(first: int, last: int) -> None:
        for cells in pieces(last - first, PIECE):  # keeps NumPy's temporary copies short
            owner[first:last][cells] = number.take(node[first:last][cells])

    on_all_processors(look_up, len(node))
    return owner


def _across(coords: NDArray[np.int32]) -> NDArray[np.int32]:
    """Transpose coordinates (n, d) to (d, n), piece by piece, so that memory is read once."""
    found = np.empty(coords.shape[::-1], np.int32)

    def turn(first: int, last: int) -> None:
        for cells in pieces(last - first, PIECE):
            found[:, first:last][:, cells] = coords[first:last][cells].T

    on_all_processors(turn, len(coords))
    return found
