"""Least squares on a tree equals the textbook's normal equations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.estimate.least_squares import TreeCovariance, above_zero, add_up, least_squares
from ripost.space.tree import Tree
from tests.answering.making import Array, random_tree, random_variances, seeds, shapes, sizes


def members(tree: Tree) -> Array:
    """Which leaves, in depth-first order, lie below which node: (nodes, leaves)."""
    below = np.zeros((len(tree), len(tree.leaves)))
    below[tree.leaves, np.arange(len(tree.leaves))] = 1
    for node in reversed(range(len(tree))):
        if not tree.is_leaf[node]:
            below[node] = below[tree.child[node]] + below[tree.child[node] + 1]
    return below


def dense(tree: Tree, value: Array, variance: Array) -> tuple[Array, Array]:
    """Fitted leaves and their covariance by the normal equations."""
    measured = np.isfinite(variance)
    design = members(tree)[measured]
    weighted = design.T / variance[measured]
    covariance = np.linalg.inv(weighted @ design)
    return covariance @ (weighted @ value[measured]), covariance


@settings(deadline=None)
@given(shapes, sizes, seeds, st.sampled_from([0.0, 0.5, 1.0]))
def test_equals_the_normal_equations(shape: tuple[int, ...], leaves: int, seed: int, inner: float) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree(shape, leaves, rng)
    variance, value = random_variances(tree, rng, inner=inner), rng.normal(0, 10, len(tree))
    fitted, spread = least_squares(tree, value, variance), TreeCovariance.of(tree, variance)
    expected, covariance = dense(tree, value, variance)
    np.testing.assert_allclose(fitted[tree.leaves], expected, atol=1e-8)
    np.testing.assert_allclose(fitted, members(tree) @ expected, atol=1e-8)
    below = members(tree)
    np.testing.assert_allclose(spread.posterior, np.einsum("ij,jk,ik->i", below, covariance, below), rtol=1e-8)
    weights = rng.uniform(0, 1, len(tree.leaves))
    assert spread.of_weights(weights) == pytest.approx(weights @ covariance @ weights, rel=1e-8)


@settings(deadline=None)
@given(shapes, sizes, seeds)
def test_exact_measurements_stay_exact(shape: tuple[int, ...], leaves: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree(shape, leaves, rng)
    truth = add_up(tree, rng.integers(0, 100, len(tree.leaves)).astype(float))
    variance = random_variances(tree, rng, inner=0.5, exact=0.4)
    noisy = truth + np.where(np.isfinite(variance), np.sqrt(np.where(np.isfinite(variance), variance, 0)), 0)
    fitted, spread = least_squares(tree, noisy, variance), TreeCovariance.of(tree, variance)
    exact = variance == 0
    np.testing.assert_allclose(fitted[exact], truth[exact], atol=1e-9)
    assert (spread.posterior[exact] == 0).all()
    assert np.isfinite(fitted).all() and np.isfinite(spread.posterior).all()
    np.testing.assert_allclose(add_up(tree, fitted[tree.leaves]), fitted, atol=1e-9)


def test_nothing_measured_above_the_leaves_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    tree = random_tree((9, 9), 25, rng)
    variance = random_variances(tree, rng, inner=0.0)
    value = rng.normal(0, 10, len(tree))
    np.testing.assert_allclose(least_squares(tree, value, variance)[tree.leaves], value[tree.leaves])
    weights = rng.random(len(tree.leaves))
    plain = (weights**2 * variance[tree.leaves]).sum()
    assert TreeCovariance.of(tree, variance).of_weights(weights) == pytest.approx(plain)


def test_variances_far_apart_keep_their_digits() -> None:
    tree = Tree((2,), np.array([0, -1, -1]), np.array([1, 0, 0]), np.array([1, 0, 0]))
    spread = TreeCovariance.of(tree, np.array([1.0, 1e14, 1e14]))
    assert spread.posterior[0] == pytest.approx(1.0, rel=1e-12)
    spread = TreeCovariance.of(tree, np.array([np.inf, 1e-14, 1e14]))
    assert spread.share[1] == pytest.approx(1e-28, rel=1e-9)


@pytest.mark.parametrize(
    ("variance", "rule"),
    [
        ([1.0, np.inf, 1.0], "every leaf"),
        ([1.0, -1.0, 1.0], "negative"),
        ([np.nan, 1.0, 1.0], "negative"),
        ([1.0, 1.0], "one number per node"),
    ],
)
def test_bad_variances_are_refused(variance: list[float], rule: str) -> None:
    tree = Tree((2,), np.array([0, -1, -1]), np.array([1, 0, 0]), np.array([1, 0, 0]))
    with pytest.raises(ValueError, match=rule):
        least_squares(tree, np.zeros(3), np.array(variance))


def test_bad_values_are_refused() -> None:
    tree = Tree.stump((3,))
    with pytest.raises(ValueError, match="finite value"):
        least_squares(tree, np.array([np.nan]), np.array([1.0]))


@given(leaves=sizes, seed=seeds)
@settings(max_examples=50, deadline=None)
def test_values_above_zero_still_add_up(leaves: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree((64,), leaves, rng)
    variance = random_variances(tree, rng, inner=0.5)
    fitted = least_squares(tree, rng.normal(0.5, 2, len(tree)), variance)
    value = above_zero(tree, fitted, variance)
    assert (value >= 0).all()
    np.testing.assert_allclose(add_up(tree, value[tree.leaves]), value, atol=1e-9)
    assert value[0] == max(fitted[0], 0)
    if (fitted >= 0).all():
        np.testing.assert_allclose(value, fitted, atol=1e-9)
