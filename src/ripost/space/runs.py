"""Runs: nested intervals of cells along a public curve, and the cheapest way to cover the domain with them.

Runs are joined level by level from single cells, two neighbors at a time. A *piece* of a cover is a run cut evenly
into the runs of some level, from single cells to the run itself. Pieces are numbered: single cells first, then level by
level, and within a level from whole runs to fine cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes
from ripost.space.query_parameters import QueryParameters
from ripost.space.space_filling_curve import CellOrder, order_cells

APART = -1  # the halves of a run have covers of their own


@dataclass(frozen=True)
class Runs(QueryParameters):
    """All runs of 2^k places of a curve that begin at a multiple of 2^k. The statistic is the deviation of each.

    A cell here is a combination of codes of some axes. Runs with the same cells count once, and empty runs are left
    out. Single cells come first, in the order of the curve, then larger runs, halves before wholes; the last run is the
    whole domain.
    """

    axes: tuple[int, ...]
    sizes: tuple[int, ...]  # of these axes
    place: Codes  # (cells,), row-major: the place of each cell on the curve, all different

    @classmethod
    def along(cls, shape: Sequence[int], order: CellOrder) -> Runs:
        """The runs of a named curve through all cells."""
        return cls(tuple(range(len(shape))), tuple(shape), order_cells(shape, order))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def order(self) -> Codes:
        """Cells along the curve."""
        return np.argsort(self.place, kind="stable")

    @cached_property
    def rank(self) -> Codes:
        """The rank of each cell along the curve."""
        rank = np.empty_like(self.order)
        rank[self.order] = np.arange(len(rank))
        return rank

    def at(self, coords: NDArray[np.integer[Any]]) -> Codes:
        """The rank of these cells along the curve; coords are (d, n)."""
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
        """Larger runs and their two halves, from short runs to long ones."""
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

    @cached_property
    def buckets(self) -> Codes:
        """How many runs each piece is cut into."""
        return self.pieces(np.ones(len(self), np.int64))

    @cached_property
    def longest(self) -> Codes:
        """Cells of the longest run that each piece is cut into."""
        return np.concatenate([rows.ravel() for rows in self._evenly(self.lengths, np.maximum)])

    def pieces(self, costs: Codes) -> Codes:
        """The cost of each piece: the sum of the costs of its runs."""
        return np.concatenate([rows.ravel() for rows in self._evenly(costs, np.add)])

    def _evenly(self, of_run: Codes, together: np.ufunc) -> Iterator[Codes]:
        """Combine a number per run over the pieces of each level, (cuts, runs of the level), single cells first."""
        cells = len(self.place)
        now = np.arange(cells)  # the largest runs so far, and their values for each way to cut them
        cut = of_run[None, :cells]
        yield cut
        for parent, left, _ in self.joins:
            at = np.searchsorted(self.first[now], self.first[left])
            halves = together(cut[:, at], cut[:, at + 1])
            yield np.vstack([of_run[parent], halves])
            now, cut = now.copy(), cut.copy()
            now[at], cut[:, at] = parent, halves
            kept = np.ones(len(now), bool)
            kept[at + 1] = False
            now = now[kept]
            cut = np.vstack([of_run[now], cut[:, kept]])

    def cheapest(self, costs: Codes) -> tuple[int, Codes]:
        """The least cost of pieces that cover every cell once, and the runs of this cover along the curve.

        Ties go to the first cover in a fixed order: pieces of a run come before any cover of its halves, the run itself
        first; covers of halves are ordered by the cover of the left half, then of the right one.
        """
        cells = len(self.place)
        least, level = np.zeros(len(self), np.int64), np.zeros(len(self), np.int64)
        least[:cells], start = costs[:cells], cells
        for number, (parent, left, right) in enumerate(self.joins, 1):
            own = costs[start : start + (number + 1) * len(parent)].reshape(number + 1, len(parent))
            start += own.size
            halves = least[left] + least[right]
            least[parent] = np.minimum(own.min(axis=0), halves)
            level[parent] = np.where(own.min(axis=0) <= halves, number - own.argmin(axis=0), APART)
        return int(least[-1]), self._trace_runs(level)

    def _trace_runs(self, level: Codes) -> Codes:
        """The runs of a cover, given the level at which each run is cut, or APART."""
        made, taken = np.zeros_like(level), np.zeros(len(level), bool)
        for number, (parent, _, _) in enumerate(self.joins, 1):
            made[parent] = number
        taken[-1] = True
        for parent, left, right in reversed(self.joins):
            cut = taken[parent] & (level[parent] != made[parent])
            taken[parent[cut]] = False
            finer = level[parent[cut]]
            for half in (left[cut], right[cut]):
                taken[half] = True
                level[half] = np.where(finer == APART, level[half], np.minimum(finer, made[half]))
        chosen = np.flatnonzero(taken)
        return chosen[np.argsort(self.first[chosen])]
