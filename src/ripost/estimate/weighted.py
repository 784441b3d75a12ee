"""Variances of many weighted sums of leaves at once: only leaves that a sum weighs are followed to the root."""

from __future__ import annotations

import numpy as np

from ripost.estimate.least_squares import Floats, Spread
from ripost.space.blocks import Codes
from ripost.space.work import charge

LEVEL = 50  # steps of work that a level of the tree takes, whatever passes it
SCANNED = 200  # pairs that are looked through at a level in one step


def variances_of_sums(spread: Spread, number: Codes, leaf: Codes, weight: Floats, count: int) -> Floats:
    """The noise variance of each of `count` sums, as `Spread.of_weights` gives it for one.

    Args:
        number: The sum that each pair belongs to, rising.
        leaf: The leaf of each pair, by its place in `tree.leaves`, rising within a sum.
        weight: Of the leaf in the sum.
    """
    tree = spread.tree
    charge(len(tree.levels) * (LEVEL + len(leaf) / SCANNED))
    node, through = tree.leaves[leaf], weight.copy()
    inside: Floats = np.zeros(len(weight))
    depth = tree.depth[node]
    parent = _parents(spread)
    for level in range(len(tree.levels) - 1, 0, -1):
        # Leaves come depth-first and deeper nodes are folded already, so two halves of a node are neighbours here.
        at = np.flatnonzero(depth == level)
        above = parent[node[at]]
        first = np.ones(len(at), bool)
        first[1:] = (above[1:] != above[:-1]) | (number[at[1:]] != number[at[:-1]])
        slot, kept = np.cumsum(first) - 1, at[first]
        right = node[at] != tree.child[above]
        halves = np.zeros((2, len(kept)))
        halves[right.astype(np.int64), slot] = through[at]
        held = sums_by(slot, inside[at], len(kept))
        through[kept], inside[kept] = spread.join(above[first], halves[0], halves[1], held)
        node[kept], depth[kept], depth[at[~first]] = above[first], level - 1, -1
        if 2 * np.count_nonzero(depth < 0) > len(depth):
            left = depth >= 0
            node, depth, number = node[left], depth[left], number[left]
            through, inside = through[left], inside[left]
    found = np.zeros(count)
    at = np.flatnonzero(depth == 0)
    found[number[at]] = spread.at_root(through[at], inside[at])
    return found


def sums_by(number: Codes, each: Floats, count: int) -> Floats:
    """Sums of figures by the number that each belongs to, (count,)."""
    return np.bincount(number, each, count).astype(np.float64)


def _parents(spread: Spread) -> Codes:
    """The parent of each node; the root's own number for the root."""
    tree = spread.tree
    parent = np.zeros(len(tree), np.int64)
    inner = np.flatnonzero(~tree.is_leaf)
    parent[tree.child[inner]] = parent[tree.child[inner] + 1] = inner
    return parent
