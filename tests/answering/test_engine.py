"""Answers of many boxes equal the sum over all blocks, and their variances the quadratic form, however found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.answering import engine, tree_index
from ripost.answering.axis_index import AxisIndex
from ripost.answering.query_batch import IntervalLists, QueryBatch
from ripost.schema.domain import Domain
from tests.answering.making import blocks_of, leaf_weights, make_view, random_boxes, seeds, shapes, sizes


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
        assert errors[box] ** 2 == pytest.approx(blocks_of(view).covariance.of_weights(weights), rel=1e-8, abs=1e-12)
        selection = {axis: [(lower[box, axis], upper[box, axis])] for axis in range(len(shape))}
        asked = view.answer_selection(selection)
        assert (asked.value, asked.stderr) == pytest.approx((answers[box], errors[box]), abs=1e-8)


@pytest.mark.parametrize("marginals", [False, True])
def test_heavy_boxes_and_small_batches_change_nothing(monkeypatch: pytest.MonkeyPatch, marginals: bool) -> None:
    view = make_view((40, 40, 6), leaves=2000, inner=0.5, marginals=marginals)
    lower, upper = random_boxes((40, 40, 6), 60, np.random.default_rng(5), whole=False)
    answers, errors = view.answer(lower, upper), view.stderr(lower, upper)
    for follow in (0.0, 1e18):  # all boxes through the tree; none
        for name, value in (("BOXES", 7), ("FEW", 1), ("AT_ONCE", 50), ("MOST_SHARES", 3000), ("VISITS", 500)):
            with monkeypatch.context() as patch:
                patch.setattr(engine, "FOLLOWED", follow)
                patch.setattr(tree_index, "MOST_VISITS", 400)
                patch.setattr(engine, name, value)
                np.testing.assert_allclose(view.answer(lower, upper), answers, rtol=1e-9, atol=1e-7)
                np.testing.assert_allclose(view.stderr(lower, upper), errors, rtol=1e-9)


@settings(max_examples=40, deadline=None)
@given(shapes, sizes, seeds)
def test_both_ways_find_the_same_intervals(shape: tuple[int, ...], leaves: int, seed: int) -> None:
    """Clumps are the same whether a block counts by itself or as part of a node that is not cut further."""
    content = blocks_of(make_view(shape, leaves=leaves, seed=seed, marginals=seed % 2 == 0, inner=0.3))
    lower, upper = random_boxes(shape, 8, np.random.default_rng(seed), whole=seed % 3 == 0)
    asked, found = QueryBatch.of_boxes(lower, upper, shape), []
    for follow in (0.0, 1e18):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(engine, "FOLLOWED", follow)
            found.append(content.answer_batch(asked))
    for name in ("value", "stderr", "low", "high"):
        one, other = (getattr(answers, name) for answers in found)
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-7)


@settings(max_examples=40, deadline=None)
@given(shapes, sizes, seeds, st.data())
def test_nodes_of_some_axes_stand_for_all_blocks(
    shape: tuple[int, ...], leaves: int, seed: int, data: st.DataObject
) -> None:
    """Every block is below exactly one of them, and lies on the same interval of these axes."""
    content = blocks_of(make_view(shape, leaves=leaves, seed=seed))
    axes = data.draw(st.lists(st.integers(0, len(shape) - 1), unique=True))
    index, place = content.index, {}
    rows = set(index.rows(axes).tolist())
    for row in range(len(index.node)):  # parents come first
        own = [row] if row in rows else []
        place[row] = own + (place[int(index.parent[row])] if row else [])
        if index.tree.is_leaf[index.node[row]]:
            [above] = place[row]
            assert all(index.index(axis).which[above] == index.index(axis).which[row] for axis in axes)


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 12), seeds, st.booleans())
def test_shares_of_intervals_are_sums_over_codes(size: int, seed: int, even: bool) -> None:
    rng = np.random.default_rng(seed)
    mass = None if even else rng.random(size) * (rng.random(size) < 0.6)
    ends = np.array([(low, high) for low in range(size) for high in range(low + 1, size + 1)])
    index = AxisIndex.of(mass, ends[:, 0], ends[:, 1])
    lists = []
    for _ in range(5):
        cuts = np.unique(np.round(rng.uniform(0, size, 2 * int(rng.integers(0, 4))), int(rng.integers(0, 3))))
        lists.append([(float(a), float(b)) for a, b in cuts[: len(cuts) // 2 * 2].reshape(-1, 2)])
    found, codes = index.shares(IntervalLists.of(lists)), np.arange(size)
    for number, spans in enumerate(lists):
        covered = sum((np.clip(np.minimum(codes + 1, b) - np.maximum(codes, a), 0, 1) for a, b in spans), codes * 0.0)
        for row, (low, high) in enumerate(ends.tolist()):
            weights = np.ones(size) if mass is None or not mass[low:high].any() else mass
            expected = (weights * covered)[low:high].sum() / weights[low:high].sum()
            assert found[index.which[row], number] == pytest.approx(expected, abs=1e-9)


def test_regions_come_by_the_axes_that_they_bound() -> None:
    lower, upper = np.zeros((5, 2)), np.tile([4.0, 5.0], (5, 1))
    upper[[1, 4], 0], upper[[2, 3, 4], 1] = 2.0, 1.0
    asked = QueryBatch.of_boxes(lower, upper, (4, 5))

    def found(together: int, most: int) -> list[tuple[tuple[int, ...], list[int]]]:
        return [(some.axes, numbers.tolist()) for some, numbers in asked.batches(together, most)]

    assert found(1, 9) == [((), [0]), ((1,), [2, 3]), ((0,), [1]), ((0, 1), [4])]
    assert found(1, 1) == [((), [0]), ((1,), [2]), ((1,), [3]), ((0,), [1]), ((0, 1), [4])]
    assert found(3, 9) == [((1,), [0, 2, 3]), ((0, 1), [1, 4])]


def test_the_whole_domain_and_nothing() -> None:
    view = make_view(inner=0.5, marginals=True)
    shape = view.domain.shape
    zero = [0] * len(shape)
    assert view.answer([zero], [shape]) == pytest.approx(view.total)
    assert view.stderr([zero], [shape])[0] ** 2 == pytest.approx(blocks_of(view).covariance.posterior[0])
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
