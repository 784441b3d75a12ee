"""Growing: a decomposition under way, for methods that cut blocks until a test says to stop."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Mask
from ripost.methods.method import Decomposition
from ripost.privacy.account import Account, Partition
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.sensitivity import TOTAL
from ripost.space.tree import Growth

MOST_BLOCKS = 2**20  # growth ends there


class Growing:
    """Blocks that may still be cut, with their nodes in the tree, and those that are done."""

    def __init__(self, account: Account) -> None:
        self.live = account.root
        self._account = account
        self._nodes = np.array([0])
        self._growth = Growth(account.shape)
        self._done: list[tuple[Partition, Codes]] = []

    def __len__(self) -> int:
        """Blocks of either kind."""
        return len(self.live) + sum(len(nodes) for _, nodes in self._done)

    def finish(self, mask: Mask) -> None:
        """Cut these live blocks no more."""
        if mask.any():
            self._done.append(self._part(mask))

    def split(self, axis: Codes, cut: Codes, where: Mask | None = None) -> None:
        """Cut the live blocks, or those where the mask holds, of which axis and cut then speak; halves come first."""
        others = None if where is None or where.all() else self._part(~where)
        self._nodes = self._growth.split(self._nodes, axis, cut)
        self.live = self.live.split(axis, cut)
        if others is not None:
            self.live, self._nodes = self.live.merge(others[0]), np.concatenate([self._nodes, others[1]])

    def measured(self, epsilon: Fraction | None) -> Decomposition:
        """The tree with noise on the total of every block, for this price each, or for all that its path has left."""
        partitions, numbers = zip((self.live, self._nodes), *self._done, strict=True)
        self.live, self._nodes, self._done = partitions[0].merge(*partitions[1:]), np.concatenate(numbers), []
        tree = self._growth.tree()
        values, variances = np.zeros(len(tree)), np.full(len(tree), np.inf)
        while len(self.live):
            price = epsilon
            alike, nodes = self.live, self._nodes
            if price is None:
                amounts, which = self.live.unspent
                price, (alike, nodes) = amounts[0], self._part(which == 0)
            mechanism = Laplace(TOTAL, price)
            values[nodes] = self._account.charge_query("leaves", mechanism, alike).measure()
            variances[nodes] = mechanism.variance(self._account.bound)
            if epsilon is not None:
                break
        return Decomposition(tree, values[tree.leaves], variances)

    def _part(self, mask: Mask) -> tuple[Partition, Codes]:
        """Take these blocks from the live ones."""
        chosen, self.live = self.live.select(mask)
        nodes, self._nodes = self._nodes[mask], self._nodes[~mask]
        return chosen, nodes
