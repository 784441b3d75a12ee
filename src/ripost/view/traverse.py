"""Many boxes answered at once: pairs of a box and a node, followed down the tree level by level.

A pair whose node lies in the box stops there with the node's whole total, a pair that shares no cell is dropped, a
leaf that lies partly in the box adds its share. Only the axis that a node cuts is looked at on the way down. A box
that meets a good part of all nodes is cheaper to hold against all leaves at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.estimate.least_squares import Floats, Spread
from ripost.space.blocks import Codes, Mask
from ripost.space.tree import Tree
from ripost.view.density import Density, Shares

USUAL_PAIRS = 500_000  # aimed at for one batch of boxes
MOST_PAIRS = 4_000_000  # held at a time
HEAVY = 60  # following a pair costs about as much as holding a box against one axis of 60 leaves


@dataclass(frozen=True, slots=True)
class Level:
    """Pairs at one depth of the tree."""

    box: Codes  # (p,)
    node: Codes  # (p,)
    parent: Codes  # (p,): pair of the level above that this one came from
    lefts: int  # this many pairs, the first, are left children; the others are right
    whole: Mask  # (p,): the node lies in the box
    partial: Codes  # pairs that are leaves partly in their box
    inner: Codes  # pairs that are followed further


class TooManyPairs(Exception):
    """A batch of boxes met more pairs than may be held."""


@dataclass(frozen=True)
class Traverse:
    """A tree made ready to be asked about boxes (n, d) of positions, lower inclusive, upper exclusive."""

    tree: Tree
    density: Density  # of the leaves, in the order of `tree.leaves`

    def totals(self, lower: Floats, upper: Floats, total: Floats) -> Floats:
        """The sum of each box; `total` has one value per node."""
        leaves = total[self.tree.leaves]

        def add(levels: list[Level], shares: Shares, first: int) -> Floats:
            count = len(levels[0].box)
            answer = np.zeros(count)
            for level in levels:
                node, box = level.node[level.whole], level.box[level.whole]
                answer += np.bincount(box, total[node], count)
                node, box = level.node[level.partial], level.box[level.partial]
                share = shares.of_pairs(self._place[node], box + first)
                answer += np.bincount(box, total[node] * share, count)
            return answer

        return self._in_batches(lower, upper, add, lambda share: float((share * leaves).sum()))

    def variances(self, lower: Floats, upper: Floats, spread: Spread) -> Floats:
        """The noise variance of each box's sum."""

        def fold(levels: list[Level], shares: Shares, first: int) -> Floats:
            through = inside = np.zeros(0)
            for level, below in zip(reversed(levels), [None, *reversed(levels[1:])], strict=True):
                lefts, rights, held = (np.zeros(len(level.box)) for _ in range(3))
                if below is not None:
                    left, right = below.parent[: below.lefts], below.parent[below.lefts :]
                    lefts[left], rights[right] = through[: below.lefts], through[below.lefts :]
                    held[left] += inside[: below.lefts]
                    held[right] += inside[below.lefts :]
                through, inside = level.whole.astype(np.float64), np.zeros(len(level.box))
                leaf, box = self._place[level.node[level.partial]], level.box[level.partial]
                through[level.partial] = shares.of_pairs(leaf, box + first)
                inner = level.inner
                through[inner], inside[inner] = spread.join(level.node[inner], lefts[inner], rights[inner], held[inner])
            return spread.at_root(through, inside)

        return self._in_batches(lower, upper, fold, spread.of_weights)

    def _in_batches(
        self,
        lower: Floats,
        upper: Floats,
        light: Callable[[list[Level], Shares, int], Floats],
        heavy: Callable[[Floats], float],
    ) -> Floats:
        """Answers of light boxes from their pairs, of heavy ones from the shares of all leaves."""
        answers = np.zeros(len(lower))
        some = np.flatnonzero((lower < upper).all(axis=1))  # others hold no cell
        lower, upper = lower[some], upper[some]
        shares = self.density.shares(lower, upper)
        found = np.zeros(len(some))
        first, size = 0, 16
        while first < len(some):
            batch = slice(first, first + size)
            try:
                levels, many = self._descend(lower[batch], upper[batch])
            except TooManyPairs:
                size //= 2
                continue
            found[batch] = light(levels, shares, first)
            for box in (first + many).tolist():
                found[box] = heavy(shares.of_all(box))
            pairs = sum(len(level.box) for level in levels)
            first += size
            size = min(4 * size, max(1, USUAL_PAIRS * size // pairs))
        answers[some] = found
        return answers

    def _descend(self, lower: Floats, upper: Floats) -> tuple[list[Level], Codes]:
        """The pairs of every level, from the root on, and the boxes that are heavy, whose pairs are cut short."""
        tree, levels = self.tree, []
        bounded = ((lower > 0) | (upper < tree.shape)).sum(axis=1)
        most = np.maximum(256, len(tree.leaves) * bounded // HEAVY)
        met = np.zeros(len(lower), np.int64)
        box = parent = np.arange(len(lower))
        node, lefts = np.zeros(len(box), np.int64), len(box)
        # Sides of the node that stick out of the box; a node is inside when none does.
        out = (lower > 0).sum(axis=1) + (upper < tree.shape).sum(axis=1)
        while len(box):
            met += np.bincount(box, minlength=len(met))
            if met.sum() > MOST_PAIRS and len(met) > 1:
                raise TooManyPairs
            whole, leaf = out == 0, tree.is_leaf[node]
            inner = np.flatnonzero(~(leaf | whole | (met > most)[box]))
            levels.append(Level(box, node, parent, lefts, whole, np.flatnonzero(leaf & ~whole), inner))
            box, node, out = box[inner], node[inner], out[inner]
            at = box * lower.shape[1] + tree.axis[node]
            low, high, cut = lower.ravel()[at], upper.ravel()[at], self._cut[node]
            left, right = np.flatnonzero(low < cut), np.flatnonzero(high > cut)
            left_out = out - ((high >= cut) & (high < self._end[node]))
            right_out = out - ((low <= cut) & (low > self._start[node]))
            child = tree.child[node]
            box = np.concatenate([box[left], box[right]])
            node = np.concatenate([child[left], child[right] + 1])
            out = np.concatenate([left_out[left], right_out[right]])
            parent, lefts = np.concatenate([inner[left], inner[right]]), len(left)
        return levels, np.flatnonzero(met > most)

    @cached_property
    def _place(self) -> Codes:
        """Number of a leaf in the order of `tree.leaves`, by node."""
        place = np.zeros(len(self.tree), np.int64)
        place[self.tree.leaves] = np.arange(len(self.tree.leaves))
        return place

    @cached_property
    def _cut(self) -> Floats:
        return self.tree.cut.astype(np.float64)

    @cached_property
    def _start(self) -> Floats:
        """Where the box of an inner node starts on the axis that it is cut."""
        return _along(self.tree.boxes.lower, self.tree.axis)

    @cached_property
    def _end(self) -> Floats:
        return _along(self.tree.boxes.upper, self.tree.axis)


def _along(ends: Codes, axis: Codes) -> Floats:
    return ends[np.arange(len(axis)), axis].astype(np.float64)
