"""Blocks and histograms together are one linear model; conjugate gradients find what inverting it finds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ripost.estimate.axis_intervals import AxisIntervals
from ripost.estimate.joint import BluntRows, Histograms, above_zero, fit_sums, join
from ripost.estimate.least_squares import add_up
from ripost.estimate.marginal import NoisyHistogram
from ripost.estimate.noisy_measurements import PooledMeasurements
from ripost.estimate.tree_model import TreeModel
from tests.answering.making import random_tree
from tests.estimate.dense import dense

SHAPE = (12, 9)


def problem(seed: int, leaves: int = 10) -> tuple[TreeModel, PooledMeasurements, np.ndarray, Histograms]:
    rng = np.random.default_rng(seed)
    tree = random_tree(SHAPE, leaves, rng)
    measured = PooledMeasurements(rng.exponential(1, len(tree)) + 0.05, rng.normal(20, 10, len(tree)))
    scatter = rng.exponential(20, len(tree)) + 1
    model = TreeModel.of(tree, measured.precision, rng.uniform(0.2, 0.8, len(tree)), scatter)
    density = [rng.random(size) + 0.1 for size in SHAPE]
    intervals = [AxisIntervals.of(tree.boxes.take(tree.leaves), axis) for axis in range(len(SHAPE))]
    tables = []
    for size in SHAPE:
        cuts = [np.arange(size + 1), np.append(np.arange(0, size, 4), size)]
        tables.append(
            [NoisyHistogram(edges, rng.normal(15, 8, len(edges) - 1), float(rng.uniform(0.5, 4))) for edges in cuts]
        )
    return model, measured, scatter, Histograms(intervals, density, tables)


@pytest.mark.parametrize("seed", range(8))
def test_the_joint_mean_is_that_of_the_normal_law(seed: int) -> None:
    model, measured, scatter, histograms = problem(seed)
    tree = model.tree
    matrix, below = dense(tree, measured.precision, model.share, scatter)
    rows = np.stack([histograms.of(leaf) for leaf in np.eye(len(tree.leaves))], axis=1)
    told = below.T @ measured.information + rows.T @ histograms.values
    expected = np.linalg.solve(matrix + rows.T @ rows, told)
    np.testing.assert_allclose(join(model, measured, histograms)[tree.leaves], expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sharper", [1, 1e3])
def test_every_step_of_the_search_lowers_the_distance_from_all_measurements(seed: int, sharper: float) -> None:
    model, measured, scatter, histograms = problem(seed)
    tree = model.tree
    tables = [[replace(one, variance=one.variance / sharper) for one in some] for some in histograms.tables]
    histograms = replace(histograms, tables=tables)
    matrix, below = dense(tree, measured.precision, model.share, scatter)
    alone = np.linalg.solve(matrix, below.T @ measured.information)
    distance = []
    for steps in range(9):
        leaves = join(model, measured, histograms, steps=steps)[tree.leaves]
        rest = histograms.values - histograms.of(leaves)
        distance.append(float((leaves - alone) @ matrix @ (leaves - alone) + rest @ rest))
    assert (np.diff(distance) <= 1e-6 * distance[0]).all() and distance[-1] < distance[0]


def test_rows_move_the_leaves_that_are_movable() -> None:
    """Leaves that were measured almost exactly keep their sums apart from those of exact histograms."""
    model, measured, scatter, histograms = problem(3)
    tree = model.tree
    exact = PooledMeasurements(np.full(len(tree), 1e9), measured.value)
    sure = TreeModel.of(tree, exact.precision, model.share, scatter)
    first = sure.means(exact.information)[tree.leaves]
    kept = join(sure, exact, histograms, steps=100)[tree.leaves]
    np.testing.assert_allclose(kept, first, atol=1e-3)
    moved = join(sure, exact, histograms, steps=100, movable=model)[tree.leaves]
    assert misfit_of(histograms, moved) < 0.9 * misfit_of(histograms, first)


def misfit_of(histograms: Histograms, leaves: np.ndarray) -> float:
    return float(((histograms.values - histograms.of(leaves)) ** 2).sum())


def test_blunt_rows_are_as_precise_as_they_may_be() -> None:
    """Rows of less noise than a least variance count as if they had it; others are as they were."""
    *_, histograms = problem(2)
    least = float(np.median(histograms.variances))
    blunt = BluntRows.at_least(histograms, histograms.variances, least)
    tables = [[replace(one, variance=max(one.variance, least)) for one in some] for some in histograms.tables]
    expected = replace(histograms, tables=tables)
    rng = np.random.default_rng(0)
    leaves, rows = rng.normal(size=len(histograms.intervals[0].which)), rng.normal(size=len(histograms.values))
    np.testing.assert_allclose(blunt.values, expected.values)
    np.testing.assert_allclose(blunt.of(leaves), expected.of(leaves))
    np.testing.assert_allclose(blunt.back(rows), expected.back(rows))


@pytest.mark.parametrize("seed", range(5))
def test_back_is_the_transpose(seed: int) -> None:
    *_, histograms = problem(seed)
    rng = np.random.default_rng(seed)
    leaves, rows = rng.normal(size=len(histograms.intervals[0].which)), rng.normal(size=len(histograms.values))
    assert histograms.of(leaves) @ rows == pytest.approx(histograms.back(rows) @ leaves)


def test_a_marginal_of_blocks_keeps_the_total() -> None:
    *_, histograms = problem(1)
    values = np.random.default_rng(1).random(len(histograms.intervals[0].which))
    for axis in range(2):
        along = histograms.intervals[axis]
        assert along.with_density(histograms.density[axis]).marginal(along.sums(values)).sum() == pytest.approx(
            values.sum()
        )


@pytest.mark.parametrize("seed", range(5))
def test_no_leaf_is_negative_and_all_add_up(seed: int) -> None:
    model, measured, scatter, histograms = problem(seed, leaves=30)
    tree = model.tree
    assert (join(model, measured, histograms)[tree.leaves] < 0).any()
    value = above_zero(tree, measured, model, scatter, histograms)
    assert (value >= 0).all()
    np.testing.assert_allclose(value, add_up(tree, value[tree.leaves]), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_fitted_leaves_have_the_one_way_sums_of_others(seed: int) -> None:
    """Three rounds bring one-way sums that leaves can have much nearer, and none below 0."""
    *_, histograms = problem(seed, leaves=30)
    rng = np.random.default_rng(seed)
    values, wanted = rng.random((2, len(histograms.intervals[0].which)))
    found = fit_sums(values, wanted, histograms)
    aim = histograms.of(wanted)
    assert (found >= 0).all() and found.sum() == pytest.approx(wanted.sum())
    assert np.linalg.norm(histograms.of(found) - aim) < 0.5 * np.linalg.norm(histograms.of(values) - aim)


def test_leaves_with_the_sums_already_stay() -> None:
    *_, histograms = problem(3, leaves=30)
    values = np.random.default_rng(3).random(len(histograms.intervals[0].which))
    np.testing.assert_allclose(fit_sums(values, values, histograms), values)
