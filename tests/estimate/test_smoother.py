"""Scatter is learned level by level; overdispersion widens the prior of the final estimate alone."""

from __future__ import annotations

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.noisy_measurements import NoisyMeasurements
from ripost.estimate.smoother import EDGE, FREEDOM, LEAST_SCATTER, POWER, ROUNDS, smooth
from ripost.estimate.tree_model import TreeModel, unknown_scatter
from ripost.space.tree import Tree
from tests.answering.making import random_tree


def measure_tree(seed: int) -> tuple[Tree, NoisyMeasurements]:
    rng = np.random.default_rng(seed)
    tree = random_tree((64, 64), 60, rng)
    noisy = rng.poisson(40, len(tree.leaves)) + rng.laplace(0, 10, len(tree.leaves))
    return tree, NoisyMeasurements.nothing().also(tree.leaves, noisy, 200.0)


def test_overdispersion_lies_between_the_prior_and_least_squares() -> None:
    for seed in range(5):
        tree, measurements = measure_tree(seed)
        share = np.full(len(tree), 0.5)
        learned, loose, looser = (
            smooth(tree, measurements, share, take_for_normal=True, overdispersion=overdispersion)
            for overdispersion in (1.0, 2.0, 1e12)
        )
        plain = smooth(tree, measurements, share, shrink=False)
        np.testing.assert_allclose(looser.mean, plain.mean, rtol=1e-3, atol=1e-2)
        far, near = (np.linalg.norm((found.mean - plain.mean)[tree.leaves]) for found in (learned, loose))
        assert 0 < near < far
        assert loose.scatter_parameter == learned.scatter_parameter
        np.testing.assert_allclose(loose.scatter, 2 * learned.scatter)


def slow_smooth(tree: Tree, measurements: NoisyMeasurements, share: Floats) -> tuple[Floats, list[float], Floats]:
    """Mean, scatter_parameter and squared deviations, one level after the other."""
    q, sites = share.clip(EDGE, 1 - EDGE), measurements.normal()
    scatter = np.full(len(tree), unknown_scatter(sites.pool(len(tree)).precision))
    scatter_parameter = [0.0] * (len(tree.levels) - 1)
    for turn in range(ROUNDS + 1):
        measured = sites.pool(len(tree))
        model = TreeModel.of(tree, measured.precision, q, scatter)
        mean = model.means(measured.information)
        square, doubt = model.deviations(mean)
        deviation = square - doubt if turn == 0 else square + doubt
        if turn == ROUNDS:
            break
        sites = sites.update(mean, model.covariance.posterior)
        for depth, level in enumerate(tree.levels[:-1]):
            inner = level[~tree.is_leaf[level]]
            records = np.maximum(mean[inner], 1.0)
            chance = q[inner] * (1 - q[inner]) * records
            real = chance * records ** (POWER - 1)
            weight = 1 / (chance + doubt[inner] / np.maximum(chance, 1e-9))
            excess = float(weight @ (deviation[inner] - chance)) / max(float(weight @ real), 1e-12)
            scatter_parameter[depth] = max(0.0, excess)
            usual = FREEDOM * (chance + scatter_parameter[depth] * real)
            scatter[inner] = np.maximum((usual + np.maximum(deviation[inner], 0)) / (FREEDOM + 1), LEAST_SCATTER)
    return mean, scatter_parameter, deviation


def test_levels_together_are_levels_one_by_one() -> None:
    for seed in range(5):
        tree, measurements = measure_tree(seed)
        share = np.random.default_rng(seed).random(len(tree))
        found, (mean, scatter_parameter, deviation) = (
            smooth(tree, measurements, share),
            slow_smooth(tree, measurements, share),
        )
        np.testing.assert_allclose(found.mean, mean, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(found.scatter_parameter, scatter_parameter, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found.squared_deviation, deviation, rtol=1e-9, atol=1e-9)
        assert found.splits == tuple(int((~tree.is_leaf[level]).sum()) for level in tree.levels[:-1])
        plain = smooth(tree, measurements, share, shrink=False)
        assert found.plain_total == plain.mean[0] and found.plain.total_precision == plain.model.total_precision


def test_a_tree_that_is_one_leaf_has_nothing_to_learn() -> None:
    tree, measurements = Tree.stump((3,)), NoisyMeasurements.nothing().also(np.array([0]), np.array([5.0]), 3.0)
    found = smooth(tree, measurements, np.array([0.5]))
    assert found.scatter_parameter == found.splits == () and found.overall_scatter == 0
    np.testing.assert_allclose(found.mean, [5.0])
