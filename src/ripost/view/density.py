"""Density: how the content of a block is thought to lie inside it, axis by axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.space.attribute import Interval
from ripost.space.blocks import Blocks, Mask
from ripost.view.least_squares import Floats

Marginals = tuple[Floats | None, ...]  # per axis, mass of each code; None spreads evenly


@dataclass(frozen=True)
class Ruler:
    """One axis measured by released mass. Inside a code mass lies evenly."""

    marginal: Floats | None  # (n,), non-negative

    @cached_property
    def prefix(self) -> Floats:
        """Mass before each code, (n + 1,)."""
        assert self.marginal is not None
        return np.concatenate([[0.0], np.cumsum(self.marginal)])

    def at(self, position: Floats) -> Floats:
        """Mass before positions on the code axis."""
        if self.marginal is None:
            return position
        code = np.minimum(position.astype(np.int64), len(self.marginal) - 1)
        return self.prefix[code] + (position - code) * self.marginal[code]

    def within(self, intervals: Sequence[Interval], position: Floats) -> Floats:
        """Mass of disjoint, sorted intervals that lies before positions."""
        ends = self.at(np.array(intervals, np.float64).reshape(-1, 2))
        before = np.concatenate([[0.0], np.cumsum(ends[:, 1] - ends[:, 0])])
        begun = np.searchsorted([low for low, _ in intervals], position, side="right")
        last = np.maximum(begun, 1) - 1
        inside = np.minimum(self.at(position), ends[last, 1]) - ends[last, 0]
        return np.where(begun > 0, before[last] + inside, 0.0)


EVEN = Ruler(None)


@dataclass(frozen=True)
class Density:
    """Blocks on the rulers of their axes, ready for shares of blocks.

    The share of a block that a box covers is a product of one ratio an axis, so that no volume is ever computed. A
    block without mass on an axis is taken as even there.
    """

    blocks: Blocks
    rulers: tuple[Ruler, ...]

    @classmethod
    def of(cls, blocks: Blocks, marginals: Marginals | None) -> Density:
        return cls(blocks, tuple(map(Ruler, marginals or (None,) * blocks.lower.shape[1])))

    @cached_property
    def flat(self) -> Mask:
        """Which blocks have no mass along which axes, (n, d)."""
        return self._measured[1] <= self._measured[0]

    @cached_property
    def lower(self) -> Floats:
        """Lower ends, (n, d): mass before them, or plain codes where there is no mass."""
        return np.where(self.flat, self.blocks.lower, self._measured[0])

    @cached_property
    def upper(self) -> Floats:
        return np.where(self.flat, self.blocks.upper, self._measured[1])

    @cached_property
    def per_length(self) -> Floats:
        return 1 / (self.upper - self.lower)

    @cached_property
    def _measured(self) -> tuple[Floats, Floats]:
        return self.measure(self.blocks.lower), self.measure(self.blocks.upper)

    def measure(self, positions: Floats | np.ndarray) -> Floats:  # type: ignore[type-arg]
        """Mass before positions, (n, d)."""
        columns = positions.astype(np.float64).T
        return np.stack([ruler.at(column) for ruler, column in zip(self.rulers, columns, strict=True)], axis=1)

    def covered(self, axis: int, intervals: Sequence[Interval]) -> Floats:
        """Share of each block that disjoint, sorted intervals of one axis cover, (n,)."""
        if not intervals:
            return np.zeros(len(self.blocks))
        low = self.blocks.lower[:, axis].astype(np.float64)
        high = self.blocks.upper[:, axis].astype(np.float64)
        share = np.empty(len(self.blocks))
        flat = self.flat[:, axis]
        for ruler, rows in ((self.rulers[axis], ~flat), (EVEN, flat)):
            part = ruler.within(intervals, high[rows]) - ruler.within(intervals, low[rows])
            share[rows] = part * self.per_length[rows, axis]
        return np.clip(share, 0.0, 1.0)
