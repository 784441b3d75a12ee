"""The passes over the tree give what conditioning one big normal vector gives."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.estimate.least_squares import TreeCovariance, add_up, least_squares
from ripost.estimate.tree_model import TreeModel, unknown_scatter
from tests.answering.making import random_tree
from tests.estimate.dense import dense


@pytest.mark.parametrize("seed", range(12))
def test_means_and_errors_are_those_of_the_normal_law(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree((64, 64), int(rng.integers(1, 12)), rng)
    precision = rng.choice([0, 1], len(tree)) * rng.exponential(1, len(tree))
    precision[0] += 0.1
    share, scatter = rng.uniform(0.05, 0.95, len(tree)), rng.exponential(5, len(tree)) + 0.1
    value = rng.normal(50, 30, len(tree))
    model = TreeModel.of(tree, precision, share, scatter)
    matrix, below = dense(tree, precision, share, scatter)
    covariance = np.linalg.inv(matrix)
    leaves = covariance @ (below.T @ (precision * value))
    np.testing.assert_allclose(model.means(precision * value), below @ leaves, rtol=1e-6)
    spread = model.covariance
    np.testing.assert_allclose(spread.posterior, np.einsum("ij,jk,ik->i", below, covariance, below), rtol=1e-6)
    weights = rng.random(len(tree.leaves))
    assert spread.of_weights(weights) == pytest.approx(weights @ covariance @ weights, rel=1e-6)
    square, doubt = model.deviations(below @ leaves)
    for node in np.flatnonzero(~tree.is_leaf):
        row = below[tree.child[node]] - share[node] * below[node]
        assert square[node] == pytest.approx((row @ leaves) ** 2, rel=1e-5, abs=1e-9)
        assert doubt[node] == pytest.approx(row @ covariance @ row, rel=1e-5)


def test_unknown_scatter_is_least_squares() -> None:
    rng = np.random.default_rng(3)
    tree = random_tree((64, 64), 20, rng)
    variance, value = rng.exponential(4, len(tree)) + 0.1, rng.normal(10, 5, len(tree))
    model = TreeModel.of(tree, 1 / variance, rng.random(len(tree)), np.full(len(tree), unknown_scatter(1 / variance)))
    np.testing.assert_allclose(model.means(value / variance), least_squares(tree, value, variance), rtol=1e-6)
    np.testing.assert_allclose(model.covariance.posterior, TreeCovariance.of(tree, variance).posterior, rtol=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_above_zero_adds_up_and_changes_nothing_that_is_positive(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree((64, 64), 15, rng)
    model = TreeModel.of(tree, np.ones(len(tree)), np.full(len(tree), 0.5), np.ones(len(tree)))
    mean = add_up(tree, rng.normal(1, 3, 15))
    value = model.above_zero(mean)
    np.testing.assert_allclose(value, add_up(tree, value[tree.leaves]), atol=1e-9)
    assert (value >= 0).all()
    assert value[0] == max(mean[0], 0)
    positive = add_up(tree, rng.random(15))
    np.testing.assert_allclose(model.above_zero(positive), positive)
