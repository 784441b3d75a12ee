"""DAWA: its buckets follow the data, its budgets the workload."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.estimate.least_squares import TreeCovariance
from ripost.methods import METHODS
from ripost.methods.method import Buckets
from ripost.privacy.account import Account
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import Measure
from ripost.space.space_filling_curve import order_cells
from ripost.space.workload import Workload
from tests.methods.silent import Silent, poisson, run


def dense(found: Buckets) -> np.ndarray:
    return (found.values / np.bincount(found.bucket))[found.bucket]


def steps(shape: tuple[int, ...]) -> np.ndarray:
    """Three even plateaus along the order."""
    place = np.argsort(np.argsort(order_cells(shape, "auto")))
    return np.select([place < len(place) // 2, place < 3 * len(place) // 4], [0, 7], 300)


@pytest.mark.parametrize("shape", [(64,), (8, 8), (4, 4, 4)], ids=str)
def test_without_noise_even_runs_become_buckets(shape: tuple[int, ...]) -> None:
    counts = steps(shape)
    tensor = Tensor.from_arrays(shape, np.argwhere(np.ones(shape)), counts)
    for price, buckets in ((0, 3), (4, 4)):  # one piece cut evenly into four is cheaper than three pieces
        found, _ = run("dawa", tensor, 1, noise=Silent(), price=price)
        assert len(found.values) == buckets
        np.testing.assert_allclose(dense(found), counts)


def test_buckets_are_runs_of_the_order() -> None:
    for order in ("hilbert", "z", "row-major"):
        found, _ = run("dawa", poisson((9, 12), 5.0), 5, order=order)
        along = found.bucket[np.argsort(order_cells((9, 12), order))]
        assert (np.diff(along) >= 0).all()
        assert set(along.tolist()) == set(range(len(found.values)))


def test_an_empty_domain_is_few_buckets() -> None:
    """Noise alone does not cut it up: prices see to that."""
    empty = Tensor.from_arrays((64, 64), [], [])
    for seed in range(5):
        buckets, cheap = (
            len(run("dawa", empty, Fraction(1, 10), noise=SeededNoise(seed), price=price)[0].values) for price in (4, 3)
        )
        assert buckets < 100 < 200 < cheap


def test_dearer_pieces_are_fewer_where_hardly_anything_is() -> None:
    tensor = Tensor.from_arrays((32, 32), [[3, 4]], [5])
    numbers = [len(run("dawa", tensor, 1, price=price)[0].values) for price in (0, 1, 2, 3, 4)]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 2 * numbers[-1]


def test_no_bucket_is_negative() -> None:
    found, _ = run("dawa", poisson((32, 32), 0.1), Fraction(1, 10), price=0)
    assert (found.values >= 0).all() and (found.values == 0).any()


def test_the_workload_moves_the_budget() -> None:
    """Questions about everything want the root; questions about cells want the leaves."""
    tensor, shape = poisson((16, 16), 50.0), (16, 16)
    spent = []
    cells = np.argwhere(np.ones(shape))
    for boxes in (([[0, 0]], [[16, 16]]), (cells, cells + 1)):
        method = METHODS["dawa"](price=0).tuned_to(Workload.of(tuple(map(np.array, boxes)), shape))
        account = Account(MemoryBlockData.of(tensor), shape=shape, epsilon=Fraction(1), noise=SeededNoise(3))
        found = method.run(account)
        assert account.ledger.spent == 1
        share = {entry.purpose: entry.epsilon for entry in account.ledger.entries}
        spent.append(share.get("buckets, depth 0", 0))
        assert np.isfinite(found.values).all()
    assert spent[0] > Fraction(1, 2) > Fraction(1, 10) > spent[1]


def test_a_workload_helps_its_own_questions() -> None:
    tensor, shape = poisson((16, 16), 50.0), (16, 16)
    whole = Workload.of((np.array([[0, 0]]), np.array([[16, 16]])), shape)
    errors = np.zeros((2, 30))
    for seed in range(30):
        for row, method in enumerate((METHODS["dawa"](price=0), METHODS["dawa"](price=0).tuned_to(whole))):
            account = Account(MemoryBlockData.of(tensor), shape=shape, epsilon=Fraction(1, 10), noise=SeededNoise(seed))
            errors[row, seed] = method.run(account).values.sum() - tensor.counts.sum()
    assert (errors[1] ** 2).mean() < (errors[0] ** 2).mean()


def test_values_agree_with_their_variances() -> None:
    """The total's error, over many seeds, has the variance that the tree states; a false alarm is rare, and seeded."""
    tensor, ratio = poisson((8, 8), 20.0), []
    for seed in range(300):
        found, _ = run("dawa", tensor, 1, noise=SeededNoise(seed))
        variance = TreeCovariance.of(found.tree, found.variances).root
        ratio.append((found.values.sum() - tensor.counts.sum()) ** 2 / variance)
    assert 0.6 < np.mean(ratio) < 1.5


def test_too_much_is_refused_before_anything_is_spent() -> None:
    with pytest.raises(InputError, match="dawa weighs runs of 4,194,304 cells and stops at 2,097,152"):
        run("dawa", Tensor.from_arrays((2**11, 2**11), [[0, 0]], [1]))
    money = Measure("price", step=1, bound=10**15)
    with pytest.raises(InputError, match="dawa cannot add up noise this large"):
        run("dawa", Tensor.from_arrays((64,), [[0]], [1], measure=money), Fraction(1, 10**6))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"share": 1}, "share must lie strictly between 0 and 1"),
        ({"order": "peano"}, "order must be one of"),
        ({"price": -1}, "price must be a number from 0 to 100"),
        ({"price": True}, "price must be a number from 0 to 100"),
    ],
)
def test_bad_options_are_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        METHODS["dawa"](**options)


def test_hilbert_needs_two_dimensions() -> None:
    with pytest.raises(InputError, match="this domain has 3"):
        run("dawa", poisson((3, 3, 3)), order="hilbert")
