"""Workloads: random ranges, groups inside filters, and the cells of marginals, with their true answers.

What is asked depends on the shape of the domain alone, by public seeds, so every method is asked the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.data.tensor import Tensor
from ripost.space.public_randomness import public_generator

SEED = 0
RANGES = 1000  # of each number of bounded attributes
BOUNDED = (1, 2, 3)  # and all
MARGINALS = {2: 100, 3: 20}  # at most, of two attributes and of three
BINS = {1: 1024, 2: 64, 3: 16}  # at most, of an attribute in a marginal of one, of two, of three
GROUPINGS = 100  # GROUP BY with a filter
MOST_GROUPS = 64  # codes of an attribute that is grouped by
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
class MarginalCells:
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
        """The true total of every cell."""
        cell = np.zeros(len(tensor.counts), np.int64)
        for axis, width, size in zip(self.axes, self.widths, self.sizes, strict=True):
            cell = cell * size + tensor.coords[:, axis] // width
        counts = np.bincount(cell, weights=tensor.counts, minlength=prod(self.sizes))
        return counts.astype(np.float64) * tensor.measure.step


def ranges_of(shape: Sequence[int]) -> list[Ranges]:
    """Random ranges of 1, 2, 3 and all attributes: attributes at random, length uniform, then start uniform."""
    found, dimensions, sizes = [], len(shape), np.array(shape)
    for bounded in [*(k for k in BOUNDED if k < dimensions), dimensions]:
        rng = public_generator(SEED, bounded)
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


def groupings_of(shape: Sequence[int]) -> Ranges | None:
    """SELECT one, COUNT(*) WHERE another is in a range (AND a third is one code) GROUP BY one, a box for each group.

    None if no two attributes are there, one of them with few codes.
    """
    rng, keys = public_generator(SEED, 100), [axis for axis, size in enumerate(shape) if 1 < size <= MOST_GROUPS]
    if not keys or len(shape) < 2:
        return None
    boxes, bounded = [], min(3, len(shape))
    for _ in range(GROUPINGS):
        key = int(rng.choice(keys))
        others = rng.permutation([axis for axis in range(len(shape)) if axis != key])[: bounded - 1].tolist()
        lower, upper = np.zeros((shape[key], len(shape)), np.int64), np.tile(shape, (shape[key], 1))
        lower[:, key], upper[:, key] = np.arange(shape[key]), np.arange(shape[key]) + 1
        for filtered, longest in zip(others, (shape[others[0]], 1), strict=False):
            length = int(rng.integers(1, longest, endpoint=True))
            start = int(rng.integers(0, shape[filtered] - length, endpoint=True))
            lower[:, filtered], upper[:, filtered] = start, start + length
        boxes.append((np.tile(sorted([key, *others]), (shape[key], 1)), lower, upper))
    return Ranges("groups", *(np.concatenate(part) for part in zip(*boxes, strict=True)))


def marginals_of(shape: Sequence[int], ways: int) -> Iterator[MarginalCells]:
    """All one-way and two-way marginals and twenty three-way ones; a hundred two-way ones if there are more."""
    every: Sequence[Axes] = list(combinations(range(len(shape)), ways))
    if len(every) > MARGINALS.get(ways, len(every)):
        chosen = public_generator(SEED, ways).permutation(comb(len(shape), ways))[: MARGINALS[ways]]
        every = [every[number] for number in sorted(chosen.tolist())]
    for axes in every:
        yield MarginalCells(axes, tuple(-(-shape[axis] // BINS[ways]) for axis in axes), tuple(shape))


def true_answers(tensor: Tensor, ranges: Ranges) -> Floats:
    """The true total of each box, by a pass over the bounded attributes of the cells."""
    columns = np.ascontiguousarray(tensor.coords.T)
    found = np.empty(len(ranges.lower))
    for number, axes in enumerate(ranges.axes):
        inside = np.ones(columns.shape[1], bool)
        for axis in axes:
            inside &= columns[axis] >= ranges.lower[number, axis]
            inside &= columns[axis] < ranges.upper[number, axis]
        found[number] = tensor.counts[inside].sum()
    return found * tensor.measure.step


def questions_digest(shape: Sequence[int]) -> str:
    """A digest of all that is asked of a table of this shape."""
    digest, groupings = hashlib.sha256(), groupings_of(shape)
    for ranges in [*ranges_of(shape), *([groupings] if groupings else [])]:
        digest.update(ranges.lower.tobytes() + ranges.upper.tobytes())
    digest.update(repr([(cells.axes, cells.widths) for ways in BINS for cells in marginals_of(shape, ways)]).encode())
    return digest.hexdigest()[:16]
