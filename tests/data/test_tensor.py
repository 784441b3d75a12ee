"""Tensors from arrays: what goes in, what is refused, and exact answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ripost.data import tensor as tensor_module
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure


def test_cells_given_twice_are_added_up_and_zeros_left_out() -> None:
    tensor = Tensor.from_arrays((4, 3), [[3, 1], [0, 2], [3, 1], [1, 1], [0, 0]], [2, 5, 7, 0, 1])
    assert tensor.coords.tolist() == [[0, 0], [0, 2], [3, 1]]
    assert tensor.counts.tolist() == [1, 5, 9]
    assert (tensor.coords.dtype, tensor.counts.dtype) == (np.int32, np.int64)


@pytest.mark.parametrize("coords", [[], np.zeros((0, 2), int), np.zeros((0, 2))], ids=["list", "ints", "floats"])
def test_an_empty_tensor(coords: Any) -> None:
    tensor = Tensor.from_arrays((4, 3), coords, [])
    assert (tensor.coords.shape, tensor.counts.shape) == ((0, 2), (0,))
    assert tensor.answer([[0, 0]], [[4, 3]]).tolist() == [0]


def test_only_zeros_is_empty_too() -> None:
    assert len(Tensor.from_arrays((4,), [[1], [2]], [0, 0]).counts) == 0


@pytest.mark.parametrize("shape", [(4, 3), {"a": 4, "b": 3}, Domain.of((4, 3))], ids=["shape", "names", "domain"])
def test_a_domain_may_be_given_in_three_ways(shape: Any) -> None:
    assert Tensor.from_arrays(shape, [[3, 2]], [1]).domain.shape == (4, 3)


def test_counts_may_be_flags_or_unsigned() -> None:
    where = np.array([[0], [1]], np.uint8)
    assert Tensor.from_arrays((4,), where, np.array([True, False])).counts.tolist() == [1]
    assert Tensor.from_arrays((4,), where, np.array([1, 2], np.uint64)).counts.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("coords", "counts", "says"),
    [
        ([[0, 0, 0]], [1], r"coords must be \(n, 2\) and counts \(n,\)"),
        ([0, 0], [1, 1], r"coords must be \(n, 2\)"),
        ([[0, 0]], [1, 2], r"counts \(n,\)"),
        ([[0, 0]], [], r"counts \(n,\)"),
        ([], [1], r"counts \(n,\)"),
        ([[0, 0]], [[1]], r"counts \(n,\)"),
        ([[0.0, 0.0]], [1], "must be whole numbers"),
        ([[0, 0]], [1.5], "must be whole numbers"),
        ([[0, 0]], [float("nan")], "must be whole numbers"),
        ([["a", "b"]], [1], "must be whole numbers"),
        ([[4, 0]], [1], "coords must lie inside the domain"),
        ([[0, 3]], [1], "coords must lie inside the domain"),
        ([[-1, 0]], [1], "coords must lie inside the domain"),
        ([[2**40, 0]], [1], "coords must lie inside the domain"),
        ([[0, 0]], [-1], "counts must not be negative"),
        ([[0, 0], [1, 1]], [2**60, 2**60], r"counts must add up to less than 2\^61"),
        (np.array([[0, 0]]), np.array([2**63], np.uint64), r"counts must add up to less than 2\^61"),
    ],
)
def test_what_is_refused(coords: Any, counts: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Tensor.from_arrays((4, 3), coords, counts)


@pytest.mark.parametrize("shape", [(), (0,), (4, -1), (2**31 - 2,)], ids=str)
def test_shapes_that_cannot_be(shape: Any) -> None:
    with pytest.raises(InputError):
        Tensor.from_arrays(shape, [], [])


def test_printing_reveals_the_domain_only() -> None:
    tensor = Tensor.from_arrays((4, 3), [[3, 1]], [8191])
    assert repr(tensor) == str(tensor) == "Tensor(4 x 3, private)"


@pytest.mark.parametrize("chunk", [1, 50, 4_000_000])
def test_answers_are_those_of_a_plain_sum(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_module, "QUERY_CHUNK", chunk)
    rng = np.random.default_rng(1)
    dense = rng.poisson(0.7, (5, 6, 4))
    tensor = Tensor.from_arrays(dense.shape, np.argwhere(dense >= 0), dense.ravel())
    lower = np.stack([rng.integers(0, size, 40) for size in dense.shape], axis=1)
    upper = np.stack([rng.integers(0, size + 1, 40) for size in dense.shape], axis=1)
    found = tensor.answer(lower, upper)
    plain = [dense[tuple(map(slice, low, high))].sum() for low, high in zip(lower, upper, strict=True)]
    assert found.tolist() == plain
    assert tensor.answer(lower[0], upper[0]).tolist() == plain[:1]


def test_answers_are_in_the_unit_of_the_measure() -> None:
    cents = Tensor.from_arrays((4,), [[0], [2]], [150, 25], measure=Measure("price", step=0.01, bound=1000))
    assert cents.answer([[0]], [[4]]).tolist() == pytest.approx([1.75])


def test_large_sums_are_exact() -> None:
    tensor = Tensor.from_arrays((3,), [[0], [1]], [2**60, 1])
    assert tensor.answer([[0]], [[3]]).dtype == np.float64
    assert tensor.answer([[1]], [[2]]).tolist() == [1.0]
