"""Query parameters: public parameters of statistics, such as the bins of a histogram."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes, Floats


class QueryParameters:
    """Public parameters of a statistic: they follow from released values or public randomness, never from the data."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Slabs(QueryParameters):
    """Bins of one axis. The statistic is the total of each bin in a block."""

    axis: int
    edges: Codes  # rising from 0 to the length of the axis

    def __len__(self) -> int:
        return len(self.edges) - 1

    def part(self, coords: NDArray[np.integer[Any]]) -> Codes:
        """The bin of each cell; coords are (d, n)."""
        found: Codes = self.code_bins.take(coords[self.axis])
        return found

    @property
    def code_bins(self) -> Codes:
        """The bin of each code."""
        return np.repeat(np.arange(len(self)), np.diff(self.edges))


@dataclass(frozen=True, slots=True)
class Margin(QueryParameters):
    """The combinations of codes of some axes, in row-major order, or public groups of them.

    The statistic is the total of each combination or group in a block.
    """

    axes: tuple[int, ...]
    sizes: tuple[int, ...]  # of these axes
    group: Codes | None = None  # (combinations,): the group of each; None if each is its own
    groups: int = 0

    def __len__(self) -> int:
        return math.prod(self.sizes) if self.group is None else self.groups

    def part(self, coords: NDArray[np.integer[Any]]) -> Codes:
        """The combination or group of each cell; coords are (d, n)."""
        flat = np.zeros(coords.shape[1], np.int64)
        for axis, size in zip(self.axes, self.sizes, strict=True):
            flat = flat * size + coords[axis]
        return flat if self.group is None else self.group[flat]


@dataclass(frozen=True, slots=True)
class Grid(QueryParameters):
    """Some axes, each in bins of equal width. The statistic is the total of each combination of bins in a block.

    Bins consist of whole codes: of n codes in m bins, code c lies in bin c m // n. Without axes there is one part.
    """

    axes: tuple[int, ...]
    sizes: tuple[int, ...]  # of these axes
    bins: tuple[int, ...]  # of each of these axes, from 1 to its size

    def __len__(self) -> int:
        return math.prod(self.bins)

    def part(self, coords: NDArray[np.integer[Any]]) -> Codes:
        """The combination of each cell, row-major; coords are (d, n)."""
        flat = np.zeros(coords.shape[1], np.int64)
        for axis, size, bins in zip(self.axes, self.sizes, self.bins, strict=True):
            codes = coords[axis].astype(np.int64)
            flat = flat * bins + (codes if bins == size else codes * bins // size)
        return flat


@dataclass(frozen=True, slots=True)
class BinnedMargin(QueryParameters):
    """Some axes in bins of codes. The statistic is the total of each combination of bins in a block, row-major."""

    axes: tuple[int, ...]
    edges: tuple[Codes, ...]  # of each of these axes, rising from 0 to its length

    def __len__(self) -> int:
        return math.prod(self.sizes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of bins of each of these axes."""
        return tuple(len(edges) - 1 for edges in self.edges)

    def part(self, coords: NDArray[np.integer[Any]]) -> Codes:
        """The combination of each cell; coords are (d, n)."""
        flat = np.zeros(coords.shape[1], np.int64)
        for axis, edges in zip(self.axes, self.edges, strict=True):
            flat = flat * (len(edges) - 1) + Slabs(axis, edges).part(coords)
        return flat


@dataclass(frozen=True, slots=True)
class Couples(QueryParameters):
    """Pairs of partitions of the cells. The statistic is how far each pair is from independent in a block."""

    couples: tuple[tuple[Parts, Parts], ...]

    def __len__(self) -> int:
        return len(self.couples)


@dataclass(frozen=True, slots=True)
class Pairs(QueryParameters):
    """One candidate cut of each block along every axis, and the shares expected if axes were independent.

    The statistic is how far a block is from independent, for each axis.
    """

    cut: Codes  # (n, d)
    left: Floats  # (n, d): share expected to the left of each cut
    edges: tuple[Codes, ...]  # of each axis, positions to compare
    below: tuple[Floats, ...]  # of each axis, (n, edges): share expected below each position
    partners: tuple[tuple[int, ...], ...]  # of each axis, those that it is compared with


FULL = 2**10  # the largest weight of a distance


@dataclass(frozen=True, slots=True)
class Distances(QueryParameters):
    """Marginals and their values by a public model.

    The statistic is the sum of absolute differences of each marginal in a block, times its weight, plus its offset.
    """

    margins: tuple[Margin, ...]
    tables: tuple[Codes, ...]  # (parts of the margin,) each
    weight: Codes  # (margins,), 0 to FULL
    offset: Codes  # (margins,)


Parts = Slabs | Margin | Grid | BinnedMargin
