"""The slow twin of the tree model: dense matrices."""

from __future__ import annotations

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.least_squares import add_up
from ripost.space.tree import Tree


def dense(tree: Tree, precision: Floats, share: Floats, scatter: Floats) -> tuple[Floats, Floats]:
    """Precision matrix of the leaves, and which leaves lie below each node."""
    below = np.stack([add_up(tree, row) for row in np.eye(len(tree.leaves))], axis=1)
    matrix = below.T @ np.diag(precision) @ below
    for node in np.flatnonzero(~tree.is_leaf):
        row = below[tree.child[node]] - share[node] * below[node]
        matrix += np.outer(row, row) / scatter[node]
    return matrix, below
