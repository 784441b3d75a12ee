"""Measurements of the whole domain, the first phases of RIPOST+: the total, a test of dependence, histograms, pairs.

Each phase decides what the next one measures, by released values and public facts: the budget and the domain.
"""

from __future__ import annotations

import math
from fractions import Fraction

from ripost.methods.histograms import histogram_share, measure_histograms, split_by_length
from ripost.methods.pair_measurement import measure_pairs
from ripost.methods.pair_plan import (
    TESTING,
    PairPlan,
    dependence_question,
    is_dependent,
    pairs_of,
    plan_for,
)
from ripost.methods.pricing import Pricing
from ripost.methods.ripost_plus_parameters import RipostPlusParameters
from ripost.methods.root_estimate import RootEstimate
from ripost.methods.tree_builder import TreeBuilder
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.ledger import Currency
from ripost.statistics.dependence import LARGEST_DEPENDENCE
from ripost.statistics.totals import TOTAL

FEW = 20  # rows times epsilon, per dimension, below which only the total exceeds its noise
PLANNING = (  # measurements of the total: share of epsilon, and the margin above FEW that makes it the last one
    (Fraction(1, 100), 350),
    (Fraction(4, 100), 100),
    (Fraction(20, 100), 0),
)
CHOOSING = Fraction(3, 100)  # for the axes of the top levels, if there are enough rows
WORTH_CHOOSING = 15000  # rows times epsilon from which on axes are chosen
ENOUGH_TO_CHOOSE = 2**17  # rows; if there are at least twice as many, axes are chosen by a sample of about this size
MOST_SAMPLED = 2**34  # rows from which a sample can be drawn: each needs random bits of its own
MOST_FOR_HISTOGRAMS = Fraction(19, 20)  # of the budget that remains when they are measured
FEW_CELLS = {1: 10, 2: 13}  # measured depths -> log2 of the cells that they suffice for; 1 in two dimensions only


class RootMeasurement:
    """The measurements of the whole domain. Values are in rows: counts divided by the most that one row adds."""

    def __init__(self, method: RipostPlusParameters, account: Account) -> None:
        self.method = method
        self.account = account
        self.unit = account.bound
        self.shape = account.shape
        self.gaussian = account.currency is not Currency.EPSILON
        self.pricing = Pricing(self.gaussian, account.bound)
        self.small = len(self.shape) == 2 and math.prod(self.shape) <= 2 ** FEW_CELLS[1]
        self.builder = TreeBuilder(account)
        self.live = self.builder.root  # the leaves of the tree
        self.whole = RootEstimate(method, self.shape, account.epsilon, self.pricing, account.spine)
        self.plan_of_pairs: PairPlan | None = None  # if attributes depend on each other

    def plan(self) -> None:
        """Measure a first total and decide by it what to measure next."""
        few = FEW * (math.sqrt(len(self.shape)) if self.gaussian else len(self.shape))
        for number, (part, clear) in enumerate(PLANNING):
            self._measure_total(f"planning, look {number + 1}", self.account.epsilon * part)
            in_scales = self.whole.in_scales
            self.few = in_scales < few
            if in_scales >= few + clear or (self.few and number > 0):
                break
        self.whole.plan_cells()
        several = self.method.choose_axes and len(self.shape) >= 3 and self.whole.dense is None
        self.choosing = CHOOSING if several and in_scales > WORTH_CHOOSING else Fraction(0)
        self.rate = _sample_rate(self.whole.rows) if self.unit == 1 and not self.gaussian else Fraction(1)

    def one_block(self) -> None:
        """Spend the whole remaining budget on the total: with few rows, noise hides everything else.

        With impossible cells, the total of each block beside them is measured, because no row lies in them.
        """
        price = self.live.partition.unspent[0][0]
        if self.account.spine.impossible is None:
            self._measure_total("total", price)
            return
        self.live, _ = self.builder.follow_spine(self.live)
        mechanism = self.pricing.noise(TOTAL, price)
        self.account.charge_query("totals beside impossible cells", mechanism, self.live.partition).measure()

    def test_dependence(self) -> None:
        """Test with noise whether attributes clearly depend on each other, in which case pairs are measured.

        Protected attributes need no test: their pairs are measured in any case.
        """
        if any(set(pair) <= set(axes) for pair in pairs_of(self.shape) for axes in self.method.protect):
            self.plan_of_pairs = plan_for(self.shape, self.whole.in_scales, gaussian=self.gaussian)
            return
        if not self.whole.worth_testing:
            return
        mechanism = self.pricing.noise(LARGEST_DEPENDENCE, self.account.epsilon * TESTING)
        term = self.account.charge_query("test of dependence", mechanism, self.live.partition)
        noisy = float(term.measure(dependence_question(self.shape))[0]) / self.unit
        scale = math.sqrt(self.pricing.variance(mechanism) / 2)
        if is_dependent(noisy, self.whole.rows, scale):
            self.plan_of_pairs = plan_for(self.shape, self.whole.in_scales, gaussian=self.gaussian)

    def histograms(self) -> None:
        """Measure histograms of each axis."""
        spend = min(self.account.epsilon * self._for_histograms(), MOST_FOR_HISTOGRAMS * self._rest)
        self.whole.add_histograms(
            [
                measure_histograms(
                    self.account, self.live.partition, self.pricing, axis, spend * part, small=self.small
                )
                for axis, part in enumerate(split_by_length(self.shape, gaussian=self.gaussian))
            ]
        )

    def _for_histograms(self) -> Fraction:
        """The share of the budget for all histograms."""
        if self.method.marginals:
            return share(self.method.marginals, name="marginals")
        if self.plan_of_pairs is not None:
            return self.plan_of_pairs.histograms
        if self.whole.dense is not None:
            return self.whole.dense.histograms
        return histogram_share(self.shape, self.whole.in_scales, gaussian=self.gaussian)

    def measure_pairs(self) -> None:
        """Measure tables of all pairs of attributes and fit a mixture to them."""
        if self.plan_of_pairs is None:
            return
        found = measure_pairs(
            self.account,
            self.live.partition,
            self.pricing,
            spend=self._rest * self.plan_of_pairs.pairs,
            density=self.whole.densities(),
            protect=self.method.protect,
        )
        self.whole.add_pairs(found)

    @property
    def _rest(self) -> Fraction:
        """The budget that the root has left, without the share reserved for choosing axes."""
        return self.live.partition.unspent[0][0] - self.account.epsilon * self.choosing

    def _measure_total(self, purpose: str, price: Fraction) -> None:
        mechanism = self.pricing.noise(TOTAL, price)
        noisy = self.account.charge_query(purpose, mechanism, self.live.partition).measure() / self.unit
        self.whole.add_total(noisy, self.pricing.variance(mechanism))


def _sample_rate(rows: float) -> Fraction:
    """The sampling rate of the rows that axes are chosen by."""
    if not 2 * ENOUGH_TO_CHOOSE <= rows < MOST_SAMPLED:
        return Fraction(1)
    return Fraction(1, 2 ** math.floor(math.log2(rows / ENOUGH_TO_CHOOSE)))
