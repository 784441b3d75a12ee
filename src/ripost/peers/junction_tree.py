"""Junction tree: overlapping cliques of axes on which a joint distribution is held, and the tables of all of them.

Axes are eliminated one after the other: an axis and all that share a clique with it become a clique (Koller and
Friedman 2009, chapters 9 and 10). Messages between cliques make their tables agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Floats

Axes = tuple[int, ...]


@dataclass(frozen=True)
class JunctionTree:
    """Cliques, each after its parent: what a clique shares with earlier ones is contained in its parent."""

    sizes: tuple[int, ...]  # of all axes
    cliques: tuple[Axes, ...]  # rising axes each
    parents: tuple[int, ...]  # numbers of cliques; -1 for the first of a tree

    @classmethod
    def of(cls, sizes: tuple[int, ...], cliques: Iterable[Axes], orders: Sequence[Sequence[int]] = ()) -> JunctionTree:
        """The tree by greedy elimination, or by one of the given orders if its largest clique is smaller."""
        known = {frozenset(clique) for clique in cliques}
        found = [_eliminate(sizes, known, order) for order in (None, *orders)]
        best = min(found, key=lambda kept: max(count_cells(clique, sizes) for clique in kept))
        return cls(sizes, *_span(best))

    @property
    def cells(self) -> int:
        """Cells of all tables."""
        return sum(count_cells(clique, self.sizes) for clique in self.cliques)

    def home(self, axes: Axes) -> int:
        """The number of the smallest clique that contains the axes."""
        homes = [number for number, clique in enumerate(self.cliques) if set(axes) <= set(clique)]
        return min(homes, key=lambda number: count_cells(self.cliques[number], self.sizes))

    def shape_in(self, axes: Axes, number: int) -> list[int]:
        """The shape by which a table of some axes of a clique meets the clique's own."""
        return [self.sizes[axis] if axis in axes else 1 for axis in self.cliques[number]]

    def away(self, axes: Axes, number: int) -> Axes:
        """The places in a clique of its axes other than these."""
        return tuple(place for place, axis in enumerate(self.cliques[number]) if axis not in axes)

    def separator(self, number: int) -> Axes:
        """The axes that a clique shares with its parent."""
        parent = self.parents[number]
        return () if parent < 0 else tuple(axis for axis in self.cliques[number] if axis in self.cliques[parent])

    def calibrate(self, logs: Sequence[Floats]) -> list[Floats]:
        """The tables, each of which adds up to 1, of the distribution that is the product of all exponentials."""
        beliefs, messages = list(logs), dict[int, Floats]()
        for number in reversed(range(len(beliefs))):
            parent, shared = self.parents[number], self.separator(number)
            if parent >= 0:
                messages[number] = _log_sum(beliefs[number], self.away(shared, number))
                beliefs[parent] = beliefs[parent] + messages[number].reshape(self.shape_in(shared, parent))
        tables: list[Floats] = []
        for number, belief in enumerate(beliefs):
            parent, shared, known = self.parents[number], self.separator(number), belief
            if parent >= 0:
                with np.errstate(divide="ignore"):  # a probability of 0 stays 0
                    above = np.log(tables[parent].sum(axis=self.away(shared, parent)))
                known = belief + (above.reshape(self.shape_in(shared, number)) - messages[number])
            raised = np.exp(known - known.max())
            tables.append(raised / raised.sum())
        return tables


def count_cells(axes: Iterable[int], sizes: Sequence[int]) -> int:
    return math.prod(sizes[axis] for axis in axes)


def _eliminate(
    sizes: Sequence[int], cliques: Iterable[frozenset[int]], order: Sequence[int] | None
) -> list[frozenset[int]]:
    """The cliques that eliminating all axes leads to; without an order, the axis of the smallest clique is next."""
    left, found = set(cliques), list[frozenset[int]]()
    for turn in range(len(sizes)):
        around = {axis: frozenset[int]().union(*(c for c in left if axis in c)) for axis in frozenset().union(*left)}
        axis = min(sorted(around), key=lambda axis: count_cells(around[axis], sizes)) if order is None else order[turn]
        found.append(around[axis])
        left = {clique for clique in left if axis not in clique} | ({around[axis] - {axis}} - {frozenset()})
    return [clique for number, clique in enumerate(found) if not any(clique < o for o in found[:number])]


def _span(cliques: Sequence[frozenset[int]]) -> tuple[tuple[Axes, ...], tuple[int, ...]]:
    """The cliques in an order in which each has its parent before it: one with which it shares the most axes."""
    waiting = sorted(cliques, key=sorted)
    order, parents = [waiting.pop(0)], [-1]
    while waiting:
        shared = [[len(clique & known) for known in order] for clique in waiting]
        best = max(range(len(waiting)), key=lambda i: max(shared[i]))
        most = max(shared[best])
        parents.append(shared[best].index(most) if most else -1)
        order.append(waiting.pop(best))
    return tuple(tuple(sorted(clique)) for clique in order), tuple(parents)


def _log_sum(logs: Floats, away: Axes) -> Floats:
    """The logarithm of the sum of exponentials over some places, which stay with length 1."""
    most = logs.max(axis=away, keepdims=True)
    found: Floats = np.log(np.exp(logs - most).sum(axis=away, keepdims=True)) + most
    return found
