"""Spine: public structure of a domain that blocks follow, the edges of levels and boxes of impossible cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Mask
from ripost.space.blocks import Blocks
from ripost.space.tree import Tree


@dataclass(frozen=True)
class Spine:
    """What is public of the order of codes beyond their number."""

    edges: tuple[tuple[Codes, ...], ...]  # of each axis: where groups begin and end, the coarsest level first
    impossible: Blocks | None = None  # disjoint boxes of cells that no row lies in

    @classmethod
    def none(cls, dimensions: int) -> Spine:
        """A domain without levels, in which every cell is possible."""
        return cls(((),) * dimensions)

    @property
    def is_plain(self) -> bool:
        return self.impossible is None and not any(self.edges)

    def possible(self, shape: Sequence[int]) -> Blocks:
        """Disjoint boxes that hold all possible cells and no others."""
        blocks, done = Blocks.whole(shape), list[Blocks]()
        while len(blocks):
            cuts, axis, cut = self.find_cuts(blocks)
            whole = blocks.take(~cuts)
            done.append(whole.take(~self.is_impossible(whole)))
            blocks = blocks.take(cuts).split(axis[cuts], cut[cuts])
        return Blocks(*(np.concatenate([getattr(one, end) for one in done]) for end in ("lower", "upper")))

    def ends(self, axis: int) -> Codes:
        """Where impossible boxes begin and end along an axis."""
        if self.impossible is None:
            return np.zeros(0, np.int64)
        return np.concatenate([self.impossible.lower[:, axis], self.impossible.upper[:, axis]])

    def is_impossible(self, blocks: Blocks) -> Mask:
        """Which blocks hold impossible cells alone. A block may not straddle the edge of an impossible box."""
        found = np.zeros(len(blocks), bool)
        if self.impossible is not None:
            for lower, upper in zip(self.impossible.lower, self.impossible.upper, strict=True):
                found |= ((lower <= blocks.lower) & (blocks.upper <= upper)).all(axis=1)
        return found

    def impossible_leaves(self, tree: Tree) -> Codes:
        """The leaves of a tree that hold impossible cells alone."""
        return tree.leaves[self.is_impossible(tree.boxes.take(tree.leaves))]

    def find_cuts(self, blocks: Blocks) -> tuple[Mask, Codes, Codes]:
        """Which blocks hold impossible and possible cells, and a cut of each along the edge of an impossible box."""
        found, axis, cut = np.zeros(len(blocks), bool), *np.zeros((2, len(blocks)), np.int64)
        if self.impossible is None:
            return found, axis, cut
        for lower, upper in zip(self.impossible.lower, self.impossible.upper, strict=True):
            meets = ((blocks.lower < upper) & (lower < blocks.upper)).all(axis=1) & ~found
            for ends in (lower, upper):
                inside = (blocks.lower < ends) & (ends < blocks.upper) & meets[:, None]
                some = np.flatnonzero(inside.any(axis=1) & ~found)
                axis[some] = inside[some].argmax(axis=1)
                cut[some], found[some] = ends[axis[some]], True
        return found, axis, cut


def inner_edges(edges: Sequence[Codes], size: int) -> list[Codes]:
    """Where cuts of an axis may be, the edges of the coarsest level first, those of single codes last."""
    return [*(level[1:-1] for level in edges), np.arange(1, size)]
