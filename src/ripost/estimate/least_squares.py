"""Generalized least squares on a tree: one consistent value per node, and the variance of its error.

Every node may have been measured by itself with independent noise. The best linear unbiased values that add up
(a parent is the sum of its children) follow from two passes over the tree (Hay et al. 2010, section 4.1, here for
any variances). Errors of the fitted values obey

    error(child) = share(child) * error(parent) ± e(parent),   e independent of all above it,

so the variance of any weighted sum of leaves follows from one more pass, without a covariance matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.space.tree import Tree


@dataclass(frozen=True)
class TreeCovariance:
    """The covariance of the errors of a fit. It depends on the variances of the measurements, not on their values."""

    tree: Tree
    root: float  # variance of the root's fitted value
    share: Floats  # (m,): share of its parent's error that a node inherits; 1 for the root
    between: Floats  # (m,): variance of e, which an inner node adds to one child and takes from the other

    @classmethod
    def of(cls, tree: Tree, variance: Floats) -> TreeCovariance:
        """The covariance for one measurement per node; an infinite variance says a node was not measured."""
        return _covariance(tree, variance)[0]

    @cached_property
    def posterior(self) -> Floats:
        """Variance of each node's fitted value."""
        squared, between = self.share[self.tree.order] ** 2, self.between[self.tree.inner]
        variance = np.full(len(self.tree), self.root)
        for rank in self.tree.ranks:
            whole = variance[rank.node]
            for half in (rank.left, rank.right):
                variance[half] = squared[half] * whole + between[rank.number]
        return variance[self.tree.place]

    def of_weights(self, weights: Floats) -> float:
        """Variance of a weighted sum of the leaves' fitted values; weights in the order of `tree.leaves`."""
        through, inside = np.zeros(len(self.tree)), np.zeros(len(self.tree))
        through[self.tree.leaves] = weights
        for inner, left in upward(self.tree):
            through[inner], inside[inner] = self.join(
                inner, through[left], through[left + 1], inside[left] + inside[left + 1]
            )
        return float(self.at_root(through[:1], inside[:1])[0])

    def join(self, inner: Codes, left: Floats, right: Floats, inside: Floats) -> tuple[Floats, Floats]:
        """How a weighted sum depends on a node's error, and its variance given that error, from its children's."""
        child = self.tree.child[inner]
        through = self.share[child] * left + self.share[child + 1] * right
        return through, inside + self.between[inner] * (left - right) ** 2

    def at_root(self, through: Floats, inside: Floats) -> Floats:
        return np.asarray(inside + through**2 * self.root, np.float64)


def least_squares(tree: Tree, value: Floats, variance: Floats) -> Floats:
    """The fitted value of every node, from one measured value and its variance per node.

    An infinite variance says a node was not measured; its value is then ignored. Every leaf must be measured.
    """
    covariance, weight = _covariance(tree, variance)
    if value.shape != variance.shape or not np.isfinite(value[np.isfinite(variance)]).all():
        raise ValueError("every measured node needs a finite value")
    fitted = np.where(np.isfinite(variance), value, 0.0)[tree.order]
    own, rest, share = weight[tree.inner], 1 - weight[tree.inner], covariance.share[tree.order]
    for rank in reversed(tree.ranks):
        below = fitted[rank.left] + fitted[rank.right]
        fitted[rank.node] = own[rank.number] * fitted[rank.node] + rest[rank.number] * below
    for rank in tree.ranks:
        missing = fitted[rank.node] - fitted[rank.left] - fitted[rank.right]
        fitted[rank.left] += share[rank.left] * missing
        fitted[rank.right] += share[rank.right] * missing
    return fitted[tree.place]


def above_zero(tree: Tree, fitted: Floats, variance: Floats) -> Floats:
    """Nonnegative fitted values that still add up: from the root down, children are moved into [0, parent]."""
    share, value = TreeCovariance.of(tree, variance).share, fitted.copy()
    value[0] = max(value[0], 0.0)
    for inner, left in reversed(upward(tree)):
        moved = fitted[left] + share[left] * (value[inner] - fitted[inner])
        value[left] = np.clip(moved, 0, value[inner])
        value[left + 1] = value[inner] - value[left]
    return value


def add_up(tree: Tree, leaves: Floats) -> Floats:
    """The value of every node, from the leaves' values in the order of `tree.leaves`."""
    total = np.zeros(len(tree))
    total[tree.leaf_place] = leaves
    for rank in reversed(tree.ranks):
        total[rank.node] = total[rank.left] + total[rank.right]
    return total[tree.place]


def _covariance(tree: Tree, variance: Floats) -> tuple[TreeCovariance, Floats]:
    """The covariance, and the weight of each node's own measurement against the sum of its children."""
    _check(tree, variance)
    below, measured = variance[tree.order], np.isfinite(variance[tree.inner])
    itself = np.where(measured, variance[tree.inner], 0.0)
    for rank in reversed(tree.ranks):
        both, known = below[rank.left] + below[rank.right], measured[rank.number]
        # An exact value wins; of two exact values, each counts half.
        fitted = itself[rank.number] * _ratio(both, itself[rank.number] + both)
        below[rank.node] = np.where(known, fitted, both)
    on_left, on_right = below[1::2], below[2::2]
    both = on_left + on_right
    own, between = np.ones(len(tree)), np.zeros(len(tree))
    own[tree.inner] = np.where(measured, _ratio(both, itself + both), 0.0)
    share = np.ones(len(tree))
    share[1::2], share[2::2] = _ratio(on_left, both), _ratio(on_right, both)
    between[tree.inner] = on_right * share[1::2]
    return TreeCovariance(tree, float(below[0]), share[tree.place], between), own


def upward(tree: Tree) -> list[tuple[Codes, Codes]]:
    """Inner nodes with their left children, level by level from the deepest."""
    return tree.splits[::-1]


def _ratio(part: Floats, whole: Floats) -> Floats:
    """part / whole, with 0 / 0 one half and anything / infinity 0."""
    half = np.full(len(part), 0.5)
    np.divide(part, whole, out=half, where=whole > 0)
    return half


def _check(tree: Tree, variance: Floats) -> None:
    if variance.shape != (len(tree),):
        raise ValueError(f"variance must be one number per node ({len(tree)}), got shape {variance.shape}")
    if np.isnan(variance).any() or (variance < 0).any():
        raise ValueError("variance must not be negative")
    if not np.isfinite(variance[tree.is_leaf]).all():
        raise ValueError("every leaf must be measured: its variance must be finite")
