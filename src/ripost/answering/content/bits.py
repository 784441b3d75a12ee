"""Bits: weighted cells as bits of words, so that a box is an AND of one word per 64 cells and axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes, Floats

Words = NDArray[np.uint64]

MOST_BYTES = 1 << 28  # of all tables
AT_ONCE = 1 << 22  # words of boxes held at a time


@dataclass(frozen=True)
class Bits:
    """Cells of equal weight share words, and no others; so a word counts for its weight times its bits."""

    below: tuple[Words, ...]  # of each axis (size + 1, words): the cells whose code is below each
    weight: Floats  # (words,)

    @classmethod
    def of(cls, shape: Sequence[int], coords: Codes, weights: Floats) -> Bits | None:
        """The tables of these cells; None if they would be too large."""
        distinct, group = np.unique(weights, return_inverse=True)
        number = np.bincount(group, minlength=len(distinct))
        words = -(-number // 64)
        if 8 * int(words.sum()) * (sum(shape) + len(shape)) > MOST_BYTES:
            return None
        order = np.argsort(group, kind="stable")
        rank = np.empty(len(group), np.int64)
        rank[order] = np.arange(len(group)) - np.repeat(np.cumsum(number) - number, number)
        word = (np.cumsum(words) - words)[group] + rank // 64
        bit = np.left_shift(np.uint64(1), (rank % 64).astype(np.uint64))
        tables = []
        for axis, size in enumerate(shape):
            table = np.zeros((size + 1, int(words.sum())), np.uint64)
            np.bitwise_or.at(table, (coords[:, axis] + 1, word), bit)
            tables.append(np.bitwise_or.accumulate(table, axis=0))
        return cls(tuple(tables), np.repeat(distinct, words))

    def sum_regions(self, lower: Codes, upper: Codes) -> Floats:
        """The weight inside each box of codes, (n, d), upper exclusive."""
        found = np.zeros(len(lower))
        step = max(1, AT_ONCE // max(1, len(self.weight)))
        for first in range(0, len(lower), step):
            low, high = lower[first : first + step], upper[first : first + step]
            inside = np.full((len(low), len(self.weight)), ~np.uint64(0))
            for axis, below in enumerate(self.below):
                if (low[:, axis] > 0).any() or (high[:, axis] < len(below) - 1).any():
                    inside &= below[high[:, axis]] & ~below[low[:, axis]]
                else:
                    inside &= below[-1]
            found[first : first + step] = np.bitwise_count(inside) @ self.weight
        return found
