"""Scores of every way to cut each block in two, in the order of space.cuts: by block, then axis, then position."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from ripost.arrays import Ints, Mask
from ripost.space.blocks import Blocks
from ripost.statistics.deviation import deviation_of, exact_deviation
from ripost.statistics.exact_sums import capped_slabs, ranks, running, sums_at
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import LARGEST, PROOFS, Statistic

Pair = tuple[Ints, Ints]  # of left and of right halves
Dense = tuple[tuple[Ints, Ints, Ints], ...]  # of each axis: cuts with dense left halves, with dense right ones, means


@dataclass(frozen=True, slots=True)
class Lines:
    """The codes of every axis of every block, concatenated. Line number = block * dimensions + axis."""

    blocks: Blocks
    first: Ints  # (lines + 1,): where each line begins

    @classmethod
    def of(cls, blocks: Blocks) -> Lines:
        return cls(blocks, running(blocks.sizes.ravel()))

    def slot(self, layout: Layout, axis: int) -> Ints:
        """Where each cell lies on its block's line along an axis."""
        begin = self.first[:-1].reshape(self.blocks.sizes.shape)[:, axis] - self.blocks.lower[:, axis]
        slot: Ints = begin[layout.owner] + layout.coords[axis]
        return slot


@dataclass(frozen=True, slots=True)
class Cutting:
    """Every cut of every block."""

    lines: Lines
    line: Ints  # of each cut
    step: Ints  # of each cut: codes in the left half

    @classmethod
    def of(cls, blocks: Blocks) -> Cutting:
        ways = blocks.sizes.ravel() - 1
        return cls(Lines.of(blocks), np.repeat(np.arange(len(ways)), ways), ranks(ways) + 1)

    def edges(self, cuts: Ints) -> tuple[Ints, Ints, Ints]:
        """Where the lines of these cuts begin, are cut, and end."""
        line = self.line[cuts]
        begin = self.lines.first[line]
        return begin, begin + self.step[cuts], self.lines.first[line + 1]

    def halves(self, slots: Ints) -> Pair:
        """The sums of the left and right half of each cut, from the sums of the slots."""
        below = running(slots)
        begin, middle, end = self.edges(np.arange(len(self.line)))
        return below[middle] - below[begin], below[end] - below[middle]

    def volumes(self) -> tuple[Ints, Ints, Mask]:
        """Cells of both halves, empty ones too, capped, and where that is exact."""
        sizes = self.lines.blocks.sizes
        slabs, exact = capped_slabs(self.lines.blocks)
        left = slabs.ravel()[self.line] * self.step
        return left, (slabs * sizes).ravel()[self.line] - left, exact.ravel()[self.line]


@dataclass(frozen=True, slots=True)
class Half:
    """One side of every cut."""

    cutting: Cutting
    is_right: bool
    total: Ints
    cells: Ints  # non-empty ones
    volume: Ints  # capped
    exact: Mask  # where the volume is not capped

    def whole_volume(self, cut: int) -> int:
        """Cells of the half, exact however many."""
        blocks, step = self.cutting.lines.blocks, int(self.cutting.step[cut])
        block, axis = divmod(int(self.cutting.line[cut]), blocks.lower.shape[1])
        sizes = blocks.sizes[block].tolist()
        sizes[axis] = sizes[axis] - step if self.is_right else step
        return math.prod(sizes)

    def means(self, cuts: Ints) -> Ints:
        """Means of the cells of some halves, rounded down."""
        mean = self.total[cuts] // self.volume[cuts]
        for place in np.flatnonzero(~self.exact[cuts]).tolist():
            mean[place] = int(self.total[cuts[place]]) // self.whole_volume(int(cuts[place]))
        return mean


def mixture_of_cut_steps(blocks: Blocks) -> Steps:
    """Compute the score Min of every cut: minus the lesser, over both halves, of min(empty, non-empty cells)."""
    cutting = Cutting.of(blocks)
    left_cells, right_cells = cutting.halves((yield cells_on_lines))
    left_volume, right_volume, _ = cutting.volumes()
    left = np.minimum(left_cells, left_volume - left_cells)
    right = np.minimum(right_cells, right_volume - right_cells)
    scores: Ints = -np.minimum(left, right)
    return scores


def deviation_of_cut_steps(blocks: Blocks) -> Steps:
    """Compute the score AE of every cut: minus the deviations of both halves, each rounded down.

    The first step gives totals and cells of halves. The second gives, for halves with at least one count per cell,
    the cells above their means. In other halves every non-empty cell is above the mean.
    """
    cutting = Cutting.of(blocks)
    on_lines = yield cells_and_counts_on_lines
    cells, sums = (cutting.halves(part) for part in np.split(on_lines, 2))
    *volumes, exact = cutting.volumes()
    left = Half(cutting, False, sums[0], cells[0], volumes[0], exact)
    right = Half(cutting, True, sums[1], cells[1], volumes[1], exact)
    high, number = ((side.copy(), other.copy()) for side, other in (sums, cells))
    dense = dense_halves(left, right)
    if any(len(mean) for *_, mean in dense):
        high, number = _put((yield partial(above_means, dense=dense)), dense, high, number)
    return -(_deviations(left, high[0], number[0]) + _deviations(right, high[1], number[1]))


