"""PrivTree (Zhang, Xiao and Xie 2016): cut in the middle while a biased noisy count is above a threshold.

docs/methods/privtree.md says what was chosen where the paper leaves a choice, privacy/proofs/privtree.md why no path
spends more than epsilon, and privacy/proofs/biased_test.md why tests at every depth cost no more than three or so.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ripost.arrays import Codes
from ripost.errors import InputError
from ripost.methods.growing import MOST_BLOCKS, Growing
from ripost.methods.method import Decomposition, Method, PublicInputs
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import BiasedThresholdTest
from ripost.privacy.sensitivity import TOTAL

ALL_AXES, IN_TURN = "2^d", "round-robin"
MOST_AXES = 12  # to be cut at once


@dataclass(frozen=True)
class PrivTree(Method):
    """A block is cut in the middle of every axis at once, or of one axis in turn, as long as its test passes."""

    name: ClassVar[str] = "privtree"

    fanout: str = ALL_AXES
    theta: int = 0
    tests: float = 0.5  # share of epsilon for the tests, the rest for the leaves

    def __post_init__(self) -> None:
        if self.fanout not in (ALL_AXES, IN_TURN):
            raise InputError(f"fanout must be {ALL_AXES!r} or {IN_TURN!r}, got {self.fanout!r}")
        if isinstance(self.theta, bool) or not isinstance(self.theta, int) or abs(self.theta) > 2**53:
            raise InputError(f"theta must be a whole number of at most 2^53, got {self.theta!r}")
        share(self.tests, name="tests")

    def check(self, inputs: PublicInputs) -> None:
        axes = sum(size > 1 for size in inputs.shape)
        if self.fanout == ALL_AXES and axes > MOST_AXES:
            raise InputError(
                f"privtree needs 2^{axes} parts of a block and stops at 2^{MOST_AXES}; "
                f"choose another method or fanout={IN_TURN!r}"
            )

    def run(self, account: Account) -> Decomposition:
        axes = np.flatnonzero(np.array(account.shape) > 1)
        growing = Growing(account)
        if not len(axes):
            return growing.measured(account.epsilon)
        at_once = len(axes) if self.fanout == ALL_AXES else 1
        cost = account.epsilon * share(self.tests, name="tests")
        test = BiasedThresholdTest(TOTAL, cost, self.theta, decay=Fraction(2**at_once))
        descent = account.charge_threshold_sequence("tests", test, account.root)
        turn = np.zeros(1, np.int64)
        while len(growing.live):
            cells = growing.live.blocks.is_cell
            growing.finish(cells)
            ended = descent.at_most(growing.live)
            growing.finish(ended)
            if len(growing) + len(growing.live) * (2**at_once - 1) > MOST_BLOCKS:
                break
            if self.fanout == ALL_AXES:
                _halve_all(growing, axes)
            else:
                turn = _halve_next(growing, turn[~cells][~ended])
        return growing.measured(account.epsilon - cost)


def _halve_all(growing: Growing, axes: Codes) -> None:
    """Cut every live block in the middle of each of these axes that it can be cut along."""
    for axis in axes.tolist():
        sizes = growing.live.blocks.sizes[:, axis]
        where = sizes > 1
        if where.any():
            cut = (growing.live.blocks.lower[:, axis] + (sizes + 1) // 2)[where]
            growing.split(np.full(len(cut), axis), cut, where)


def _halve_next(growing: Growing, turn: Codes) -> Codes:
    """Cut every live block along the first axis, from its turn on, that it can be cut along; whose turn is next."""
    sizes, rows = growing.live.blocks.sizes, np.arange(len(turn))
    order = (turn[:, None] + np.arange(sizes.shape[1])) % sizes.shape[1]
    axis = order[rows, (sizes[rows[:, None], order] > 1).argmax(axis=1)]
    growing.split(axis, growing.live.blocks.lower[rows, axis] + (sizes[rows, axis] + 1) // 2)
    return np.repeat((axis + 1) % sizes.shape[1], 2)
