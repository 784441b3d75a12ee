"""Measured tree: what an estimator starts from. It holds noisy values and public facts, so estimating draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.privacy.account import Account
from ripost.privacy.ledger import Charge, Currency
from ripost.privacy.ledger_check import noise_variance
from ripost.space.measurement import Measurement
from ripost.space.query_parameters import BinnedMargin
from ripost.space.spine import Spine
from ripost.space.tree import Tree


@dataclass(frozen=True)
class Draw:
    """The noisy values of one draw, in counts, with the charge that paid for it."""

    charge: Charge
    measurement: Measurement

    @property
    def table(self) -> BinnedMargin | None:
        """The table whose cells it measured, if any."""
        return self.measurement.table

    @property
    def is_total(self) -> bool:
        """Whether it measured totals of blocks."""
        return self.measurement.table is None and self.measurement.blocks is not None

    @property
    def variance(self) -> float:
        """Variance of the noise in each value."""
        return noise_variance(self.charge)


@dataclass(frozen=True)
class MeasuredTree:
    """The blocks of a release as a tree, and all noisy values that the release paid for, in the order of the draws."""

    tree: Tree  # numbered by level
    draws: Sequence[Draw]
    budget: Fraction  # of the account, in its currency
    currency: Currency
    bound: int  # counts that one row adds at most
    spine: Spine | None = None  # levels and impossible cells

    @classmethod
    def of(cls, account: Account, tree: Tree) -> MeasuredTree:
        """What an account has released of this tree."""
        charges = account.ledger.entries
        draws = [Draw(charges[found.entry], found) for found in account.measurements]
        return cls(tree.by_level, draws, account.epsilon, account.currency, account.bound, account.spine)

    def is_of_root(self, draw: Draw) -> bool:
        """Whether a draw measured the total of the whole domain."""
        return draw.is_total and self.totals(draw)[0].tolist() == [0]

    def totals(self, draw: Draw) -> tuple[Codes, Floats]:
        """The nodes of a draw of totals of blocks, rising, and their noisy totals in counts."""
        assert draw.measurement.blocks is not None
        nodes = self.tree.find(draw.measurement.blocks)
        order = np.argsort(nodes)
        return nodes[order], draw.measurement.values[order].astype(np.float64)
