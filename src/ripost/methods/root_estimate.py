"""Root estimate: what the measurements of the whole domain tell, one after another, in the order of their draws.

RIPOST+ plans its next draws by it, and a release file is estimated again by it. Values are in rows: counts over the
most that one row adds. It draws nothing: all of it is post-processing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.expected import Expected, ExpectedMixture
from ripost.estimate.least_squares import add_up
from ripost.estimate.marginal import Marginal, NoisyHistogram
from ripost.estimate.mixture import MixtureIndex
from ripost.estimate.noisy_measurements import NoisyMeasurements
from ripost.methods.combine import fit_tables
from ripost.methods.dense_plan import DensePlan, dense_plan
from ripost.methods.method import Decomposition
from ripost.methods.pair_measurement import MeasuredPairs
from ripost.methods.pair_plan import worth_testing
from ripost.methods.pricing import Pricing
from ripost.methods.ripost_plus_parameters import RipostPlusParameters
from ripost.space.spine import Spine
from ripost.space.tree import Tree

DENSITY_FLOOR = 1e-4  # of the rows, spread evenly over each axis
ROOT = np.array([0])


class RootEstimate:
    """The total, the marginals and the mixture, as far as they are measured."""

    def __init__(
        self,
        method: RipostPlusParameters,
        shape: Sequence[int],
        budget: Fraction,
        pricing: Pricing,
        spine: Spine,
    ) -> None:
        self.method = method
        self.shape = tuple(shape)
        self.spine = spine
        self.pricing = pricing
        self.readings = NoisyMeasurements.nothing()  # of the total
        self.marginals: list[Marginal] = []
        self.pairs: MeasuredPairs | None = None  # if attributes depend on each other
        self.dense: DensePlan | None = None  # if every cell has many rows
        self.mixture: MixtureIndex | None = None
        self._whole_scale = pricing.scale(budget)

    @property
    def rows(self) -> float:
        """The total."""
        return float(self.readings.pool(1).value[0])

    @property
    def in_scales(self) -> float:
        """The total in noise scales of the whole budget: rows times epsilon."""
        return self.rows / self._whole_scale

    @property
    def worth_testing(self) -> bool:
        """Whether the table may be one whose pairs are measured."""
        return self.method.pairs and worth_testing(self.shape, self.in_scales, gaussian=self.pricing.gaussian)

    def add_total(self, noisy: Floats, variance: float) -> None:
        """Add a noisy total, (1,)."""
        self.readings = self.readings.also(ROOT, noisy, variance, is_laplace=not self.pricing.gaussian)

    def plan_cells(self) -> None:
        """Decide, by the totals so far, whether every cell has many rows."""
        several = self.method.protect or self.worth_testing
        self.dense = None if several else dense_plan(self.shape, self.in_scales)

    def add_histograms(self, histograms: Sequence[Sequence[NoisyHistogram]]) -> None:
        """Add the histograms of all axes, the finest of each first."""
        laplace = not self.pricing.gaussian
        self.marginals = [
            Marginal.of(some, shrink=self.method.shrink, is_laplace=laplace, levels=levels)
            for some, levels in zip(histograms, self.spine.edges, strict=True)
        ]
        for marginal in self.marginals:
            self.readings = self.readings.also(ROOT, np.array([marginal.total]), marginal.total_variance)

    def add_pairs(self, pairs: MeasuredPairs) -> None:
        """Add tables of pairs of attributes, and fit a mixture to them."""
        density = self.densities()
        for total in pairs.totals:
            self.readings = self.readings.also(ROOT, total.values.reshape(1), total.variance, is_laplace=False)
        self.pairs = pairs
        self.fitted = fit_tables(pairs, density, self.marginals, max(self.rows, 1.0), spine=self.spine)

    def settle(self) -> None:
        """Take the total as it is now for that of the tree, and scale densities and mixture to it."""
        total = max(self.rows, 1.0)
        self.total_variance = 1 / float(self.readings.pool(1).precision[0])
        self.readings = NoisyMeasurements.nothing().also(ROOT, np.array([total]), self.total_variance, is_laplace=False)
        self.density = self.densities()
        self.expected = Expected.of(self.density, self.spine.edges)
        if self.pairs is None:
            return
        fitted, inside = replace(self.fitted, total=total), self.density
        self.density = []
        for axis, size in enumerate(self.shape):
            mass = total * (fitted.weights @ fitted.over_codes(axis, inside[axis]))
            self.density.append(mass + DENSITY_FLOOR * total / size)
        self.mixture = fitted.on(self.density)
        self.expected = ExpectedMixture.by(self.mixture, self.density, self.spine.edges)

    def densities(self) -> list[Floats]:
        """One-way mass per code of each axis, scaled to the total, with a little spread evenly."""
        total, found = max(self.rows, 1.0), []
        for marginal, size in zip(self.marginals, self.shape, strict=True):
            mass = marginal.mass if marginal.mass.sum() > 0 else np.ones(size)
            found.append(mass * (total / mass.sum()) + DENSITY_FLOOR * total / size)
        return found

    def one_block(self, tree: Tree) -> Decomposition:
        """The total alone: with few rows, noise would hide everything else."""
        measured, unit = self.readings.pool(1), self.pricing.bound
        return Decomposition(tree, np.maximum(measured.value, 0.0) * unit, unit**2 / measured.precision)

    def shares(self, tree: Tree) -> Floats:
        """The expected share of each node's left half, by the marginals or by the mixture; 1/2 for leaves."""
        found = np.full(len(tree), 0.5)
        inside: Floats | None = None  # each component of a mixture, in each node of a level
        level: Codes = ROOT
        for inner, _ in tree.splits[:-1]:
            inside = None if inside is None else inside[~tree.is_leaf[level]]
            blocks = tree.boxes.take(inner)
            found[inner], inside = self.expected.halve(blocks, tree.axis[inner], tree.cut[inner], inside)
            level = np.stack([tree.child[inner], tree.child[inner] + 1], axis=1).ravel()
        return found if self.spine.impossible is None or self.mixture is not None else self._leave_out(tree, found)

    def _leave_out(self, tree: Tree, shares: Floats) -> Floats:
        """The shares where the marginals alone would expect rows in impossible cells."""
        leaves = tree.boxes.take(tree.leaves)
        impossible = self.spine.is_impossible(leaves)
        mass = add_up(tree, np.where(impossible, 0.0, self.expected.mass(leaves)))
        above = (add_up(tree, impossible.astype(np.float64)) > 0) & ~tree.is_leaf & (mass > 0)
        found: Floats = np.where(above, mass[tree.child] / np.where(mass > 0, mass, 1.0), shares)
        return found
