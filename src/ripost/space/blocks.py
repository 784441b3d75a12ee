"""Blocks: axis-parallel boxes of cells, half-open."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Ints, Mask


@dataclass(frozen=True, slots=True)
class Blocks:
    """n boxes in d dimensions."""

    lower: Codes  # (n, d), inclusive
    upper: Codes  # (n, d), exclusive

    @classmethod
    def whole(cls, shape: Sequence[int]) -> Blocks:
        """The block that is the whole domain."""
        return cls(np.zeros((1, len(shape)), np.int64), np.array([shape], np.int64))

    def __len__(self) -> int:
        return len(self.lower)

    @property
    def sizes(self) -> Codes:
        """Side lengths, (n, d)."""
        return self.upper - self.lower

    @property
    def is_cell(self) -> Mask:
        """Which blocks are a single cell and so cannot be cut."""
        single: Mask = (self.sizes == 1).all(axis=1)
        return single

    def volumes(self) -> list[int]:
        """Number of cells of each block, an exact integer of any size."""
        return [math.prod(row) for row in self.sizes.tolist()]

    def volume(self, block: int) -> int:
        """Number of cells of one block, an exact integer of any size."""
        return math.prod(self.sizes[block].tolist())

    def take(self, which: Ints | Mask) -> Blocks:
        rows = np.flatnonzero(which) if which.dtype == np.bool_ else which
        return Blocks(self.lower.take(rows, axis=0), self.upper.take(rows, axis=0))

    def split(self, axis: Codes, cut: Codes) -> Blocks:
        """Each block's two halves side by side: left 0, right 0, left 1, right 1, …"""
        rows = np.arange(len(self))
        if not ((self.lower[rows, axis] < cut) & (cut < self.upper[rows, axis])).all():
            raise ValueError("a cut must fall inside its block")
        lower, upper = self.lower.repeat(2, axis=0), self.upper.repeat(2, axis=0)
        upper[::2][rows, axis] = cut
        lower[1::2][rows, axis] = cut
        return Blocks(lower, upper)
