"""PrivTree: the tree is that of its plain recursion, tests are paid for once, and both ways to cut reach every cell."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.privtree import method as privtree
from ripost.peers.privtree.method import PrivTree
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import Measure
from tests.methods.silent import Silent, poisson, run
from tests.peers.boxes import Box, boxes


def plain(counts: np.ndarray, box: Box, epsilon: float, theta: int, *, turn: int | None, depth: int = 0) -> set[Box]:
    """Zhang, Xiao and Xie, Algorithm 2, without noise and with a whole bias, by recursion."""
    fanout = 2 if turn is not None else 2 ** max(1, sum(size > 1 for size in counts.shape))
    bias = math.ceil((2 * fanout - 1) / (fanout - 1) / (epsilon / 2) * math.log(fanout))
    seen = max(counts[tuple(slice(*side) for side in box)].sum() - depth * bias, theta - bias)
    if seen <= theta or all(high - low == 1 for low, high in box):
        return {box}
    chosen = range(len(box))
    if turn is not None:
        axes = [(turn + step) % len(box) for step in range(len(box))]
        axis = next(axis for axis in axes if box[axis][1] - box[axis][0] > 1)
        chosen, turn = range(axis, axis + 1), (axis + 1) % len(box)
    sides = []
    for axis, (low, high) in enumerate(box):
        middle = low + (high - low + 1) // 2
        sides.append([(low, middle), (middle, high)] if axis in chosen and high - low > 1 else [(low, high)])
    parts = [plain(counts, part, epsilon, theta, turn=turn, depth=depth + 1) for part in itertools.product(*sides)]
    return set().union(*parts)


@pytest.mark.parametrize("shape", [(1,), (37,), (12, 9), (5, 1, 8), (3, 4, 5, 2)], ids=str)
@pytest.mark.parametrize("fanout", ["2^d", "round-robin"])
@pytest.mark.parametrize("theta", [0, -30, 5])
def test_the_tree_is_that_of_the_plain_recursion(shape: tuple[int, ...], fanout: str, theta: int) -> None:
    rng = np.random.default_rng(4)
    counts = (rng.pareto(0.8, shape) * 3).astype(np.int64)
    tensor = Tensor.from_arrays(shape, np.argwhere(counts >= 0), counts.ravel())
    whole = tuple((0, size) for size in shape)
    for epsilon in (0.5, 4):
        found, _ = run("privtree", tensor, Fraction(str(epsilon)), noise=Silent(), fanout=fanout, theta=theta)
        assert boxes(found) == plain(counts, whole, epsilon, theta, turn=None if fanout == "2^d" else 0)


def test_tests_are_paid_for_once() -> None:
    _, account = run("privtree", poisson((64, 64), 20), 2, tests=0.3)
    tests, leaves = account.ledger.entries
    assert (tests.purpose, tests.epsilon, tests.blocks) == ("tests", Fraction(3, 5), 1)
    assert (leaves.purpose, leaves.epsilon, leaves.blocks) == ("leaves", Fraction(7, 5), account.ledger.blocks)
    assert leaves.blocks > 64
    assert tests.scale == pytest.approx(7 / 3 / 0.6)


def test_one_cell_gets_all_of_epsilon() -> None:
    _, account = run("privtree", poisson((1, 1)))
    (leaves,) = account.ledger.entries
    assert leaves.epsilon == 1


def test_axes_of_length_one_do_not_count() -> None:
    _, account = run("privtree", poisson((1, 8, 1)))
    assert account.ledger.entries[0].scale == pytest.approx(6)  # a fan-out of 2


def test_an_empty_domain_stays_whole_or_nearly() -> None:
    """A block at the floor has on average at most half a part that passes, so trees are small."""
    sizes = [
        len(run("privtree", Tensor.from_arrays((1024, 1024), [], []), noise=SeededNoise(seed))[0].values)
        for seed in range(20)
    ]
    assert np.mean(sizes) < 30


def test_growth_ends_at_the_most_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(privtree, "MOST_BLOCKS", 100)
    found, _ = run("privtree", poisson((64, 64), 10**6))
    assert len(found.values) == 64
    monkeypatch.undo()
    assert privtree.MOST_BLOCKS > 10**6


def test_a_huge_domain_is_cut_in_turn() -> None:
    shape = (100,) * 28 + (10,)
    where = np.zeros((1, len(shape)), int)
    found, account = run("privtree", Tensor.from_arrays(shape, where, [10**4]), fanout="round-robin")
    assert sum(found.tree.boxes.take(found.tree.leaves).volumes()) == 10**57
    assert account.ledger.spent == 1
    assert len(found.values) > 28
    with pytest.raises(InputError, match=r"needs 2\^29 parts of a block and stops at 2\^12; choose another method or"):
        run("privtree", Tensor.from_arrays(shape, where, [10**4]))


def test_rows_of_many_steps_have_noise_and_bias_of_that_size() -> None:
    money = Measure("price", step=0.5, bound=200)
    tensor = Tensor.from_arrays((64,), np.arange(64)[:, None], np.full(64, 1000), measure=money)
    _, account = run("privtree", tensor)
    assert [entry.scale for entry in account.ledger.entries] == [pytest.approx(1200), pytest.approx(400)]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"fanout": "4"}, "fanout must be '2\\^d' or 'round-robin', got '4'"),
        ({"theta": 0.5}, "theta must be a whole number"),
        ({"theta": True}, "theta must be a whole number"),
        ({"theta": 2**60}, "theta must be a whole number"),
        ({"tests": 1}, "tests must lie strictly between 0 and 1"),
    ],
    ids=str,
)
def test_bad_options(options: dict[str, Any], match: str) -> None:
    with pytest.raises(InputError, match=match):
        METHODS["privtree"].configure(options)


def test_parameters_are_stated() -> None:
    assert PrivTree().parameters() == {"fanout": "2^d", "theta": 0, "tests": 0.5}
