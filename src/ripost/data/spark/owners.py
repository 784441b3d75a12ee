"""Owners: which block a cell lies in, found by following the cuts that led to the blocks.

No state is kept: the block of a cell follows from the cell and the cuts alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes, Ints
from ripost.space.tree import Tree

ABSENT, INNER = -1, -2


@dataclass(frozen=True, slots=True)
class Owners:
    """The cuts that lead to some blocks, as flat arrays from the root."""

    axis: Codes
    cut: Codes
    child: Codes  # number of the left child; the right child is the next
    block: Codes  # the block of a node; ABSENT if it leads to none, INNER if the search goes on

    @classmethod
    def of(cls, tree: Tree, nodes: Codes) -> Owners:
        """The cuts that lead to these nodes of a tree."""
        block = np.full(len(tree), ABSENT, np.int64)
        block[nodes] = np.arange(len(nodes))
        inner = np.flatnonzero(~tree.is_leaf)
        parent = np.full(len(tree), ABSENT, np.int64)
        parent[tree.child[inner]] = parent[tree.child[inner] + 1] = inner
        kept = np.zeros(len(tree), bool)
        kept[0] = True
        climbing = nodes
        while len(climbing := np.unique(parent[climbing])):
            climbing = climbing[climbing != ABSENT]
            climbing = climbing[block[climbing] == ABSENT]
            block[climbing] = INNER
            kept[tree.child[climbing]] = kept[tree.child[climbing] + 1] = True
        number = np.cumsum(kept) - 1
        return cls(tree.axis[kept], tree.cut[kept], number[tree.child[kept]], block[kept])

    def find(self, coords: NDArray[np.int32]) -> Ints:
        """The block of each cell, or ABSENT; coords are (d, n)."""
        node = np.zeros(coords.shape[1], np.int64)
        going = np.arange(len(node) if self.block[0] == INNER else 0)
        while len(going):
            at = node[going]
            at = self.child[at] + (coords[self.axis[at], going] >= self.cut[at])
            node[going] = at
            going = going[self.block[at] == INNER]
        return self.block[node]
