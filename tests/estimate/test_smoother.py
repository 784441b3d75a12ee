"""Leeway loosens the prior of the final estimate and leaves what was learned alone."""

from __future__ import annotations

import numpy as np

from ripost.estimate.readings import Readings
from ripost.estimate.smoother import smooth
from ripost.space.tree import Tree
from tests.view.making import random_tree


def measured(seed: int) -> tuple[Tree, Readings]:
    rng = np.random.default_rng(seed)
    tree = random_tree((64, 64), 60, rng)
    noisy = rng.poisson(40, len(tree.leaves)) + rng.laplace(0, 10, len(tree.leaves))
    return tree, Readings.nothing().also(tree.leaves, noisy, 200.0)


def test_leeway_lies_between_the_prior_and_least_squares() -> None:
    for seed in range(5):
        tree, readings = measured(seed)
        share = np.full(len(tree), 0.5)
        learned, loose, looser = (
            smooth(tree, readings, share, take_for_normal=True, leeway=leeway) for leeway in (1.0, 2.0, 1e12)
        )
        plain = smooth(tree, readings, share, shrink=False)
        np.testing.assert_allclose(looser.mean, plain.mean, rtol=1e-3, atol=1e-2)
        far, near = (np.linalg.norm((found.mean - plain.mean)[tree.leaves]) for found in (learned, loose))
        assert 0 < near < far
        assert loose.roughness == learned.roughness
        np.testing.assert_allclose(loose.scatter, 2 * learned.scatter)