def cells_on_lines(layout: Layout) -> Ints:
    """Non-empty cells at each code of each axis of each block."""
    lines = Lines.of(layout.blocks)
    slots = np.concatenate([lines.slot(layout, axis) for axis in range(len(layout.coords))])
    return np.bincount(slots, minlength=int(lines.first[-1]))


def cells_and_counts_on_lines(layout: Layout) -> Ints:
    """The same, and then their counts."""
    lines = Lines.of(layout.blocks)
    size = int(lines.first[-1])
    slots = np.concatenate([lines.slot(layout, axis) for axis in range(len(layout.coords))])
    counts = sums_at(slots, np.tile(layout.counts, len(layout.coords)), size)
    return np.concatenate([np.bincount(slots, minlength=size), counts])


def dense_halves(left: Half, right: Half) -> Dense:
    """By axis, the cuts whose left half may have non-empty cells below its mean, those of right halves, the means."""
    line, dimensions = left.cutting.line, left.cutting.lines.blocks.lower.shape[1]
    dense = [np.flatnonzero(half.total >= half.volume) for half in (left, right)]
    found = []
    for axis in range(dimensions):
        lefts, rights = (cuts[line[cuts] % dimensions == axis] for cuts in dense)
        found.append((lefts, rights, np.concatenate([left.means(lefts), right.means(rights)])))
    return tuple(found)


def above_means(layout: Layout, dense: Dense) -> Ints:
    """Sums of the cells above the mean of each dense half, axis by axis, left halves first; and then their numbers.

    With a block's cells in the order of the axis, a half is a run of cells: the block's first ones or its last ones.
    """
    cutting = Cutting.of(layout.blocks)
    sums, numbers = [], []
    for axis, (lefts, rights, mean) in enumerate(dense):
        (begin, middle, _), (_, middle_right, end) = cutting.edges(lefts), cutting.edges(rights)
        wanted = np.zeros(len(layout.blocks), bool)
        wanted[cutting.line[np.concatenate([lefts, rights])] // len(layout.coords)] = True
        cells = np.flatnonzero(wanted[layout.owner])
        slot = cutting.lines.slot(layout, axis)[cells]
        order = np.argsort(slot, kind="stable")
        first, last = (
            np.searchsorted(slot[order], np.concatenate(ends)) for ends in ((begin, middle_right), (middle, end))
        )
        high, number = above(layout.counts[cells[order]], first, last, mean)
        sums.append(high)
        numbers.append(number)
    return np.concatenate([*sums, *numbers])


def _put(found: Ints, dense: Dense, high: Pair, number: Pair) -> tuple[Pair, Pair]:
    """Insert the sums and numbers of dense halves."""
    ends = np.cumsum([len(mean) for *_, mean in dense])[:-1]
    for both, sums in zip((high, number), np.split(found, 2), strict=True):
        for (lefts, rights, _), part in zip(dense, np.split(sums, ends), strict=True):
            both[0][lefts], both[1][rights] = np.split(part, [len(lefts)])
    return high, number


def _deviations(half: Half, high: Ints, number: Ints) -> Ints:
    """AE of each half from the sum and the number of its cells above the mean."""
    deviation, safe = deviation_of(high, number, half.total, half.volume, half.exact)
    for cut in np.flatnonzero(~safe).tolist():
        deviation[cut] = exact_deviation(high[cut], number[cut], half.total[cut], half.whole_volume(cut))
    return deviation


def above(counts: Ints, first: Ints, last: Ints, mean: Ints) -> tuple[Ints, Ints]:
    """Sum and number of the counts above each mean in its run, first to last.

    A wavelet matrix (Navarro 2014, "Wavelet trees for all"): counts are parted by one bit of their rank after another,
    and each run follows the bits of the least rank above its mean. Time and memory grow with counts plus runs, not
    with their product.
    """
    values, rank = np.unique(counts, return_inverse=True)
    least = np.searchsorted(values, mean, side="right")
    high, number = np.zeros(len(mean), np.int64), np.zeros(len(mean), np.int64)
    for bit in reversed(range(len(values).bit_length())):
        one = (rank >> bit) & 1
        ones, sums = running(one), running(counts * one)
        upper = (least >> bit) & 1 == 1
        high += np.where(upper, 0, sums[last] - sums[first])
        number += np.where(upper, 0, ones[last] - ones[first])
        zeros = len(one) - ones[-1]
        first = np.where(upper, zeros + ones[first], first - ones[first])
        last = np.where(upper, zeros + ones[last], last - ones[last])
        order = np.concatenate([np.flatnonzero(one == 0), np.flatnonzero(one)])
        rank, counts = rank[order], counts[order]
    sums = running(counts)
    return high + sums[last] - sums[first], number + last - first


MIXTURE_OF_CUT = Statistic(
    "mixture of cut", mixture_of_cut_steps, PROOFS / "mixture_of_cut.md", per_count=0, per_cell=1, norm=LARGEST
)
DEVIATION_OF_CUT = Statistic(
    "deviation of cut", deviation_of_cut_steps, PROOFS / "deviation_of_cut.md", per_count=2, norm=LARGEST
)
