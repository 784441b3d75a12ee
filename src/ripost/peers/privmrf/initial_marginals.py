"""Initial marginals: within each clique of the graph, each axis with the parents that say most about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from ripost.arrays import Floats
from ripost.peers.junction_tree import Axes
from ripost.peers.privmrf.dependency_graph import Pairs


def list_initial(
    cliques: Sequence[Axes], scores: Pairs, sizes: Sequence[int], most_cells: float, most_axes: int, uniforms: Floats
) -> list[Axes]:
    """Marginals that together contain every axis, at most one for each.

    Each axis gives its best marginal over all cliques, or its histogram if no other marginal contains it. While there
    are fewer marginals than axes, the others of all cliques follow in random order, if none before contains them.
    """
    number = len(sizes)
    best: dict[int, tuple[float, Axes]] = {}
    others: list[Axes] = []
    for clique in cliques:
        for axis, score, marginal in _chain(clique, scores, sizes, most_cells, most_axes, uniforms):
            best[axis] = max(best.get(axis, (score, marginal)), (score, marginal))
            others.append(marginal)
    found = _without_contained([marginal for _, marginal in best.values()])
    found += [(axis,) for axis in range(number) if not any(axis in marginal for marginal in found)]
    for marginal in sorted(_without_contained(others), key=lambda marginal: [float(uniforms[i]) for i in marginal]):
        if len(found) < number and not any(set(marginal) <= set(known) for known in found):
            found.append(marginal)
    return sorted(found, key=lambda marginal: (len(marginal), marginal))


def _chain(
    clique: Axes, scores: Pairs, sizes: Sequence[int], most_cells: float, most_axes: int, uniforms: Floats
) -> list[tuple[int, float, Axes]]:
    """Axes of a clique with their score and marginal: from a random first one, the axis and parents that score most."""
    first = min(clique, key=lambda axis: float(uniforms[axis]))
    known, waiting, found = [first], [axis for axis in clique if axis != first], list[tuple[int, float, Axes]]()
    while waiting:
        options = [
            (dependence_score(axis, parents, scores), axis, parents)
            for axis in waiting
            for parents in largest_sets(tuple(known), sizes, most_cells / sizes[axis], most_axes - 1)
            if parents
        ]
        if not options:
            break
        score, axis, parents = max(options)
        found.append((axis, score, tuple(sorted((axis, *parents)))))
        waiting.remove(axis)
        known.append(axis)
    return found


def dependence_score(axis: int, parents: Axes, scores: Pairs) -> float:
    """How much parents say about an axis, less what they say about each other (Hall's correlation of features)."""
    about = sum(scores[min(axis, other), max(axis, other)] for other in parents)
    shared = sum(scores[min(pair), max(pair)] for pair in combinations(parents, 2))
    return about / math.sqrt(max(1.0, len(parents) + shared))


def largest_sets(axes: Axes, sizes: Sequence[int], room: float, most: int) -> list[Axes]:
    """Sets of up to `most` of the axes, with up to `room` cells together, that no set of these contains."""
    if not axes or most == 0:
        return [()]
    first, *rest = axes
    without = largest_sets(tuple(rest), sizes, room, most)
    if sizes[first] > room:
        return without
    inside = largest_sets(tuple(rest), sizes, room / sizes[first], most - 1)
    contained = set(inside)
    return [(first, *some) for some in inside] + [some for some in without if some not in contained]


def _without_contained(marginals: Sequence[Axes]) -> list[Axes]:
    """Each once, without those that another one contains."""
    every = list(dict.fromkeys(marginals))
    return [one for one in every if not any(set(one) < set(other) for other in every)]
