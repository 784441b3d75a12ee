"""Runs: nested stretches of cells along a public curve, and the cheapest way to cover the domain with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.space.blocks import Codes
from ripost.space.curve import places


@dataclass(frozen=True)
class Offer:
    """Public terms of a cover: what each run costs beside its deviation, and what the whole costs beside its runs."""

    price: Codes  # (runs,)
    fee: int


@dataclass(frozen=True)
class Runs:
    """All runs of 2^k places of a curve that begin at a multiple of 2^k; asked of a block, the deviation of each.

    A cell here is a combination of codes of some axes. Runs that hold the same cells count once, those without cells
    not at all. Single cells come first, in the order of the curve, then larger runs, halves before wholes; the last
    run is everything.
    """

    axes: tuple[int, ...]
    sizes: tuple[int, ...]  # of these axes
    place: Codes  # (cells,), row-major: where the curve meets each cell, all different

    @classmethod
    def along(cls, shape: Sequence[int], order: str) -> Runs:
        """The runs of a named curve through all cells."""
        return cls(tuple(range(len(shape))), tuple(shape), places(shape, order))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def order(self) -> Codes:
        """Cells along the curve."""
        return np.argsort(self.place, kind="stable")

    @cached_property
    def rank(self) -> Codes:
        """Where each cell comes along the curve."""
        rank = np.empty_like(self.order)
        rank[self.order] = np.arange(len(rank))
        return rank

    def at(self, coords: NDArray[np.integer[Any]]) -> Codes:
        """Where these cells come along the curve; coords are (d, n)."""
        flat = np.zeros(coords.shape[1], np.int64)
        for axis, size in zip(self.axes, self.sizes, strict=True):
            flat = flat * size + coords[axis]
        return self.rank[flat]

    @property
    def first(self) -> Codes:
        """The first cell of each run, counted along the curve."""
        return self._nest[0]

    @property
    def last(self) -> Codes:
        """The cell after each run."""
        return self._nest[1]

    @property
    def lengths(self) -> Codes:
        """Cells of each run."""
        return self.last - self.first

    @property
    def joins(self) -> list[tuple[Codes, Codes, Codes]]:
        """Larger runs and their two halves, from short places to long ones."""
        return self._nest[2]

    @cached_property
    def _nest(self) -> tuple[Codes, Codes, list[tuple[Codes, Codes, Codes]]]:
        place = self.place[self.order]
        first = np.arange(len(place))
        last, number = first + 1, first
        made, starts, ends = len(place), [first], [last]
        joins: list[tuple[Codes, Codes, Codes]] = []
        while len(number) > 1:
            place = place >> 1
            left = np.flatnonzero(place[1:] == place[:-1])
            if not len(left):
                continue
            parent = made + np.arange(len(left))
            made += len(left)
            joins.append((parent, number[left], number[left + 1]))
            number, last = number.copy(), last.copy()
            number[left], last[left] = parent, last[left + 1]
            starts.append(first[left])
            ends.append(last[left])
            kept = np.ones(len(number), bool)
            kept[left + 1] = False
            place, first, last, number = place[kept], first[kept], last[kept], number[kept]
        return np.concatenate(starts), np.concatenate(ends), joins

    def cheapest(self, costs: Codes) -> tuple[int, Codes]:
        """The least sum of costs of runs that cover every cell once, and those runs along the curve.

        Of covers that cost the same the first in a fixed order is taken: a whole run comes before any cover of its
        halves, and those are ordered by what covers the left half, then the right one.
        """
        least, whole = costs.copy(), np.ones(len(costs), bool)
        for parent, left, right in self.joins:
            halves = least[left] + least[right]
            whole[parent] = costs[parent] <= halves
            least[parent] = np.minimum(costs[parent], halves)
        taken = np.zeros(len(costs), bool)
        taken[-1] = True
        for parent, left, right in reversed(self.joins):
            cut = taken[parent] & ~whole[parent]
            taken[left[cut]] = taken[right[cut]] = True
            taken[parent[cut]] = False
        chosen = np.flatnonzero(taken)
        return int(least[-1]), chosen[np.argsort(self.first[chosen])]

    def best(self, costs: Codes, offers: Sequence[Offer]) -> Codes:
        """The cheapest cover under the offer that makes it cheapest; of equal offers the first."""
        found = [(offer.fee, self.cheapest(costs + offer.price)) for offer in offers]
        return min(found, key=lambda one: one[0] + one[1][0])[1][1]
