"""Mixture of products: components that are independent across attributes, so that sums over boxes are products.

    mass of a box = sum_k weight_k * prod_a (mass of component k on attribute a inside the box)

A component's distribution on an attribute is given by bins; inside a bin it follows the attribute's one-way density.
Shares of bins are stored as whole levels from 0 to 255, a share being proportional to the square of its level: small
shares keep their relative precision, and a release needs one byte for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes, Floats, Mask

Levels = NDArray[np.uint8]
Positions = Floats | Codes

FAINT = 1e-9  # least share of a cell
HIGHEST = 255  # the largest level
AT_ONCE = 1 << 21  # entries of a batch of boxes times components


@dataclass(frozen=True)
class Mixture:
    """A mixture of products over the domain, as it is released."""

    total: float  # rows, or the sum of the measure, that the mixture stands for
    weights: Floats  # (k,), not negative, sum 1
    edges: tuple[Codes, ...]  # of each attribute: the edges of its bins in codes, rising from 0 to its size
    levels: tuple[Levels, ...]  # of each attribute, (k, bins)

    @classmethod
    def quantize(
        cls,
        total: float,
        weights: Floats,
        edges: Sequence[Codes],
        shares: Sequence[Floats],
        support: Sequence[Mask] | None = None,
    ) -> Self:
        """The released form of component shares (k, bins) of each attribute; outside of its support a share stays 0."""
        weights = weights / weights.sum()
        masks = [np.ones(share.shape, bool) for share in shares] if support is None else support
        found = (_levels(share, weights, mask) for share, mask in zip(shares, masks, strict=True))
        return cls(total, weights, tuple(edges), tuple(found))

    def shares(self, attribute: int) -> Floats:
        """Share of each bin of an attribute in each component, (k, bins); each row sums to 1."""
        squares = self.levels[attribute].astype(np.float64) ** 2
        found: Floats = squares / squares.sum(axis=1, keepdims=True)
        return found

    def over_codes(self, attribute: int, density: Floats | None) -> Floats:
        """Share of each code of an attribute in each component, (k, codes), by the density inside each bin."""
        edges = self.edges[attribute]
        bins = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        return self.shares(attribute)[:, bins] * within_bins(edges, density)

    def on(self, density: Sequence[Floats | None]) -> MixtureIndex:
        """The mixture with one-way densities, indexed for queries of boxes."""
        below = []
        for attribute, mass in enumerate(density):
            codes = self.over_codes(attribute, mass)
            below.append(np.concatenate([np.zeros((1, len(codes))), codes.T.cumsum(axis=0)]))
        return MixtureIndex(self, tuple(below))

    def dependence(self, one: int, other: int) -> float:
        """Phi squared of two attributes: the mean squared contingency of their table of bins."""
        table = (self.shares(one).T * self.weights) @ self.shares(other)
        expected = np.outer(table.sum(axis=1), table.sum(axis=0))
        return float(((table - expected) ** 2 / np.maximum(expected, FAINT)).sum())

    def scale(self, factor: float) -> Mixture:
        """The mixture with its total multiplied by a factor."""
        return Mixture(self.total * factor, self.weights, self.edges, self.levels)


@dataclass(frozen=True)
class MixtureIndex:
    """A mixture as running sums along each attribute."""

    mixture: Mixture
    below: tuple[Floats, ...]  # of each attribute, (codes + 1, k): mass of each component before each code

    def mass(self, attribute: int, lower: Positions, upper: Positions) -> Floats:
        """Mass of each component between positions of an attribute, (n, k); positions may lie inside codes."""
        found: Floats = self.before(attribute, upper) - self.before(attribute, lower)
        return found

    def before(self, attribute: int, position: Positions) -> Floats:
        """Mass of each component before positions of an attribute, (n, k)."""
        below = self.below[attribute]
        code = np.floor(position).astype(np.int64).clip(0, len(below) - 1)
        found: Floats = below[code]
        rest = position - code
        inside = np.flatnonzero(rest > 0)
        if len(inside):
            found[inside] += rest[inside, None] * (below[code[inside] + 1] - below[code[inside]])
        return found

    def components(self, lower: Positions, upper: Positions) -> Floats:
        """Mass of each component inside each box, (n, k); lower inclusive, upper exclusive, (n, d)."""
        found = np.ones((len(lower), len(self.mixture.weights)))
        for attribute, below in enumerate(self.below):
            low, high = lower[:, attribute], upper[:, attribute]
            some = np.flatnonzero((low > 0) | (high < len(below) - 1))
            if len(some) == len(low):
                found *= self.mass(attribute, low, high)
            elif len(some):
                found[some] *= self.mass(attribute, low[some], high[some])
        return found

    def totals(self, lower: Positions, upper: Positions) -> Floats:
        """The mixture's sum over each box."""
        found, weights = np.zeros(len(lower)), self.mixture.total * self.mixture.weights
        step = max(1, AT_ONCE // len(weights))
        for first in range(0, len(lower), step):
            some = slice(first, first + step)
            found[some] = self.components(lower[some], upper[some]) @ weights
        return found


def within_bins(edges: Codes, density: Floats | None) -> Floats:
    """Share of each code in its bin by a one-way density; evenly where the bin has no mass."""
    widths = np.diff(edges)
    even = np.repeat(1 / widths, widths)
    if density is None:
        return even
    mass = np.repeat(np.add.reduceat(density, edges[:-1]), widths)
    found: Floats = np.where(mass > 0, density / np.where(mass > 0, mass, 1.0), even)
    return found


def before_codes(edges: Codes, density: Floats | None) -> Floats:
    """Share of its bin that lies before each code, by a one-way density; exactly 0 for a code without mass."""
    widths = np.diff(edges)
    mass = np.ones(edges[-1]) if density is None else density
    mass = np.where(np.repeat(np.add.reduceat(mass, edges[:-1]), widths) > 0, mass, 1.0)
    upto = np.concatenate([np.cumsum(mass[start:stop]) for start, stop in pairwise(edges.tolist())])
    found: Floats = np.roll(upto / np.repeat(upto[edges[1:] - 1], widths), 1)
    found[edges[:-1]] = 0.0
    return found


def _levels(shares: Floats, weights: Floats, support: Mask) -> Levels:
    """Levels whose squares are near these shares, the largest of each row at the highest level.

    The rounding error of the weighted sum so far is added to the next component, up to one level, so that rounding
    does not change the one-way sums, which were measured best.
    """
    found: Levels = np.zeros(shares.shape, np.uint8)
    lacking = np.zeros(shares.shape[1])
    for k in np.argsort(-weights, kind="stable").tolist():
        level = 2 * np.sqrt(shares[k] * shares[k].max()) / HIGHEST  # between neighboring shares, about
        wanted = np.maximum(shares[k] + np.clip(lacking / max(weights[k], 1e-300), -level, level), 0) * support[k]
        found[k] = np.rint(HIGHEST * np.sqrt(wanted / wanted.max()))
        squares = found[k].astype(np.float64) ** 2
        lacking += weights[k] * (shares[k] - squares / squares.sum())
    return found
