"""Strategies: their errors are those of the matrices they stand for, and they beat the obvious ones."""

from __future__ import annotations

import itertools
from functools import reduce

import numpy as np
import pytest

from ripost.estimate.kronecker_union import KroneckerUnion, along
from ripost.estimate.lbfgs import minimize
from ripost.peers.hdmm import p_identity, strategy
from ripost.peers.hdmm.strategy import Effort, Strategy
from ripost.peers.hdmm.workload_gram import WorkloadGram
from ripost.space.workload import Workload

EFFORT = Effort(restarts=2, steps=250)
GRID = 2**20


def ranges(size: int) -> np.ndarray:
    """All ranges of an axis, one a row."""
    pairs = itertools.combinations(range(size + 1), 2)
    return np.array([[low <= code < high for code in range(size)] for low, high in pairs], float)


def boxes(shape: tuple[int, ...], number: int, bounded: int, seed: int = 0) -> Workload:
    """Random boxes that bound some axes each."""
    rng = np.random.default_rng(seed)
    lower, upper = np.zeros((number, len(shape)), int), np.tile(shape, (number, 1))
    for row in range(number):
        for axis in rng.choice(len(shape), bounded, replace=False):
            ends = rng.choice(shape[axis] + 1, 2, replace=False)
            lower[row, axis], upper[row, axis] = ends.min(), ends.max()
    return Workload(lower, upper)


def dense(found: Strategy) -> np.ndarray:
    """The whole measured matrix, a row for each sum."""
    parts = []
    for measured, weight in zip(found.measured, found.weight, strict=True):
        own = [f if m else np.ones((1, f.shape[1])) for f, m in zip(found.factors, measured, strict=True)]
        parts.append(weight * reduce(np.kron, own))
    return np.vstack(parts)


def indicators(workload: Workload, shape: tuple[int, ...]) -> np.ndarray:
    found = np.zeros((len(workload), *shape))
    for row, (low, high) in enumerate(zip(workload.lower.tolist(), workload.upper.tolist(), strict=True)):
        found[(row, *map(slice, low, high))] = 1
    return found.reshape(len(workload), -1)


def variances(matrix: np.ndarray, questions: np.ndarray) -> np.ndarray:
    """Of each question, by least squares on the whole matrix."""
    return (questions * np.linalg.solve(matrix.T @ matrix, questions.T).T).sum(axis=1)


@pytest.mark.parametrize(("size", "p"), [(1, 0), (4, 1), (7, 3), (12, 2)])
def test_error_of_a_p_identity_is_that_of_its_matrix(size: int, p: int) -> None:
    theta, asked = np.random.default_rng(size).random((p, size)), ranges(size)
    matrix = p_identity.strategy(theta)
    np.testing.assert_allclose(matrix.sum(axis=0), 1)
    value, _ = p_identity.error(theta, asked.T @ asked)
    assert value == pytest.approx(variances(matrix, asked).sum())
    whole = variances(matrix, np.ones((1, size)))[0]
    assert p_identity.variances(theta, asked.T @ asked) == pytest.approx((value, whole))


@pytest.mark.parametrize(("size", "p"), [(4, 1), (7, 3)])
def test_gradient_of_a_p_identity_is_that_of_small_steps(size: int, p: int) -> None:
    rng = np.random.default_rng(p)
    theta, gram = rng.random((p, size)), ranges(size).T @ ranges(size)
    _, gradient = p_identity.error(theta, gram)
    for place in np.ndindex(p, size):
        step = np.zeros((p, size))
        step[place] = 1e-6
        slope = (p_identity.error(theta + step, gram)[0] - p_identity.error(theta - step, gram)[0]) / 2e-6
        assert gradient[place] == pytest.approx(slope, rel=1e-5, abs=1e-5)


