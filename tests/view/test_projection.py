"""Boxes that bound few axes get the same answers from a projection as from the tree."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.view.projection import MANY, by_axes

from .making import Array, blocks_of, make_view

SHAPE = (9, 7, 5, 4)


def boxes(rng: np.random.Generator, axes: list[int], number: int) -> tuple[Array, Array]:
    """Boxes that bound these axes, some of them inside codes."""
    lower, upper = np.zeros((number, 4)), np.tile(np.array(SHAPE, float), (number, 1))
    for axis in axes:
        ends = np.sort(rng.uniform(0, SHAPE[axis], (number, 2)), axis=1)
        ends = np.where(rng.random((number, 1)) < 0.5, np.round(ends), ends)
        lower[:, axis], upper[:, axis] = ends.T
        lower[:, axis] = np.maximum(lower[:, axis], 0.25)  # never the whole axis
    return lower, np.maximum(upper, lower)


@pytest.mark.parametrize("axes", [[0], [3], [1, 2], [0, 3], [0, 1, 3]], ids=str)
@pytest.mark.parametrize("marginals", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_same_as_the_tree(axes: list[int], marginals: bool, seed: int) -> None:
    view = make_view(SHAPE, leaves=400, seed=seed, marginals=marginals)
    lower, upper = boxes(np.random.default_rng(seed), axes, 3 * MANY)
    found = blocks_of(view).projections.totals(lower, upper, axes)
    expected = blocks_of(view).traverse.totals(lower, upper, blocks_of(view).totals)
    if len(axes) < 3:
        assert found is not None
    if found is not None:
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(view.answer(lower, upper), expected, rtol=1e-9, atol=1e-9)


def test_mass_that_is_zero_on_a_stretch_is_taken_as_even() -> None:
    view = make_view((6, 4, 3), leaves=60, density=[[0, 0, 0, 0, 1, 1], [1] * 4, [1] * 3])
    lower, upper = np.zeros((MANY, 3)), np.tile([6.0, 4.0, 3.0], (MANY, 1))
    upper[:, 0] = np.linspace(0.2, 5.8, MANY)
    found = blocks_of(view).projections.totals(lower, upper, [0])
    assert found is not None
    np.testing.assert_allclose(found, blocks_of(view).traverse.totals(lower, upper, blocks_of(view).totals), atol=1e-9)


def test_where_it_does_not_pay_it_says_so() -> None:
    view = make_view(SHAPE, leaves=40)
    lower, upper = boxes(np.random.default_rng(0), [0, 1, 2], MANY)
    assert blocks_of(view).projections.totals(lower[:3], upper[:3], [0, 1, 2]) is None
    assert blocks_of(view).projections.totals(lower, upper, []) is None
    assert blocks_of(view).projections.totals(lower, upper, [0, 1, 2, 3]) is None


def test_boxes_are_sorted_by_what_they_bound() -> None:
    lower, upper = np.zeros((3, 2)), np.array([[4.0, 5.0], [2.0, 5.0], [2.0, 5.0]])
    assert [(axes, rows.tolist()) for axes, rows in by_axes(lower, upper, (4, 5))] == [([], [0]), ([0], [1, 2])]
