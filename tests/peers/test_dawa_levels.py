"""Budgets of depths: the error they foretell is that of least squares, and none of a grid is better."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from ripost.estimate.least_squares import TreeCovariance
from ripost.peers.bucket_tree import halve_buckets
from ripost.peers.dawa.levels import depths, energy, error, shares


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 100])
def test_halved_trees_hold_every_bucket_at_every_depth(size: int) -> None:
    tree = halve_buckets(size)
    assert len(tree.leaves) == size
    assert len(tree.levels) == (size - 1).bit_length() + 1
    for depth in depths(tree):
        assert len(depth.group) == size
        np.testing.assert_array_equal(np.bincount(depth.group), tree.boxes.sizes[depth.nodes, 0])
    np.testing.assert_array_equal(depths(tree)[-1].nodes, tree.leaves)


@pytest.mark.parametrize("size", [1, 2, 8, 16])
def test_the_error_is_that_of_least_squares(size: int) -> None:
    tree, rng = halve_buckets(size), np.random.default_rng(size)
    questions = rng.random((5, size))
    weights = rng.random(len(tree.levels))
    weights /= weights.sum()
    spread = TreeCovariance.of(tree, 1 / weights[tree.depth] ** 2)
    expected = sum(spread.of_weights(row) for row in questions)
    found = error(energy(tree, [questions[:2], questions[2:]]), weights[None])[0]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("size", [2, 4, 7])
def test_no_shares_of_a_grid_are_much_better(size: int) -> None:
    tree, rng = halve_buckets(size), np.random.default_rng(1)
    for questions in (np.eye(size), np.ones((3, size)), np.tri(size), rng.random((9, size))):
        energies = energy(tree, [questions])
        chosen = np.array([*map(float, shares(energies))])
        grid = [row for row in itertools.product(range(11), repeat=len(energies)) if sum(row) == 10 and row[-1]]
        assert error(energies, chosen[None])[0] <= 1.02 * error(energies, np.array(grid) / 10).min()


@pytest.mark.parametrize("size", [1, 2, 5, 64, 1000])
def test_shares_are_a_whole(size: int) -> None:
    tree = halve_buckets(size)
    for questions in (np.eye(size)[:50], np.ones((1, size)), np.zeros((1, size))):
        found = shares(energy(tree, [questions]))
        assert sum(found) == 1
        assert min(found) >= 0
        assert found[-1] > 0
        assert isinstance(found[0], Fraction)


def test_single_buckets_are_asked_at_the_leaves_and_everything_at_the_root() -> None:
    tree = halve_buckets(64)
    assert shares(energy(tree, [np.eye(64)]))[-1] > Fraction(1, 2)
    assert shares(energy(tree, [np.ones((1, 64))]))[0] > Fraction(1, 2)
