"""Expected: what released marginals, or a mixture, say of blocks: where to halve them and what to expect in the halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.estimate.marginal import running_sums
from ripost.estimate.mixture import AT_ONCE, MixtureIndex
from ripost.space.blocks import Blocks, Codes
from ripost.space.question import Pairs
from ripost.space.ties import TIE

EVENNESS = {2: 0.8}  # dimensions -> part of the even mass when a cut looks for the middle
EVENNESS_ELSE = 0.5
PARTNERS = 8  # axes that an axis is held against
LOOKS = 256  # positions of a partner
FAINT = 1e-9  # mass of the densities' product that is added where the mixture expects nothing


@dataclass(frozen=True)
class Expected:
    """The product of one density an axis, as running sums."""

    below: Sequence[Floats]  # mass before each code of each axis
    middle: Sequence[Floats]  # the same, mixed with even mass

    @classmethod
    def of(cls, density: Sequence[Floats]) -> Expected:
        """From a mass per code of each axis."""
        even = EVENNESS.get(len(density), EVENNESS_ELSE)
        mixed = [(1 - even) * mass / mass.sum() + even / len(mass) for mass in density]
        return cls([running_sums(mass) for mass in density], [running_sums(mass) for mass in mixed])

    def left(self, blocks: Blocks, axis: Codes, cut: Codes) -> Floats:
        """The share of each block that the product of the marginals expects left of its cut; 1/2 if it has none."""
        shares = np.full(len(axis), 0.5)
        for number, below in enumerate(self.below):
            some = np.flatnonzero(axis == number)
            low, high = below[blocks.lower[some, number]], below[blocks.upper[some, number]]
            shares[some] = (below[cut[some]] - low) / (high - low)
        return shares

    def cuts(self, blocks: Blocks) -> tuple[Floats, Codes]:
        """The cut of each block nearest the middle of its mass along each axis, and the lesser side's share of it."""
        balance = np.full(blocks.lower.shape, -1.0)
        position = np.zeros(blocks.lower.shape, np.int64)
        for axis, middle in enumerate(self.middle):
            lower, upper = blocks.lower[:, axis], blocks.upper[:, axis]
            low, high = middle[lower], middle[upper]
            near = np.searchsorted(middle, (low + high) / 2)
            for step in (0, -1):
                cut = np.clip(near + step, lower + 1, np.maximum(upper - 1, lower + 1)).clip(max=len(middle) - 1)
                lesser = np.minimum(middle[cut] - low, high - middle[cut]) / (high - low)
                better = (upper - lower > 1) & (lesser > balance[:, axis] + TIE)
                balance[better, axis], position[better, axis] = lesser[better], cut[better]
        return balance, position

    def pairs(self, blocks: Blocks, cut: Codes) -> Pairs:
        """A question about these cuts, one an axis: how far their halves are from what is expected along other axes."""
        axes = range(len(self.below))
        low = np.stack([self.below[a][blocks.lower[:, a]] for a in axes], axis=1)
        mass = np.stack([self.below[a][blocks.upper[:, a]] for a in axes], axis=1) - low
        left = (np.stack([self.below[a][cut[:, a]] for a in axes], axis=1) - low) / mass
        edges = tuple(_looks(self.middle[a]) for a in axes)
        under = []
        for a in axes:
            inside = np.clip(edges[a], blocks.lower[:, a, None], blocks.upper[:, a, None])
            under.append((self.below[a][inside] - low[:, a, None]) / mass[:, a, None])
        partners = tuple(tuple((a + 1 + i) % len(axes) for i in range(min(PARTNERS, len(axes) - 1))) for a in axes)
        return Pairs(cut, left, edges, tuple(under), partners)


def _looks(middle: Floats) -> Codes:
    """Positions of an axis at which a partner is looked at: all, or some about evenly by mass."""
    size = len(middle) - 1
    if size <= LOOKS:
        return np.arange(1, size)
    return np.unique(np.searchsorted(middle, np.linspace(0, middle[-1], LOOKS + 1)[1:-1]).clip(1, size - 1))


@dataclass(frozen=True)
class ExpectedMixture(Expected):
    """Where to halve blocks by the densities, and how much to expect in each half by a mixture."""

    mixture: MixtureIndex

    @classmethod
    def by(cls, mixture: MixtureIndex, density: Sequence[Floats]) -> ExpectedMixture:
        alone = Expected.of(density)
        return cls(alone.below, alone.middle, mixture)

    def left(self, blocks: Blocks, axis: Codes, cut: Codes) -> Floats:
        """The share of each block that the mixture expects left of its cut; 1/2 if it has none."""
        shares = super().left(blocks, axis, cut)
        weights = self.mixture.mixture.weights
        cuts = np.flatnonzero(axis >= 0)
        step = max(1, AT_ONCE // len(weights))
        for first in range(0, len(cuts), step):
            some = cuts[first : first + step]
            lower, upper = blocks.lower[some], blocks.upper[some]
            inside = self.mixture.components(lower, upper) * weights
            within = np.zeros_like(inside)  # of each component, the share left of the cut
            for number in np.unique(axis[some]).tolist():
                here = np.flatnonzero(axis[some] == number)
                low, high = lower[here, number], upper[here, number]
                whole = self.mixture.mass(number, low, high)
                left = self.mixture.mass(number, low, cut[some[here]])
                within[here] = np.divide(left, whole, out=np.zeros_like(whole), where=whole > 0)
            mass = inside.sum(axis=1)
            shares[some] = ((inside * within).sum(axis=1) + FAINT * shares[some]) / (mass + FAINT)
        return shares
