"""Variances of many weighted sums of nodes at once. Only nodes with a weight are followed to the root."""

from __future__ import annotations

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.least_squares import TreeCovariance
from ripost.space.work_limit import charge

LEVEL = 50  # units of work per level of the tree
SCANNED = 200  # pairs scanned at a level per unit of work


def variances_of_sums(covariance: TreeCovariance, number: Codes, node: Codes, weight: Floats, count: int) -> Floats:
    """The noise variance of each of `count` sums, as `TreeCovariance.of_weights` gives it for one.

    Args:
        number: The sum that each pair belongs to, rising.
        node: The node of each pair, depth-first within a sum, of which none lies below another.
        weight: Of all leaves below the node in the sum.
    """
    tree = covariance.tree
    charge(len(tree.levels) * (LEVEL + len(node) / SCANNED))
    node, through = node.copy(), weight.copy()
    inside: Floats = np.zeros(len(weight))
    depth = tree.depth[node]
    parent = tree.parent
    for level in range(len(tree.levels) - 1, 0, -1):
        # Leaves are in depth-first order and deeper nodes are merged already, so two halves of a node are adjacent.
        at = np.flatnonzero(depth == level)
        above = parent[node[at]]
        first = np.ones(len(at), bool)
        first[1:] = (above[1:] != above[:-1]) | (number[at[1:]] != number[at[:-1]])
        slot, kept = np.cumsum(first) - 1, at[first]
        right = node[at] != tree.child[above]
        halves = np.zeros((2, len(kept)))
        halves[right.astype(np.int64), slot] = through[at]
        held = sums_by(slot, inside[at], len(kept))
        through[kept], inside[kept] = covariance.join(above[first], halves[0], halves[1], held)
        node[kept], depth[kept], depth[at[~first]] = above[first], level - 1, -1
        if 2 * np.count_nonzero(depth < 0) > len(depth):
            left = depth >= 0
            node, depth, number = node[left], depth[left], number[left]
            through, inside = through[left], inside[left]
    found = np.zeros(count)
    at = np.flatnonzero(depth == 0)
    found[number[at]] = covariance.at_root(through[at], inside[at])
    return found


def sums_by(number: Codes, each: Floats, count: int) -> Floats:
    """Sums of figures by the number that each belongs to, (count,)."""
    return np.bincount(number, each, count).astype(np.float64)
