"""Density: how the content of a block is thought to lie inside it, axis by axis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.space.blocks import Blocks, Codes, Mask

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


EVEN = Ruler(None)
BATCH = 1 << 14  # pairs handled at a time: what a processor's cache holds


@dataclass(frozen=True, slots=True)
class Spans:
    """The different stretches of one axis that blocks span."""

    which: Codes  # (n,): the stretch of each block
    first: Codes  # (u,): a block on each


@dataclass(frozen=True, slots=True)
class Side:
    """One axis of blocks and boxes: their ends on a ruler."""

    lower: Floats  # of blocks, (n,)
    upper: Floats
    low: Floats  # of boxes, (q,)
    high: Floats
    bounded: Mask  # whether a box leaves out some of the axis, (q,)
    spans: Spans
    flat: Mask | None  # blocks without mass on the ruler, (n,); None if there are none
    even: Side | None  # the same axis in codes, for them

    def ratio(self, block: Codes, box: Codes) -> Floats:
        """Share of a block's side that lies in a box, for pairs of them."""
        ratio = _ratio(self.lower.take(block), self.upper.take(block), self.low.take(box), self.high.take(box))
        if self.flat is not None and self.even is not None:
            rows = np.flatnonzero(self.flat.take(block))
            ratio[rows] = self.even.ratio(block[rows], box[rows])
        return ratio

    def ratios(self, box: int) -> Floats:
        """Share of every block's side that lies in one box, (n,): one ratio a stretch."""
        first = self.spans.first
        return np.maximum(self.ratio(first, np.full(len(first), box)), 0.0)[self.spans.which]


@dataclass(frozen=True, slots=True)
class Shares:
    """Blocks and boxes, ready to give the share of a block that lies in a box."""

    sides: list[Side]
    count: int  # of blocks

    def of_pairs(self, block: Codes, box: Codes) -> Floats:
        """Share of a block that lies in a box, for pairs of them."""
        shares = np.ones(len(block))
        for first in range(0, len(block), BATCH):
            some = slice(first, first + BATCH)
            for side in self.sides:
                shares[some] *= side.ratio(block[some], box[some])
        return shares

    def of_all(self, box: int) -> Floats:
        """Share of every block that lies in one box, (n,)."""
        shares = np.ones(self.count)
        for side in self.sides:
            if side.bounded[box]:
                shares *= side.ratios(box)
        return shares


@dataclass(frozen=True)
class Density:
    """Blocks on the rulers of their axes, ready for shares of blocks.

    The share of a block that a box covers is a product of one ratio an axis, so that no volume is ever computed. A
    block without mass on an axis is taken as even there.
    """

    shape: tuple[int, ...]
    blocks: Blocks
    rulers: tuple[Ruler, ...]

    @classmethod
    def of(cls, shape: tuple[int, ...], blocks: Blocks, marginals: Marginals | None) -> Density:
        return cls(shape, blocks, tuple(map(Ruler, marginals or (None,) * len(shape))))

    @cached_property
    def flat(self) -> list[Mask]:
        """By axis, which blocks have no mass there, (n,)."""
        codes = zip(self.rulers, self._lower, self._upper, strict=True)
        return [ruler.at(upper) <= ruler.at(lower) for ruler, lower, upper in codes]

    @cached_property
    def ends(self) -> list[tuple[Floats, Floats]]:
        """By axis, lower and upper ends of blocks: mass before them, or plain codes where there is no mass."""
        return [
            (np.where(flat, lower, ruler.at(lower)), np.where(flat, upper, ruler.at(upper)))
            for ruler, lower, upper, flat in zip(self.rulers, self._lower, self._upper, self.flat, strict=True)
        ]

    @cached_property
    def _lower(self) -> Floats:
        """Lower ends in codes, (d, n)."""
        return np.ascontiguousarray(self.blocks.lower.T, np.float64)

    @cached_property
    def _upper(self) -> Floats:
        return np.ascontiguousarray(self.blocks.upper.T, np.float64)

    def spans(self, axis: int) -> Spans:
        """The different stretches of an axis, looked for once."""
        if axis not in self._spans:
            key = self.blocks.lower[:, axis] * (self.shape[axis] + 1) + self.blocks.upper[:, axis]
            _, first, which = np.unique(key, return_index=True, return_inverse=True)
            self._spans[axis] = Spans(which.ravel(), first)
        return self._spans[axis]

    @cached_property
    def _spans(self) -> dict[int, Spans]:
        return {}

    def shares(self, lower: Floats, upper: Floats) -> Shares:
        """Shares for boxes (q, d); axes that no box bounds are left out."""
        bound = np.flatnonzero((lower > 0).any(axis=0) | (upper < self.shape).any(axis=0)).tolist()
        return Shares([self._side(axis, lower[:, axis], upper[:, axis]) for axis in bound], len(self.blocks))

    def _side(self, axis: int, low: Floats, high: Floats) -> Side:
        ruler, flat, ends = self.rulers[axis], self.flat[axis], self.ends[axis]
        bounded = (low > 0) | (high < self.shape[axis])
        spans = self.spans(axis)
        even = Side(*ends, low, high, bounded, spans, None, None) if flat.any() else None
        return Side(*ends, ruler.at(low), ruler.at(high), bounded, spans, flat if even else None, even)


def _ratio(lower: Floats, upper: Floats, low: Floats | float, high: Floats | float) -> Floats:
    """Share of [lower, upper) that lies in [low, high); negative where they are apart."""
    part = np.minimum(upper, high)
    other = np.maximum(lower, low)
    part -= other
    part /= np.subtract(upper, lower, out=other)
    return part
