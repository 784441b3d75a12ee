"""The exam for methods that return synthetic rows, and the tools with which they draw them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ripost
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.method import Sample
from ripost.peers.consistent_marginals import onto_total
from ripost.peers.synthetic_rows import MOST_ROWS, count_rows, draw_columns, number_of_rows, spread_rows
from ripost.privacy.account import Account
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import Measure
from ripost.space.query_parameters import Grid
from tests.methods.shapes import SHAPES
from tests.methods.silent import poisson, run
from tests.privacy.agreement import agrees

every_method = pytest.mark.parametrize("name", ["privbayes", "privsyn", "p3gm"])


def sampled(name: str, *asked: Any, **options: Any) -> tuple[Sample, Account]:
    found, account = run(name, *asked, **options)
    assert isinstance(found, Sample)
    return found, account


@every_method
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_rows_lie_in_the_domain_and_cells_are_distinct(name: str, shape: tuple[int, ...]) -> None:
    found, account = sampled(name, poisson(shape))
    assert found.coords.shape == (len(found.weights), len(shape))
    assert ((found.coords >= 0) & (found.coords < np.array(shape))).all()
    assert len(np.unique(found.coords, axis=0)) == len(found.coords)
    assert (found.weights > 0).all()
    assert np.isfinite(found.weights).all()
    assert account.ledger.blocks == found.blocks


@every_method
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_empty_tensor_is_published_like_any_other(name: str, shape: tuple[int, ...]) -> None:
    found, account = sampled(name, Tensor.from_arrays(shape, [], []), 20)
    assert account.ledger.spent <= account.epsilon
    assert found.weights.sum() < 400  # noise of scale 20 at most: a false alarm in 10^8


@every_method
def test_the_number_of_rows_is_kept(name: str) -> None:
    tensor = poisson((30, 8), rate=20)
    for seed in range(3):
        found, _ = sampled(name, tensor, 20, noise=SeededNoise(seed))
        assert abs(found.weights.sum() - tensor.counts.sum()) < 400


@every_method
def test_much_epsilon_gives_the_table_back(name: str) -> None:
    """Two axes that say the same: the sample does too."""
    same = np.stack([np.arange(6), np.arange(6)], axis=1)
    tensor = Tensor.from_arrays((6, 6), same, np.full(6, 10**4))
    found, _ = sampled(name, tensor, 100)
    on = found.coords[:, 0] == found.coords[:, 1]
    assert found.weights[on].sum() > 0.95 * found.weights.sum()


@every_method
def test_sums_are_published_like_counts(name: str) -> None:
    money = Measure("price", step=0.5, bound=200)
    rng = np.random.default_rng(2)
    tensor = Tensor.from_arrays((20, 5), np.argwhere(np.ones((20, 5))), rng.integers(0, 2000, 100), measure=money)
    found, account = sampled(name, tensor, 20)
    assert account.ledger.spent <= account.epsilon
    assert abs(found.weights.sum() / tensor.counts.sum() - 1) < 0.05
    assert {entry.sensitivity % 200 for entry in account.ledger.entries} == {0}


@every_method
def test_many_rows_become_fewer_synthetic_rows(name: str) -> None:
    tensor = Tensor.from_arrays((2, 2), [[0, 1], [1, 0]], [2**59, 2**58])
    found, _ = sampled(name, tensor)
    assert found.weights.sum() == pytest.approx(2**59 + 2**58, rel=1e-6)
    if name != "p3gm":  # trained on no more than 2^24 records of a cell
        assert found.weights[0] == pytest.approx(2**59, rel=0.01)


@every_method
@pytest.mark.parametrize("epsilon", [1000, 720, Fraction(1, 10**6)])
def test_any_epsilon_gives_finite_answers(name: str, epsilon: Fraction) -> None:
    found, account = sampled(name, poisson((5, 4)), epsilon)
    assert np.isfinite(found.weights).all()
    assert account.ledger.spent <= account.epsilon


@every_method
def test_many_axes(name: str) -> None:
    shape = (100,) * 28 + (10,)
    rng = np.random.default_rng(5)
    where = np.stack([rng.integers(0, size, 300) for size in shape], axis=1)
    found, account = sampled(name, Tensor.from_arrays(shape, where, np.ones(300, int)))
    assert account.ledger.spent <= account.epsilon
    assert found.coords.shape[1] == 29


@every_method
def test_what_it_reads(name: str) -> None:
    assert not METHODS[name]().reads_cells
    assert METHODS[name].configure({"reads": "cells"}).reads_cells
    with pytest.raises(InputError, match="reads must be 'records' or 'cells', got 'rows'"):
        METHODS[name].configure({"reads": "rows"})


@every_method
def test_cells_are_read_through_publish(name: str, tmp_path: Path) -> None:
    """A hundred cells with a thousand rows each count as a hundred."""
    tensor = Tensor.from_arrays((10, 10), np.argwhere(np.ones((10, 10))), np.full(100, 1000))
    whole = [[0, 0]], [[10, 10]]
    for reads, total in {"records": 100_000, "cells": 100}.items():
        view = ripost.publish(tensor, epsilon=100, method=name, seed=1, reads=reads)
        assert abs(view.answer(*whole)[0] - total) < 50
        assert view.parameters["reads"] == reads
        assert view.measure.title == {"records": "COUNT(*)", "cells": "COUNT(non-empty cells)"}[reads]
        view.save(tmp_path / f"{reads}.ripost.parquet")
        assert ripost.open(tmp_path / f"{reads}.ripost.parquet").measure == view.measure


def test_occupied_cells_count_once_whatever_they_hold() -> None:
    money = Measure("price", step=0.5, bound=200)
    tensor = Tensor.from_arrays((3, 2), [[0, 0], [2, 1]], [7, 150], measure=money)
    occupied = tensor.occupied()
    assert occupied.counts.tolist() == [1, 1]
    assert occupied.coords.tolist() == tensor.coords.tolist()
    assert occupied.measure.bound == 1


def test_one_row_changes_one_occupied_cell_by_one_at_most() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        dense = rng.integers(0, 3, (3, 3))
        more = dense.copy()
        more[tuple(rng.integers(0, 3, 2))] += rng.integers(0, 5)
        cells = [np.argwhere(one >= 0) for one in (dense, more)]
        found = [
            Tensor.from_arrays((3, 3), c, one.ravel()).occupied() for c, one in zip(cells, (dense, more), strict=True)
        ]
        tables = np.zeros((2, 3, 3), int)
        for table, tensor in zip(tables, found, strict=True):
            table[tuple(tensor.coords.T)] = tensor.counts
        assert np.abs(tables[0] - tables[1]).sum() <= 1


def test_rows_are_drawn_as_likely_as_their_table_says() -> None:
    """A false alarm once in a million, and seeded."""
    tables = np.array([[1.0, 0.0, 3.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 5.0, 5.0, 0.0]])
    which = np.repeat([0, 1, 2], 3000)
    found = draw_columns(SeededNoise(1), tables, which)
    shares = [tables[0] / 4, tables.sum(axis=0) / 14, tables[2] / 10]
    for row, share in enumerate(shares):
        counts = np.bincount(found[which == row], minlength=4)
        assert agrees(counts, share)
    assert (draw_columns(SeededNoise(1), np.zeros((1, 3)), np.zeros(300, np.int64)).max()) == 2


def test_a_column_without_mass_is_never_drawn() -> None:
    class Edge(SeededNoise):
        def uniforms(self, number: int) -> np.ndarray:
            return np.full(number, np.nextafter(1, 0))

    many = np.zeros((2**18, 3))
    many[:, 1] = 1.0
    assert (draw_columns(Edge(0), many, np.arange(len(many))) == 1).all()


@pytest.mark.parametrize(("size", "bins"), [(10, 3), (74, 16), (5, 5), (7, 1)])
def test_codes_are_spread_over_their_bin(size: int, bins: int) -> None:
    bin_numbers = np.repeat(np.arange(bins), 400)
    codes = spread_rows(SeededNoise(2), bin_numbers, size, bins)
    np.testing.assert_array_equal(Grid((0,), (size,), (bins,)).part(codes[None]), bin_numbers)
    assert set(codes.tolist()) == set(range(size))


def test_equal_rows_become_one_cell() -> None:
    found = count_rows(np.array([[1, 2], [0, 5], [1, 2]]), 2.0)
    assert found.coords.tolist() == [[0, 5], [1, 2]]
    assert found.weights.tolist() == [2.0, 4.0]
    rows = np.random.default_rng(1).integers(0, 3, (500, 4))
    far = np.concatenate([rows, 10**6 * np.ones((500, 12), np.int64)], axis=1)  # more cells than fit one number
    assert count_rows(far, 1.0).coords[:, :4].tolist() == count_rows(rows, 1.0).coords.tolist()
    assert count_rows(far, 1.0).weights.tolist() == count_rows(rows, 1.0).weights.tolist()
    assert count_rows(np.zeros((0, 3), np.int64), 1.0).coords.shape == (0, 3)


def test_synthetic_rows_stand_for_several_where_there_are_too_many() -> None:
    assert number_of_rows(-3.0) == (0, 1.0)
    assert number_of_rows(10.4) == (10, 1.0)
    assert number_of_rows(2.0 * MOST_ROWS) == (MOST_ROWS, 2.0)


def test_the_nearest_table_with_a_total() -> None:
    """What is taken is found by halving, in place of sorting."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        values, total = rng.normal(3, 10, rng.integers(1, 30)), float(rng.uniform(0.1, 100))
        low, high = values.min() - total - 1, values.max()
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if np.maximum(values - middle, 0).sum() > total else (low, middle)
        np.testing.assert_allclose(onto_total(values, total), np.maximum(values - high, 0), atol=1e-6)
    assert onto_total(np.array([5.0, -1.0]), -2.0).tolist() == [0.0, 0.0]
