"""Blocks and Cuts: boxes of cells, halved, and every way to halve them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ripost.space.blocks import Blocks
from ripost.space.cuts import Cuts

shapes = st.lists(st.integers(1, 5), min_size=1, max_size=4)


def cells(lower: NDArray[np.int64], upper: NDArray[np.int64]) -> set[tuple[int, ...]]:
    sides = [range(low, high) for low, high in zip(lower, upper, strict=True)]
    return {tuple(cell) for cell in np.stack(np.meshgrid(*sides, indexing="ij"), -1).reshape(-1, len(sides)).tolist()}


def test_blocks_know_their_sizes() -> None:
    blocks = Blocks(np.array([[0, 2], [1, 3]]), np.array([[4, 3], [2, 4]]))
    assert blocks.sizes.tolist() == [[4, 1], [1, 1]]
    assert blocks.is_cell.tolist() == [False, True]
    assert blocks.volumes() == [4, 1] and len(blocks) == 2
    assert blocks.take(np.array([1])).lower.tolist() == [[1, 3]]
    assert blocks.take(np.array([True, False])).upper.tolist() == [[4, 3]]


def test_a_volume_is_exact_however_large() -> None:
    assert Blocks.whole([10**9] * 7).volumes() == [10**63]


@given(shapes, st.data())
def test_halves_are_the_block(shape: list[int], data: st.DataObject) -> None:
    whole = Blocks.whole(shape)
    ways = [(axis, cut) for axis, size in enumerate(shape) for cut in range(1, size)]
    if not ways:
        assert whole.is_cell.all()
        return
    axis, cut = data.draw(st.sampled_from(ways))
    halves = whole.split(np.array([axis]), np.array([cut]))
    left, right = (cells(halves.lower[i], halves.upper[i]) for i in (0, 1))
    assert left | right == cells(whole.lower[0], whole.upper[0]) and not left & right
    assert halves.upper[0, axis] == cut == halves.lower[1, axis]


@pytest.mark.parametrize("cut", [0, 4, 5, -1])
def test_a_cut_outside_is_refused(cut: int) -> None:
    with pytest.raises(ValueError, match="inside its block"):
        Blocks.whole([4, 4]).split(np.array([1]), np.array([cut]))


@given(st.lists(st.lists(st.integers(1, 4), min_size=3, max_size=3), min_size=1, max_size=4))
def test_cuts_are_numbered_axis_by_axis(sizes: list[list[int]]) -> None:
    lower = np.arange(3 * len(sizes)).reshape(-1, 3)
    blocks = Blocks(lower, lower + np.array(sizes))
    cuts = Cuts.of(blocks)
    for block, size in enumerate(sizes):
        ways = [(axis, lower[block, axis] + cut) for axis, side in enumerate(size) for cut in range(1, side)]
        assert cuts.start[block + 1] - cuts.start[block] == len(ways)
        alone = Cuts.of(blocks.take(np.array([block])))
        found = [alone.locate(np.array([choice])) for choice in range(len(ways))]
        assert [(int(axis[0]), int(cut[0])) for axis, cut in found] == ways
    assert len(cuts) == sum(side - 1 for size in sizes for side in size)
