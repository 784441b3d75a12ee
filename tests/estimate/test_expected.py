"""What marginals say of blocks: shares left of a cut, and cuts in the middle, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.estimate.expected import EVENNESS, EVENNESS_ELSE, LOOKS, Expected
from ripost.space.blocks import Blocks


def some_blocks(shape: tuple[int, ...], number: int, rng: np.random.Generator) -> Blocks:
    ends = np.sort(np.stack([rng.integers(0, size, (number, 2)) for size in shape], axis=1), axis=2)
    return Blocks(ends[:, :, 0], ends[:, :, 1] + 1)


@pytest.mark.parametrize("shape", [(9,), (7, 12), (5, 6, 20)])
def test_cuts_are_nearest_the_middle(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(4)
    density = [rng.gamma(0.4, size=size) + 1e-3 for size in shape]
    expected, blocks = Expected.of(density), some_blocks(shape, 40, rng)
    balance, cut = expected.cuts(blocks)
    even = EVENNESS.get(len(shape), EVENNESS_ELSE)
    for row in range(40):
        for axis, mass in enumerate(density):
            low, high = blocks.lower[row, axis], blocks.upper[row, axis]
            mixed = ((1 - even) * mass / mass.sum() + even / len(mass))[low:high]
            lesser = [min(mixed[:k].sum(), mixed[k:].sum()) / mixed.sum() for k in range(1, high - low)]
            if not lesser:
                assert balance[row, axis] == -1
                continue
            assert balance[row, axis] == pytest.approx(max(lesser))
            assert lesser[cut[row, axis] - low - 1] == pytest.approx(max(lesser))


def test_shares_left_of_cuts() -> None:
    rng = np.random.default_rng(5)
    density = [rng.random(8), rng.random(6)]
    blocks = Blocks(np.array([[1, 0], [2, 2], [0, 0]]), np.array([[7, 6], [5, 6], [8, 6]]))
    found = Expected.of(density).left(blocks, np.array([0, 1, -1]), np.array([4, 3, 0]))
    first = density[0][1:4].sum() / density[0][1:7].sum()
    second = density[1][2] / density[1][2:6].sum()
    assert found == pytest.approx([first, second, 0.5])


def test_pairs_ask_for_shares_between_0_and_1() -> None:
    rng = np.random.default_rng(6)
    shape = (4 * LOOKS, 5, 3)
    expected, blocks = Expected.of([rng.random(size) for size in shape]), some_blocks(shape, 20, rng)
    pairs = expected.pairs(blocks, expected.cuts(blocks)[1].clip(blocks.lower, blocks.upper))
    for shares in (pairs.left, *pairs.below):
        assert (shares >= 0).all() and (shares <= 1 + 1e-12).all()
    assert len(pairs.edges[0]) < LOOKS and pairs.edges[1].tolist() == [1, 2, 3, 4]
    assert pairs.partners == ((1, 2), (2, 0), (0, 1))


@pytest.mark.parametrize("size", range(2, 13))
def test_the_last_bits_of_the_marginals_change_no_cut(size: int) -> None:
    """Equal codes have two cuts equally near the middle if their number is odd; rounding must not choose."""
    rng = np.random.default_rng(size)
    blocks = some_blocks((size, size), 60, rng)
    first = Expected.of([np.full(size, 1 / 3)] * 2).cuts(blocks)[1]
    for _ in range(20):
        density = [(1 + rng.integers(-4, 5, size) * 2.0**-52) / 3 for _ in range(2)]
        np.testing.assert_array_equal(Expected.of(density).cuts(blocks)[1], first)
