"""A Gaussian model of the values in a tree: how the rows of a node divide between its halves.

    left child = share * parent + deviation,   right child = parent - left child,   deviation ~ N(0, scatter),

and every node may have been measured with independent noise. Given the measurements, all nodes are jointly normal.
One pass up and one pass down the tree give their means. Their errors follow the same recursion as those of least
squares (least_squares.py), which is the case of infinite scatter.

Internally, nodes are in the order of `Tree.order` and inner nodes in that of `Tree.inner`, so that the halves of a
level are adjacent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.least_squares import TreeCovariance
from ripost.space.tree import Rank, Tree

UNKNOWN = 1e13  # scatter of a split without a prior, divided by the largest variance of a measurement
ALMOST_NOTHING = 1e-14  # precision of an unmeasured node, divided by the least precision of a measurement


def unknown_scatter(precision: Floats) -> float:
    """The scatter of splits without a prior, where nodes were measured with these precisions."""
    return UNKNOWN / _least(precision)


def _least(precision: Floats) -> float:
    """The least precision of a measured node."""
    return float(precision.min(where=precision > 0, initial=np.inf)) if precision.any() else 1.0


@dataclass(frozen=True)
class TreeModel:
    """A tree, prior shares and scatters of its splits, and the precision of each node's own measurement."""

    tree: Tree
    share: Floats  # (m,): of the left half; ignored at leaves
    total_precision: float  # of the root, given all measurements
    from_left: Floats  # (inner,): weight of the left half's information in the node's
    from_right: Floats
    gain: Floats  # (inner,): share of the node's value, and of its error, that goes to the left half
    between: Floats  # (inner,): variance that a split adds to both halves, with opposite signs

    @classmethod
    def of(cls, tree: Tree, precision: Floats, share: Floats, scatter: Floats) -> TreeModel:
        # Precision of a node from its own measurement and from those below it.
        known = precision[tree.order] + ALMOST_NOTHING * _least(precision)
        q, tau = share[tree.inner], scatter[tree.inner]
        rest = 1 - q
        left_part, right_part = rest**2, q**2
        for rank in reversed(tree.ranks):
            some = rank.number
            # Variances of both halves from below; `both` is the determinant of their joint covariance.
            vl, vr = 1 / known[rank.left], 1 / known[rank.right]
            both = tau[some] * (vl + vr) + vl * vr
            known[rank.node] += (tau[some] + right_part[some] * vr + left_part[some] * vl) / both
        on_left, on_right = known[1::2], known[2::2]
        vl, vr = 1 / on_left, 1 / on_right
        both = tau * (vl + vr) + vl * vr
        sharp = 1 / tau + on_left + on_right
        gain = q + (rest * on_right - q * on_left) / sharp
        from_left, from_right = (tau + q * vr) * vl / both, (tau + rest * vl) * vr / both
        return cls(tree, share, float(known[0]), from_left, from_right, gain, 1 / sharp)

    def means(self, information: Floats) -> Floats:
        """The expected value of every node, from precision times value of each measurement."""
        return self._means(information[self.tree.order])[self.tree.place]

    def leaf_means(self, information: Floats) -> Floats:
        """The expected values of the leaves, from information about the leaves alone."""
        leaves, collected = self.tree.leaf_place, np.empty(len(self.tree))
        collected[leaves] = information
        for rank in reversed(self.tree.ranks):
            collected[rank.node] = self._from_halves(collected, rank)
        return self._downward(collected).take(leaves)

    def _means(self, information: Floats) -> Floats:
        """The means of the nodes, level by level. The argument is overwritten."""
        for rank in reversed(self.tree.ranks):
            information[rank.node] += self._from_halves(information, rank)
        return self._downward(information)

    def _from_halves(self, information: Floats, rank: Rank) -> Floats:
        """The information that the nodes of a level get from their halves."""
        some = rank.number
        from_left: Floats = self.from_left[some] * information[rank.left]
        from_left += self.from_right[some] * information[rank.right]
        return from_left

    def _downward(self, information: Floats) -> Floats:
        """The means, from the information of each node and of all nodes below it."""
        deviation = (information[1::2] - information[2::2]) * self.between
        mean = information
        mean[0] /= self.total_precision
        for rank in self.tree.ranks:
            whole = mean[rank.node]
            half = self.gain[rank.number] * whole
            half += deviation[rank.number]
            mean[rank.left], mean[rank.right] = half, whole - half
        return mean

    @cached_property
    def covariance(self) -> TreeCovariance:
        """The covariance of the errors of the means."""
        share, between = np.ones(len(self.tree)), np.zeros(len(self.tree))
        left = self.tree.child[self.tree.inner]
        share[left], share[left + 1] = self.gain, 1 - self.gain
        between[self.tree.inner] = self.between
        return TreeCovariance(self.tree, 1 / self.total_precision, share, between)

    def deviations(self, mean: Floats) -> tuple[Floats, Floats]:
        """The square of each split's estimated deviation, and the variance of its error; 0 at leaves."""
        square, error = np.zeros(len(self.tree)), np.zeros(len(self.tree))
        inner = self.tree.inner
        share = self.share[inner]
        square[inner] = (mean[self.tree.child[inner]] - share * mean[inner]) ** 2
        error[inner] = self.between + (self.gain - share) ** 2 * self.covariance.posterior[inner]
        return square, error

    def above_zero(self, mean: Floats) -> Floats:
        """Nonnegative values that still add up: from the root down, each half is moved into [0, parent]."""
        mean = mean[self.tree.order]
        value = mean.copy()
        value[0] = max(value[0], 0.0)
        for rank in self.tree.ranks:
            whole = value[rank.node]
            moved = mean[rank.left] + self.gain[rank.number] * (whole - mean[rank.node])
            half = np.minimum(np.maximum(moved, 0), whole)
            value[rank.left], value[rank.right] = half, whole - half
        return value[self.tree.place]
