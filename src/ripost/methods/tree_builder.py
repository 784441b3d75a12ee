"""Tree builder: grows the tree of blocks of every method that releases one.

A method decides which blocks to split and which to measure. The builder keeps the tree and all noisy totals, and
returns the decomposition that fits them best. Splits and measurements work on branches, level by level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Floats, Ints, Mask
from ripost.estimate.least_squares import least_squares
from ripost.methods.method import Decomposition
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.partition import Partition
from ripost.space.blocks import Blocks
from ripost.space.tree import Growth, Tree
from ripost.statistics.totals import TOTAL

LEAST_VARIANCE = 1e-200  # smaller noise is almost surely 0; the inverse stays finite


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
    """A tree that grows from the root, and the noisy totals of its nodes."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.root = Branch(account.root, np.array([0]))
        self._growth = Growth(account.shape)
        self._totals: list[tuple[Codes, Ints, float]] = []  # nodes, noisy totals, variance of the noise

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

    def measure(self, purpose: str, branch: Branch, epsilon: Fraction) -> Ints:
        """Measure the total of every block with Laplace noise, and keep it."""
        mechanism = Laplace(TOTAL, epsilon)
        noisy = self.account.charge_query(purpose, mechanism, branch.partition).measure()
        self.keep(branch, noisy, mechanism)
        return noisy

    def measure_unspent(self, purpose: str, branch: Branch) -> None:
        """Measure the total of every block with the whole budget that its path has left."""
        while len(branch):
            amounts, which = branch.partition.unspent
            alike, branch = branch.select(which == 0)
            self.measure(purpose, alike, amounts[0])

    def keep(self, branch: Branch, noisy: Ints, mechanism: Laplace) -> None:
        """Keep noisy totals that were drawn elsewhere."""
        self._totals.append((branch.nodes, noisy, mechanism.variance(self.account.bound)))

    def build(self, *, fit: bool = True) -> Decomposition:
        """The tree with its leaves' values; `fit` makes the values of all nodes agree by least squares."""
        tree = self.tree
        values, variances = _pool(tree, self._totals)
        if fit and np.isfinite(variances[~tree.is_leaf]).any():
            values = least_squares(tree, values, variances)
        return Decomposition(tree, values[tree.leaves], variances)


def _pool(tree: Tree, totals: Sequence[tuple[Codes, Ints, float]]) -> tuple[Floats, Floats]:
    """Value and variance of every node from all its measurements; infinite variance where there is none."""
    values, precision = np.zeros(len(tree)), np.zeros(len(tree))
    for nodes, noisy, variance in totals:
        factor = 1 / max(variance, LEAST_VARIANCE)
        precision[nodes] += factor
        values[nodes] += (noisy - values[nodes]) * (factor / precision[nodes])
    with np.errstate(divide="ignore"):
        return values, 1 / precision
