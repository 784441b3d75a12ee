"""hdmm: exact without noise, as far off as it says with noise, better than noise on every cell where it should be."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import InputError, PrivacyError
from ripost.methods.method import Matrix, PublicInputs
from ripost.peers.hdmm.method import MOST_CODES, Hdmm
from ripost.peers.hdmm.statistics import WEIGHT, Product, Products
from ripost.peers.hdmm.workload_gram import WorkloadGram
from ripost.privacy.account import Account
from ripost.privacy.noise import Noise
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import Measure
from ripost.space.workload import Workload
from tests.methods.silent import Silent, poisson
from tests.statistics_by_name import STATISTICS

KINDS = ("best", "kronecker", "union", "marginals")


def run(method: Hdmm, tensor: Tensor, noise: Noise, epsilon: Fraction | int = 1) -> Matrix:
    shape, bound = tensor.domain.shape, tensor.measure.bound
    return method.run(
        Account(MemoryBlockData.of(tensor), shape=shape, epsilon=Fraction(epsilon), noise=noise, bound=bound)
    )


def dense(tensor: Tensor) -> np.ndarray:
    found = np.zeros(tensor.domain.shape)
    found[tuple(tensor.coords.T)] = tensor.counts
    return found


def pairs(shape: tuple[int, ...], number: int = 300) -> Workload:
    """Ranges of two axes at random."""
    rng = np.random.default_rng(3)
    lower, upper = np.zeros((number, len(shape)), int), np.tile(shape, (number, 1))
    for row in range(number):
        for axis in rng.choice(len(shape), 2, replace=False):
            lower[row, axis], upper[row, axis] = np.sort(rng.choice(shape[axis] + 1, 2, replace=False))
    return Workload(lower, upper)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(1,), (40,), (1, 1), (7, 1, 5), (12, 9), (3, 4, 5, 2)], ids=str)
@pytest.mark.parametrize("known", [False, True])
def test_without_noise_the_cells_come_back(shape: tuple[int, ...], kind: str, known: bool) -> None:
    workload = pairs(shape) if known and len(shape) > 1 else None
    tensor = poisson(shape)
    found = run(Hdmm(strategy=kind, workload=workload), tensor, Silent())
    np.testing.assert_allclose(found.values, dense(tensor).ravel(), atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_the_variance_is_that_of_many_runs(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeded. A square of one answer has a relative deviation of at most sqrt(5), the mean of 400 of 0.11."""
    shape = (9, 6, 4)
    tensor, workload = poisson(shape), pairs(shape, 60)
    method, squares = Hdmm(strategy=kind, workload=workload), []
    plan = method.choose_strategy(shape)
    monkeypatch.setattr(Hdmm, "choose_strategy", lambda *_: plan)  # the same every time
    exact = answers(dense(tensor), workload)
    for seed in range(400):
        found = run(method, tensor, SeededNoise(seed))
        squares.append((answers(found.values.reshape(shape), workload) - exact) ** 2)
    foretold = found.variance * found.stack.variance(workload.lower, workload.upper)
    assert np.mean(squares / foretold) == pytest.approx(1, abs=0.1)
    np.testing.assert_allclose(np.mean(squares, axis=0), foretold, rtol=0.6)


def answers(cells: np.ndarray, workload: Workload) -> np.ndarray:
    ends = zip(workload.lower.tolist(), workload.upper.tolist(), strict=True)
    return np.array([cells[tuple(map(slice, low, high))].sum() for low, high in ends])


def test_grams_are_those_of_what_was_measured() -> None:
    shape = (12, 10, 9)
    plan = Hdmm(strategy="union", workload=pairs(shape)).choose_strategy(shape)
    found = run(Hdmm(strategy="union", workload=pairs(shape)), poisson(shape), Silent())
    assert len(found.stack.weight) == len(plan.weight) > 1
    for factor, gram in zip(plan.factors, found.stack.grams, strict=True):
        np.testing.assert_allclose(factor.T @ factor, gram)
    np.testing.assert_array_equal(found.stack.measured, plan.measured)
    np.testing.assert_allclose(found.stack.weight, plan.weight.astype(float) ** 2)


@pytest.mark.parametrize(
    ("shape", "most"), [((64,), 0.71), ((64, 64), 0.71**2), pytest.param((256,), 0.4, marks=pytest.mark.slow)]
)
def test_better_than_noise_on_every_cell_where_ranges_are_long(shape: tuple[int, ...], most: float) -> None:
    plan = Hdmm().choose_strategy(shape)
    lower, upper = all_ranges(shape)
    ours = WEIGHT**2 * plan.stack.variance(lower, upper).mean()
    assert ours < most * (upper - lower).prod(axis=1).mean()


