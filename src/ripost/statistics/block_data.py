"""BlockData: the private cells of disjoint blocks, in memory or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from ripost.arrays import Codes, Ints, Mask
from ripost.space.query_parameters import QueryParameters
from ripost.statistics.statistic import Statistic


class KeyedSubsampler(Protocol):
    """Draws how many rows of each cell are in a secret sample, from a key and the place of the cells.

    Cells at the same place get the same sample each time, so executors may repeat their work.
    """

    def __call__(self, counts: Ints, place: str) -> Ints: ...


class Subsampler(Protocol):
    """Draws how many rows of each cell are in a secret sample."""

    def __call__(self, counts: Ints) -> Ints: ...

    def with_key(self) -> KeyedSubsampler | None:
        """Return a sampler that executors can run; None if all noise must be drawn in one place."""
        ...


class BlockData(Protocol):
    """The private cells of disjoint blocks, and the statistics that an engine computes from them."""

    def compute(self, statistic: Statistic, first: int, last: int, parameters: QueryParameters | None = None) -> Ints:
        """Return a statistic of blocks `first` to `last`, concatenated."""
        ...

    def split(self, axis: Codes, cut: Codes) -> Self:
        """Split every block in two, in the order of Blocks.split."""
        ...

    def select(self, mask: Mask) -> tuple[Self, Self]:
        """Return the blocks where the mask is true, and the others."""
        ...

    def merge(self, others: Sequence[Self]) -> Self:
        """Return these blocks followed by the others."""
        ...

    def subsample(self, sampler: Subsampler) -> BlockData:
        """Return the same blocks with the rows of a secret sample."""
        ...
