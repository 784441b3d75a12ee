"""Statistics of blocks, exact, in whole numbers: totals and deviations.

Each function takes the cells of some blocks and serves all blocks in one go.
Nothing here is a float: what meets the noise is an integer, so no rounding can spoil a sensitivity.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Floats, Ints, Mask
from ripost.data.map_reduce import Rounds, run_steps_on
from ripost.space.blocks import Blocks

Counts = Ints | Floats  # floats only where every sum of them is exact

CAP = 2**60  # stands for any volume of 2^61 and more, below the truth; where it matters, Python integers take over
SAFE = 2.0**61  # a product that floats put below this fits int64
PIECE = 2**15  # cells handled at once where what is worked out on the way should stay in the processor's cache


@dataclass(frozen=True)
class Layout:
    """The non-empty cells of some blocks, in any order."""

    blocks: Blocks
    coords: NDArray[np.int32]  # (d, cells)
    counts: Ints  # (cells,)
    owner: Ints  # (cells,): block of each cell
    _along: dict[int, Ints] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def weights(self) -> Counts:
        """The counts, ready to be added up."""
        return addable(self.counts)

    @cached_property
    def totals(self) -> Ints:
        """Sum of counts of each block."""
        return sums_at(self.owner, self.counts, len(self.blocks))

    def along(self, axis: int) -> Ints:
        """Sums of counts of each block by code of one axis, (blocks, codes)."""
        if axis not in self._along:
            codes = int(self.blocks.upper[:, axis].max(initial=1))
            slot = self.coords[axis] if len(self.blocks) == 1 else self.owner * codes + self.coords[axis]
            self._along[axis] = sums_at(slot, self.counts, len(self.blocks) * codes).reshape(-1, codes)
        return self._along[axis]


def totals(layout: Layout) -> Ints:
    """Sum of counts of each block."""
    return layout.totals


def pieces(number: int, size: int) -> Iterator[slice]:
    """Slices that cover so many, each of this size but the last."""
    for first in range(0, number, size):
        yield slice(first, min(first + size, number))


def deviations(layout: Layout) -> Ints:
    """AE of each block: the sum of |cell - mean| over all its cells, rounded down."""
    return run_steps_on(rounds_of_deviation(layout.blocks), layout)


def rounds_of_total(_: Blocks) -> Rounds:
    return (yield totals)


def rounds_of_deviation(blocks: Blocks) -> Rounds:
    """AE = 2 (T - J S / N) with S the sum, N the cells, T and J the sum and number of cells above the mean.

    Where S < N the mean is below 1, every non-empty cell lies above it, and this is the closed form 2 S (1 - K / N).
    """
    total = yield totals
    volume, exact = capped_volumes(blocks)
    mean = total // volume
    for block in np.flatnonzero(~exact & (mean > 0)).tolist():
        mean[block] = int(total[block]) // blocks.volume(block)
    high, number = np.split((yield partial(above_mean, mean=mean)), 2)
    deviation, safe = deviation_of(high, number, total, volume, exact)
    for block in np.flatnonzero(~safe).tolist():
        deviation[block] = exact_deviation(high[block], number[block], total[block], blocks.volume(block))
    return deviation


def above_mean(layout: Layout, mean: Ints) -> Ints:
    """Sums, and then numbers, of each block's cells above its mean, which is given rounded down."""
    above = layout.counts > mean[layout.owner]
    owner, size = layout.owner[above], len(layout.blocks)
    return np.concatenate([sums_at(owner, layout.counts[above], size), np.bincount(owner, minlength=size)])


def deviation_of(high: Ints, number: Ints, total: Ints, volume: Ints, exact: Mask) -> tuple[Ints, Mask]:
    """2 high - ceil(2 number total / volume), which is AE rounded down, and where int64 sufficed for it."""
    product = 2.0 * number * total
    safe = (product < SAFE) & (exact | ((product < volume) & (total < volume)))
    twice = 2 * number * np.where(safe, total, 0)
    return 2 * high + (-twice // volume), safe


def exact_deviation(high: Any, number: Any, total: Any, volume: int) -> int:
    """The same for one block of any volume, by Python integers."""
    return 2 * (int(high) * volume - int(number) * int(total)) // volume


def capped_slabs(blocks: Blocks) -> tuple[Ints, Mask]:
    """Cells of a slice one code thick along each axis, (n, d), CAP / size in huge blocks, and where that is exact."""
    sizes = blocks.sizes
    with np.errstate(over="ignore"):  # beyond all floats is not safe either
        fits = (sizes.astype(np.float64).prod(axis=1) < SAFE)[:, None]
    whole = np.where(fits, sizes, 1).prod(axis=1)[:, None]
    return np.where(fits, whole, CAP) // sizes, np.broadcast_to(fits, sizes.shape)


def capped_volumes(blocks: Blocks) -> tuple[Ints, Mask]:
    """Number of cells of each block, about CAP for huge ones, and where that is exact."""
    slabs, exact = capped_slabs(blocks)
    return slabs[:, 0] * blocks.sizes[:, 0], exact[:, 0]


def addable(counts: Counts) -> Counts:
    """The counts as floats where every sum of some of them is exact, else as they are."""
    return counts.astype(np.float64) if _is_addable(counts) else counts


def _is_addable(counts: Counts) -> bool:
    return counts.dtype == np.float64 or bool(counts.sum(dtype=np.float64) < 2.0**52)


def sums_at(slot: NDArray[Any], counts: Counts, size: int) -> Ints:
    """Sum of the counts that fall in each slot, exact; whoever calls it often makes the counts addable first."""
    if size == 1:
        return np.array([counts.sum()], np.int64)
    if _is_addable(counts):
        sums = np.zeros(size)
        for cells in pieces(len(slot), max(PIECE, 4 * size)):  # NumPy makes copies on the way, so let them be short
            sums += np.bincount(slot[cells], weights=counts[cells], minlength=size)
        return sums.astype(np.int64)
    flat = np.zeros(size, np.int64)
    np.add.at(flat, slot, counts)
    return flat


def running(sizes: Ints) -> Ints:
    """Running sums from 0, one longer than the sizes."""
    sums = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=sums[1:])
    return sums


def ranks(sizes: Ints) -> Ints:
    """0, 1, …, size - 1 for each size in turn."""
    first = running(sizes)
    return np.arange(first[-1]) - np.repeat(first[:-1], sizes)
