"""Cells: the private half of a frontier, its blocks' cells in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ripost.space.blocks import Blocks, Codes, Mask
from ripost.space.question import Question
from ripost.tensor.bounded import responsibilities, second_moments
from ripost.tensor.cut_scores import deviation_of_cuts, mixture_of_cuts, rounds_of_cut_deviation, rounds_of_mixture
from ripost.tensor.dependence import dependences, rounds_of_dependence
from ripost.tensor.gradients import gradients
from ripost.tensor.products import rounds_of_weighted_sum, weighted_sums
from ripost.tensor.questions import (
    discrepancies,
    distances,
    part_totals,
    rounds_of_discrepancy,
    rounds_of_distance,
    rounds_of_part_total,
)
from ripost.tensor.rounds import Rounds
from ripost.tensor.runs import rounds_of_run_deviation, run_deviations
from ripost.tensor.statistics import Ints, Layout, deviations, halves, rounds_of_deviation, rounds_of_total, totals
from ripost.tensor.tensor import Tensor

STATISTICS: dict[str, Callable[..., Ints]] = {
    "total": totals,
    "deviation": deviations,
    "mixture of cut": mixture_of_cuts,
    "deviation of cut": deviation_of_cuts,
    "total of part": part_totals,
    "discrepancy": discrepancies,
    "weighted sum": weighted_sums,
    "deviation of run": run_deviations,
    "second moment": second_moments,
    "responsibility": responsibilities,
    "gradient": gradients,
    "dependence": dependences,
    "distance": distances,
}
ROUNDS: dict[str, Callable[..., Rounds]] = {  # those that are sums over cells; by blocks, not cells
    "total": rounds_of_total,
    "deviation": rounds_of_deviation,
    "mixture of cut": rounds_of_mixture,
    "deviation of cut": rounds_of_cut_deviation,
    "total of part": rounds_of_part_total,
    "discrepancy": rounds_of_discrepancy,
    "weighted sum": rounds_of_weighted_sum,
    "deviation of run": rounds_of_run_deviation,
    "dependence": rounds_of_dependence,
    "distance": rounds_of_distance,
}
ABSENT = -1
NEVER = 2**31 - 1  # above every code
MOST_DRAWN = 2**24  # records of one cell that can be drawn from


@dataclass(frozen=True)
class Cells:
    """The cells of some blocks that share none.

    Cells never move: a cut changes only which block owns each. Blocks that were parted from the others are struck
    from `number`, and their cells are left out when a statistic is next asked for, so that parting twice copies once.
    """

    blocks: Blocks
    coords: NDArray[np.int32]  # (d, cells)
    counts: Ints  # (cells,)
    owner: Ints  # (cells,): index into `number`
    number: Codes  # of an owner among `blocks`, or ABSENT

    @classmethod
    def of(cls, tensor: Tensor) -> Cells:
        """All cells, as those of one block."""
        whole = Blocks.whole(tensor.domain.shape)
        owner = np.zeros(len(tensor.counts), np.int64)
        return cls.on(Layout(whole, np.ascontiguousarray(tensor.coords.T), tensor.counts, owner))

    @classmethod
    def on(cls, layout: Layout) -> Cells:
        """All cells of a layout."""
        return cls(layout.blocks, layout.coords, layout.counts, layout.owner, np.arange(len(layout.blocks)))

    @cached_property
    def layout(self) -> Layout:
        """The cells of these blocks alone."""
        if len(self.blocks) == len(self.number):  # none was struck
            return Layout(self.blocks, self.coords, self.counts, self.owner)
        if len(self.blocks) == 0:
            return Layout(self.blocks, self.coords[:, :0], self.counts[:0], self.owner[:0])
        owner = self.number[self.owner]
        kept = np.flatnonzero(owner != ABSENT)
        return Layout(self.blocks, self.coords[:, kept], self.counts[kept], owner[kept])

    def compute(self, statistic: str, first: int, last: int, question: Question | None = None) -> Ints:
        """A statistic of blocks first to last, laid end to end."""
        layout = self.layout
        if (first, last) != (0, len(self.blocks)):
            which = np.arange(first, last)
            number = np.full(len(self.blocks), ABSENT)
            number[which] = which - first
            layout = Cells(self.blocks.take(which), layout.coords, layout.counts, layout.owner, number).layout
        return STATISTICS[statistic](layout) if question is None else STATISTICS[statistic](layout, question)

    def split(self, axis: Codes, cut: Codes) -> Cells:
        """The cells of each block's two halves, in the order of Blocks.split."""
        struck = 2 * len(self.blocks)  # owns the cells of all blocks that were struck
        left = np.append(2 * np.arange(len(self.blocks)), struck)[self.number]
        along, at = np.append(axis, 0)[self.number], np.append(cut, NEVER)[self.number]
        owner = halves(self.coords, self.owner, left, along, at)
        number = np.arange(struck + 1)
        number[struck] = ABSENT
        if len(self.blocks) == len(self.number):
            number = number[:struck]
        halved = Cells(self.blocks.split(axis, cut), self.coords, self.counts, owner, number)
        return Cells.on(halved.layout) if np.count_nonzero(owner == struck) > len(owner) // 2 else halved

    def part(self, mask: Mask) -> tuple[Cells, Cells]:
        """The cells of the blocks where the mask holds, and of the others."""
        chosen, rest = self._take(mask), self._take(~mask)
        return Cells.on(chosen.layout), rest  # the chosen ones are often put by: let them hold on to no others

    def join(self, others: Sequence[Cells]) -> Cells:
        """The cells of these blocks and of the others."""
        parts = [self, *others]
        before = np.cumsum([0, *(len(part.blocks) for part in parts[:-1])])
        layouts = [part.layout for part in parts]
        return Cells.on(
            Layout(
                Blocks(
                    np.concatenate([layout.blocks.lower for layout in layouts]),
                    np.concatenate([layout.blocks.upper for layout in layouts]),
                ),
                np.concatenate([layout.coords for layout in layouts], axis=1),
                np.concatenate([layout.counts for layout in layouts]),
                np.concatenate([layout.owner + n for layout, n in zip(layouts, before.tolist(), strict=True)]),
            )
        )

    def thin(self, draw: Callable[[Ints], Ints]) -> Cells:
        """The same blocks with a part of each cell's records: `draw` says how many."""
        layout = self.layout
        counts = draw(np.minimum(layout.counts, MOST_DRAWN))
        kept = np.flatnonzero(counts)
        return Cells.on(Layout(layout.blocks, layout.coords[:, kept], counts[kept], layout.owner[kept]))

    def _take(self, mask: Mask) -> Cells:
        if mask.all():
            return self
        renumbered = np.where(mask, np.cumsum(mask) - 1, ABSENT)
        number = np.where(self.number == ABSENT, ABSENT, np.append(renumbered, ABSENT)[self.number])
        return Cells(self.blocks.take(mask), self.coords, self.counts, self.owner, number)
