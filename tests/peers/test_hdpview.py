"""HDPView: the tree is that of its plain recursion, and no path makes more cuts than it paid for."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.hdpview import method as hdpview
from ripost.peers.hdpview.method import HDPView
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import Measure
from tests.methods.silent import Silent, poisson, run
from tests.peers.boxes import Box, boxes


def deviation(cells: np.ndarray) -> int:
    """floor(AE) in exact fractions."""
    mean = Fraction(int(cells.sum()), cells.size)
    return math.floor(sum(abs(value - mean) for value in cells.ravel().tolist()))


def halves_of(box: Box, axis: int, cut: int) -> tuple[Box, Box]:
    low, high = box[axis]
    return (*box[:axis], (low, cut), *box[axis + 1 :]), (*box[:axis], (cut, high), *box[axis + 1 :])


def plain(counts: np.ndarray, box: Box, epsilon: Fraction, kappa: int, depth: int = 0) -> set[Box]:
    """Kato et al., Algorithm 1, without noise: the first of the best cuts; in the middle once they are used up."""

    def inside(part: Box) -> np.ndarray:
        found: np.ndarray = counts[tuple(slice(*side) for side in part)]
        return found

    ways = [halves_of(box, axis, cut) for axis, (low, high) in enumerate(box) for cut in range(low + 1, high)]
    if depth < kappa:
        halves = max(ways, key=lambda way: -deviation(inside(way[0])) - deviation(inside(way[1])))
    else:  # Silent draws half of the bound
        wide = [axis for axis, (low, high) in enumerate(box) if high - low > 1]
        axis = wide[len(wide) // 2]
        low, high = box[axis]
        halves = halves_of(box, axis, low + 1 + (high - low - 1) // 2)
    scale = (2.2 / 0.6 + 1) * 2 / float(epsilon * Fraction(81, 100))
    bias, theta = math.ceil(scale * math.log(1.6)), round(10 / epsilon)
    leaves: set[Box] = set()
    for half in halves:
        seen = max(deviation(inside(half)) - (depth + 1) * bias, theta + 1 - bias)
        if inside(half).size == 1 or seen <= theta:
            leaves.add(half)
        else:
            leaves |= plain(counts, half, epsilon, kappa, depth + 1)
    return leaves


@pytest.mark.parametrize("shape", [(3,), (37,), (12, 9), (5, 1, 8), (3, 4, 5, 2)], ids=str)
@pytest.mark.parametrize("beta", [1.2, 0.5])
def test_the_tree_is_that_of_the_plain_recursion(shape: tuple[int, ...], beta: float) -> None:
    rng = np.random.default_rng(6)
    counts = (rng.pareto(0.8, shape) * 30).astype(np.int64)
    tensor = Tensor.from_arrays(shape, np.argwhere(counts >= 0), counts.ravel())
    kappa = math.ceil(beta * math.log2(counts.size))
    for epsilon in (Fraction(1, 2), Fraction(4)):
        found, _ = run("hdpview", tensor, epsilon, noise=Silent(), beta=beta)
        assert boxes(found) == plain(counts, tuple((0, size) for size in shape), epsilon, kappa)


def test_a_path_makes_as_many_cuts_as_it_pays_for() -> None:
    """One cell with very much in it: its path goes on after the last cut that was paid for."""
    tensor = Tensor.from_arrays((64, 64), [[20, 30]], [10**6])
    for beyond in ("random", "stop"):
        found, account = run("hdpview", tensor, noise=SeededNoise(1), beta=0.25, beyond=beyond)
        cuts = [entry for entry in account.ledger.entries if entry.purpose.startswith("cuts")]
        assert [entry.purpose for entry in cuts] == [f"cuts, depth {depth}" for depth in (1, 2, 3)]
        assert sum(entry.epsilon for entry in cuts) == Fraction(9, 100)
        assert (found.tree.depth.max() == 3) == (beyond == "stop")
        assert account.ledger.spent == 1


def test_tests_are_paid_for_once() -> None:
    _, account = run("hdpview", poisson((30, 30), 50))
    (tests,) = [entry for entry in account.ledger.entries if entry.purpose == "tests"]
    assert (tests.epsilon, tests.blocks, tests.sensitivity) == (Fraction(81, 100), 1, 2)
    assert tests.scale == pytest.approx((2.2 / 0.6 + 1) * 2 / 0.81)


def test_what_a_path_did_not_spend_goes_to_its_leaf() -> None:
    tensor = poisson((20, 20), 50)
    plain, _ = run("hdpview", tensor)
    found, account = run("hdpview", tensor, reuse_unspent=True)
    assert account.ledger.spent == 1
    before, after = (release.variances[release.tree.leaves] for release in (plain, found))
    assert len(set(before)) == 1 < len(set(after))
    assert after.max() <= before.max() < 4 * after.min()


@pytest.mark.parametrize("shape", [(1,), (2,), (1, 2, 1)], ids=str)
def test_what_cannot_be_tested_gets_all_of_epsilon(shape: tuple[int, ...]) -> None:
    found, account = run("hdpview", poisson(shape))
    (leaves,) = account.ledger.entries
    assert leaves.epsilon == 1
    assert len(found.values) == math.prod(shape)


def test_growth_ends_at_the_most_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hdpview, "MOST_BLOCKS", 50)
    found, _ = run("hdpview", poisson((64, 64), 10**6), theta=-(10**9))
    assert 25 < len(found.values) <= 50


@pytest.mark.parametrize("name", ["hdpview", "ripost"])
def test_too_many_cuts_are_refused_before_anything_is_spent(name: str) -> None:
    wide = Tensor.from_arrays((2**23 + 2,), [[5]], [1])
    with pytest.raises(InputError, match=f"{name} weighs each of 8,388,609 cuts of the domain and stops at 8,388,608"):
        run(name, wide)


def test_rows_of_many_steps_have_a_threshold_of_that_size() -> None:
    money = Measure("price", step=0.5, bound=200)
    tensor = Tensor.from_arrays((64,), np.arange(64)[:, None], np.full(64, 1000), measure=money)
    _, account = run("hdpview", tensor)
    assert account.ledger.entries[0].scale == pytest.approx((2.2 / 0.6 + 1) * 400 / 0.81)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"ratio": 0}, "ratio must lie strictly"),
        ({"gamma": "x"}, "gamma must be a number"),
        ({"alpha": 1}, "alpha must be a number from 1.01 to 1000, got 1"),
        ({"beta": True}, "beta must be a number"),
        ({"theta": 1.5}, "theta must be a whole number"),
        ({"beyond": "on"}, "beyond must be 'random' or 'stop'"),
        ({"tight": 1}, "tight must be true or false"),
    ],
    ids=str,
)
def test_bad_options(options: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        METHODS["hdpview"].configure(options)


def test_published_parameters_are_the_defaults() -> None:
    parameters = HDPView().parameters()
    assert [parameters[name] for name in ("ratio", "alpha", "beta", "gamma")] == [0.9, 1.6, 1.2, 0.9]
