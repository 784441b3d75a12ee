"""Curves pass every cell once, and runs of them are boxes."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest

from ripost.errors import InputError
from ripost.space.space_filling_curve import CellOrder, order_cells

SHAPES = [(1,), (7,), (8, 8), (5, 7), (16, 3), (1, 4, 6), (3, 4, 5), (2, 3, 1, 4)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("order", get_args(CellOrder))
def test_every_cell_has_a_place_of_its_own(shape: tuple[int, ...], order: CellOrder) -> None:
    if order == "hilbert" and sum(size > 1 for size in shape) != 2:
        with pytest.raises(InputError, match="the order hilbert is for two dimensions"):
            order_cells(shape, order)
        return
    found = order_cells(shape, order)
    assert len(set(found.tolist())) == len(found) == math.prod(shape)
    assert found.min() >= 0


@pytest.mark.parametrize("side", [1, 2, 4, 16])
def test_hilbert_goes_from_a_cell_to_its_neighbor(side: int) -> None:
    order = np.argsort(order_cells((side, side), "hilbert" if side > 1 else "auto"))
    steps = np.abs(np.diff(np.array(np.unravel_index(order, (side, side))), axis=1)).sum(axis=0)
    assert (steps == 1).all()


def test_hilbert_leaves_out_what_is_not_in_the_domain() -> None:
    """The order of a part of the square is that of the square."""
    square, part = order_cells((8, 8), "hilbert").reshape(8, 8), order_cells((5, 8), "hilbert").reshape(5, 8)
    np.testing.assert_array_equal(part, square[:5])


@pytest.mark.parametrize("order", ["hilbert", "z", "row-major"])
@pytest.mark.parametrize("shape", [(5, 7), (8, 3)], ids=str)
def test_aligned_runs_are_boxes(order: str, shape: tuple[int, ...]) -> None:
    place = order_cells(shape, order)
    for bits in range(8):
        for start in np.unique(place >> bits):
            inside = np.array(np.unravel_index(np.flatnonzero(place >> bits == start), shape))
            assert np.prod(np.ptp(inside, axis=1) + 1) == inside.shape[1]


def test_z_takes_bits_in_turn() -> None:
    assert order_cells((4, 4), "z").reshape(4, 4)[:2].tolist() == [[0, 1, 4, 5], [2, 3, 6, 7]]
    assert order_cells((3, 3), "row-major").tolist() == [0, 1, 2, 4, 5, 6, 8, 9, 10]