def test_all_ranges_of_64_codes() -> None:
    """Identity errs by a factor of 22 in variance, a binary tree (7 measured levels) by more than p-identity does."""
    gram = WorkloadGram.all_ranges((64,)).ranges[0]
    theta = p_identity.best(gram, p_identity.extras(64), restarts=2, steps=500)
    least = p_identity.error(theta, gram)[0]
    levels = [np.kron(np.eye(64 // width), np.ones((1, width))) / 7 for width in (1, 2, 4, 8, 16, 32, 64)]
    tree = np.vstack(levels)
    binary = float(np.trace(np.linalg.solve(tree.T @ tree, gram)))
    assert np.trace(gram) == pytest.approx(22)
    assert least < 0.71 * 22
    assert least < 0.75 * binary
    codes = np.vstack([np.eye(64), np.ones((1, 64))]) / 2  # each code and the total
    assert least < 0.5 * np.trace(np.linalg.solve(codes.T @ codes, gram))


def test_the_total_alone_is_nearly_reached_where_only_the_total_is_asked() -> None:
    theta = p_identity.best(np.ones((20, 20)), 1, restarts=2, steps=500)
    assert p_identity.error(theta, np.ones((20, 20)))[0] < 1.1


def test_codes_alone_where_nothing_else_is_better() -> None:
    assert len(p_identity.best(np.eye(9), 1, restarts=2, steps=100)) == 0
    assert len(p_identity.best(np.ones((1, 1)), 0, restarts=2, steps=100)) == 0


def test_minimize_finds_the_least_value_that_is_not_negative() -> None:
    goal = np.array([[1.0, -2.0], [3.0, 0.5]])

    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        return float(((point - goal) ** 2 @ [1.0, 10.0]).sum()), 2 * (point - goal) * [1.0, 10.0]

    value, point = minimize(function, np.ones((2, 2)), steps=200)
    np.testing.assert_allclose(point, goal.clip(0), atol=1e-3)
    assert value == pytest.approx(40)


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_minimize_does_not_depend_on_the_unit_of_the_function(scale: float) -> None:
    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        return scale * float(((point - 2) ** 4).sum()), scale * 4 * (point - 2) ** 3

    value, point = minimize(function, np.ones(3), steps=200, lower=0.5)
    np.testing.assert_allclose(point, 2, atol=0.05)
    assert 0 <= value < 1e-4 * scale


def test_minimize_leaves_a_flat_function_alone() -> None:
    def function(point: np.ndarray) -> tuple[float, np.ndarray]:
        return 0.0, np.zeros_like(point)

    assert minimize(function, np.full((2, 1), 3.0), steps=9)[1].tolist() == [[3.0], [3.0]]


@pytest.mark.parametrize("slope", [0.0, 1e-16, -1e-16, 1e-12, -1e-12])
def test_one_product_has_the_whole_share_whatever_the_last_bits_are(slope: float) -> None:
    """Its error does not depend on its share, so the gradient is rounding alone; a search must not follow it to 0."""
    for size in range(2, 9):
        theta = p_identity.best(WorkloadGram.all_ranges((size,)).ranges[0], 2, restarts=2, steps=50)
        matrix = p_identity.strategy(theta) * (1 + slope)
        gram = matrix.T @ matrix
        for shape in ((size,), (1, size), (size, 1, size)):
            grams = tuple(gram if length > 1 else np.ones((1, 1)) for length in shape)
            stack = KroneckerUnion(grams, np.ones((1, len(shape)), bool), np.ones(1))
            assert strategy.best_shares(stack, WorkloadGram.all_ranges(shape), steps=50).tolist() == [1.0]


def test_groups_and_ranges_of_a_workload() -> None:
    shape = (5, 1, 4)
    workload = boxes(shape, 200, 1, seed=3)
    asked = WorkloadGram.of(workload, shape)
    assert asked.share.sum() == pytest.approx(1)
    for axis, size in enumerate(shape):
        rows = [
            [low <= code < high for code in range(size)]
            for low, high in zip(workload.lower[:, axis], workload.upper[:, axis], strict=True)
            if high - low < size
        ]
        expected = np.array(rows, float).T @ np.array(rows, float) / len(rows) if rows else np.ones((size, size))
        np.testing.assert_allclose(asked.ranges[axis], expected)
    nothing = Workload(np.zeros((3, 3), int), np.zeros((3, 3), int))
    assert WorkloadGram.of(nothing, shape).bounded.tolist() == [[True, False, True]]


def test_all_ranges_is_the_mean_over_all_ranges() -> None:
    rows = ranges(6)
    np.testing.assert_allclose(WorkloadGram.all_ranges((6,)).ranges[0], rows.T @ rows / len(rows))


def plans(shape: tuple[int, ...], asked: WorkloadGram) -> dict[str, Strategy]:
    extras = [2 if size > 1 else 0 for size in shape]
    found = {
        "kronecker": strategy.kronecker(asked, extras, EFFORT, GRID),
        "union": strategy.union(asked, extras, EFFORT, GRID),
        "marginals": strategy.marginals(asked, EFFORT, GRID),
    }
    return {name: plan for name, plan in found.items() if plan is not None}


SHAPES = [(1,), (9,), (6, 7), (4, 1, 5), (3, 4, 2, 3)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("bounded", [0, 1, 2])
def test_every_strategy_is_what_it_says(shape: tuple[int, ...], bounded: int) -> None:
    workload = boxes(shape, 40, min(bounded, len(shape)))
    asked = WorkloadGram.of(workload, shape)
    truth = np.random.default_rng(1).integers(0, 9, shape)
    found = plans(shape, asked)
    assert len(found) == 3
    for plan in found.values():
        matrix, stack = dense(plan), plan.stack
        assert len(matrix) == plan.rows
        assert 0.9 * GRID < matrix.sum(axis=0).max() <= GRID
        assert (matrix >= 0).all()
        expected = variances(matrix, indicators(workload, shape))
        np.testing.assert_allclose(stack.variance(workload.lower, workload.upper), expected, rtol=1e-6)
        seen = []
        for measured, weight in zip(plan.measured, plan.weight, strict=True):
            gram = [f.T @ f for f, m in zip(plan.factors, measured, strict=True) if m]
            table = truth.sum(axis=tuple(np.flatnonzero(~measured)))
            seen.append(weight**2 * along([g.astype(float) for g in gram], table.astype(float)))
        noise = GRID * np.sqrt(variances(matrix, np.eye(truth.size)).max())  # of a cell at epsilon 1
        np.testing.assert_allclose(stack.solve(seen), truth, atol=1e-6 * noise)


ONE_CELL = "one cell"
FIRST_CODES = "the first codes alone"
NO_CELL = "no cell"
EVERYTHING = "the whole table"


def odd(kind: str, shape: tuple[int, ...]) -> Workload:
    """A workload that leaves columns of zeros, or asks the same again and again."""
    lower, upper = np.zeros((5, len(shape)), int), np.tile(shape, (5, 1))
    if kind == ONE_CELL:
        lower = upper - 1
    elif kind == FIRST_CODES:
        upper = np.minimum(upper, 2)
    elif kind == NO_CELL:
        upper = lower.copy()
    return Workload(lower, upper)


@pytest.mark.parametrize("shape", [(1,), (1, 1), (2,), (1, 6), (4, 1, 5), (1, 3, 1, 2), (2, 2, 2)], ids=str)
@pytest.mark.parametrize("kind", [ONE_CELL, FIRST_CODES, NO_CELL, EVERYTHING])
def test_degenerate_workloads(kind: str, shape: tuple[int, ...]) -> None:
    workload = odd(kind, shape)
    found = plans(shape, WorkloadGram.of(workload, shape))
    assert len(found) == 3
    for plan in found.values():
        assert np.linalg.matrix_rank(dense(plan).astype(float)) == np.prod(shape)
        assert 0.9 * GRID < dense(plan).sum(axis=0).max() <= GRID
        expected = variances(dense(plan), indicators(workload, shape))
        np.testing.assert_allclose(
            plan.stack.variance(workload.lower, workload.upper), expected, rtol=1e-6, atol=1e-6 / GRID**2
        )


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_error_on_products_of_ranges_is_that_of_all_of_them(shape: tuple[int, ...]) -> None:
    asked = WorkloadGram.all_ranges(shape)
    questions = reduce(np.kron, [ranges(size) for size in shape])
    for plan in plans(shape, asked).values():
        assert asked.mean_variance(plan.stack) == pytest.approx(variances(dense(plan), questions).mean(), rel=1e-6)


def test_error_on_a_union_of_products() -> None:
    shape = (5, 6, 4)
    whole = [np.ones((1, size)) for size in shape]
    groups = [(0, 1), (2,), ()]
    share = np.array([0.5, 0.3, 0.2])
    bounded = np.array([[axis in group for axis in range(3)] for group in groups])
    asked = WorkloadGram(WorkloadGram.all_ranges(shape).ranges, bounded, share)
    for plan in plans(shape, asked).values():
        matrix, error = dense(plan), 0.0
        for part, group in zip(share, bounded, strict=True):
            factors = [ranges(size) if b else w for size, w, b in zip(shape, whole, group, strict=True)]
            error += part * variances(matrix, reduce(np.kron, factors)).mean()
        assert asked.mean_variance(plan.stack) == pytest.approx(error, rel=1e-6)


def test_shares_cannot_be_bettered_by_small_changes() -> None:
    shape = (8, 6, 5)
    asked = WorkloadGram.of(boxes(shape, 300, 2), shape)
    sets = np.array([*itertools.product([False, True], repeat=3)])
    grams = tuple(np.eye(size) for size in shape)
    share = strategy.best_shares(KroneckerUnion(grams, sets, np.ones(8)), asked, steps=500)
    assert share.sum() == pytest.approx(1)
    assert share[-1] >= strategy.WHOLE / (1 + strategy.WHOLE) - 1e-9
    least = asked.mean_variance(KroneckerUnion(grams, sets, share**2))
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = share + rng.exponential(0.01, 8) * rng.integers(0, 2, 8)
        other /= other.sum()
        if other[-1] >= share[-1]:
            assert asked.mean_variance(KroneckerUnion(grams, sets, other**2)) >= least * (1 - 1e-4)


def test_the_right_kind_wins() -> None:
    """Products for ranges of all axes; marginals or groups where questions bound few of many axes."""
    ranges = WorkloadGram.all_ranges((60, 60))
    product = plans((60, 60), ranges)
    assert ranges.mean_variance(product["kronecker"].stack) < 0.6 * 21.0**2 / GRID**2  # codes alone
    few = WorkloadGram.of(boxes((12,) * 4, 500, 1), (12,) * 4)
    errors = {name: few.mean_variance(plan.stack) for name, plan in plans((12,) * 4, few).items()}
    assert max(errors["union"], errors["marginals"]) < 0.3 * errors["kronecker"]


def test_shares_are_sought_from_several_starts() -> None:
    """From equal shares alone the search ends at 589 or 660 here, as the last bits decide."""
    shape = (2, 3, 4, 5, 6, 7)
    asked = WorkloadGram.of(boxes(shape, 500, 3), shape)
    assert asked.mean_variance(strategy.marginals(asked, EFFORT, GRID).stack) * GRID**2 < 450


def test_many_axes_have_one_product_only() -> None:
    asked = WorkloadGram.all_ranges((2,) * 11)
    assert strategy.union(asked, [1] * 11, EFFORT, GRID) is None
    assert strategy.marginals(asked, EFFORT, GRID) is None
    assert dense(strategy.kronecker(asked, [1] * 11, EFFORT, GRID)).sum(axis=0).max() <= GRID


def test_whole_columns_sum_to_the_level() -> None:
    rng = np.random.default_rng(4)
    for level in (1, 5, 11, 1000):
        theta = rng.exponential(1.0, (3, 30)) ** 3
        whole = strategy.whole_columns(p_identity.strategy(theta), level)
        assert (whole.sum(axis=0) == level).all()
        assert (whole[np.arange(30), np.arange(30)] >= 1).all()
        assert (whole >= 0).all()
