"""one-way, two-way and residual-planner: exact without noise, as far off as they say with noise, and planned well."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import ripost
from ripost.data.tensor import Tensor
from ripost.errors import InputError, PrivacyError, QueryError
from ripost.estimate.table_union import TableUnion
from ripost.methods import METHODS
from ripost.methods.method import PublicInputs
from ripost.peers.hdmm.statistics import Product, Products
from ripost.peers.noisy_tables import list_tables
from ripost.peers.residual_planner.plan import Base, Plan, cells_gram, ranges_gram
from ripost.peers.residual_planner.statistics import LENGTH_OF_WEIGHTS, signed_sum_steps
from ripost.publishing.content import build_content
from ripost.space.blocks import Blocks
from ripost.testing import run_method
from tests.methods.silent import Silent, poisson

NAMES = ("one-way", "two-way", "residual-planner", "residual-planner+")
GRAMS = (cells_gram, ranges_gram)
SHAPE = (4, 1, 3, 5)


def boxes_of(shape: tuple[int, ...], bounded: int) -> tuple[np.ndarray, np.ndarray]:
    """All cells of all tables of so many axes."""
    lower, upper = [], []
    for axes in combinations(range(len(shape)), bounded):
        for cell in product(*(range(shape[axis]) for axis in axes)):
            low, high = np.zeros(len(shape), int), np.array(shape)
            low[list(axes)], high[list(axes)] = cell, np.array(cell) + 1
            lower.append(low)
            upper.append(high)
    return np.array(lower), np.array(upper)


@pytest.mark.parametrize("name", NAMES)
def test_without_noise_the_tables_come_back(name: str) -> None:
    tensor = poisson(SHAPE, rate=20)
    found, _ = run_method(METHODS[name](), tensor, noise=Silent())
    content = build_content(found, tensor.domain, tensor.measure)
    for bounded in (0, 1) if name == "one-way" else (0, 1, 2):
        lower, upper = boxes_of(SHAPE, bounded)
        got = content.answers(lower.astype(float), upper.astype(float))
        np.testing.assert_allclose(got, tensor.answer(lower, upper), atol=1e-6)


def test_independent_attributes_are_completed_exactly() -> None:
    """Counts that are products: three attributes have nothing in common beyond their pairs."""
    sides = (np.array([1, 2, 3]), np.array([2, 5]), np.array([1, 4, 2, 3]))
    counts = np.multiply.outer(np.multiply.outer(sides[0], sides[1]), sides[2])
    tensor = Tensor.from_arrays(counts.shape, np.argwhere(counts > 0), counts.ravel())
    lower, upper = boxes_of(counts.shape, 3)
    for name in NAMES:
        found, _ = run_method(METHODS[name](), tensor, noise=Silent())
        content = build_content(found, tensor.domain, tensor.measure)
        got = content.answers(lower.astype(float), upper.astype(float))
        np.testing.assert_allclose(got, counts.ravel(), atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_errors_are_as_stated(name: str) -> None:
    """Seeded. 100 releases: squares over variances have a mean of 1, with a deviation of 0.14 by cell, 0.06 pooled."""
    tensor, shape = poisson((3, 2, 4)), (3, 2, 4)
    lower, upper = boxes_of(shape, 1 if name == "one-way" else 2)
    truth, ratios = tensor.answer(lower, upper), []
    for seed in range(100):
        view = ripost.publish(tensor, epsilon=1, method=name, seed=seed)
        ratios.append(((view.answer(lower, upper) - truth) / view.stderr(lower, upper)) ** 2)
    assert np.mean(ratios) == pytest.approx(1, abs=0.3)
    np.testing.assert_allclose(np.mean(ratios, axis=0), 1, atol=0.7)


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_beyond_the_tables_has_a_note_and_no_interval(name: str) -> None:
    view = ripost.publish(poisson((3, 2, 4)), epsilon=1, method=name, seed=1)
    known, beyond = view.count(x0=0), view.count(x0=0, x1=1, x2=(1, 3))
    assert known.is_bounded and not known.note
    assert "no measured table holds all of these attributes" in beyond.note
    assert "error unknown" in str(beyond)
    with pytest.raises(QueryError, match="no synthetic rows"):
        view.sample(3)


@pytest.mark.parametrize("gram", GRAMS)
def test_no_row_costs_more_than_the_length_of_weights(gram) -> None:
    """And the costliest costs nearly that: by the squares of the weights of every cell."""
    plan = Plan.of([gram(size) for size in SHAPE])
    squares = np.zeros(SHAPE)
    for part, weight in plan.weights.items():
        for cell in np.ndindex(SHAPE):
            lengths = [int((plan.bases[axis].matrix[:, cell[axis]] ** 2).sum()) for axis in part]
            squares[cell] += weight**2 * np.prod(lengths, initial=1.0)
    assert 0.999 < squares.max() / LENGTH_OF_WEIGHTS**2 <= 1


@pytest.mark.parametrize("gram", GRAMS)
@pytest.mark.parametrize("size", [2, 3, 7, 40])
def test_whole_numbers_lose_little(gram, size: int) -> None:
    """Matrices of whole numbers, against the root of the Gram matrix: the cost of unit error grows by 5 % at most."""
    base, whole = Base.of(gram(size)), gram(size)
    centered = whole - whole.mean(axis=0) - whole.mean(axis=1)[:, None] + whole.mean()
    roots = np.sqrt(np.maximum(np.linalg.eigvalsh(centered), 0))
    vectors = np.linalg.eigh(centered)[1]
    cost = ((vectors * roots) @ vectors.T).diagonal().max()
    assert not base.matrix.sum(axis=0).any() and (base.matrix == base.matrix.T).all()
    assert base.cost * base.spread == pytest.approx(cost * roots.sum(), rel=0.05)


@pytest.mark.parametrize("gram", GRAMS)
def test_another_split_has_a_larger_sum_of_variances(gram) -> None:
    """Of the questions about all pairs, by dense matrices: at the same cost no other weights do better."""
    shape = (2, 3, 4)
    plan = Plan.of([gram(size) for size in shape])

    def total(weights: dict[tuple[int, ...], float]) -> float:
        cost = sum(w**2 * np.prod([plan.bases[a].cost for a in part], initial=1.0) for part, w in weights.items())
        grams = tuple((base.matrix.T @ base.matrix).astype(float) for base in plan.bases)
        union = TableUnion(grams, tuple(weights), np.array([w**2 for w in weights.values()]))
        found = 0.0
        for pair in list_tables(shape, 2):
            for part in (part for n in range(3) for part in combinations(pair, n)):
                each = [plan.bases[a].spread if a in part else plan.bases[a].lifted for a in pair]
                found += np.prod(each) / union.precision[part]
        return found * cost

    best = total(dict(plan.weights))
    for part in plan.weights:
        for factor in (0.9, 1.1):
            assert total({**plan.weights, part: plan.weights[part] * factor}) > best


def test_large_counts_are_exact() -> None:
    """Beyond what floats hold, sums are those of Python's integers."""
    tensor = Tensor.from_arrays((3, 2), [[0, 0], [2, 1]], [2**35 - 1, 2**35 - 3])
    found, _ = run_method(METHODS["residual-planner"](), tensor, noise=Silent())
    lower, upper = boxes_of((3, 2), 2)
    content = build_content(found, tensor.domain, tensor.measure)
    np.testing.assert_allclose(
        content.answers(lower.astype(float), upper.astype(float)), tensor.answer(lower, upper), atol=1
    )


@pytest.mark.parametrize(
    "term",
    [
        Product((0,), (np.full((1, 3), LENGTH_OF_WEIGHTS + 1),)),
        Product((0,), (np.full((1, 3), -(2**63)),)),
        Product((0,), (np.full((2, 3), LENGTH_OF_WEIGHTS),)),
        Product((0, 0), (np.ones((1, 3), int), np.ones((1, 3), int))),
        Product((0,), (np.ones((1, 2), int),)),
        Product((0,), (np.zeros((1, 3), int),)),
        Product((0,), (np.ones((1, 3)),)),
    ],
)
def test_parameters_that_would_cost_more_are_refused(term: Product) -> None:
    with pytest.raises(PrivacyError):
        next(signed_sum_steps(Blocks.whole((3, 2)), Products((term,))))


def test_domains_that_are_too_large_are_refused() -> None:
    for name, shape in (("two-way", (2000, 2000)), ("two-way", (2,) * 100), ("residual-planner", (9000, 2))):
        with pytest.raises(InputError, match=r"choose another method|fewer, wider bins"):
            METHODS[name]().check(PublicInputs(shape, Fraction(1)))
