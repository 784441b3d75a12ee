"""Levels: how to divide a budget over the depths of a balanced tree of buckets, for a known workload.

When all nodes of a depth have the same noise, least squares splits a node's error evenly between its halves. The
variance of a weighted sum of buckets is then a sum over depths of (squared Haar coefficients of its weights) times (a
variance that depends on the budgets alone). So one number per depth, the energy, represents the workload. This is the
greedy hierarchy of Li et al. 2014, section 4, with one weight per depth.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.space.tree import Tree

STEPS = 100  # shares tried for a depth
SWEEPS = 3  # passes over all depths after the first
GRID = 1000  # shares are multiples of 1 / GRID


@dataclass(frozen=True)
class Depth:
    """The nodes of one depth and the leaves above it, which together contain every bucket once."""

    nodes: Codes  # along the buckets
    group: Codes  # (buckets,): the node that contains each


def depths(tree: Tree) -> list[Depth]:
    """All depths of a tree of buckets, the root's first."""
    found = []
    for depth in range(len(tree.levels)):
        nodes = np.flatnonzero((tree.depth == depth) | (tree.is_leaf & (tree.depth < depth)))
        nodes = nodes[np.argsort(tree.boxes.lower[nodes, 0])]
        found.append(Depth(nodes, np.repeat(np.arange(len(nodes)), tree.boxes.sizes[nodes, 0])))
    return found


def energy(tree: Tree, batches: Iterable[Floats]) -> Floats:
    """Of questions as weights of buckets, (n, buckets): squared sums by depth, (depths,), the root's at the front.

    Charge k above 0 is the sum of squared differences between the halves of nodes of depth k - 1.
    """
    total = np.zeros(len(tree.levels))
    for weights in batches:
        mean = np.zeros((len(weights), len(tree)))
        mean[:, tree.leaves] = weights
        for depth in reversed(range(1, len(tree.levels))):
            inner = tree.levels[depth - 1][~tree.is_leaf[tree.levels[depth - 1]]]
            left, right = mean[:, tree.child[inner]], mean[:, tree.child[inner] + 1]
            total[depth] += ((left - right) ** 2).sum()
            mean[:, inner] = (left + right) / 2
        total[0] += (mean[:, 0] ** 2).sum()
    return total


def shares(energies: Floats) -> list[Fraction]:
    """The share of the budget for each depth, by greedy search from the leaves up, then by further passes."""
    last = len(energies) - 1
    weights = np.zeros(last + 1)
    weights[last] = 1
    for depth in [*reversed(range(last)), *(SWEEPS * [*range(last + 1)] if last else [])]:
        rest = np.where(np.arange(last + 1) == depth, 0, weights)
        if rest.sum() == 0:
            continue
        part = np.arange(1 if depth == last else 0, STEPS)[:, None] / STEPS
        tried = rest / rest.sum() * (1 - part)
        tried[:, depth] = part[:, 0]
        tried = tried[tried[:, last] > 0]
        weights = tried[np.argmin(error(energies, tried))]
    whole = np.floor(weights * GRID).astype(int)
    whole[last] += GRID - whole.sum()
    return [Fraction(number, GRID) for number in whole.tolist()]


def error(energies: Floats, weights: Floats) -> Floats:
    """Sum of the questions' variances for each row of shares, in units of a measurement with the whole budget."""
    below = 1 / weights[:, -1] ** 2
    total = np.zeros(len(weights))
    for depth in reversed(range(1, weights.shape[1])):
        total += energies[depth] * below / 2
        below = 1 / (1 / (2 * below) + weights[:, depth - 1] ** 2)
    found: Floats = total + energies[0] * below
    return found
