"""RIPOST+: one-way histograms, tables of pairs where attributes depend on each other, a tree measured at few depths,
and one estimate from all of them.

docs/methods/ripost-plus.md explains each step, privacy/proofs/ripost_plus.md proves that no path spends more than
epsilon. Only public facts decide what is measured next: epsilon, the domain, and values released before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import Decomposition
from ripost.methods.ripost_plus_estimate import estimate_all, estimate_few, estimate_tree
from ripost.methods.ripost_plus_parameters import RipostPlusParameters
from ripost.methods.tree_measurement import TreeMeasurement
from ripost.privacy.account import Account


@dataclass(frozen=True)
class RipostPlus(RipostPlusParameters):
    """The default method."""

    name: ClassVar[str] = "ripost+"
    keeps_zeros: ClassVar[bool] = True
    adds_measures: ClassVar[bool] = True

    def run(self, account: Account) -> Decomposition:
        run = TreeMeasurement(self, account)
        run.plan()
        if run.few:
            run.one_block()
            return estimate_few(run.whole, run.builder.finish())
        run.test_dependence()
        run.histograms()
        run.measure_pairs()
        budgets = run.depths()
        run.prefetch_noise(budgets[-1])
        run.root(budgets[0])
        before = len(account.measurements)
        for number, epsilon in enumerate(budgets[1:]):
            run.deepen(len(budgets) - 1 - number, budgets[-1])
            run.measure(f"depth {number + 1}", epsilon, last=number == len(budgets) - 2)
        measured = run.builder.finish()
        return estimate_tree(run.whole, measured, measured.draws[before:])

    def estimate(self, measured: MeasuredTree) -> Decomposition:
        return estimate_all(self, measured)
