"""Expected: where to halve blocks, and the share expected in each half, by released marginals or a mixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.marginal import running_sums
from ripost.estimate.mixture import MixtureIndex
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Pairs
from ripost.space.ties import TIE

EVENNESS = {2: 0.8}  # dimensions -> weight of the uniform distribution in the middle that cuts aim at
EVENNESS_ELSE = 0.5
PARTNERS = 8  # axes that an axis is compared with
LOOKS = 256  # positions on a partner
FAINT = 1e-9  # weight of the densities' product, added where the mixture expects no rows


@dataclass(frozen=True)
class Expected:
    """The product of one density an axis, as running sums."""

    below: Sequence[Floats]  # mass before each code of each axis
    middle: Sequence[Floats]  # the same, mixed with the uniform distribution
    levels: Sequence[Sequence[Codes]]  # of each axis: edges of its levels, the coarsest first

    @classmethod
    def of(cls, density: Sequence[Floats], levels: Sequence[Sequence[Codes]] | None = None) -> Expected:
        """From a mass per code of each axis."""
        even = EVENNESS.get(len(density), EVENNESS_ELSE)
        mixed = [(1 - even) * mass / mass.sum() + even / len(mass) for mass in density]
        levels = levels or [()] * len(density)
        return cls([running_sums(mass) for mass in density], [running_sums(mass) for mass in mixed], levels)

    def left(self, blocks: Blocks, axis: Codes, cut: Codes) -> Floats:
        """The share of each block that the product of the marginals expects left of its cut; 1/2 if it has none."""
        shares = np.full(len(axis), 0.5)
        for number, below in enumerate(self.below):
            some = np.flatnonzero(axis == number)
            low, high = below[blocks.lower[some, number]], below[blocks.upper[some, number]]
            shares[some] = (below[cut[some]] - low) / (high - low)
        return shares

    def mass(self, blocks: Blocks) -> Floats:
        """The product of the shares of each axis that lie in each block."""
        found = np.ones(len(blocks))
        for number, below in enumerate(self.below):
            found *= (below[blocks.upper[:, number]] - below[blocks.lower[:, number]]) / below[-1]
        return found

    def halve(
        self,
        blocks: Blocks,
        axis: Codes,
        cut: Codes,
        inside: Floats | None,  # noqa: ARG002
    ) -> tuple[Floats, Floats | None]:
        """The share expected left of each cut, and the mass of each component of a mixture inside each half.

        `inside` is the mass of each component inside the blocks, or None if it is not known or there is no mixture.
        """
        return self.left(blocks, axis, cut), None

    def cuts(self, blocks: Blocks) -> tuple[Floats, Codes]:
        """The share of the smaller side of each block's most balanced cut along each axis, and the cut's position.

        A block that holds several groups of a level is cut between groups of the coarsest such level.
        """
        balance = np.full(blocks.lower.shape, -1.0)
        position = np.zeros(blocks.lower.shape, np.int64)
        for axis, middle in enumerate(self.middle):
            lower, upper = blocks.lower[:, axis], blocks.upper[:, axis]
            low, high = middle[lower], middle[upper]
            for edges in self.levels[axis]:
                undecided = np.flatnonzero(balance[:, axis] < 0)
                found = _between_groups(middle, edges[1:-1], lower[undecided], upper[undecided])
                balance[undecided, axis], position[undecided, axis] = found
            grouped = balance[:, axis] >= 0
            near = np.searchsorted(middle, (low + high) / 2)
            for step in (0, -1):
                cut = np.clip(near + step, lower + 1, np.maximum(upper - 1, lower + 1)).clip(max=len(middle) - 1)
                lesser = np.minimum(middle[cut] - low, high - middle[cut]) / (high - low)
                better = (upper - lower > 1) & (lesser > balance[:, axis] + TIE) & ~grouped
                balance[better, axis], position[better, axis] = lesser[better], cut[better]
        return balance, position

    def pairs(self, blocks: Blocks, cut: Codes) -> Pairs:
        """Parameters of a query about these cuts, one per axis: how far their halves deviate along other axes."""
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


def _between_groups(middle: Floats, edges: Codes, lower: Codes, upper: Codes) -> tuple[Floats, Codes]:
    """The share of the smaller side of the most balanced cut at one of some edges, -1 where none is inside; the cut."""
    low, high = middle[lower], middle[upper]
    first, last = np.searchsorted(edges, lower, "right"), np.searchsorted(edges, upper, "left")
    near = np.searchsorted(middle[edges], (low + high) / 2)
    balance, position = np.full(len(lower), -1.0), np.zeros(len(lower), np.int64)
    for step in (0, -1):
        cut = edges[np.clip(near + step, first, np.maximum(last - 1, first)).clip(max=len(edges) - 1)]
        lesser = np.minimum(middle[cut] - low, high - middle[cut]) / (high - low)
        better = (first < last) & (lesser > balance + TIE)
        balance[better], position[better] = lesser[better], cut[better]
    return balance, position


def _looks(middle: Floats) -> Codes:
    """Positions on a partner: all, or some that divide its mass about evenly."""
    size = len(middle) - 1
    if size <= LOOKS:
        return np.arange(1, size)
    return np.unique(np.searchsorted(middle, np.linspace(0, middle[-1], LOOKS + 1)[1:-1]).clip(1, size - 1))


@dataclass(frozen=True)
class ExpectedMixture(Expected):
    """Halve blocks by the densities, and expect in each half what a mixture says."""

    mixture: MixtureIndex

    @classmethod
    def by(cls, mixture: MixtureIndex, density: Sequence[Floats], levels: Sequence[Sequence[Codes]]) -> ExpectedMixture:
        alone = Expected.of(density, levels)
        return cls(alone.below, alone.middle, levels, mixture)

    def inside(self, blocks: Blocks) -> Floats:
        """Mass of each component inside each block, times its weight, (n, k)."""
        return self.mixture.components(blocks.lower, blocks.upper) * self.mixture.mixture.weights

    def halve(self, blocks: Blocks, axis: Codes, cut: Codes, inside: Floats | None) -> tuple[Floats, Floats | None]:
        if inside is None:
            inside = self.inside(blocks)
        left = np.empty_like(inside)
        for number in range(len(self.below)):
            here = np.flatnonzero(axis == number)
            low, high = blocks.lower[here, number], blocks.upper[here, number]
            whole = self.mixture.mass(number, low, high)
            part = self.mixture.mass(number, low, cut[here])
            left[here] = inside[here] * np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
        halves = np.stack([left, inside - left], axis=1).reshape(2 * len(axis), -1)
        expected = self.left(blocks, axis, cut)
        return (left.sum(axis=1) + FAINT * expected) / (inside.sum(axis=1) + FAINT), halves
