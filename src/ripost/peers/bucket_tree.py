"""Bucket tree: a balanced binary tree over a sequence of buckets."""

from __future__ import annotations

import numpy as np

from ripost.space.tree import Growth, Tree


def halve_buckets(size: int) -> Tree:
    """The tree that halves a sequence of buckets down to single ones; depths of leaves differ by one at most."""
    growth = Growth((size,))
    nodes, lower, upper = np.array([0]), np.array([0]), np.array([size])
    while len(inner := np.flatnonzero(upper - lower > 1)):
        nodes, lower, upper = nodes[inner], lower[inner], upper[inner]
        cut = (lower + upper) // 2
        nodes = growth.split(nodes, np.zeros_like(cut), cut)
        lower, upper = np.stack([lower, cut], axis=1).ravel(), np.stack([cut, upper], axis=1).ravel()
    return growth.tree()
