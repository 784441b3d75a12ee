"""Scores of every way to cut each block in two, in the order of space.cuts: by block, then axis, then position."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ripost.space.blocks import Mask
from ripost.tensor.statistics import (
    Ints,
    Layout,
    capped_slabs,
    deviation_of,
    exact_deviation,
    ranks,
    running,
    sums_at,
    totals,
)


@dataclass(frozen=True, slots=True)
class Cutting:
    """Every cut of every block."""

    layout: Layout
    line: Ints  # of each cut: block times dimensions plus axis
    step: Ints  # of each cut: codes in the left half
    slot: Ints  # (d x cells,): code of each cell on each line, lines laid end to end
    first: Ints  # (lines + 1,): where each line begins

    @classmethod
    def of(cls, layout: Layout) -> Cutting:
        sizes = layout.blocks.sizes
        first = running(sizes.ravel())
        begin = first[:-1].reshape(sizes.shape) - layout.blocks.lower
        slots = [begin[:, axis][layout.owner] + at for axis, at in enumerate(layout.coords)]
        ways = sizes.ravel() - 1
        return cls(layout, np.repeat(np.arange(len(ways)), ways), ranks(ways) + 1, np.concatenate(slots), first)

    def halves(self, slots: Ints, whole: Ints) -> tuple[Ints, Ints]:
        """What lies in the left and in the right half of each cut, from what lies in each slot and in each block."""
        below = running(slots)
        begin = self.first[self.line]
        left = below[begin + self.step] - below[begin]
        return left, whole[self.line // len(self.layout.coords)] - left

    def cells(self) -> tuple[Ints, Ints]:
        """Non-empty cells of both halves."""
        return self.halves(np.bincount(self.slot, minlength=int(self.first[-1])), self.layout.occupied)

    def totals(self) -> tuple[Ints, Ints]:
        """Sums of both halves."""
        counts = np.tile(self.layout.counts, len(self.layout.coords))
        return self.halves(sums_at(self.slot, counts, int(self.first[-1])), totals(self.layout))

    def volumes(self) -> tuple[Ints, Ints, Mask]:
        """Cells of both halves, empty ones too, capped, and where that is exact."""
        sizes = self.layout.blocks.sizes
        slabs, exact = capped_slabs(self.layout.blocks)
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


def mixture_of_cuts(layout: Layout) -> Ints:
    """The paper's score Min of every cut: minus the lesser, over both halves, of min(empty, non-empty cells)."""
    cutting = Cutting.of(layout)
    left_cells, right_cells = cutting.cells()
    left_volume, right_volume, _ = cutting.volumes()
    left = np.minimum(left_cells, left_volume - left_cells)
    right = np.minimum(right_cells, right_volume - right_cells)
    scores: Ints = -np.minimum(left, right)
    return scores


def deviation_of_cuts(layout: Layout) -> Ints:
    """The score AE of every cut: minus the deviations of both halves, each rounded down."""
    cutting = Cutting.of(layout)
    cells, sums = cutting.cells(), cutting.totals()
    *volumes, exact = cutting.volumes()
    left = Half(cutting, False, sums[0], cells[0], volumes[0], exact)
    right = Half(cutting, True, sums[1], cells[1], volumes[1], exact)
    high, number = _above_means(left, right)
    return -(_deviations(left, high[0], number[0]) + _deviations(right, high[1], number[1]))


def _deviations(half: Half, high: Ints, number: Ints) -> Ints:
    """AE of each half from the sum and the number of its cells above the mean."""
    deviation, safe = deviation_of(high, number, half.total, half.volume, half.exact)
    for cut in np.flatnonzero(~safe).tolist():
        deviation[cut] = _exact(half, cut)
    return deviation


def _above_means(left: Half, right: Half) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
    """Sums, of left and right halves, of the cells above the mean, and their numbers.

    Only in dense halves, of at least one record a cell, may a non-empty cell lie below the mean.
    """
    high = left.total.copy(), right.total.copy()
    number = left.cells.copy(), right.cells.copy()
    dense = [np.flatnonzero((half.total >= half.volume) & half.exact) for half in (left, right)]
    line, dimensions = left.cutting.line, len(left.cutting.layout.coords)
    for axis in range(dimensions):
        lefts, rights = (cuts[line[cuts] % dimensions == axis] for cuts in dense)
        if len(lefts) + len(rights):
            sums, cells = _above_along(left, right, lefts, rights, axis)
            high[0][lefts], high[1][rights] = np.split(sums, [len(lefts)])
            number[0][lefts], number[1][rights] = np.split(cells, [len(lefts)])
    return high, number


def _above_along(left: Half, right: Half, lefts: Ints, rights: Ints, axis: int) -> tuple[Ints, Ints]:
    """The same for these left halves and then these right halves, cut along one axis.

    With a block's cells in the order of the axis, a half is a run of cells: the block's first ones or its last ones.
    """
    layout, line = left.cutting.layout, left.cutting.line
    first_block, last_block = (line[cuts] // len(layout.coords) for cuts in (lefts, rights))
    wanted = np.zeros(len(layout.blocks), bool)
    wanted[first_block] = wanted[last_block] = True
    cells = np.flatnonzero(wanted[layout.owner])
    order = cells[np.lexsort((layout.coords[axis, cells], layout.owner[cells]))]
    start = running(np.where(wanted, layout.occupied, 0))
    first = np.concatenate([start[first_block], start[last_block + 1] - right.cells[rights]])
    size = np.concatenate([left.cells[lefts], right.cells[rights]])
    mean = np.concatenate([half.total[c] // half.volume[c] for half, c in ((left, lefts), (right, rights))])
    return above(layout.counts[order], first, first + size, mean)


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


def _exact(half: Half, cut: int) -> int:
    """The deviation of one half of any size, by Python integers."""
    layout = half.cutting.layout
    block, axis = divmod(int(half.cutting.line[cut]), len(layout.coords))
    step = int(half.cutting.step[cut])
    sizes = layout.blocks.sizes[block].tolist()
    sizes[axis] = sizes[axis] - step if half.is_right else step
    right = layout.coords[axis] >= int(layout.blocks.lower[block, axis]) + step
    return exact_deviation(layout.counts[(layout.owner == block) & (right == half.is_right)], math.prod(sizes))
