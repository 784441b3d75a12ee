"""TreeIndex: the nodes of a tree in preorder, with their intervals on each axis, and the ways to those that matter.

A node that is not cut further on the axes of a question stands for all blocks below it: the question covers the same
share of each. A narrow box meets few nodes, which are found from the root on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.answering.axis_index import AxisIndex, Marginals
from ripost.arrays import Codes, Floats, Mask
from ripost.space.tree import LEAF, Tree
from ripost.space.work_limit import charge

MOST_VISITS = 2_000_000  # pairs of a box and a node held at a time


@dataclass(frozen=True)
class TreeIndex:
    """Nodes in preorder: a left child follows its parent."""

    tree: Tree
    marginals: Marginals

    @cached_property
    def node(self) -> Codes:
        """The number in the tree of each node."""
        node = np.empty(len(self.tree), np.int64)
        node[self.tree.preorder] = np.arange(len(node))
        return node

    @cached_property
    def axis(self) -> Codes:
        return self.tree.axis[self.node]

    @cached_property
    def cut(self) -> Floats:
        return self.tree.cut[self.node].astype(np.float64)

    @cached_property
    def right(self) -> Codes:
        """The right child of each node that is cut."""
        return self.tree.preorder[np.minimum(self.tree.child + 1, len(self.tree) - 1)[self.node]]

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """Where each node starts and ends on the axis that it is cut."""
        rows = np.arange(len(self.node))
        lower, upper = (side[self.node][rows, self.axis] for side in (self.tree.boxes.lower, self.tree.boxes.upper))
        return lower.astype(np.float64), upper.astype(np.float64)

    @cached_property
    def parent(self) -> Codes:
        """The parent of each node; the root's is the root."""
        return self.tree.preorder[self.tree.parent[self.node]]

    @cached_property
    def cut_below(self) -> Mask:
        """Whether a node or one below it is cut along each axis, (axes, nodes)."""
        found = np.zeros((len(self.tree.shape), len(self.tree)), bool)
        for inner, left in reversed(self.tree.splits):
            found[:, inner] = found[:, left] | found[:, left + 1]
            found[self.tree.axis[inner], inner] = True
        return found.take(self.node, axis=1)

    def index(self, axis: int) -> AxisIndex:
        """The intervals of all nodes on an axis."""
        if axis not in self._indexes:
            lower, upper = (side[self.node, axis] for side in (self.tree.boxes.lower, self.tree.boxes.upper))
            self._indexes[axis] = AxisIndex.of(self.marginals[axis], lower, upper)
        return self._indexes[axis]

    @cached_property
    def _indexes(self) -> dict[int, AxisIndex]:
        return {}

    def rows(self, axes: Sequence[int]) -> Codes:
        """The nodes that are not cut further on these axes while their parents are: each block is below one."""
        further = np.zeros(len(self.node), bool)
        for axis in axes:
            further |= self.cut_below[axis]
        found = further.take(self.parent)
        found[0] = True
        return np.flatnonzero(found & ~further)

    def met_and_inside(self, axis: int, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """The shares of blocks that meet each interval of an axis, and that lie inside it, about."""
        (lower, begun), (upper, ended) = self._profile(axis)
        begun_low, begun_high = (begun[np.searchsorted(lower, end, side="left")] for end in (low, high))
        ended_low, ended_high = (ended[np.searchsorted(upper, end, side="right")] for end in (low, high))
        met = np.maximum(begun_high - ended_low, 0.0)
        return met, np.maximum(met - (begun_low - ended_low) - (begun_high - ended_high), 0.0)

    def _profile(self, axis: int) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Lower ends of blocks on an axis with the share of blocks before each, and the same of upper ends."""
        if axis not in self._profiles:
            index = self.index(axis)
            number = np.bincount(index.which[self.axis == LEAF], minlength=len(index))
            found = []
            for ends in (index.lower, index.upper):
                order = np.argsort(ends)
                found.append((ends[order], np.concatenate([[0.0], np.cumsum(number[order]) / number.sum()])))
            self._profiles[axis] = (found[0], found[1])
        return self._profiles[axis]

    @cached_property
    def _profiles(self) -> dict[int, tuple[tuple[Floats, Floats], tuple[Floats, Floats]]]:
        return {}

    def descend(self, lower: Floats, upper: Floats) -> tuple[Codes, Codes, Mask]:
        """Pairs of a box (n, d) and a node that lies in it, or a block that lies partly in it; and which lie in it.

        Pairs are followed from the root on, level by level. Only the axis that a node cuts is looked at.
        """
        box = np.flatnonzero((lower < upper).all(axis=1))  # others hold no cell
        row = np.zeros(len(box), np.int64)
        # Sides of the node that stick out of the box; a node lies in the box when none does.
        out = ((lower > 0).sum(axis=1) + (upper < self.tree.shape).sum(axis=1))[box]
        found, visits = [], 0
        while len(box):
            visits += len(box)
            charge(len(box) / 10)
            if visits > MOST_VISITS and len(lower) > 1:
                half = len(lower) // 2
                one, other = self.descend(lower[:half], upper[:half]), self.descend(lower[half:], upper[half:])
                return np.append(one[0], other[0] + half), np.append(one[1], other[1]), np.append(one[2], other[2])
            whole, axis = out == 0, self.axis[row]
            ends = whole | (axis == LEAF)
            found.append((box[ends], row[ends], whole[ends]))
            inner = np.flatnonzero(~ends)
            box, row, out = box[inner], row[inner], out[inner]
            at = box * lower.shape[1] + axis[inner]
            low, high, cut = lower.ravel()[at], upper.ravel()[at], self.cut[row]
            left, right = np.flatnonzero(low < cut), np.flatnonzero(high > cut)
            left_out = out - ((high >= cut) & (high < self.ends[1][row]))
            right_out = out - ((low <= cut) & (low > self.ends[0][row]))
            out = np.append(left_out[left], right_out[right])
            box, row = np.append(box[left], box[right]), np.append(row[left] + 1, self.right[row[right]])
        if not found:
            return box, row, np.zeros(0, bool)
        boxes, rows, wholes = (np.concatenate(each) for each in zip(*found, strict=True))
        return boxes, rows, wholes
