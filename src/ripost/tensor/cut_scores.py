"""Scores of every way to cut each block in two, in the order of space.cuts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ripost.space.blocks import Blocks, Mask
from ripost.tensor.statistics import (
    Ints,
    Layout,
    capped_slabs,
    deviation_of,
    exact_deviation,
    ranks,
    running,
    segment_sums,
    sums_at,
    totals,
)

PAIRS = 2_000_000  # (half, cell) pairs compared at a time


@dataclass(frozen=True, slots=True)
class Halves:
    """One side of every cut along one axis, block by block and position by position."""

    axis: int
    is_right: bool
    block: Ints  # block of each cut
    position: Ints  # first code of the right half
    total: Ints
    cells: Ints  # non-empty ones
    volume: Ints  # capped
    exact: Mask  # where the volume is not capped


def mixture_of_cuts(layout: Layout) -> Ints:
    """The paper's score Min of every cut: minus the lesser, over both halves, of min(empty, non-empty cells)."""
    scores = []
    for left, right in _halves(layout):
        mixed = [np.minimum(half.cells, half.volume - half.cells) for half in (left, right)]
        scores.append(-np.minimum(*mixed))
    return _by_block(layout.blocks, scores)


def deviation_of_cuts(layout: Layout) -> Ints:
    """The score AE of every cut: minus the deviations of both halves, each rounded down."""
    scores = [-(_deviations(layout, left) + _deviations(layout, right)) for left, right in _halves(layout)]
    return _by_block(layout.blocks, scores)


def _halves(layout: Layout) -> Iterator[tuple[Halves, Halves]]:
    owner, block_total, block_cells = layout.owner, totals(layout), np.diff(layout.start)
    for axis in range(len(layout.coords)):
        lower, sizes = layout.blocks.lower[:, axis], layout.blocks.sizes[:, axis]
        first = running(sizes)
        slot = first[:-1][owner] + layout.coords[axis] - lower[owner]
        below_total = running(sums_at(slot, layout.counts, int(first[-1])))
        below_cells = running(np.bincount(slot, minlength=int(first[-1])))
        block = np.repeat(np.arange(len(sizes)), sizes - 1)
        step = ranks(sizes - 1) + 1  # codes in the left half
        origin = first[:-1][block]
        slab, exact = capped_slabs(layout.blocks, axis)
        total = below_total[origin + step] - below_total[origin]
        cells = below_cells[origin + step] - below_cells[origin]
        volume = slab[block] * step
        position = lower[block] + step
        yield (
            Halves(axis, False, block, position, total, cells, volume, exact[block]),
            Halves(
                axis,
                True,
                block,
                position,
                block_total[block] - total,
                block_cells[block] - cells,
                slab[block] * sizes[block] - volume,
                exact[block],
            ),
        )


def _deviations(layout: Layout, half: Halves) -> Ints:
    high, number = half.total.copy(), half.cells.copy()
    dense = np.flatnonzero((half.total >= half.volume) & half.exact)
    if len(dense):  # only there may a non-empty cell lie below the mean
        high[dense], number[dense] = _above_mean(layout, half, dense)
    deviation, safe = deviation_of(high, number, half.total, half.volume, half.exact)
    for cut in np.flatnonzero(~safe).tolist():
        deviation[cut] = _exact(layout, half, cut)
    return deviation


def _above_mean(layout: Layout, half: Halves, cuts: Ints) -> tuple[Ints, Ints]:
    """Sum and number of the cells above the mean in each of these halves."""
    block, position, mean = half.block[cuts], half.position[cuts], half.total[cuts] // half.volume[cuts]
    first, width = layout.start[block], np.diff(layout.start)[block]
    high, number = np.zeros(len(cuts), np.int64), np.zeros(len(cuts), np.int64)
    large = width * _multiplicity(block) > PAIRS // 8
    for chosen in _chunks(np.flatnonzero(~large), width):
        pair = np.repeat(chosen, width[chosen])
        cell = np.repeat(first[chosen], width[chosen]) + ranks(width[chosen])
        inside = (layout.coords[half.axis, cell] >= position[pair]) == half.is_right
        counts = np.where(inside & (layout.counts[cell] > mean[pair]), layout.counts[cell], 0)
        start = running(width[chosen])
        high[chosen] = segment_sums(counts, start)
        number[chosen] = segment_sums((counts > 0).astype(np.int64), start)
    for one in np.unique(block[large]).tolist():
        chosen = np.flatnonzero(large & (block == one))
        high[chosen], number[chosen] = _above_by_rank(layout, half, one, position[chosen], mean[chosen])
    return high, number


def _above_by_rank(layout: Layout, half: Halves, block: int, position: Ints, mean: Ints) -> tuple[Ints, Ints]:
    """The same for cuts of one large block, by a table of position x rank of the cell's value."""
    cells = layout.cells_of(block)
    lower, size = layout.blocks.lower[block, half.axis], layout.blocks.sizes[block, half.axis]
    values, rank = np.unique(layout.counts[cells], return_inverse=True)
    table = np.zeros((size + 1, len(values) + 1), np.int64)
    np.add.at(table, (layout.coords[half.axis, cells] - lower + 1, rank), 1)
    table = np.cumsum(table, axis=0)[:, ::-1]  # cells left of a position, highest value first
    number = np.cumsum(table, axis=1)[:, ::-1]  # … of at least a value
    high = np.cumsum(table * np.append(values, 0)[::-1], axis=1)[:, ::-1]
    row, column = position - lower, np.searchsorted(values, mean, side="right")
    if half.is_right:
        return high[size, column] - high[row, column], number[size, column] - number[row, column]
    return high[row, column], number[row, column]


def _exact(layout: Layout, half: Halves, cut: int) -> int:
    """The deviation of one half of any size, by Python integers."""
    block, position = int(half.block[cut]), int(half.position[cut])
    low, high = int(layout.blocks.lower[block, half.axis]), int(layout.blocks.upper[block, half.axis])
    sizes = layout.blocks.sizes[block].tolist()
    sizes[half.axis] = high - position if half.is_right else position - low
    cells = layout.cells_of(block)
    inside = (layout.coords[half.axis, cells] >= position) == half.is_right
    return exact_deviation(layout.counts[cells][inside], math.prod(sizes))


def _by_block(blocks: Blocks, by_axis: list[Ints]) -> Ints:
    """Scores given axis by axis, put block by block, then axis by axis."""
    ways = blocks.sizes - 1
    first = running(ways.ravel())[:-1].reshape(ways.shape)
    flat = np.empty(int(ways.sum()), np.int64)
    for axis, scores in enumerate(by_axis):
        flat[np.repeat(first[:, axis], ways[:, axis]) + ranks(ways[:, axis])] = scores
    return flat


def _multiplicity(values: Ints) -> Ints:
    """How often each entry occurs."""
    _, inverse, count = np.unique(values, return_inverse=True, return_counts=True)
    return count[inverse]


def _chunks(chosen: Ints, width: Ints) -> list[Ints]:
    """The chosen items in runs of about PAIRS pairs."""
    if not len(chosen):
        return []
    number = np.cumsum(width[chosen]) // PAIRS
    return np.split(chosen, np.flatnonzero(np.diff(number)) + 1)
