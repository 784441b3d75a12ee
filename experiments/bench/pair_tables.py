"""PairTables: estimates of all two-way tables, which answer boxes that bound at most two attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ripost import Tensor
from ripost.arrays import Floats, Ints

Pair = tuple[int, int]


@dataclass(frozen=True)
class PairTables:
    """Cumulated estimates, each with a leading zero along every axis."""

    shape: tuple[int, ...]
    total: float
    single: Sequence[Floats]  # of each attribute, (codes + 1,)
    pairs: dict[Pair, Floats]  # (codes + 1, codes + 1)

    @classmethod
    def of(cls, total: float, single: Sequence[Floats], pairs: dict[Pair, Floats]) -> PairTables:
        """The same from plain estimates."""
        shape = tuple(len(table) for table in single)
        return cls(shape, total, [cumulated(table) for table in single], {at: cumulated(t) for at, t in pairs.items()})

    def answer(self, lower: Ints, upper: Ints) -> Floats:
        """The estimate of each box; NaN if it bounds more than two attributes."""
        found = np.full(len(lower), np.nan)
        bounded = (lower > 0) | (upper < np.array(self.shape))
        kinds, kind = np.unique(bounded, axis=0, return_inverse=True)
        for number, axes in enumerate(np.flatnonzero(some).tolist() for some in kinds):
            boxes = np.flatnonzero(kind.ravel() == number)
            low, high = lower[boxes].T[axes], upper[boxes].T[axes]
            match axes:
                case []:
                    found[boxes] = self.total
                case [one]:
                    table = self.single[one]
                    found[boxes] = table[high[0]] - table[low[0]]
                case [one, two]:
                    table = self.pairs[one, two]
                    upper_part = table[high[0], high[1]] - table[low[0], high[1]]
                    found[boxes] = upper_part - table[high[0], low[1]] + table[low[0], low[1]]
        return found


def cumulated(table: Floats) -> Floats:
    """Sums of all that lies before, along every axis."""
    for axis in range(table.ndim):
        table = np.cumsum(table, axis=axis)
    return np.pad(table, [(1, 0)] * table.ndim)


def true_single(tensor: Tensor) -> list[Floats]:
    """The true histogram of each attribute."""
    columns = zip(tensor.coords.T, tensor.domain.shape, strict=True)
    return [np.bincount(column, tensor.counts, size).astype(np.float64) for column, size in columns]


def true_pairs(tensor: Tensor) -> Iterator[tuple[Pair, Floats]]:
    """The true table of each pair of attributes."""
    shape = tensor.domain.shape
    for one, two in combinations(range(len(shape)), 2):
        cell = tensor.coords[:, one].astype(np.int64) * shape[two] + tensor.coords[:, two]
        counts = np.bincount(cell, tensor.counts, shape[one] * shape[two])
        yield (one, two), counts.astype(np.float64).reshape(shape[one], shape[two])
