"""Dependency graph: edges between dependent axes, as many as a model of limited size can hold.

Edges join greedily by their noisy dependence. The graph is triangulated, which adds edges, and the model needs a table
for each of its largest cliques. Sets of axes are bits of a whole number here, because thousands of graphs are tried.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ripost.peers.junction_tree import Axes, count_cells

PENALTY = 1e-7  # of a cell of the model, in units of total variation distance

Pairs = Mapping[tuple[int, int], float]


@dataclass(frozen=True)
class DependencyGraph:
    """The largest cliques of a triangulated graph, and an order in which its axes can be eliminated."""

    cliques: tuple[Axes, ...]  # rising axes each
    order: Axes


def grow_graph(scores: Pairs, sizes: Sequence[int], most_of_clique: float, most_of_all: float) -> DependencyGraph:
    """Add the edge that leads to the largest sum of scores within the triangulated graph, until none fits.

    An edge that did not fit is not tried again.
    """
    edges, found, waiting = list[tuple[int, int]](), _triangulate((), len(sizes)), sorted(scores)
    while True:
        tried = {edge: _triangulate([*edges, edge], len(sizes)) for edge in waiting}
        value = {edge: _score(graph, scores, sizes, most_of_clique, most_of_all) for edge, graph in tried.items()}
        waiting = [edge for edge in waiting if value[edge] > -math.inf]
        if not waiting:
            return found
        best = max(waiting, key=lambda edge: value[edge])
        found = tried[best]
        edges.append(best)
        waiting.remove(best)


def _score(
    graph: DependencyGraph, scores: Pairs, sizes: Sequence[int], most_of_clique: float, most_of_all: float
) -> float:
    """The scores of all edges less the penalty for cells; minus infinity if a clique or the model is too large."""
    cells = [count_cells(clique, sizes) for clique in graph.cliques]
    widest = max(size for size, clique in zip(cells, graph.cliques, strict=True) if len(clique) > 1)
    if widest > most_of_clique or sum(cells) > most_of_all:
        return -math.inf
    held = {pair for clique in graph.cliques for pair in combinations(clique, 2)}
    return sum(scores[pair] for pair in sorted(held)) - PENALTY * sum(cells)


def _triangulate(edges: Iterable[tuple[int, int]], number: int) -> DependencyGraph:
    """Eliminate the axes by rising degree: an axis and its neighbors among those that are left become a clique."""
    near = [0] * number
    for one, other in edges:
        near[one] |= 1 << other
        near[other] |= 1 << one
    order = sorted(range(number), key=lambda axis: near[axis].bit_count())
    left, cliques = (1 << number) - 1, list[int]()
    for axis in order:
        left &= ~(1 << axis)
        around = near[axis] & left
        clique = around | 1 << axis
        if not any(clique & known == clique for known in cliques):
            cliques.append(clique)
        for other in _axes_of(around):
            near[other] |= around & ~(1 << other)
    return DependencyGraph(tuple(_axes_of(clique) for clique in cliques), tuple(order))


def _axes_of(bits: int) -> Axes:
    """The positions of the bits that are set."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)
