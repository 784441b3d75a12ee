"""Measure the sums of a column: its total, a histogram of sums along each axis, and blocks of the counts' tree.

Everything is drawn from an account of its own, whose cells hold sums of half steps from the middle of the range
(privacy/proofs/measures.md). Which blocks are measured depends on the released counts, the budget and the domain alone.
Sums of impossible cells are not measured: they are 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ripost.arrays import Mask
from ripost.errors import ReleaseError
from ripost.estimate.least_squares import add_up
from ripost.estimate.marginal import NoisyHistogram
from ripost.methods.histograms import measure_histograms, split_by_length
from ripost.methods.measure_estimate import MeasuredSums, MeasureEstimate, estimate_measure
from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import Decomposition
from ripost.methods.pricing import Pricing
from ripost.methods.tree_builder import Branch
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.space.spine import Spine
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
    account.charge_query("total", mechanism, account.root).measure()
    for axis, part in enumerate(split_by_length(account.shape, gaussian=gaussian)):
        measure_histograms(account, account.root, pricing, axis, account.epsilon * FOR_HISTOGRAMS * part, small=False)
    rest = account.root.unspent[0][0]
    rows = add_up(tree, np.maximum(found.values, 0))
    cutter = _TreeCutter(tree, Branch(account.root, np.array([0])))
    cutter.cut(rows > FULL * pricing.scale(rest))
    possible, impossible = cutter.live.select(~account.spine.is_impossible(cutter.live.blocks))
    account.charge_query("blocks", pricing.noise(TOTAL, rest), possible.partition).measure()
    cutter.live = possible.merge(impossible)
    cutter.cut(np.ones(len(tree), bool))  # so that the ledger has the blocks of the release
    return estimate_sums(found, MeasuredTree.of(account, tree))


def estimate_sums(found: Decomposition, measured: MeasuredTree) -> MeasureEstimate:
    """The estimate of a measure from that of the counts and its noisy sums alone, in the order of their draws."""
    pricing = Pricing(measured.currency is not Currency.EPSILON, measured.bound)
    histograms: list[list[NoisyHistogram]] = [[] for _ in measured.tree.shape]
    for draw in measured.draws:
        if draw.table is not None and len(draw.table.axes) == 1:
            values = draw.measurement.values / measured.bound
            [axis], [edges] = draw.table.axes, draw.table.edges
            histograms[axis].append(NoisyHistogram(edges, values, pricing.in_rows(draw.variance)))
    totals = [draw for draw in measured.draws if draw.is_total]
    if len(totals) != 2 or not all(histograms) or not measured.is_of_root(totals[0]):
        raise ReleaseError("its measurements are not those of the sums of a measure, so they cannot be estimated again")
    [whole, blocks] = [(*measured.totals(draw), pricing.in_rows(draw.variance)) for draw in totals]
    total = float(whole[1][0]) / measured.bound, whole[2]
    parts = [(blocks[0], blocks[1] / measured.bound, blocks[2])]
    spine = measured.spine or Spine.none(len(measured.tree.shape))
    return estimate_measure(found, MeasuredSums(total, histograms, parts, pricing.gaussian), spine)


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
