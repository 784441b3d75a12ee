"""Measure the sums of a column: its total, a histogram of sums along each axis, and blocks of the counts' tree.

Everything is drawn from an account of its own, whose cells hold sums of half steps from the middle of the range
(privacy/proofs/measures.md). Which blocks are measured depends on the released counts and the budget alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ripost.arrays import Mask
from ripost.estimate.least_squares import add_up
from ripost.methods.histograms import measure_histograms, split_by_length
from ripost.methods.measure_estimate import MeasuredSums, MeasureEstimate, estimate_measure
from ripost.methods.method import Decomposition
from ripost.methods.pricing import Pricing
from ripost.methods.tree_builder import Branch
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.space.tree import Tree
from ripost.statistics.totals import TOTAL

# Shares of the budget of a measure, chosen on tables of adults, fire calls and check-ins, and not on flights.
FOR_TOTAL = Fraction(1, 20)
FOR_HISTOGRAMS = Fraction(3, 4)
FULL = 20  # noise scales of rows from which on a block is cut before it is measured


def measure_sums(account: Account, found: Decomposition) -> MeasureEstimate:
    """Spend the account of a measure, and return its estimate beside that of the counts."""
    gaussian = account.currency is not Currency.EPSILON
    pricing, tree = Pricing(gaussian, account.bound), found.tree.by_level
    mechanism = pricing.noise(TOTAL, account.epsilon * FOR_TOTAL)
    variance = pricing.variance(mechanism)
    total = account.charge_query("total", mechanism, account.root).measure()[0] / account.bound
    histograms = [
        measure_histograms(account, account.root, pricing, axis, account.epsilon * FOR_HISTOGRAMS * part, small=False)
        for axis, part in enumerate(split_by_length(account.shape, gaussian=gaussian))
    ]
    rest = account.root.unspent[0][0]
    rows = add_up(tree, np.maximum(found.values, 0))
    cutter = _TreeCutter(tree, Branch(account.root, np.array([0])))
    cutter.cut(rows > FULL * pricing.scale(rest))
    mechanism = pricing.noise(TOTAL, rest)
    values = account.charge_query("blocks", mechanism, cutter.live.partition).measure() / account.bound
    blocks = (cutter.live.nodes, values, pricing.variance(mechanism))
    cutter.cut(np.ones(len(tree), bool))  # so that the ledger has the blocks of the release
    return estimate_measure(found, MeasuredSums((float(total), variance), histograms, [blocks], gaussian))


@dataclass
class _TreeCutter:
    """Follows a tree that is known."""

    tree: Tree
    live: Branch

    def cut(self, wanted: Mask) -> None:
        """Cut blocks as the tree does, from the root on, as long as they are wanted."""
        done: list[Branch] = []
        while len(self.live):
            inner, finished = self.live.select((wanted & ~self.tree.is_leaf)[self.live.nodes])
            done.append(finished)
            if not len(inner):
                break
            axis, cut, left = (part[inner.nodes] for part in (self.tree.axis, self.tree.cut, self.tree.child))
            self.live = Branch(inner.partition.split(axis, cut), np.stack([left, left + 1], axis=1).ravel())
        first, *rest = done
        self.live = first.merge(*rest)
