"""Tree: binary cuts as flat arrays; boxes are derived from the cuts, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Codes, Mask
from ripost.space.blocks import Blocks

LEAF = -1


@dataclass(frozen=True, slots=True)
class Rank:
    """The inner nodes of one level, as places among all nodes level by level."""

    number: slice  # among all inner nodes level by level
    node: slice | Codes  # a slice if they are adjacent
    left: slice  # their left halves
    right: slice
    halves: slice  # both: left 0, right 0, left 1, right 1, …


@dataclass(frozen=True)
class Tree:
    """Nodes in the order of their creation: the root first, parents before children."""

    shape: tuple[int, ...]
    axis: Codes  # (m,): axis cut, LEAF where a node is not cut
    cut: Codes  # (m,): first code of the right half
    child: Codes  # (m,): number of the left child; the right child is the next

    @classmethod
    def stump(cls, shape: Sequence[int]) -> Tree:
        """The tree with one leaf."""
        return cls(tuple(shape), np.array([LEAF]), np.array([0]), np.array([0]))

    def __len__(self) -> int:
        return len(self.axis)

    @cached_property
    def is_leaf(self) -> Mask:
        leaf: Mask = self.axis == LEAF
        return leaf

    @cached_property
    def parent(self) -> Codes:
        """The parent of each node; the root's own number for the root."""
        inner, parent = np.flatnonzero(~self.is_leaf), np.zeros(len(self), np.int64)
        parent[self.child[inner]] = parent[self.child[inner] + 1] = inner
        return parent

    @cached_property
    def levels(self) -> list[Codes]:
        """Nodes by depth, the root's level first."""
        return [np.array([0]), *(_pairs(left) for _, left in self.splits[:-1])]

    @cached_property
    def splits(self) -> list[tuple[Codes, Codes]]:
        """Inner nodes and their left children, level by level from the root's; the last level has none."""
        splits, level = [], np.array([0])
        while len(level):
            inner = level[self.axis[level] != LEAF]
            splits.append((inner, self.child[inner]))
            level = _pairs(splits[-1][1])
        return splits

    @cached_property
    def order(self) -> Codes:
        """All nodes level by level, so that the halves of a level's inner nodes are adjacent."""
        return np.concatenate([np.array([0]), *(_pairs(left) for _, left in self.splits)])

    @cached_property
    def place(self) -> Codes:
        """The place of each node in `order`."""
        place = np.empty(len(self), np.int64)
        place[self.order] = np.arange(len(self))
        return place

    @cached_property
    def leaf_place(self) -> Codes:
        """The places of the leaves in `order`, from left to right."""
        return self.place[self.leaves]

    @cached_property
    def inner(self) -> Codes:
        """Nodes that were cut, level by level. In `order` the halves of number i are at 1 + 2 i and 2 + 2 i."""
        return np.concatenate([inner for inner, _ in self.splits])

    @cached_property
    def ranks(self) -> list[Rank]:
        """The levels that have inner nodes, the root's first."""
        ranks, first, place = [], 0, np.flatnonzero(self.axis[self.order] != LEAF)
        for inner, _ in self.splits[:-1]:
            last = first + len(inner)
            where: slice | Codes = place[first:last]
            if place[last - 1] - place[first] == len(inner) - 1:
                where = slice(int(place[first]), int(place[last - 1]) + 1)
            low, high = 1 + 2 * first, 1 + 2 * last
            halves = slice(low, high, 2), slice(low + 1, high, 2), slice(low, high)
            ranks.append(Rank(slice(first, last), where, *halves))
            first = last
        return ranks

    @cached_property
    def boxes(self) -> Blocks:
        """The box of every node."""
        lower, upper = np.empty((2, len(self), len(self.shape)), np.int64)
        lower[0], upper[0] = 0, self.shape
        axis, cut = self.axis[self.inner], self.cut[self.inner]
        for rank in self.ranks:
            halves = Blocks(lower[rank.node], upper[rank.node]).split(axis[rank.number], cut[rank.number])
            lower[rank.halves], upper[rank.halves] = halves.lower, halves.upper
        return Blocks(lower[self.place], upper[self.place])

    @cached_property
    def depth(self) -> Codes:
        depth = np.zeros(len(self), np.int64)
        for number, level in enumerate(self.levels):
            depth[level] = number
        return depth

    @cached_property
    def leaves(self) -> Codes:
        """Leaves in depth-first order, left before right."""
        leaves = np.flatnonzero(self.is_leaf)
        found = np.empty(len(leaves), np.int64)
        found[self.runs[0][leaves]] = leaves
        return found

    @cached_property
    def runs(self) -> tuple[Codes, Codes]:
        """The leaves below each node, as first and last + 1 in depth-first order."""
        width = np.ones(len(self), np.int64)  # leaves below a node, level by level
        for rank in reversed(self.ranks):
            width[rank.node] = width[rank.left] + width[rank.right]
        before = np.zeros(len(self), np.int64)  # leaves before a node
        for rank in self.ranks:
            before[rank.left] = before[rank.node]
            before[rank.right] = before[rank.node] + width[rank.left]
        return before[self.place], (before + width)[self.place]

    @property
    def by_level(self) -> Tree:
        """The same tree with its nodes numbered level by level, as `from_leaves` numbers them."""
        child = np.where(self.is_leaf, 0, self.place[self.child])
        return Tree(self.shape, self.axis[self.order], self.cut[self.order], child[self.order])

    def find(self, blocks: Blocks) -> Codes:
        """The nodes that have these boxes; ValueError if one has none."""
        found, going = np.zeros(len(blocks), np.int64), np.arange(len(blocks))
        node, low, high = found, blocks.lower.ravel(), blocks.upper.ravel()
        while len(going):  # a block goes down to the node whose cut it straddles, or to a leaf
            axis, cut = self.axis[node], self.cut[node]
            place = going * blocks.lower.shape[1] + np.maximum(axis, 0)
            right, left = low[place] >= cut, high[place] <= cut
            further = (axis != LEAF) & (left | right)
            found[going[~further]] = node[~further]
            node, going = self.child[node[further]] + right[further], going[further]
        boxes = self.boxes.take(found)
        if (boxes.lower != blocks.lower).any() or (boxes.upper != blocks.upper).any():
            raise ValueError("a block is not in the tree")
        return found

    @cached_property
    def preorder(self) -> Codes:
        """The place of each node in preorder: a parent, its left subtree, its right subtree, (m,)."""
        size = np.ones(len(self), np.int64)
        for inner, left in reversed(self.splits):
            size[inner] += size[left] + size[left + 1]
        place = np.zeros(len(self), np.int64)
        for inner, left in self.splits:
            place[left] = place[inner] + 1
            place[left + 1] = place[left] + size[left]
        return place

    @classmethod
    def from_leaves(cls, shape: Sequence[int], leaves: Blocks, depth: Codes) -> Tree:
        """The tree whose leaves, in depth-first order, have these boxes and depths; ValueError if there is none.

        The deepest leaves come in neighboring pairs. Joining each pair gives the leaves of the tree one level
        shorter; the axis on which the two boxes of a pair meet is the axis that was cut.
        """
        lower, upper = leaves.lower.copy(), leaves.upper.copy()
        end = np.arange(len(depth)) + 1  # the leaf after the subtree that starts at a leaf
        order = np.argsort(depth, kind="stable")
        starts = np.searchsorted(depth[order], np.arange(int(depth.max(initial=0)) + 2))
        joins, joined = [], np.zeros(0, np.int64)
        for level in range(len(starts) - 2, 0, -1):
            deep = np.sort(np.concatenate([order[starts[level] : starts[level + 1]], joined]))
            left, right = deep[::2], deep[1::2]
            if len(left) != len(right) or (end[left] != right).any():
                raise ValueError("depths are not those of a binary tree")
            apart = (lower[left] != lower[right]) | (upper[left] != upper[right])
            axis = apart.argmax(axis=1)
            if not ((apart.sum(axis=1) == 1) & (upper[left, axis] == lower[right, axis])).all():
                raise ValueError("boxes of a pair do not meet")
            joins.append((left, right, axis, lower[right, axis]))
            upper[left], end[left], joined = upper[right], end[right], left
        if len(depth) == 0 or end[0] != len(depth) or (depth == 0).any() != (len(depth) == 1):
            raise ValueError("depths are not those of a binary tree")
        if (lower[0] != 0).any() or tuple(upper[0].tolist()) != tuple(shape):
            raise ValueError("boxes do not cover the domain")
        growth = Growth(shape)
        number = np.zeros(len(depth), np.int64)  # of the node whose subtree starts at a leaf
        for left, right, axis, cut in reversed(joins):
            halves = growth.split(number[left], axis, cut)
            number[left], number[right] = halves[::2], halves[1::2]
        return growth.tree()


def _pairs(left: Codes) -> Codes:
    """Left halves and the right halves that come next: left 0, right 0, left 1, right 1, …"""
    both = np.empty(2 * len(left), np.int64)
    both[::2] = left
    both[1::2] = left + 1
    return both


class Growth:
    """A tree being grown."""

    def __init__(self, shape: Sequence[int]) -> None:
        self.shape = tuple(shape)
        self._made = 1
        self._inner: list[tuple[Codes, Codes, Codes, Codes]] = []

    def split(self, nodes: Codes, axis: Codes, cut: Codes) -> Codes:
        """Cut these nodes; their children's numbers: left 0, right 0, left 1, right 1, …"""
        children = self._made + np.arange(2 * len(nodes))
        self._made += len(children)
        self._inner.append((nodes, axis, cut, children[::2]))
        return children

    def tree(self) -> Tree:
        axis = np.full(self._made, LEAF, np.int64)
        cut = np.zeros(self._made, np.int64)
        child = np.zeros(self._made, np.int64)
        for nodes, axes, cuts, left in self._inner:
            axis[nodes], cut[nodes], child[nodes] = axes, cuts, left
        return Tree(self.shape, axis, cut, child)
