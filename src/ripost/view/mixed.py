"""Mixed: the mixture of a view with the densities inside its bins, asked about boxes and about lists of intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.estimate.mixture import AT_ONCE, Mixture, MixtureIndex, before_codes
from ripost.space.blocks import Codes
from ripost.space.region import Intervals
from ripost.space.work import charge
from ripost.view.asked import Asked
from ripost.view.density import Marginals

MOST_COMPONENTS = 4096
PRODUCTS = 200  # of masses of components that are multiplied in one step of work


@dataclass(frozen=True)
class Side:
    """What the lists of intervals of one axis hold; f is the share of a bin that a list covers, m the bin's mass."""

    place: Codes  # (boxes,): the list of each box
    mass: Floats  # (lists, k): of each component
    share: Floats  # (lists,): sum over bins of m f
    squares: Floats  # (lists,): sum of f^2
    uneven: Floats  # (lists,): sum of m f (1 - f)
    codes: Floats  # (lists,): how many codes the list covers


@dataclass(frozen=True)
class Mixed:
    """A mixture on the released densities of its attributes."""

    mixture: Mixture
    density: Marginals  # of each attribute

    @cached_property
    def index(self) -> MixtureIndex:
        return self.mixture.on(self.density)

    def totals(self, lower: Floats, upper: Floats) -> Floats:
        """The mixture's sum over each box of positions, (n, d)."""
        some = np.flatnonzero((lower < upper).all(axis=1))
        found = np.zeros(len(lower))
        found[some] = self.index.totals(lower[some], upper[some])
        return found

    def sides(self, asked: Asked) -> list[Side]:
        """What the boxes hold along each axis that any of them bounds."""
        found = []
        for i, (axis, lists) in enumerate(zip(asked.axes, asked.lists, strict=True)):
            used, place = np.unique(asked.which[:, i], return_inverse=True)
            found.append(self._side(axis, [lists[number] for number in used.tolist()], place.ravel()))
        return found

    def sums(self, sides: Sequence[Side], boxes: int) -> Floats:
        """The mixture's sum over each of so many boxes: over all components, the product of what the sides hold."""
        weights = self.mixture.total * self.mixture.weights
        charge(boxes * len(sides) * len(weights) / PRODUCTS)
        found, step = np.zeros(boxes), max(1, AT_ONCE // len(weights))
        for first in range(0, boxes, step):
            some = slice(first, first + step)
            product = np.tile(weights, (len(found[some]), 1))
            for side in sides:
                product *= side.mass[side.place[some]]
            found[some] = product.sum(axis=1)
        return found

    def _side(self, axis: int, lists: Sequence[Intervals], place: Codes) -> Side:
        owner = np.repeat(np.arange(len(lists)), [len(spans) for spans in lists])
        ends = np.array([end for spans in lists for end in spans]).reshape(-1, 2)
        charge(len(ends) * (1 + len(self.mixture.weights) / PRODUCTS))
        mass = np.zeros((len(lists), len(self.mixture.weights)))
        share, squares, uneven, codes = np.zeros((4, len(lists)))
        np.add.at(codes, owner, ends[:, 1] - ends[:, 0])
        prefix, bins = self._prefix(axis), np.arange(len(self.mixture.edges[axis]) - 1)
        step = max(1, AT_ONCE // max(len(bins), mass.shape[1]))
        for first in range(0, len(lists), step):
            last = min(first + step, len(lists))
            some = slice(*np.searchsorted(owner, [first, last]).tolist())
            low, high, mine = ends[some, 0], ends[some, 1], owner[some] - first
            np.add.at(mass[first:last], mine, self.index.mass(axis, low, high))
            covered, before = np.zeros((last - first, len(bins))), [_at(prefix, end)[:, None] for end in (low, high)]
            np.add.at(covered, mine, np.clip(before[1] - bins, 0, 1) - np.clip(before[0] - bins, 0, 1))
            share[first:last] = covered @ self._bin_shares[axis]
            squares[first:last] = (covered**2).sum(axis=1)
            uneven[first:last] = (covered * (1 - covered).clip(min=0)) @ self._bin_shares[axis]
        return Side(place, mass, share, squares, uneven, codes)

    @cached_property
    def _bin_shares(self) -> list[Floats]:
        """By attribute, the share of the whole density that lies in each bin; by codes where there is none."""
        found = []
        for edges, density in zip(self.mixture.edges, self.density, strict=True):
            mass = np.diff(edges).astype(np.float64)
            if density is not None and density.sum() > 0:
                mass = np.add.reduceat(density, edges[:-1])
            found.append(mass / mass.sum())
        return found

    def _prefix(self, axis: int) -> Floats:
        """For each code, how many bins lie before it, the last one in part: by the density inside that bin."""
        if axis not in self._prefixes:
            edges = self.mixture.edges[axis]
            number = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
            self._prefixes[axis] = np.append(number + before_codes(edges, self.density[axis]), len(edges) - 1.0)
        return self._prefixes[axis]

    @cached_property
    def _prefixes(self) -> dict[int, Floats]:
        return {}


def check_mixture(mixture: Mixture, shape: Sequence[int], most: float) -> None:
    """ValueError unless the parts of a mixture fit each other and the domain, and its numbers are at most so large."""
    weights = mixture.weights
    if weights.ndim != 1 or not 1 <= len(weights) <= MOST_COMPONENTS:
        raise ValueError(f"a mixture has 1 to {MOST_COMPONENTS:,} components")
    if not abs(mixture.total) <= most:
        raise ValueError("the total of the mixture must be a finite number")
    if not (weights >= 0).all() or not abs(weights.sum() - 1) <= 1e-9:
        raise ValueError("the weights of the mixture must be numbers from 0 up that add up to 1")
    if not len(mixture.edges) == len(mixture.levels) == len(shape):
        raise ValueError(f"the mixture needs one entry per axis ({len(shape)})")
    for edges, levels, size in zip(mixture.edges, mixture.levels, shape, strict=True):
        if len(edges) < 2 or edges[0] != 0 or edges[-1] != size or not (np.diff(edges) > 0).all():
            raise ValueError(f"the edges of the bins of an axis of {size} codes must rise from 0 to {size}")
        if levels.shape != (len(weights), len(edges) - 1):
            raise ValueError("the mixture needs one level for each component and bin")
        if not levels.any(axis=1).all():
            raise ValueError("a component of the mixture has no level above 0 on an axis")


def _at(prefix: Floats, position: Floats) -> Floats:
    """The prefix at positions, which may lie inside codes."""
    code = np.minimum(position.astype(np.int64), len(prefix) - 2)
    found: Floats = prefix[code] + (position - code) * (prefix[code + 1] - prefix[code])
    return found
