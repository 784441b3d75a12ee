"""DensityMixture: the mixture of a view and the densities inside its bins, summed over boxes and lists of intervals.

The bins of an attribute are one unit long each: `ruler` says how many of them lie before a position, the last one in
part. Everything else needs bins alone, however many codes an attribute has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
AXIS = 400  # steps of work that an axis takes, however few lists there are
PRODUCTS = 200  # of masses of components that are multiplied in one step of work


@dataclass(frozen=True)
class AxisCover:
    """What lists of intervals of one axis hold; f is the share of a bin that a list covers, m the bin's mass."""

    place: Codes  # (boxes,): the list of each box
    mass: Floats  # (lists, k): of each component
    share: Floats  # (lists,): sum over bins of m f
    cells: Floats  # (lists,): sum of f^2
    mean: Floats  # (lists,): (sum of f)^2 over the number of bins
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

    @cached_property
    def _upto(self) -> Floats:
        """The mass of each component and of the density before each edge of a bin, (bins + 1, k + 1)."""
        each = np.concatenate([self.shares.T, self.mass[:, None]], axis=1)
        return np.concatenate([np.zeros((1, each.shape[1])), each.cumsum(axis=0)])

    def _upto_positions(self, before: Floats) -> Floats:
        """The same for positions that are given in bins, (positions, k + 1)."""
        number = np.minimum(before.astype(np.int64), len(self.mass) - 1)
        found: Floats = self._upto[number] + (before - number)[:, None] * (self._upto[number + 1] - self._upto[number])
        return found

    def side(self, lists: IntervalLists, place: Codes) -> AxisCover:
        """What lists hold; `place` is the list of each box. The work does not depend on the number of bins."""
        low, high, components = self.before(lists.low), self.before(lists.high), len(self.shares)
        held = np.zeros((len(lists), components + 1))
        for first, last in _batches(lists.start, AT_ONCE // (components + 1)):
            start = lists.start[first : last + 1]
            some = slice(start[0], start[-1])
            each = self._upto_positions(high[some]) - self._upto_positions(low[some])
            full = np.flatnonzero(np.diff(start))
            held[first + full] = np.add.reduceat(each, start[full] - start[0]) if len(full) else 0.0
        cells, uneven = self._parts_of_bins(low, high, lists)
        mean = sums_by(lists.owner, high - low, len(lists)) ** 2 / len(self.mass)
        codes = sums_by(lists.owner, lists.high - lists.low, len(lists))
        return AxisCover(place, np.ascontiguousarray(held[:, :-1]), held[:, -1], cells, mean, uneven, codes)

    def _parts_of_bins(self, low: Floats, high: Floats, lists: IntervalLists) -> tuple[Floats, Floats]:
        """The sums of f^2 and of m f (1 - f) of each list: f is 1 but in the bins where an interval begins or ends."""
        count, owner, number = len(self.mass), lists.owner, len(lists)
        first, last = (np.minimum(end.astype(np.int64), count - 1) for end in (low, high))
        one = first == last
        part = np.concatenate([np.where(one, high, first + 1.0) - low, np.where(one, 0.0, high - last)])
        place, same = np.unique(np.concatenate([owner * count + first, owner * count + last]), return_inverse=True)
        f = np.minimum(sums_by(same, part, len(place)), 1.0)
        cells = sums_by(place // count, f**2, number) + sums_by(owner, (last - first - 1.0).clip(min=0), number)
        return cells, sums_by(place // count, self.mass[place % count] * f * (1 - f), number)


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
        """The masses of boxes of positions along each axis that any of them bounds."""
        return self.sides(QueryBatch.of_boxes(lower, upper, [int(edges[-1]) for edges in self.mixture.edges]))

    def sides(self, batch: QueryBatch) -> list[AxisCover]:
        """The masses of boxes of lists of intervals along each axis that any of them bounds."""
        found = []
        for i, (axis, lists) in enumerate(zip(batch.axes, batch.lists, strict=True)):
            used, place = np.unique(batch.which[:, i], return_inverse=True)
            some = lists.take(used)
            charge(AXIS + len(some.low) * (1 + len(self.mixture.weights) / PRODUCTS))
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


def _batches(start: Codes, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of lists that together have at most this many intervals, or are one list."""
    first = 0
    while first < len(start) - 1:
        last = max(first + 1, int(np.searchsorted(start, start[first] + most, side="right")) - 1)
        yield first, last
        first = last
