"""Smoother: empirical Bayes on a tree. It learns from the tree how far halves deviate from their expected shares.

The deviation of a split of P rows has the variance q (1 - q) (P + scatter * P^1.7): chance gives the first term, real
differences the second. The scatter parameter is estimated for each level. Splits of one level differ, so each has a
Student prior around the level's value: large deviations are kept, small ones are smoothed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.noisy_measurements import NoisyMeasurements, PooledMeasurements
from ripost.estimate.tree_model import TreeModel, unknown_scatter
from ripost.space.tree import Tree

POWER = 1.7  # the variance of real differences grows faster than that of chance (1), slower than P^2
FREEDOM = 2.0  # degrees of the Student prior
ROUNDS = 3  # iterations that estimate scatter from the values, then values from scatter
LEAST_SCATTER = 1e-3
LEAST_VARIANCE = 1e-9  # smaller noise is almost surely 0; the inverse stays finite
EDGE = 1e-6  # expected shares stay this far from 0 and 1


@dataclass(frozen=True)
class Smoothed:
    """The posterior of a tree's values."""

    model: TreeModel
    measured: PooledMeasurements  # one normal factor per node
    mean: Floats  # (m,)
    scatter: Floats  # (m,): of each split
    scatter_parameter: tuple[float, ...]  # of each level with splits, from the root down
    splits: tuple[int, ...]  # of each of these levels
    plain: TreeModel  # without a prior
    plain_total: float  # of the root, without a prior

    @cached_property
    def squared_deviation(self) -> Floats:
        """Estimated square of each split's deviation, corrected for noise, (m,)."""
        return _debias(*self._deviations, with_prior=self.model is not self.plain)

    @property
    def deviation_variance(self) -> Floats:
        """Variance of the error of each split's estimated deviation, (m,)."""
        return self._deviations[1]

    @cached_property
    def _deviations(self) -> tuple[Floats, Floats]:
        return self.model.deviations(self.mean)

    @property
    def overall_scatter(self) -> float:
        """The scatter parameter averaged over levels, weighted by their splits."""
        return float(np.average(self.scatter_parameter, weights=self.splits)) if self.splits else 0.0

    @property
    def content_variance(self) -> float:
        """The mean over leaves of the variance of their content: chance and real differences, as in a split."""
        rows = np.maximum(self.mean[self.model.tree.leaves], 0.0)
        return float(np.mean(rows + self.overall_scatter * rows**POWER))

    def loosen(self, leaves: Codes, variance: float) -> TreeModel:
        """The model in which the measurements of these leaves have at least this variance."""
        precision = self.measured.precision.copy()
        precision[leaves] = np.minimum(precision[leaves], 1 / max(variance, LEAST_VARIANCE))
        return TreeModel.of(self.model.tree, precision, self.model.share, self.scatter)


def smooth(
    tree: Tree,
    measurements: NoisyMeasurements,
    share: Floats,
    *,
    shrink: bool = True,
    take_for_normal: bool = False,
    overdispersion: float = 1.0,
) -> Smoothed:
    """Estimate the values of a tree from its measurements and the expected share of each left half.

    The final estimate multiplies the learned scatter by `overdispersion`. Neighboring splits often deviate alike, but
    the model takes them as independent, so what smoothing takes from each would add up over a range.
    """
    q = share.clip(EDGE, 1 - EDGE)
    inner, first = tree.inner, np.array([rank.number.start for rank in tree.ranks], np.int64)
    lengths = np.diff(first, append=len(inner))
    uneven = q[inner] * (1 - q[inner])
    scatter_parameter = np.zeros(len(first))
    sites = measurements.normal()
    scatter = np.full(len(tree), unknown_scatter(sites.pool(len(tree)).precision))
    for turn in range(ROUNDS + 1):
        measured = sites.pool(len(tree))
        model = TreeModel.of(tree, measured.precision, q, scatter)
        mean = model.means(measured.information)
        if turn == 0:
            plain, plain_total = model, float(mean[0])
        if not shrink or turn == ROUNDS:
            break
        square, variance = model.deviations(mean)
        if not take_for_normal:
            sites = sites.update(mean, model.covariance.posterior)
        rows = np.maximum(mean[inner], 1.0)
        seen = _debias(square, variance, with_prior=turn > 0)[inner]
        chance = uneven * rows
        real = chance * rows ** (POWER - 1)
        weight = 1 / (chance + variance[inner] / np.maximum(chance, 1e-9))
        excess = np.add.reduceat(weight * (seen - chance), first)
        scatter_parameter = np.maximum(excess / np.maximum(np.add.reduceat(weight * real, first), 1e-12), 0.0)
        usual = FREEDOM * (chance + scatter_parameter.repeat(lengths) * real)
        scatter[inner] = np.maximum((usual + np.maximum(seen, 0)) / (FREEDOM + 1), LEAST_SCATTER)
        if turn == ROUNDS - 1:
            scatter *= overdispersion
    of_levels = tuple(scatter_parameter.tolist()), tuple(lengths.tolist())
    return Smoothed(model, measured, mean, scatter, *of_levels, plain, plain_total)


def _debias(square: Floats, variance: Floats, *, with_prior: bool) -> Floats:
    """The expected square of a deviation: noise inflates an estimate without a prior, and a prior shrinks it."""
    return square + variance if with_prior else square - variance
