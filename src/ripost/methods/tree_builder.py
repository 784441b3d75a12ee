"""Tree builder: grows the tree of blocks of every method that releases one.

A method decides which blocks to split and which to measure. The builder keeps the tree. Splits and measurements work
on branches, level by level.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Ints, Mask
from ripost.methods.measured_tree import MeasuredTree
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.partition import Partition
from ripost.space.blocks import Blocks
from ripost.space.tree import Growth, Tree
from ripost.statistics.totals import TOTAL


@dataclass(frozen=True)
class Branch:
    """Disjoint blocks of the data and their nodes in the tree."""

    partition: Partition
    nodes: Codes  # (n,)

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def blocks(self) -> Blocks:
        return self.partition.blocks

    def select(self, mask: Mask) -> tuple[Branch, Branch]:
        """The blocks where the mask holds, and the others."""
        chosen, rest = self.partition.select(mask)
        return Branch(chosen, self.nodes[mask]), Branch(rest, self.nodes[~mask])

    def merge(self, *others: Branch) -> Branch:
        """One branch of these blocks and those of the others, in order."""
        if not others:
            return self
        nodes = np.concatenate([self.nodes, *(other.nodes for other in others)])
        return Branch(self.partition.merge(*(other.partition for other in others)), nodes)


class TreeBuilder:
    """A tree that grows from the root."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.root = Branch(account.root, np.array([0]))
        self._growth = Growth(account.shape)

    @property
    def tree(self) -> Tree:
        """The tree as it is now."""
        return self._growth.tree()

    def split(self, branch: Branch, axis: Codes, cut: Codes, where: Mask | None = None) -> Branch:
        """Split every block, or those where the mask holds. The halves come first, two by two."""
        if where is not None and not where.all():
            branch, others = branch.select(where)
            return self.split(branch, axis, cut).merge(others)
        nodes = self._growth.split(branch.nodes, axis, cut)
        return Branch(branch.partition.split(axis, cut), nodes)

    def split_to_widths(self, branch: Branch, widths: Codes) -> Branch:
        """Split blocks along every axis into pieces of a width, (n, d) or (d,); the last piece may be narrower.

        Each round halves the pieces of every block that has several, along the axis with the most.
        """
        done: list[Branch] = []
        widths = np.broadcast_to(widths, branch.blocks.lower.shape)
        while len(branch):
            pieces = -(-branch.blocks.sizes // widths)
            axis = pieces.argmax(axis=1)
            number = pieces[np.arange(len(branch)), axis]
            more = number > 1
            if not more.all():
                branch, finished = branch.select(more)
                done.append(finished)
                axis, number, widths = axis[more], number[more], widths[more]
                if not len(branch):
                    break
            rows = np.arange(len(branch))
            cut = branch.blocks.lower[rows, axis] + number // 2 * widths[rows, axis]
            branch = self.split(branch, axis, cut)
            widths = np.repeat(widths, 2, axis=0)
        first, *rest = [*done, branch] if len(branch) else done
        return first.merge(*rest)

    def follow_spine(self, branch: Branch) -> tuple[Branch, Branch]:
        """Split blocks along the edges of impossible boxes. Return those with possible cells, and those without.

        The spine is public, so this costs nothing.
        """
        while True:
            some, axis, cut = self.account.spine.find_cuts(branch.blocks)
            if not some.any():
                break
            branch, done = branch.select(some)
            branch = self.split(branch, axis[some], cut[some]).merge(done)
        impossible, possible = branch.select(self.account.spine.is_impossible(branch.blocks))
        return possible, impossible

    def measure(self, purpose: str, branch: Branch, epsilon: Fraction) -> Ints:
        """Measure the total of every block with Laplace noise."""
        return self.account.charge_query(purpose, Laplace(TOTAL, epsilon), branch.partition).measure()

    def measure_unspent(self, purpose: str, branch: Branch) -> None:
        """Measure the total of every block with the whole budget that its path has left."""
        while len(branch):
            amounts, which = branch.partition.unspent
            alike, branch = branch.select(which == 0)
            self.measure(purpose, alike, amounts[0])

    def finish(self) -> MeasuredTree:
        """The tree as it is now, with everything that the account has measured."""
        return MeasuredTree.of(self.account, self.tree)
