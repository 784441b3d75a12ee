"""Peers of wide tables: no bias, the variance and the privacy loss that they state, against dense computations."""

from __future__ import annotations

from functools import reduce
from itertools import combinations

import numpy as np
import pytest
from experiments.bench.baselines import BASELINES
from experiments.bench.pair_tables import PairTables
from experiments.bench.residual_planner import Plan, cells_gram, ranges_gram

from ripost import Tensor
from ripost.comparing.workloads import marginals_of, ranges_of, true_answers

SHAPE = (2, 3, 4)
GRAMS = [cells_gram, ranges_gram]
PAIRS = [*combinations(range(3), 2)]


@pytest.fixture
def tensor() -> Tensor:
    rng = np.random.default_rng(2)
    return Tensor.from_arrays(
        SHAPE, np.stack([rng.integers(0, size, 500) for size in SHAPE], axis=1), np.ones(500, int)
    )


def kron(matrices: list[np.ndarray]) -> np.ndarray:
    return reduce(np.kron, matrices)


def measured(plan: Plan) -> tuple[np.ndarray, np.ndarray]:
    """The residuals as rows of one matrix on all cells, and the covariance of their noise."""
    rows, blocks = [], []
    for part, variance in plan.variance.items():
        center = [np.eye(size) - 1 / size if a in part else np.ones((1, size)) for a, size in enumerate(SHAPE)]
        noise = [plan.bases[a].noise @ plan.bases[a].noise.T if a in part else np.ones((1, 1)) for a in range(3)]
        rows.append(kron(center))
        blocks.append(variance * kron(noise))
    covariance = np.zeros((sum(map(len, rows)),) * 2)
    at = 0
    for block in blocks:
        covariance[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    return np.concatenate(rows), covariance


def questions(gram: np.ndarray) -> np.ndarray:
    """Questions about an attribute that have this Gram matrix."""
    values, vectors = np.linalg.eigh(gram)
    return np.sqrt(np.maximum(values, 0))[:, None] * vectors.T


@pytest.mark.parametrize("gram", GRAMS)
def test_no_record_costs_more_than_rho_and_the_costliest_costs_just_that(gram) -> None:
    plan = Plan.of([gram(size) for size in SHAPE], 0.7)
    rows, covariance = measured(plan)
    loss = np.einsum("ij,ik,kj->j", rows, np.linalg.pinv(covariance, rcond=1e-12), rows) / 2
    assert loss.max() == pytest.approx(0.7)
    assert plan.rho == pytest.approx(0.7)


@pytest.mark.parametrize("gram", GRAMS)
def test_the_stated_variance_is_that_of_generalized_least_squares(gram) -> None:
    plan = Plan.of([gram(size) for size in SHAPE], 0.7)
    rows, covariance = measured(plan)
    known = np.linalg.pinv(rows.T @ np.linalg.pinv(covariance, rcond=1e-12) @ rows, rcond=1e-12)
    for pair in PAIRS:
        asked = kron([questions(gram(size)) if a in pair else np.ones((1, size)) for a, size in enumerate(SHAPE)])
        assert plan.sum_of_variances(pair) == pytest.approx(np.trace(asked @ known @ asked.T))


@pytest.mark.parametrize("gram", GRAMS)
def test_another_split_of_rho_has_a_larger_sum_of_variances(gram) -> None:
    plan = Plan.of([gram(size) for size in SHAPE], 0.7)
    best = sum(map(plan.sum_of_variances, PAIRS))
    for part in plan.variance:
        for factor in (0.9, 1.1):
            other = Plan(plan.bases, plan.variance | {part: plan.variance[part] * factor})
            scaled = Plan(plan.bases, {at: each * other.rho / plan.rho for at, each in other.variance.items()})
            assert scaled.rho == pytest.approx(plan.rho)
            assert sum(map(scaled.sum_of_variances, PAIRS)) > best


@pytest.mark.parametrize("gram", GRAMS)
def test_the_released_tables_err_as_stated_and_have_no_bias(gram, tensor: Tensor) -> None:
    """2,000 releases: means within 5 standard errors, sums of variances within 15 %; false alarms below 1 in 10,000."""
    plan, rng = Plan.of([gram(size) for size in SHAPE], 0.7), np.random.default_rng(0)
    releases = [plan.release(tensor, rng) for _ in range(2000)]
    for cells in marginals_of(SHAPE, 2):
        one, two = cells.axes
        error = np.stack([release.answer(*cells.boxes) for release in releases]) - cells.truth(tensor)
        assert (np.abs(error.mean(axis=0)) < 5 * error.std(axis=0) / np.sqrt(2000)).all()
        asked = kron([questions(gram(SHAPE[one])), questions(gram(SHAPE[two]))])
        assert ((error @ asked.T) ** 2).mean(axis=0).sum() == pytest.approx(plan.sum_of_variances((one, two)), rel=0.15)


def test_without_noise_every_answer_of_pair_tables_is_true(tensor: Tensor) -> None:
    plan = Plan.of([cells_gram(size) for size in SHAPE], 1e18)
    release = plan.release(tensor, np.random.default_rng(0))
    assert isinstance(release, PairTables)
    *some, three = ranges_of(SHAPE)
    for ranges in some:
        assert release.answer(ranges.lower, ranges.upper) == pytest.approx(true_answers(tensor, ranges), abs=1e-3)
    bounds_all = ((three.lower > 0) | (three.upper < np.array(SHAPE))).all(axis=1)
    assert (np.isnan(release.answer(three.lower, three.upper)) == bounds_all).all()


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_repeats_itself_and_is_right_at_a_large_epsilon(name: str, tensor: Tensor) -> None:
    ranges = ranges_of(SHAPE)[0]

    def answers(epsilon: float, seed: int) -> np.ndarray:
        return BASELINES[name].release(tensor, epsilon, np.random.default_rng(seed))(ranges.lower, ranges.upper)

    assert (answers(1.0, 3) == answers(1.0, 3)).all() and (answers(1.0, 3) != answers(1.0, 4)).any()
    assert answers(1e4, 0) == pytest.approx(true_answers(tensor, ranges), abs=1)


def test_an_attribute_of_one_code_has_no_residual() -> None:
    tensor = Tensor.from_arrays((1, 3, 2), [[0, 1, 1], [0, 2, 0]], [5, 7])
    plan = Plan.of([cells_gram(size) for size in (1, 3, 2)], 1e18)
    assert not any(0 in part for part in plan.variance)
    release = plan.release(tensor, np.random.default_rng(0))
    assert release.answer(np.array([[0, 2, 0]]), np.array([[1, 3, 1]])) == pytest.approx([7], abs=1e-3)
