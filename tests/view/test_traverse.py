"""Answers of many boxes equal the sum over all leaves, and their variances the quadratic form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.space.domain import Domain
from ripost.view import traverse
from tests.view.making import blocks_of, leaf_weights, make_view, random_boxes, seeds, shapes, sizes


@settings(max_examples=60, deadline=None)
@given(shapes, sizes, seeds, st.booleans(), st.booleans(), st.sampled_from([0.0, 0.6]))
def test_boxes_equal_the_sum_over_leaves(
    shape: tuple[int, ...], leaves: int, seed: int, marginals: bool, whole: bool, inner: float
) -> None:
    view = make_view(shape, leaves=leaves, seed=seed, marginals=marginals, inner=inner)
    lower, upper = random_boxes(shape, 8, np.random.default_rng(seed), whole=whole)
    answers, errors = view.answer(lower, upper), view.stderr(lower, upper)
    for box in range(8):
        weights = leaf_weights(view, lower[box], upper[box])
        assert answers[box] == pytest.approx(weights @ view.content.values, abs=1e-8)
        assert errors[box] ** 2 == pytest.approx(blocks_of(view).spread.of_weights(weights), rel=1e-8, abs=1e-12)
        selection = {axis: [(lower[box, axis], upper[box, axis])] for axis in range(len(shape))}
        asked = view.answer_selection(selection)
        assert (asked.value, asked.stderr) == pytest.approx((answers[box], errors[box]), abs=1e-8)


@pytest.mark.parametrize("marginals", [False, True])
def test_heavy_boxes_and_small_batches_change_nothing(monkeypatch: pytest.MonkeyPatch, marginals: bool) -> None:
    view = make_view((40, 40, 6), leaves=2000, inner=0.5, marginals=marginals)
    lower, upper = random_boxes((40, 40, 6), 60, np.random.default_rng(5), whole=False)
    answers, errors = view.answer(lower, upper), view.stderr(lower, upper)
    for name, value in (("HEAVY", 10**9), ("HEAVY", 1), ("MOST_PAIRS", 50), ("USUAL_PAIRS", 1)):
        with monkeypatch.context() as patch:
            patch.setattr(traverse, name, value)
            np.testing.assert_allclose(view.answer(lower, upper), answers, rtol=1e-9, atol=1e-7)
            np.testing.assert_allclose(view.stderr(lower, upper), errors, rtol=1e-9)


def test_the_whole_domain_and_nothing() -> None:
    view = make_view(inner=0.5, marginals=True)
    shape = view.domain.shape
    zero = [0] * len(shape)
    assert view.answer([zero], [shape]) == pytest.approx(view.total)
    assert view.stderr([zero], [shape])[0] ** 2 == pytest.approx(blocks_of(view).spread.posterior[0])
    assert view.answer([zero], [zero])[0] == 0
    assert view.stderr([zero], [zero])[0] == 0
    assert view.answer(np.zeros((0, len(shape))), np.zeros((0, len(shape)))).shape == (0,)


def test_no_volume_is_ever_computed() -> None:
    shape = (43,) * 35
    assert math.prod(shape) > 10**57
    view = make_view(shape, leaves=60, inner=0.5)
    lower, upper = random_boxes(shape, 4, np.random.default_rng(2), whole=False)
    for answer, low, high in zip(view.answer(lower, upper), lower, upper, strict=True):
        assert answer == pytest.approx(leaf_weights(view, low, high) @ view.content.values, abs=1e-8)
    assert view.answer([[0] * 35], [shape]) == pytest.approx(view.total)


def test_long_axes_need_no_array_of_their_length() -> None:
    view = make_view((2**31 - 3, 3), leaves=50)
    whole = view.answer([[0, 0]], [[2**31 - 3, 3]])
    halves = view.answer([[0, 0], [10**9, 0]], [[10**9, 3], [2**31 - 3, 3]])
    assert halves.sum() == pytest.approx(whole[0])


@pytest.mark.parametrize("shape", [(1,), (1, 1, 1), (5, 4)])
def test_one_block(shape: tuple[int, ...]) -> None:
    view = make_view(shape, leaves=1)
    assert len(view.blocks) == 1
    half = np.array([shape]) / 2
    assert view.answer(np.zeros((1, len(shape))), half)[0] == pytest.approx(view.total / 2 ** len(shape))


def test_parts_add_up() -> None:
    view = make_view(Domain.of((30, 30)), leaves=80, marginals=True)
    edges = np.linspace(0, 30, 8)
    lower = np.stack([edges[:-1], np.zeros(7)], axis=1)
    upper = np.stack([edges[1:], np.full(7, 30)], axis=1)
    assert view.answer(lower, upper).sum() == pytest.approx(view.total)
