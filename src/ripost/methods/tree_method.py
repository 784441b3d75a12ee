"""Tree method: measures totals of the blocks of a tree, and estimates by least squares."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from ripost.estimate.least_squares import least_squares
from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import Decomposition, Method
from ripost.privacy.account import Account

LEAST_VARIANCE = 1e-200  # noise this small is almost surely 0; its inverse stays finite


class TreeMethod(Method):
    """A method in two steps: `measure` spends an account, `estimate` needs only what was measured."""

    def run(self, account: Account) -> Decomposition:
        return self.estimate(self.measure(account))

    @abstractmethod
    def measure(self, account: Account) -> MeasuredTree:
        """Spend the account, at most its epsilon, and return the tree with all noisy values."""

    def estimate(self, measured: MeasuredTree) -> Decomposition:
        """The estimate that follows from noisy values and public facts alone, by default least squares."""
        return fit_totals(measured)


def fit_totals(measured: MeasuredTree, *, least: bool = True) -> Decomposition:
    """The leaves with their noisy totals; `least` makes the totals of all nodes agree by least squares."""
    tree = measured.tree
    values, precision = np.zeros(len(tree)), np.zeros(len(tree))
    for draw in measured.draws:
        nodes, noisy = measured.totals(draw)
        factor = 1 / max(draw.variance, LEAST_VARIANCE)
        precision[nodes] += factor
        values[nodes] += (noisy - values[nodes]) * (factor / precision[nodes])
    with np.errstate(divide="ignore"):
        variances = 1 / precision
    if least and np.isfinite(variances[~tree.is_leaf]).any():
        values = least_squares(tree, values, variances)
    return Decomposition(tree, values[tree.leaves], variances)
