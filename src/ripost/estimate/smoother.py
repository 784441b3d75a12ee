"""Smoother: empirical Bayes on a tree. How far halves stray from their expected shares is learned from the tree.

A split of a node with P records strays by the variance q (1 - q) (P + roughness * P^1.7): chance alone gives the
first term, real differences the second. Roughness is pooled over each level. A level's splits are not all alike, so
each has a Student prior around that figure: one that strays far is believed, the many that do not are smoothed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.noisy_measurements import NoisyMeasurements, PooledMeasurements
from ripost.estimate.tree_model import TreeModel, unknown_scatter
from ripost.space.tree import Tree

POWER = 1.7  # real differences grow faster than chance (1), not quite like the node itself (2)
FREEDOM = 2.0  # degrees of the Student prior
ROUNDS = 3  # of learning scatter from the values and values from scatter
LEAST_SCATTER = 1e-3
LEAST_VARIANCE = 1e-9  # noise this small is almost surely 0; its inverse stays finite
EDGE = 1e-6  # expected shares stay this far from 0 and 1


@dataclass(frozen=True)
class Smoothed:
    """What is believed of a tree's values."""

    model: TreeModel
    measured: PooledMeasurements  # what was made of the readings
    mean: Floats  # (m,)
    scatter: Floats  # (m,): of each split
    roughness: tuple[float, ...]  # of each level that has splits, the root's first
    splits: tuple[int, ...]  # of each of these levels
    plain: TreeModel  # without a prior
    plain_total: float  # of the root, as the readings tell it without a prior

    @cached_property
    def strayed(self) -> Floats:
        """Expected square of each split's deviation, as far as it can be told from noise, (m,)."""
        return _strayed(*self._deviations, with_prior=self.model is not self.plain)

    @property
    def doubt(self) -> Floats:
        """Variance of the error of each split's deviation, (m,)."""
        return self._deviations[1]

    @cached_property
    def _deviations(self) -> tuple[Floats, Floats]:
        return self.model.deviations(self.mean)

    @property
    def overall_roughness(self) -> float:
        """The mean of all levels, by their splits."""
        return float(np.average(self.roughness, weights=self.splits)) if self.splits else 0.0


def smooth(
    tree: Tree,
    readings: NoisyMeasurements,
    share: Floats,
    *,
    shrink: bool = True,
    take_for_normal: bool = False,
    leeway: float = 1.0,
) -> Smoothed:
    """The values of a tree from its readings and the expected share of each left half.

    The values may use this many times the scatter that was learned. Splits next to each other often stray alike, while
    the model takes them for independent: what each loses to smoothing adds up over a range.
    """
    q = share.clip(EDGE, 1 - EDGE)
    inner, first = tree.inner, np.array([rank.number.start for rank in tree.ranks], np.int64)
    lengths = np.diff(first, append=len(inner))
    uneven = q[inner] * (1 - q[inner])
    roughness = np.zeros(len(first))
    sites = readings.normal()
    scatter = np.full(len(tree), unknown_scatter(sites.pool(len(tree)).precision))
    for turn in range(ROUNDS + 1):
        measured = sites.pool(len(tree))
        model = TreeModel.of(tree, measured.precision, q, scatter)
        mean = model.means(measured.information)
        if turn == 0:
            plain, plain_total = model, float(mean[0])
        if not shrink or turn == ROUNDS:
            break
        square, doubt = model.deviations(mean)
        if not take_for_normal:
            sites = sites.update(mean, model.spread.posterior)
        records = np.maximum(mean[inner], 1.0)
        seen = _strayed(square, doubt, with_prior=turn > 0)[inner]
        chance = uneven * records
        real = chance * records ** (POWER - 1)
        weight = 1 / (chance + doubt[inner] / np.maximum(chance, 1e-9))
        excess = np.add.reduceat(weight * (seen - chance), first)
        roughness = np.maximum(excess / np.maximum(np.add.reduceat(weight * real, first), 1e-12), 0.0)
        usual = FREEDOM * (chance + roughness.repeat(lengths) * real)
        scatter[inner] = np.maximum((usual + np.maximum(seen, 0)) / (FREEDOM + 1), LEAST_SCATTER)
        if turn == ROUNDS - 1:
            scatter *= leeway
    of_levels = tuple(roughness.tolist()), tuple(lengths.tolist())
    return Smoothed(model, measured, mean, scatter, *of_levels, plain, plain_total)


def _strayed(square: Floats, doubt: Floats, *, with_prior: bool) -> Floats:
    """Without a prior an estimated deviation is the true one plus noise; with one it was shrunk by as much."""
    return square + doubt if with_prior else square - doubt