def all_ranges(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    ends = [np.sort(rng.permuted(np.tile(np.arange(n + 1), (3000, 1)), axis=1)[:, :2], axis=1) for n in shape]
    return np.stack([e[:, 0] for e in ends], axis=1), np.stack([e[:, 1] for e in ends], axis=1)


def test_best_is_the_best_of_the_others() -> None:
    """By its expected error on products of ranges, which random boxes nearly are."""
    shape = (12, 12, 12)
    workload = pairs(shape)
    plans = {kind: Hdmm(strategy=kind, workload=workload).choose_strategy(shape) for kind in KINDS}
    errors = {kind: WorkloadGram.of(workload, shape).mean_variance(plan.stack) for kind, plan in plans.items()}
    assert errors["best"] == min(errors.values()) < 0.7 * errors["kronecker"]
    for kind, plan in plans.items():
        assert plan.stack.variance(workload.lower, workload.upper).mean() == pytest.approx(errors[kind], rel=0.05)


def test_huge_counts() -> None:
    """Up to 2^42 in all nothing is lost; what is beyond is given as the largest sum and stays finite."""
    large = Tensor.from_arrays((20, 20), [[3, 4], [19, 0]], [2**41, 2**41 - 5])
    for kind in KINDS:
        found = run(Hdmm(strategy=kind), large, Silent())
        np.testing.assert_allclose(found.values, dense(large).ravel(), rtol=1e-9, atol=1e-3)
    money = Measure("price", step=0.01, bound=2**40)
    beyond = Tensor.from_arrays((20,), [[3]], [2**60], measure=money)
    assert np.isfinite(run(Hdmm(), beyond, SeededNoise(1)).values).all()


def test_it_repeats_itself() -> None:
    shape = (30, 5)
    one, other = (Hdmm(workload=pairs(shape)).choose_strategy(shape) for _ in range(2))
    assert one.weight.tolist() == other.weight.tolist()
    assert all((a == b).all() for a, b in zip(one.factors, other.factors, strict=True))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "krone"}, "strategy must be one of"),
        ({"restarts": 0}, "restarts must be a whole number from 1"),
        ({"steps": 2.5}, "steps must be a whole number from 1"),
        ({"p": [1, -1]}, "p must be a list in which each is a whole number from 0"),
        ({"p": "12"}, "p must be a list in which each is a whole number from 0"),
    ],
    ids=str,
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Hdmm.configure(options)


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(InputError, match="stops at 2,048"):
        Hdmm().check(PublicInputs((MOST_CODES + 1,), Fraction(1)))
    with pytest.raises(InputError, match="needs a value for each of 134,217,728 cells"):
        Hdmm().check(PublicInputs((512, 512, 512), Fraction(1)))
    with pytest.raises(InputError, match="p must hold a number for each of 1 axes"):
        Hdmm(p=(1, 1)).check(PublicInputs((9,), Fraction(1)))
    with pytest.raises(InputError, match="choose kronecker"):
        Hdmm(strategy="marginals").check(PublicInputs((2,) * 11, Fraction(1)))


def test_many_short_axes_are_measured_cell_by_cell() -> None:
    plan = Hdmm(steps=5, restarts=1).choose_strategy((2,) * 18)
    assert plan.rows <= 2**25
    assert math.prod(len(factor) for factor in plan.factors) == plan.rows


BAD = {
    "negative": Product((0,), (np.array([[1, -1, 1]]),)),
    "a float": Product((0,), (np.array([[0.5, 1, 1]]),)),
    "too heavy a column": Product((0,), (np.array([[WEIGHT, 1, 1], [1, 0, 0]]),)),
    "too heavy together": Product((0, 1), (np.full((1, 3), 2**11), np.full((1, 2), 2**10))),
    "too heavy a weight": Product((0,), (np.ones((1, 3), np.int64),), WEIGHT + 1),
    "too few columns": Product((0,), (np.ones((1, 2), np.int64),)),
    "one axis twice": Product((0, 0), (np.ones((1, 3), np.int64),) * 2),
    "no such axis": Product((2,), (np.ones((1, 3), np.int64),)),
    "no matrix": Product((0,), ()),
    "nothing": Product((0,), (np.zeros((1, 3), np.int64),)),
    "too large": Product((0, 1), (np.ones((1, 2**16), np.int64), np.ones((1, 2**16), np.int64))),
}


@pytest.mark.parametrize("term", BAD.values(), ids=BAD)
def test_a_question_that_breaks_the_bound_is_refused(term: Product) -> None:
    cells = MemoryBlockData.of(poisson((3, 2)))
    with pytest.raises(PrivacyError):
        cells.compute(STATISTICS["weighted sum"], 0, 1, Products((term,)))
    fine = Product((0,), (np.ones((1, 3), np.int64),), WEIGHT // 2 + 1)
    cells.compute(STATISTICS["weighted sum"], 0, 1, Products((fine,)))
    with pytest.raises(PrivacyError, match="add up to more"):
        cells.compute(STATISTICS["weighted sum"], 0, 1, Products((fine, fine)))
