"""Cells: the private half of a frontier, the cells of its blocks kept block by block in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.space.blocks import Blocks, Codes, Mask
from ripost.tensor.cut_scores import deviation_of_cuts, mixture_of_cuts
from ripost.tensor.statistics import Ints, Layout, deviations, running, totals
from ripost.tensor.tensor import Tensor

STATISTICS = {
    "total": totals,
    "deviation": deviations,
    "mixture of cut": mixture_of_cuts,
    "deviation of cut": deviation_of_cuts,
}


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of some blocks that share none."""

    layout: Layout

    @classmethod
    def of(cls, tensor: Tensor) -> Cells:
        """All cells, as those of one block."""
        whole = Blocks.whole(tensor.domain.shape)
        start = np.array([0, len(tensor.counts)])
        return cls(Layout(whole, np.ascontiguousarray(tensor.coords.T), tensor.counts, start))

    def compute(self, statistic: str, first: int, last: int) -> Ints:
        """A statistic of blocks first to last, laid end to end."""
        return STATISTICS[statistic](self._slice(first, last))

    def split(self, axis: Codes, cut: Codes) -> Cells:
        """The cells of each block's two halves, in the order of Blocks.split."""
        layout = self.layout
        owner = layout.owner
        at = layout.coords[axis[owner], np.arange(len(owner))]
        right = (at >= cut[owner]).astype(np.int64)
        rights_before = running(right)
        within = rights_before[:-1] - rights_before[layout.start[:-1]][owner]  # rights before a cell in its block
        lefts = np.diff(layout.start) - (rights_before[layout.start[1:]] - rights_before[layout.start[:-1]])
        first = layout.start[:-1][owner]
        rank = np.arange(len(owner)) - first
        place = np.where(right, first + lefts[owner] + within, first + rank - within)
        order = np.empty_like(place)
        order[place] = np.arange(len(place))
        start = np.empty(2 * len(lefts) + 1, np.int64)
        start[0::2] = layout.start
        start[1::2] = layout.start[:-1] + lefts
        return Cells(Layout(layout.blocks.split(axis, cut), layout.coords[:, order], layout.counts[order], start))

    def part(self, mask: Mask) -> tuple[Cells, Cells]:
        """The cells of the blocks where the mask holds, and of the others."""
        return self._take(mask), self._take(~mask)

    @staticmethod
    def join(parts: Sequence[Cells]) -> Cells:
        """The cells of all these blocks."""
        layouts = [part.layout for part in parts]
        widths = np.concatenate([np.diff(layout.start) for layout in layouts])
        return Cells(
            Layout(
                Blocks(
                    np.concatenate([layout.blocks.lower for layout in layouts]),
                    np.concatenate([layout.blocks.upper for layout in layouts]),
                ),
                np.concatenate([layout.coords for layout in layouts], axis=1),
                np.concatenate([layout.counts for layout in layouts]),
                running(widths),
            )
        )

    def _take(self, mask: Mask) -> Cells:
        layout = self.layout
        if mask.all():
            return self
        cells = np.repeat(mask, np.diff(layout.start))
        start = running(np.diff(layout.start)[mask])
        return Cells(
            Layout(layout.blocks.take(mask), layout.coords[:, cells], layout.counts[cells], start)
        )

    def _slice(self, first: int, last: int) -> Layout:
        layout = self.layout
        cells = slice(layout.start[first], layout.start[last])
        blocks = Blocks(layout.blocks.lower[first:last], layout.blocks.upper[first:last])
        start = layout.start[first : last + 1] - layout.start[first]
        return Layout(blocks, layout.coords[:, cells], layout.counts[cells], start)
