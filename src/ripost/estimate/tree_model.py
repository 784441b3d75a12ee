"""A Gaussian model of the values in a tree: how a node's content is shared out between its halves.

    left child = share * parent + deviation,   right child = parent - left child,   deviation ~ N(0, scatter),

and every node may have been measured with independent noise. Given the measurements all nodes are jointly normal;
their means follow from one pass up and one pass down, and their errors obey the same recursion as those of least
squares (least_squares.py), which is the case of infinite scatter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.estimate.least_squares import Floats, Spread, upward
from ripost.space.blocks import Codes
from ripost.space.tree import Tree

UNKNOWN = 1e13  # scatter of a split about which nothing is assumed, in squared records
ALMOST_NOTHING = 1e-14  # precision of a node of which nothing is known


@dataclass(frozen=True)
class Step:
    """The inner nodes of one level, and how they exchange what they know with their halves."""

    inner: Codes
    left: Codes
    place: Codes  # of the inner nodes, level by level
    halves: slice  # where their left halves are in that order; the right half of each comes next
    from_left: Floats  # weight of the left half's information for the node
    from_right: Floats
    gain: Floats  # part of the node's value, and of its error, that the left half takes
    between: Floats  # variance that a split adds to one half and takes from the other


@dataclass(frozen=True)
class TreeModel:
    """A tree, prior shares and scatters of its splits, and the precision of each node's own measurement."""

    tree: Tree
    share: Floats  # (m,): of the left half; ignored at leaves
    precision: Floats  # (m,): of all that is known of a node from below and from itself
    steps: list[Step]  # the deepest level first

    @classmethod
    def of(cls, tree: Tree, precision: Floats, share: Floats, scatter: Floats) -> TreeModel:
        known = precision + ALMOST_NOTHING
        steps, end = [], len(tree)
        for inner, left in upward(tree):
            first = end - 2 * len(inner)
            q, tau = share[inner], scatter[inner]
            on_left, on_right = known[left], known[left + 1]
            # Variances of both halves from below; `both` is the determinant of the variance of what they tell.
            vl, vr = 1 / on_left, 1 / on_right
            both = tau * (vl + vr) + vl * vr
            known[inner] += (tau + q**2 * vr + (1 - q) ** 2 * vl) / both
            sharp = 1 / tau + on_left + on_right
            gain = q + ((1 - q) * on_right - q * on_left) / sharp
            from_left, from_right = (tau + q * vr) * vl / both, (tau + (1 - q) * vl) * vr / both
            halves, end = slice(first, end, 2), first
            steps.append(Step(inner, left, tree.place[inner], halves, from_left, from_right, gain, 1 / sharp))
        return cls(tree, share, known, steps)

    def means(self, information: Floats) -> Floats:
        """The expected value of every node, from precision times value of each measurement."""
        return self._means(information[self.tree.order])[self.tree.place]

    def leaf_means(self, information: Floats) -> Floats:
        """The same for the leaves alone, from what was told of the leaves alone."""
        leaves, told = self.tree.place[self.tree.leaves], np.zeros(len(self.tree))
        told[leaves] = information
        return self._means(told)[leaves]

    def _means(self, told: Floats) -> Floats:
        """The means, from the information, of nodes level by level; what was told is overwritten."""
        left, right = told, told[1:]
        for step in self.steps:
            told[step.place] += step.from_left * left[step.halves] + step.from_right * right[step.halves]
        mean = np.empty(len(told))
        mean[0] = told[0] / self.precision[0]
        for step in reversed(self.steps):
            whole = mean[step.place]
            half = step.gain * whole + (left[step.halves] - right[step.halves]) * step.between
            mean[step.halves], mean[1:][step.halves] = half, whole - half
        return mean

    def spread(self) -> Spread:
        """The errors of the means."""
        share, between = np.ones(len(self.tree)), np.zeros(len(self.tree))
        for step in self.steps:
            share[step.left], share[step.left + 1] = step.gain, 1 - step.gain
            between[step.inner] = step.between
        return Spread(self.tree, 1 / float(self.precision[0]), share, between)

    def deviations(self, mean: Floats) -> tuple[Floats, Floats]:
        """The square of each split's estimated deviation, and the variance of its error; 0 at leaves."""
        square, error = np.zeros(len(self.tree)), np.zeros(len(self.tree))
        posterior = self.spread().posterior
        for step in self.steps:
            inner = step.inner
            square[inner] = (mean[step.left] - self.share[inner] * mean[inner]) ** 2
            error[inner] = step.between + (step.gain - self.share[inner]) ** 2 * posterior[inner]
        return square, error

    def above_zero(self, mean: Floats) -> Floats:
        """Values without negatives that still add up: from the root down, halves are moved into [0, parent]."""
        value = mean.copy()
        value[0] = max(value[0], 0.0)
        for step in reversed(self.steps):
            moved = mean[step.left] + step.gain * (value[step.inner] - mean[step.inner])
            value[step.left] = np.clip(moved, 0, value[step.inner])
            value[step.left + 1] = value[step.inner] - value[step.left]
        return value
