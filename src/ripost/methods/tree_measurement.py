"""Measurements of the tree, the last phases of RIPOST+: split blocks, measure them at few depths, and combine."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.axis_weights import axis_weights
from ripost.estimate.noisy_measurements import NoisyMeasurements
from ripost.estimate.smoother import smooth
from ripost.methods.ripost_plus_parameters import RipostPlusParameters
from ripost.methods.root_measurement import FEW_CELLS, RootMeasurement
from ripost.methods.tree_builder import Branch
from ripost.privacy.account import Account
from ripost.privacy.budget import root
from ripost.privacy.mechanisms import Laplace, PermuteAndFlip, SampleChoices
from ripost.privacy.paid_queries import PaidSampleChoices
from ripost.space.ties import TIE, first_largest
from ripost.statistics.discrepancy import DISCREPANCY
from ripost.statistics.totals import TOTAL

CHOSEN_LEVELS = 10
RATIO = {1: 6, 2: 3, 3: 2}  # number of measured depths -> budget of each over that of the one above
LEVELS_APART = 5  # levels between measured depths
LEAF = {2: 2.2, 3: 1.7, 4: 1.4}  # dimensions -> rows of a leaf, in noise scales of the last depth
LEAF_ELSE, SMALL_LEAF = 1.0, 6.0  # with others; in tables of few cells
MOST_LEAVES = 2**16
FIRST_SCATTER = 0.3  # scatter parameter before a tree is known
HALF_TRUSTED = 1.0  # scatter parameter at which expected shares lie midway between even ones and the marginals'
LEAST_SCATTER = 0.02


class TreeMeasurement(RootMeasurement):
    """The measurements of the whole domain and of the blocks of the tree."""

    def __init__(self, method: RipostPlusParameters, account: Account) -> None:
        super().__init__(method, account)
        self.tree = self.builder.tree
        self.weight: Floats | None = None  # of each axis, once it is known
        self.sample: PaidSampleChoices | None = None
        self.readings = NoisyMeasurements.nothing()  # of the tree's nodes

    def depths(self) -> list[Fraction]:
        """The budgets of the root and of each measured depth."""
        rows = max(self.whole.in_scales, 1 / self.pricing.scale(self.account.epsilon))
        deepest = min(math.log2(max(rows / 2, 2)), sum(map(math.log2, self.shape)))
        number = self.method.depths or min(max(round(deepest / LEVELS_APART), 1), self._most_depths())
        dense = self.whole.dense
        ratio = dense.ratio if dense and number == 1 else RATIO[number]
        ratio = ratio**2 if self.gaussian else ratio
        parts = [ratio**i for i in range(number + 1)]
        return [self._rest * Fraction(part, sum(parts)) for part in parts]

    def _most_depths(self) -> int:
        if self.small or self.whole.dense:
            return 1
        return 2 if sum(map(math.log2, self.shape)) <= FEW_CELLS[2] else max(RATIO)

    def prefetch_noise(self, finest: Fraction) -> None:
        """Draw noise for the expected number of leaves while the tree grows."""
        leaves = min(self.whole.rows / self._leaf(finest), math.prod(self.shape), MOST_LEAVES)
        mechanism = self.pricing.noise(TOTAL, finest)
        if isinstance(mechanism, Laplace):
            self.account.prefetch_noise(mechanism, int(leaves))

    def root(self, epsilon: Fraction) -> None:
        """Measure the total again, as the root of the tree, and scale the densities to it."""
        self._measure_total("total", epsilon)
        if self.choosing and self.rate < 1:
            mechanism = SampleChoices(DISCREPANCY, self.account.epsilon * self.choosing, self.rate, CHOSEN_LEVELS)
            self.sample = self.account.charge_sample_choices("axes", mechanism, self.live.partition)
        self.whole.settle()
        self.readings = self.whole.readings
        if self.account.spine.impossible is not None:
            self.live, impossible = self.builder.follow_spine(self.live)
            self.tree = self.builder.tree
            self.readings = self.readings.pin(impossible.nodes)

    def deepen(self, depths_left: int, finest: Fraction) -> None:
        """Cut each leaf by an equal share of the cuts that remain until leaves have about one noise scale of rows."""
        smoothed = smooth(
            self.tree, self.readings, self.whole.shares(self.tree), shrink=self.method.shrink, take_for_normal=True
        )
        rows = smoothed.model.above_zero(smoothed.mean)
        if len(self.tree) > 1 and self.method.weigh_axes and len(self.shape) >= 3:
            self.weight = axis_weights(self.tree, smoothed, rows, len(self.shape))
        levels = np.log2(np.maximum(rows[self.live.nodes] / self._leaf(finest), 1e-3))
        if depths_left > 1:
            levels = np.minimum(levels, np.log2(self.live.blocks.sizes).sum(axis=1) + 1)
        scatter_parameter = smoothed.overall_scatter if len(self.tree) > 1 else FIRST_SCATTER
        self._grow(levels / depths_left, _evenness(scatter_parameter), depths_left)

    def _leaf(self, finest: Fraction) -> float:
        """How many rows a leaf should have."""
        return (SMALL_LEAF if self.small else LEAF.get(len(self.shape), LEAF_ELSE)) * self.pricing.scale(finest)

    def measure(self, purpose: str, epsilon: Fraction, *, last: bool) -> None:
        """Measure the totals of all leaves. At the last depth each path spends all that it has left."""
        prices, which = self.live.partition.unspent if last else ([epsilon], np.zeros(len(self.live), np.int64))
        measured: list[Branch] = []
        for number, price in enumerate(prices):
            alike = which == number
            chosen, self.live = self.live.select(alike)
            which = which[~alike]
            mechanism = self.pricing.noise(TOTAL, price)
            noisy = self.account.charge_query(purpose, mechanism, chosen.partition).measure() / self.unit
            variance = self.pricing.variance(mechanism)
            self.readings = self.readings.also(chosen.nodes, noisy, variance, is_laplace=not self.gaussian)
            measured.append(chosen)
        self.live = measured[0].merge(*measured[1:])

    def _grow(self, wanted: Floats, even: float, depths_left: int) -> None:
        """Cut each leaf about this many times, more often where more rows are expected.

        The expected share of a half is a mean of 1/2 and what the marginals say.
        """
        live, depth = self.live, self.tree.depth[self.live.nodes]
        done, count = list[Branch](), 0
        inside: Floats | None = None  # each component of a mixture, in each block
        while True:
            more = (wanted > 0.5 + TIE) & ~live.blocks.is_cell
            room = MOST_LEAVES - count - len(live)
            if more.sum() > room:  # the fullest go on
                more &= np.argsort(np.argsort(-np.where(more, wanted, 0), kind="stable")) < room
            finished, live = live.select(~more)
            done.append(finished)
            depth, wanted, count = depth[more], wanted[more], count + len(finished)
            inside = None if inside is None else inside[more]
            if len(live) == 0:
                break
            balance, cut = self.whole.expected.cuts(live.blocks)
            axis = self._axes(live, int(depth.max()), balance, cut)
            position = cut[np.arange(len(axis)), axis]
            wanted = np.repeat(wanted - 1, 2)
            left, inside = self.whole.expected.halve(live.blocks, axis, position, inside)
            if self.method.adapt:
                halves = even / 2 + (1 - even) * np.stack([left, 1 - left], axis=1).ravel()
                wanted += np.log2(2 * halves) / depths_left
            live = self.builder.split(live, axis, position)
            depth = np.repeat(depth + 1, 2)
        self.live = live.merge(*done)
        self.tree = self.builder.tree

    def _axes(self, live: Branch, depth: int, balance: Floats, cut: Codes) -> Codes:
        """The axis to cut each block along; none of them is deeper than `depth`."""
        possible = balance >= 0
        if self.choosing and depth < CHOSEN_LEVELS:
            if self.sample is not None:
                return self.sample.choose_axes(live.partition, self.whole.expected.pairs(live.blocks, cut), possible)
            price = self.account.epsilon * self.choosing / CHOSEN_LEVELS
            cost = root(2 * price) if self.gaussian else price  # epsilon costs half its square of rho
            term = self.account.charge_query(
                f"axes, level {depth + 1}", PermuteAndFlip(DISCREPANCY, cost), live.partition
            )
            return term.choose_axes(self.whole.expected.pairs(live.blocks, cut), possible)
        appeal = balance if self.weight is None else balance * self.weight
        if self.method.widest:  # edges of ranges fall into a block as often as it is wide
            appeal = appeal * np.sqrt(live.blocks.sizes / np.array(self.shape))
        return first_largest(np.where(possible, appeal, -1.0))


def _evenness(scatter_parameter: float) -> float:
    """The weight of even halves in expected shares. It grows with the scatter parameter of the tree."""
    known = max(scatter_parameter, LEAST_SCATTER)
    return known / (known + HALF_TRUSTED)
