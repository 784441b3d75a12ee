"""PrivTree (Zhang, Xiao and Xie 2016): cut in the middle while a biased noisy count is above a threshold.

docs/methods/privtree.md lists the choices that the paper leaves open. peers/privtree/proof.md proves that no path
spends more than epsilon, privacy/proofs/biased_test.md that tests at all depths cost about as much as three.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final, Literal

import numpy as np

from ripost.arrays import Codes
from ripost.errors import InputError
from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import PublicInputs
from ripost.methods.parameters import Share, Threshold
from ripost.methods.tree_builder import Branch, TreeBuilder
from ripost.methods.tree_method import TreeMethod
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import BiasedThresholdTest
from ripost.statistics.statistic import Statistic
from ripost.statistics.totals import TOTAL

ALL_AXES: Final = "2^d"
IN_TURN: Final = "round-robin"
MOST_AXES = 12  # to be cut at once

MOST_BLOCKS = 2**20  # growth ends there


@dataclass(frozen=True)
class PrivTree(TreeMethod):
    """Cut a block in the middle of every axis at once, or of one axis after the other, while its test passes."""

    name: ClassVar[str] = "privtree"
    tested: ClassVar[Statistic] = TOTAL  # what a test compares with the threshold

    fanout: Literal["2^d", "round-robin"] = ALL_AXES
    theta: Threshold = 0
    tests: Share = 0.5  # share of epsilon for the tests, the rest for the leaves

    def check(self, inputs: PublicInputs) -> None:
        axes = sum(size > 1 for size in inputs.shape)
        if self.fanout == ALL_AXES and axes > MOST_AXES:
            raise InputError(
                f"privtree needs 2^{axes} parts of a block and stops at 2^{MOST_AXES}; "
                f"choose another method or fanout={IN_TURN!r}"
            )

    def measure(self, account: Account) -> MeasuredTree:
        axes = np.flatnonzero(np.array(account.shape) > 1)
        builder = TreeBuilder(account)
        if not len(axes):
            builder.measure("leaves", builder.root, account.epsilon)
            return builder.finish()
        at_once = len(axes) if self.fanout == ALL_AXES else 1
        cost = account.epsilon * share(self.tests, name="tests")
        test = BiasedThresholdTest(self.tested, cost, self.theta, decay=Fraction(2**at_once))
        sequence = account.charge_threshold_sequence("tests", test, account.root)
        turn = np.zeros(1, np.int64)
        live, done = builder.root, list[Branch]()
        while len(live):
            is_cell = live.blocks.is_cell
            cells, live = live.select(is_cell)
            ended = sequence.at_most(live.partition)
            leaves, live = live.select(ended)
            done += [cells, leaves]
            if sum(map(len, done)) + len(live) * 2**at_once > MOST_BLOCKS:
                break
            if self.fanout == ALL_AXES:
                live = _halve_all(builder, live, axes)
            else:
                live, turn = _halve_next(builder, live, turn[~is_cell][~ended])
        builder.measure("leaves", live.merge(*done), account.epsilon - cost)
        return builder.finish()


def _halve_all(builder: TreeBuilder, live: Branch, axes: Codes) -> Branch:
    """Split every block in the middle of each of these axes on which it has more than one code."""
    for axis in axes.tolist():
        sizes = live.blocks.sizes[:, axis]
        where = sizes > 1
        if where.any():
            cut = (live.blocks.lower[:, axis] + (sizes + 1) // 2)[where]
            live = builder.split(live, np.full(len(cut), axis), cut, where)
    return live


def _halve_next(builder: TreeBuilder, live: Branch, turn: Codes) -> tuple[Branch, Codes]:
    """Split every block along the next axis that has more than one code; return the halves and their next axes."""
    sizes, rows = live.blocks.sizes, np.arange(len(turn))
    order = (turn[:, None] + np.arange(sizes.shape[1])) % sizes.shape[1]
    axis = order[rows, (sizes[rows[:, None], order] > 1).argmax(axis=1)]
    halves = builder.split(live, axis, live.blocks.lower[rows, axis] + (sizes[rows, axis] + 1) // 2)
    return halves, np.repeat((axis + 1) % sizes.shape[1], 2)
