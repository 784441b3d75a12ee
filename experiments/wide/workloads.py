"""Workloads: random ranges that bound some attributes, and the cells of marginals, with their true answers.

What is asked depends on the shape of the domain alone, by public seeds, so every trial of a table asks the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ripost import Tensor

SEED = 0
RANGES = 1000  # of each number of bounded attributes
BOUNDED = (1, 2, 3)  # and all
TRIPLES = 20  # three-way marginals
BINS = {2: 64, 3: 16}  # of an attribute in a marginal of two, of three
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Axes = tuple[int, ...]
Answer = Callable[[Ints, Ints], Floats]  # of boxes, lower and upper; NaN where a method does not answer


@dataclass(frozen=True)
class Ranges:
    """Boxes that bound the same number of attributes."""

    name: str
    axes: Ints  # (n, bounded), rising
    lower: Ints  # (n, d), inclusive
    upper: Ints  # (n, d), exclusive


@dataclass(frozen=True)
class Marginal:
    """All cells of some attributes, whose codes are merged into bins of equal width."""

    axes: Axes
    widths: Axes  # codes a bin
    shape: tuple[int, ...]  # of the whole domain

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(-(-self.shape[axis] // width) for axis, width in zip(self.axes, self.widths, strict=True))

    @cached_property
    def boxes(self) -> tuple[Ints, Ints]:
        """The cells as boxes of the whole domain, (cells, d) each, in the order of a raveled table."""
        index = np.indices(self.sizes).reshape(len(self.sizes), -1)
        lower = np.zeros((index.shape[1], len(self.shape)), np.int64)
        upper = np.tile(np.array(self.shape, np.int64), (index.shape[1], 1))
        for axis, width, at in zip(self.axes, self.widths, index, strict=True):
            lower[:, axis] = at * width
            upper[:, axis] = np.minimum((at + 1) * width, self.shape[axis])
        return lower, upper

    def truth(self, tensor: Tensor) -> Floats:
        """The true count of every cell."""
        cell = np.zeros(len(tensor.counts), np.int64)
        for axis, width, size in zip(self.axes, self.widths, self.sizes, strict=True):
            cell = cell * size + tensor.coords[:, axis] // width
        counts = np.bincount(cell, weights=tensor.counts, minlength=int(np.prod(self.sizes)))
        return counts.astype(np.float64)


def ranges_of(shape: Sequence[int]) -> list[Ranges]:
    """Random ranges of 1, 2, 3 and all attributes: attributes at random, length uniform, then start uniform."""
    found, dimensions, sizes = [], len(shape), np.array(shape)
    for bounded in [*(k for k in BOUNDED if k < dimensions), dimensions]:
        rng = np.random.default_rng((SEED, bounded))
        every = np.tile(np.arange(dimensions), (RANGES, 1))
        axes = np.sort(rng.permuted(every, axis=1)[:, :bounded], axis=1)
        length = rng.integers(1, sizes[axes], endpoint=True)
        start = rng.integers(0, sizes[axes] - length, endpoint=True)
        lower, upper = np.zeros((RANGES, dimensions), np.int64), np.tile(sizes, (RANGES, 1))
        np.put_along_axis(lower, axes, start, axis=1)
        np.put_along_axis(upper, axes, start + length, axis=1)
        name = "all" if bounded == dimensions else f"k={bounded}"
        found.append(Ranges(name, axes, lower, upper))
    return found


def marginals_of(shape: Sequence[int], ways: int) -> Iterator[Marginal]:
    """All two-way marginals, or twenty three-way ones."""
    every: Sequence[Axes] = list(combinations(range(len(shape)), ways))
    if ways == 3:
        chosen = np.random.default_rng((SEED, ways)).permutation(comb(len(shape), 3))[:TRIPLES]
        every = [every[number] for number in sorted(chosen.tolist())]
    for axes in every:
        yield Marginal(axes, tuple(-(-shape[axis] // BINS[ways]) for axis in axes), tuple(shape))


def true_answers(tensor: Tensor, ranges: Ranges) -> Floats:
    """The true count of each box, by a pass over the bounded attributes of the cells."""
    columns = np.ascontiguousarray(tensor.coords.T)
    found = np.empty(len(ranges.lower))
    for number, axes in enumerate(ranges.axes):
        inside = np.ones(columns.shape[1], bool)
        for axis in axes:
            inside &= columns[axis] >= ranges.lower[number, axis]
            inside &= columns[axis] < ranges.upper[number, axis]
        found[number] = tensor.counts[inside].sum()
    return found


def questions_digest(shape: Sequence[int]) -> str:
    """A digest of all that is asked of a table of this shape."""
    digest = hashlib.sha256()
    for ranges in ranges_of(shape):
        digest.update(ranges.lower.tobytes() + ranges.upper.tobytes())
    digest.update(repr([(cells.axes, cells.widths) for ways in BINS for cells in marginals_of(shape, ways)]).encode())
    return digest.hexdigest()[:16]
