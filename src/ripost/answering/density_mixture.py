"""DensityMixture: the mixture of a view and the densities inside its bins, summed over boxes and lists of intervals.

The bins of an attribute are one unit long each: `ruler` says how many of them lie before a position, the last one in
part. Everything else needs bins alone, however many codes an attribute has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.answering.axis_index import Marginals
from ripost.answering.query_batch import IntervalLists, QueryBatch
from ripost.arrays import Codes, Floats
from ripost.estimate.mixture import AT_ONCE, Mixture, before_codes
from ripost.estimate.weighted import sums_by
from ripost.space.work_limit import charge

MOST_COMPONENTS = 4096
PRODUCTS = 200  # of masses of components that are multiplied in one step of work


@dataclass(frozen=True)
class AxisCover:
    """What lists of intervals of one axis hold; f is the share of a bin that a list covers, m the bin's mass."""

    place: Codes  # (boxes,): the list of each box
    mass: Floats  # (lists, k): of each component
    share: Floats  # (lists,): sum over bins of m f
    cells: Floats  # (lists,): sum of f^2
    uneven: Floats  # (lists,): sum of m f (1 - f)
    codes: Floats  # (lists,): how many codes the list covers


@dataclass(frozen=True)
class Bins:
    """The bins of one attribute."""

    edges: Codes  # (bins + 1,), in codes
    density: Floats | None  # mass of each code, if it is known
    shares: Floats  # (k, bins): of each component

    @cached_property
    def mass(self) -> Floats:
        """Share of the whole density that lies in each bin; by codes where there is none, (bins,)."""
        mass = np.diff(self.edges).astype(np.float64)
        if self.density is not None and self.density.sum() > 0:
            mass = np.add.reduceat(self.density, self.edges[:-1])
        found: Floats = mass / mass.sum()
        return found

    def before(self, position: Floats) -> Floats:
        """How many bins lie before each position in codes, the last one in part."""
        if self.density is None:
            return np.interp(position, self.edges, np.arange(len(self.edges), dtype=np.float64))
        code = np.minimum(position.astype(np.int64), len(self.ruler) - 2)
        found: Floats = self.ruler[code] + (position - code) * (self.ruler[code + 1] - self.ruler[code])
        return found

    def draw_codes(self, component: Codes, lower: Codes, upper: Codes, uniform: Floats) -> Codes:
        """A code from each range by its component's share of the codes there; `uniform` lies in [0, 1)."""
        upto = np.concatenate([np.zeros((len(self.shares), 1)), self.shares.cumsum(axis=1)], axis=1)
        start, stop = (self._mass_before(upto, component, ends) for ends in (lower, upper))
        wanted = start + uniform * (stop - start)
        place = np.searchsorted((upto + np.arange(len(upto))[:, None]).ravel(), component + wanted, side="right")
        number = (place - 1 - component * upto.shape[1]).clip(0, len(self.mass) - 1)
        share = self.shares[component, number]
        rest = np.divide(wanted - upto[component, number], share, out=np.zeros(len(share)), where=share > 0)
        before = number + rest.clip(0, 1)
        if self.density is None:
            found = np.interp(before, np.arange(len(self.edges), dtype=np.float64), self.edges).astype(np.int64)
        else:
            found = np.searchsorted(self.ruler, before, side="right") - 1
        codes: Codes = np.minimum(np.maximum(found, lower), upper - 1)
        return codes

    def _mass_before(self, upto: Floats, component: Codes, position: Codes) -> Floats:
        """The mass of a component before a position each."""
        before = self.before(position.astype(np.float64))
        number = np.minimum(before.astype(np.int64), len(self.mass) - 1)
        found: Floats = upto[component, number] + (before - number) * self.shares[component, number]
        return found

    @cached_property
    def ruler(self) -> Floats:
        """How many bins lie before each code, (codes + 1,)."""
        number = np.repeat(np.arange(len(self.edges) - 1), np.diff(self.edges))
        return np.append(number + before_codes(self.edges, self.density), len(self.edges) - 1.0)

    def side(self, lists: IntervalLists, place: Codes) -> AxisCover:
        """What lists hold; `place` is the list of each box."""
        count, components, owner = len(self.mass), len(self.shares), lists.owner
        mass, (share, cells, uneven) = np.zeros((len(lists), components)), np.zeros((3, len(lists)))
        codes = sums_by(owner, lists.high - lists.low, len(lists))
        low, high = self.before(lists.low), self.before(lists.high)
        step = max(1, AT_ONCE // max(count, components))
        for first in range(0, len(lists), step):
            here = slice(first, min(first + step, len(lists)))
            some = slice(lists.start[here.start], lists.start[here.stop])
            covered = _cover_bins(low[some], high[some], owner[some] - first, here.stop - first, count)
            mass[here] = covered @ self.shares.T
            share[here] = covered @ self.mass
            cells[here] = (covered**2).sum(axis=1)
            uneven[here] = (covered * (1 - covered)) @ self.mass
        return AxisCover(place, mass, share, cells, uneven, codes)


@dataclass(frozen=True)
class DensityMixture:
    """A mixture on the released densities of its attributes."""

    mixture: Mixture
    density: Marginals  # of each attribute

    @cached_property
    def bins(self) -> list[Bins]:
        """The bins of each attribute."""
        return [
            Bins(edges, density, self.mixture.shares(axis))
            for axis, (edges, density) in enumerate(zip(self.mixture.edges, self.density, strict=True))
        ]

    def totals(self, batch: QueryBatch) -> Floats:
        """The mixture's sum over each box."""
        return self.sums(self.sides(batch), len(batch.owner))

    def box_sides(self, lower: Floats, upper: Floats) -> list[AxisCover]:
        """What boxes of positions hold along each axis that any of them bounds."""
        return self.sides(QueryBatch.of_boxes(lower, upper, [int(edges[-1]) for edges in self.mixture.edges]))

    def sides(self, batch: QueryBatch) -> list[AxisCover]:
        """What boxes of lists of intervals hold along each axis that any of them bounds."""
        found = []
        for i, (axis, lists) in enumerate(zip(batch.axes, batch.lists, strict=True)):
            used, place = np.unique(batch.which[:, i], return_inverse=True)
            some = lists.take(used)
            charge(len(some.low) * (1 + len(self.mixture.weights) / PRODUCTS))
            found.append(self.bins[axis].side(some, place.ravel()))
        return found

    def sums(self, sides: Sequence[AxisCover], boxes: int) -> Floats:
        """The mixture's sum over each of so many boxes, from what their sides hold."""
        charge(boxes * len(sides) * len(self.mixture.weights) / PRODUCTS)
        found, step = np.zeros(boxes), max(1, AT_ONCE // len(self.mixture.weights))
        for first in range(0, boxes, step):
            some = np.arange(first, min(first + step, boxes))
            found[some] = self.components(sides, some).sum(axis=1)
        return found

    def components(self, sides: Sequence[AxisCover], boxes: Codes) -> Floats:
        """The sum of each component over some boxes, (boxes, k)."""
        found: Floats = np.tile(self.mixture.total * self.mixture.weights, (len(boxes), 1))
        for side in sides:
            found *= side.mass[side.place[boxes]]
        return found


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


def _cover_bins(low: Floats, high: Floats, owner: Codes, lists: int, bins: int) -> Floats:
    """The share of each bin that each list covers, (lists, bins), from the ends of its intervals in bins."""
    number = np.arange(bins)
    each = np.clip(high[:, None] - number, 0, 1) - np.clip(low[:, None] - number, 0, 1)
    if len(owner) == lists and (owner == np.arange(lists)).all():
        return each
    found = np.zeros((lists, bins))
    np.add.at(found, owner, each)
    return np.minimum(found, 1.0)
