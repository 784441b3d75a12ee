"""RIPOST+: one-way histograms, tables of pairs where attributes depend on each other, a tree measured at few depths,
and an estimate that brings them together.

docs/methods/ripost-plus.md says why each step is as it is, privacy/proofs/ripost_plus.md why no path spends more than
epsilon. Whatever decides what is measured next is public: epsilon, the domain, and what was released before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.errors import InputError
from ripost.estimate.axis_weights import axis_weights
from ripost.estimate.expected import Expected, ExpectedMixture
from ripost.estimate.marginal import Marginal
from ripost.estimate.mixture import MixtureIndex
from ripost.estimate.noisy_measurements import NoisyMeasurements
from ripost.estimate.smoother import smooth
from ripost.methods.combine import Measurements, fit_tables
from ripost.methods.dense_plan import DensePlan, dense_plan
from ripost.methods.histograms import histogram_share, measure_histograms, split_by_length
from ripost.methods.method import Decomposition, Method
from ripost.methods.pair_measurement import MeasuredPairs, measure_pairs
from ripost.methods.pair_plan import (
    TESTING,
    PairPlan,
    dependence_question,
    is_dependent,
    pairs_of,
    plan_for,
    worth_testing,
)
from ripost.methods.pricing import Pricing
from ripost.methods.tree_builder import Branch, TreeBuilder
from ripost.methods.tuning import VERSION
from ripost.privacy.account import Account
from ripost.privacy.budget import root, share
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import Laplace, PermuteAndFlip, SampleChoices
from ripost.privacy.paid_queries import PaidSampleChoices
from ripost.privacy.zcdp import parse_delta
from ripost.space.ties import TIE, first_largest
from ripost.statistics.dependence import LARGEST_DEPENDENCE
from ripost.statistics.discrepancy import DISCREPANCY
from ripost.statistics.totals import TOTAL

FEW = 20  # records times epsilon, per dimension, below which nothing but the total can be told from noise
PLANNING = (  # looks at the total: share of epsilon, and how far above FEW it must be to need no further look
    (Fraction(1, 100), 350),
    (Fraction(4, 100), 100),
    (Fraction(20, 100), 0),
)
CHOOSING = Fraction(3, 100)  # for the axes of the top levels, if there is enough to see
WORTH_CHOOSING = 15000  # records times epsilon from which on axes are chosen
CHOSEN_LEVELS = 10
ENOUGH_TO_CHOOSE = 2**17  # records; of twice as many and more, axes are chosen by a sample of about so many
MOST_SAMPLED = 2**34  # records from which a sample can be drawn: each needs its coins
MOST_FOR_HISTOGRAMS = Fraction(19, 20)  # of what is left when they are measured
RATIO = {1: 6, 2: 3, 3: 2}  # number of measured depths -> budget of each over that of the one above
LEVELS_APART = 5  # levels between measured depths
FEW_CELLS = {1: 10, 2: 13}  # measured depths -> log2 of cells for which they are enough, the first in 2-D only
LEAF = {2: 2.2, 3: 1.7, 4: 1.4}  # dimensions -> records of a leaf, in noise scales of the last depth
LEAF_ELSE, SMALL_LEAF = 1.0, 6.0  # with others; in tables of few cells
MOST_LEAVES = 2**16
FIRST_ROUGHNESS = 0.3  # taken for the roughness of a tree before there is one
HALF_TRUSTED = 1.0  # roughness at which halves are expected midway between even and what the marginals say
LEAST_ROUGHNESS = 0.02
DENSITY_FLOOR = 1e-4  # of the records, spread evenly over each axis


@dataclass(frozen=True)
class RipostPlus(Method):
    """The default method. Its parameters exist to show what each idea is worth; the defaults serve all data."""

    name: ClassVar[str] = "ripost+"

    marginals: float = 0  # share of epsilon for one-way histograms; 0 finds it
    depths: int = 0  # measured depths below the root; 0 finds the number
    choose_axes: bool = True  # pay for the axes of the top levels
    weigh_axes: bool = True  # let what was released guide the axes further down
    widest: bool = True  # cut rather along axes on which a block is still wide
    adapt: bool = True  # cut deeper where the marginals expect more records
    shrink: bool = True  # smooth by empirical Bayes, not least squares alone
    leeway: bool = True  # let splits stray further than was learned
    joint: bool = True  # solve for blocks and histograms together
    refit: bool = True  # give way to histograms that contradict the view
    pairs: bool = True  # measure pairs of attributes where they depend on each other, and fit a mixture to them
    delta: float = 0  # above 0: (epsilon, delta) by Gaussian noise
    protect: tuple[tuple[int, ...], ...] = ()  # sets of axes whose pairs are measured first and better

    def __post_init__(self) -> None:
        if self.marginals != 0 and share(self.marginals, name="marginals") > Fraction(2, 3):
            raise InputError(f"marginals must lie between 0 and 2/3, got {self.marginals}")
        if isinstance(self.depths, bool) or self.depths not in (0, *RATIO):
            raise InputError(f"depths must be 1, 2, 3, or 0 to find the number, got {self.depths!r}")
        parse_delta(self.delta)
        if self.protect and not self.pairs:
            raise InputError("protect needs tables of pairs; leave out pairs=false")
        for name in ("choose_axes", "weigh_axes", "widest", "adapt", "shrink", "leeway", "joint", "refit", "pairs"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} must be true or false, got {getattr(self, name)!r}")

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "tuning": VERSION}

    def run(self, account: Account) -> Decomposition:
        run = _RipostPlusRun(self, account)
        run.plan()
        if run.few:
            return run.one_block()
        run.test_dependence()
        run.histograms()
        run.measure_pairs()
        budgets = run.depths()
        run.prefetch_noise(budgets[-1])
        run.root(budgets[0])
        for number, epsilon in enumerate(budgets[1:]):
            run.deepen(len(budgets) - 1 - number, budgets[-1])
            run.measure(f"depth {number + 1}", epsilon, last=number == len(budgets) - 2)
        return run.decomposition()


class _RipostPlusRun:
    """What was released so far. Values are in records: steps of the measure over the most that one record adds."""

    def __init__(self, method: RipostPlus, account: Account) -> None:
        self.method = method
        self.account = account
        self.unit = account.bound
        self.shape = account.shape
        self.gaussian = account.currency is not Currency.EPSILON
        self.pricing = Pricing(self.gaussian, account.bound)
        self.small = len(self.shape) == 2 and math.prod(self.shape) <= 2 ** FEW_CELLS[1]
        self.builder = TreeBuilder(account)
        self.tree = self.builder.tree
        self.live = self.builder.root  # the leaves of the tree
        self.readings = NoisyMeasurements.nothing()
        self.weight: Floats | None = None  # of each axis, once it is known
        self.sample: PaidSampleChoices | None = None
        self.dense: DensePlan | None = None  # if every cell has many records
        self.plan_of_pairs: PairPlan | None = None  # if attributes depend on each other
        self.pairs: MeasuredPairs | None = None
        self.mixture: MixtureIndex | None = None
        self.shares: list[tuple[Codes, Floats]] = []  # nodes, and the expected shares of their left halves

    def plan(self) -> None:
        """A first total, to decide whether and how to look further."""
        few = FEW * (math.sqrt(len(self.shape)) if self.gaussian else len(self.shape))
        for number, (part, clear) in enumerate(PLANNING):
            self._measure_total(f"planning, look {number + 1}", self.account.epsilon * part)
            records = self._in_scales
            self.few = records < few
            if records >= few + clear or (self.few and number > 0):
                break
        self.dense = None if self.method.protect or self._worth_testing else dense_plan(self.shape, records)
        several = self.method.choose_axes and len(self.shape) >= 3 and self.dense is None
        self.choosing = CHOOSING if several and records > WORTH_CHOOSING else Fraction(0)
        self.rate = _sample_rate(self._records) if self.unit == 1 and not self.gaussian else Fraction(1)

    def one_block(self) -> Decomposition:
        """All that is left for the total: with so few records nothing else can be told from noise."""
        self._measure_total("total", self.live.partition.unspent[0][0])
        measured = self.readings.pool(1)
        return Decomposition(self.tree, np.maximum(measured.value, 0.0) * self.unit, self.unit**2 / measured.precision)

    def test_dependence(self) -> None:
        """Decide by a noisy test whether attributes clearly depend on each other; then pairs are measured.

        Whoever protects some of them needs no test.
        """
        if any(set(pair) <= set(axes) for pair in pairs_of(self.shape) for axes in self.method.protect):
            self.plan_of_pairs = plan_for(self.shape, self._in_scales, gaussian=self.gaussian)
            return
        if not self._worth_testing:
            return
        mechanism = self.pricing.noise(LARGEST_DEPENDENCE, self.account.epsilon * TESTING)
        term = self.account.charge_query("test of dependence", mechanism, self.live.partition)
        noisy = float(term.measure(dependence_question(self.shape))[0]) / self.unit
        scale = math.sqrt(self.pricing.variance(mechanism) / 2)
        if is_dependent(noisy, self._records, scale):
            self.plan_of_pairs = plan_for(self.shape, self._in_scales, gaussian=self.gaussian)

    @property
    def _worth_testing(self) -> bool:
        """Whether the table may be one whose pairs are measured."""
        return self.method.pairs and worth_testing(self.shape, self._in_scales, gaussian=self.gaussian)

    def measure_pairs(self) -> None:
        """Noisy tables of all pairs of attributes, and the mixture that fits them."""
        if self.plan_of_pairs is None:
            return
        density, spend = self._densities(), self._rest * self.plan_of_pairs.pairs
        found = measure_pairs(
            self.account, self.live.partition, self.pricing, spend=spend, density=density, protect=self.method.protect
        )
        for total in found.totals:
            self.readings = self.readings.also(
                self.live.nodes, total.values.reshape(1), total.variance, is_laplace=False
            )
        self.pairs = found
        self.fitted = fit_tables(found, density, self.marginals, max(self._records, 1.0))

    def _densities(self) -> list[Floats]:
        """One-way mass per code of each axis, scaled to the total, with a little spread evenly."""
        total, found = max(self._records, 1.0), []
        for marginal, size in zip(self.marginals, self.shape, strict=True):
            mass = marginal.mass if marginal.mass.sum() > 0 else np.ones(size)
            found.append(mass * (total / mass.sum()) + DENSITY_FLOOR * total / size)
        return found

    def histograms(self) -> None:
        """Noisy histograms of each axis by itself."""
        spend = min(self.account.epsilon * self._for_histograms(), MOST_FOR_HISTOGRAMS * self._rest)
        self.marginals = [
            Marginal.of(
                measure_histograms(
                    self.account, self.live.partition, self.pricing, axis, spend * part, small=self.small
                ),
                shrink=self.method.shrink,
                is_laplace=not self.gaussian,
            )
            for axis, part in enumerate(split_by_length(self.shape, gaussian=self.gaussian))
        ]
        for marginal in self.marginals:
            self.readings = self.readings.also(self.live.nodes, np.array([marginal.total]), marginal.total_variance)

    def _for_histograms(self) -> Fraction:
        """The share of all histograms."""
        if self.method.marginals:
            return share(self.method.marginals, name="marginals")
        if self.plan_of_pairs is not None:
            return self.plan_of_pairs.histograms
        if self.dense is not None:
            return self.dense.histograms
        return histogram_share(self.shape, self._in_scales, gaussian=self.gaussian)

    def depths(self) -> list[Fraction]:
        """What the root and each measured depth may spend."""
        records = max(self._in_scales, 1 / self.pricing.scale(self.account.epsilon))
        deepest = min(math.log2(max(records / 2, 2)), sum(map(math.log2, self.shape)))
        number = self.method.depths or min(max(round(deepest / LEVELS_APART), 1), self._most_depths())
        ratio = self.dense.ratio if self.dense and number == 1 else RATIO[number]
        ratio = ratio**2 if self.gaussian else ratio
        parts = [ratio**i for i in range(number + 1)]
        return [self._rest * Fraction(part, sum(parts)) for part in parts]

    @property
    def _rest(self) -> Fraction:
        """What the root has left, but for what is set aside for choosing axes."""
        return self.live.partition.unspent[0][0] - self.account.epsilon * self.choosing

    def _most_depths(self) -> int:
        if self.small or self.dense:
            return 1
        return 2 if sum(map(math.log2, self.shape)) <= FEW_CELLS[2] else max(RATIO)

    def prefetch_noise(self, finest: Fraction) -> None:
        """Noise for as many leaves as the total is enough for can be drawn while the tree is grown."""
        leaves = min(self._records / self._leaf(finest), math.prod(self.shape), MOST_LEAVES)
        mechanism = self.pricing.noise(TOTAL, finest)
        if isinstance(mechanism, Laplace):
            self.account.prefetch_noise(mechanism, int(leaves))

    def root(self, epsilon: Fraction) -> None:
        """The total again, as the root of the tree; densities from the marginals scaled to it."""
        self._measure_total("total", epsilon)
        total = max(self._records, 1.0)
        if self.choosing and self.rate < 1:
            mechanism = SampleChoices(DISCREPANCY, self.account.epsilon * self.choosing, self.rate, CHOSEN_LEVELS)
            self.sample = self.account.charge_sample_choices("axes", mechanism, self.live.partition)
        self.total_variance = 1 / float(self.readings.pool(1).precision[0])
        self.readings = NoisyMeasurements.nothing().also(
            self.live.nodes, np.array([total]), self.total_variance, is_laplace=False
        )
        self.density = self._densities()
        if self.plan_of_pairs is None:
            self.expected = Expected.of(self.density)
            return
        fitted = replace(self.fitted, total=total)
        inside = self.density
        self.density = []
        for axis, size in enumerate(self.shape):
            mass = total * (fitted.weights @ fitted.over_codes(axis, inside[axis]))
            self.density.append(mass + DENSITY_FLOOR * total / size)
        self.mixture = fitted.on(self.density)
        self.expected = ExpectedMixture.by(self.mixture, self.density)

    def deepen(self, depths_left: int, finest: Fraction) -> None:
        """Cut each leaf as often as its share of the way to leaves of about one noise scale."""
        smoothed = smooth(self.tree, self.readings, self._shares(), shrink=self.method.shrink, take_for_normal=True)
        records = smoothed.model.above_zero(smoothed.mean)
        if len(self.tree) > 1 and self.method.weigh_axes and len(self.shape) >= 3:
            self.weight = axis_weights(self.tree, smoothed, records, len(self.shape))
        levels = np.log2(np.maximum(records[self.live.nodes] / self._leaf(finest), 1e-3))
        if depths_left > 1:
            levels = np.minimum(levels, np.log2(self.live.blocks.sizes).sum(axis=1) + 1)
        roughness = smoothed.overall_roughness if len(self.tree) > 1 else FIRST_ROUGHNESS
        self._grow(levels / depths_left, _evenness(roughness), depths_left)

    def _leaf(self, finest: Fraction) -> float:
        """How many records a leaf should hold."""
        return (SMALL_LEAF if self.small else LEAF.get(len(self.shape), LEAF_ELSE)) * self.pricing.scale(finest)

    def measure(self, purpose: str, epsilon: Fraction, *, last: bool) -> None:
        """Totals of all leaves. At the last depth each path spends all that it has left."""
        prices, which = self.live.partition.unspent if last else ([epsilon], np.zeros(len(self.live), np.int64))
        measured: list[Branch] = []
        for number, price in enumerate(prices):
            alike = which == number
            chosen, self.live = self.live.select(alike)
            which = which[~alike]
            self._measure_branch(purpose, chosen, price)
            measured.append(chosen)
        self.live = measured[0].merge(*measured[1:])

    def decomposition(self) -> Decomposition:
        """Everything that was released, as one estimate."""
        released = Measurements(
            self.tree,
            self.readings,
            self._shares(),
            self.density,
            self.marginals,
            self.total_variance,
            unit=self.unit,
            pairs=self.pairs,
            mixture=self.mixture,
        )
        method, refit = self.method, self.method.refit and self.dense is None  # cells tell more than histograms
        return released.combined(shrink=method.shrink, leeway=method.leeway, joint=method.joint, refit=refit)

    @property
    def _in_scales(self) -> float:
        """The total in noise scales of the whole budget: rows times epsilon."""
        return self._records / self.pricing.scale(self.account.epsilon)

    @property
    def _records(self) -> float:
        """What is known of the total before there is a tree."""
        return float(self.readings.pool(1).value[0])

    def _measure_total(self, purpose: str, epsilon: Fraction) -> None:
        self._measure_branch(purpose, self.live, epsilon)

    def _measure_branch(self, purpose: str, branch: Branch, price: Fraction) -> None:
        mechanism = self.pricing.noise(TOTAL, price)
        noisy = self.account.charge_query(purpose, mechanism, branch.partition).measure() / self.unit
        variance = self.pricing.variance(mechanism)
        self.readings = self.readings.also(branch.nodes, noisy, variance, is_laplace=not self.gaussian)

    def _shares(self) -> Floats:
        """The share of each node's left half, by the product of the marginals or by the mixture; 1/2 for leaves."""
        shares = np.full(len(self.tree), 0.5)
        for nodes, left in self.shares:
            shares[nodes] = left
        return shares

    def _grow(self, wanted: Floats, even: float, depths_left: int) -> None:
        """Cut each leaf about this many times: more often where more of it is expected, and less often elsewhere.

        How much of a block lies in a half is taken for a mixture of even and what the marginals say.
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
            balance, cut = self.expected.cuts(live.blocks)
            axis = self._axes(live, int(depth.max()), balance, cut)
            position = cut[np.arange(len(axis)), axis]
            wanted = np.repeat(wanted - 1, 2)
            left, inside = self.expected.halve(live.blocks, axis, position, inside)
            self.shares.append((live.nodes, left))
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
                return self.sample.choose_axes(live.partition, self.expected.pairs(live.blocks, cut), possible)
            price = self.account.epsilon * self.choosing / CHOSEN_LEVELS
            cost = root(2 * price) if self.gaussian else price  # epsilon costs half its square of rho
            term = self.account.charge_query(
                f"axes, level {depth + 1}", PermuteAndFlip(DISCREPANCY, cost), live.partition
            )
            return term.choose_axes(self.expected.pairs(live.blocks, cut), possible)
        appeal = balance if self.weight is None else balance * self.weight
        if self.method.widest:  # edges of ranges fall into a block as often as it is wide
            appeal = appeal * np.sqrt(live.blocks.sizes / np.array(self.shape))
        return first_largest(np.where(possible, appeal, -1.0))


def _sample_rate(records: float) -> Fraction:
    """The part of the records that axes are chosen by."""
    if not 2 * ENOUGH_TO_CHOOSE <= records < MOST_SAMPLED:
        return Fraction(1)
    return Fraction(1, 2 ** math.floor(math.log2(records / ENOUGH_TO_CHOOSE)))


def _evenness(roughness: float) -> float:
    """How far halves are expected to be even: the rougher a tree, the less its marginals say of it."""
    known = max(roughness, LEAST_ROUGHNESS)
    return known / (known + HALF_TRUSTED)
