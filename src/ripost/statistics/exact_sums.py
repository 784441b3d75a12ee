"""Exact sums of whole numbers, and exact volumes of blocks.

No value here is a rounded float: noise is added to integers, so rounding cannot break a sensitivity.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Ints, Mask
from ripost.space.blocks import Blocks

Counts = Ints | NDArray[np.float64]  # floats only where every sum of them is exact

CAP = 2**60  # replaces any volume of 2^61 or more; where the exact volume matters, Python integers are used
SAFE = 2.0**61  # a product that is below this in floats fits int64
PIECE = 2**15  # cells handled at once, so that temporary arrays stay in the processor's cache


def pieces(number: int, size: int) -> Iterator[slice]:
    """Slices of this size that cover a number of items; the last may be shorter."""
    for first in range(0, number, size):
        yield slice(first, min(first + size, number))


def capped_slabs(blocks: Blocks) -> tuple[Ints, Mask]:
    """Cells of a slice one code thick along each axis, (n, d), CAP / size in huge blocks, and where that is exact."""
    sizes = blocks.sizes
    with np.errstate(over="ignore"):  # infinity is above SAFE, too
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
    return counts.dtype == np.float64 or bool(np.abs(counts).sum(dtype=np.float64) < 2.0**52)


def sums_at(slot: NDArray[Any], counts: Counts, size: int) -> Ints:
    """The exact sum of the counts in each slot; for many calls, make the counts addable first."""
    if size == 1:
        return np.array([counts.sum()], np.int64)
    if _is_addable(counts):
        sums = np.zeros(size)
        for cells in pieces(len(slot), max(PIECE, 4 * size)):  # keeps NumPy's temporary copies short
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
