"""Clique tree: cliques of axes that a graphical model holds as tables, grown pair by pair under a limit of cells.

A pair of axes can join if it lies within two cliques that are linked, or that belong to different components. Then the
cliques that hold an axis stay connected, so inference needs no larger tables than the cliques.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

Clique = frozenset[int]
Pair = tuple[int, int]

PENALTIES = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # per cell of a pair, instead of its noise, which is not yet known


@dataclass(frozen=True)
class Place:
    """Two cliques between which a pair can join, and the cells of the clique that holds it then."""

    one: Clique
    other: Clique
    cells: int


@dataclass(frozen=True)
class CliqueTree:
    """Cliques and the links between them."""

    cliques: frozenset[Clique]
    links: frozenset[frozenset[Clique]]

    @classmethod
    def of_single_axes(cls, number: int) -> CliqueTree:
        return cls(frozenset(Clique((axis,)) for axis in range(number)), frozenset())

    def holds(self, axes: Iterable[int]) -> bool:
        return any(clique.issuperset(axes) for clique in self.cliques)

    def place_for(self, pair: Pair, sizes: Sequence[int]) -> Place | None:
        """Where a pair joins with the fewest cells; None if it can join nowhere yet."""
        places = [
            Place(one, other, min(count_cells(one.union(pair), sizes), count_cells(other.union(pair), sizes)))
            for one, other in self._open_couples()
            if (one | other).issuperset(pair)
        ]
        return min(places, key=lambda place: (place.cells, sorted(place.one), sorted(place.other)), default=None)

    def add_pair(self, pair: Pair, place: Place, sizes: Sequence[int]) -> CliqueTree:
        """The tree in which a clique holds the pair."""
        one, other, new = place.one, place.other, Clique(pair)
        if frozenset((one, other)) in self.links:
            grows = min((one, other), key=lambda clique: count_cells(clique | new, sizes))
            grown = grows | new
            return self._rename({clique: grown for clique in (one, other) if clique == grows or clique <= grown})
        within = {clique: new for clique in (one, other) if clique <= new}
        renamed = self._rename(within)
        fresh = {frozenset((new, clique)) for clique in (one, other) if clique not in within}
        return CliqueTree(renamed.cliques | {new}, renamed.links | fresh)

    def elimination_order(self) -> list[int]:
        """The axes in an order in which each lies in one clique only, once those before it are gone."""
        left, order = set(self.cliques), list[int]()
        while axes := sorted(frozenset().union(*left)):
            left = {clique for clique in left if not any(clique < other for other in left)}
            order.append(next(axis for axis in axes if sum(axis in clique for clique in left) == 1))
            left = {clique - {order[-1]} for clique in left}
        return order

    def _open_couples(self) -> list[tuple[Clique, Clique]]:
        """Cliques that are linked, or not connected at all."""
        component: dict[Clique, int] = {clique: number for number, clique in enumerate(self.cliques)}
        for link in self.links:
            one, other = link
            old, new = component[one], component[other]
            component = {clique: new if part == old else part for clique, part in component.items()}
        ordered = sorted(self.cliques, key=sorted)
        return [
            (one, other)
            for one, other in combinations(ordered, 2)
            if component[one] != component[other] or frozenset((one, other)) in self.links
        ]

    def _rename(self, names: Mapping[Clique, Clique]) -> CliqueTree:
        cliques = frozenset(names.get(clique, clique) for clique in self.cliques)
        links = (frozenset(names.get(clique, clique) for clique in link) for link in self.links)
        return CliqueTree(cliques, frozenset(link for link in links if len(link) > 1))


def grow_tree(errors: Mapping[Pair, float], sizes: Sequence[int], most_cells: int, penalty: float) -> CliqueTree:
    """Add the pairs with the largest errors, less a penalty per cell, as long as no clique becomes too large."""
    tree = CliqueTree.of_single_axes(len(sizes))
    waiting = sorted(errors, key=lambda pair: (penalty * count_cells(pair, sizes) - errors[pair], pair))
    while waiting:
        for pair in waiting.copy():
            place = tree.place_for(pair, sizes)
            if place is None:
                continue
            if place.cells <= most_cells:
                tree = tree.add_pair(pair, place, sizes)
                break
            waiting.remove(pair)
        else:
            break
        waiting = [pair for pair in waiting if not tree.holds(pair)]
    return tree


def best_tree(errors: Mapping[Pair, float], sizes: Sequence[int], most_cells: int) -> CliqueTree:
    """Of the trees by several penalties, the one whose pairs have the largest errors together."""
    trees = [grow_tree(errors, sizes, most_cells, penalty) for penalty in PENALTIES]
    return max(trees, key=lambda tree: sum(error for pair, error in errors.items() if tree.holds(pair)))


def count_cells(axes: Iterable[int], sizes: Sequence[int]) -> int:
    return math.prod(sizes[axis] for axis in axes)
