"""Many regions in one pass give what each gives alone, and what the definitions say."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings

from ripost.answering.content.content import Content
from ripost.answering.content.tree import TreeContent
from ripost.answering.content.union import UnionContent
from ripost.answering.query_batch import QueryBatch
from ripost.errors import QueryError
from ripost.estimate.error_model import ErrorModel
from ripost.space.interval import merge
from ripost.space.region import MOST_BOXES, Region, intersect, subtract, unite
from tests.answering.contents import content_of, shapes
from tests.answering.making import blocks_of, make_view, random_tree, random_variances, seeds
from tests.answering.mixing import mixed_view
from tests.answering.plain_regions import plain_answer

KINDS = ("blocks", "smoothed", "mixture", "buckets", "matrix", "union", "marginals", "sample")


def any_content(kind: str, shape: tuple[int, ...], seed: int) -> Content:
    if kind == "mixture":
        unmeasured = ((0, 1),) if seed % 2 else ()
        return blocks_of(mixed_view(shape, seed=seed, components=1 + seed % 5, unmeasured=unmeasured))
    if kind not in ("blocks", "smoothed"):
        return content_of(kind, shape, seed)
    rng = np.random.default_rng(seed)
    known = tuple(None if rng.random() < 0.3 else float(rng.exponential(4)) for _ in shape)
    beyond = (
        {
            "margin_weight": 0.7,
            "unmeasured_weight": 0.4,
            "unmeasured_power": 1.3,
            "outside_weight": (None, 2.0)[seed % 2],
            "note_share": (None, 0.3, 0.6)[seed // 3 % 3],
        }
        if seed % 3
        else {}
    )
    smoothing = ErrorModel(float(rng.exponential()), known, **beyond) if kind == "smoothed" else None
    return blocks_of(make_view(shape, seed=seed, inner=0.5, marginals=seed % 2 == 0, error_model=smoothing))


def random_region(shape: tuple[int, ...], rng: np.random.Generator) -> Region:
    """A few boxes, some overlapping before they are made disjoint, with ends at codes and between."""
    parts = []
    for _ in range(rng.integers(0, 4)):
        selection = {}
        for axis, size in enumerate(shape):
            if rng.random() < 0.6:
                ends = np.sort(rng.uniform(0, size, 2 * int(rng.integers(1, 3))))
                ends = np.round(ends) if rng.random() < 0.5 else ends
                selection[axis] = merge([(float(a), float(b)) for a, b in ends.reshape(-1, 2) if a < b])
        parts.append((selection,))
    return unite(parts, shape)


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None, max_examples=25)
@given(shapes, seeds)
def test_regions_are_answered_as_defined(kind: str, shape: tuple[int, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    content = any_content(kind, shape, seed)
    asked = [random_region(shape, rng) for _ in range(6)] + [({},), ()]
    found = content.regions(asked)
    for number, region in enumerate(asked):
        for wanted in (plain_answer(content, region), content.regions([region])[0]):
            answer = found[number]
            assert answer.note == wanted.note
            for name in ("value", "stderr", "low", "high"):
                assert getattr(answer, name) == pytest.approx(
                    getattr(wanted, name), rel=1e-9, abs=1e-6 if name != "value" else 1e-9, nan_ok=True
                )


@pytest.mark.parametrize("kind", KINDS)
def test_batches_do_not_matter(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    content = any_content(kind, (6, 5, 4), 2)
    asked = [random_region((6, 5, 4), rng) for _ in range(150)]
    usual = content.regions(asked)
    for module in ("cells", "matrix"):
        monkeypatch.setattr(f"ripost.answering.content.{module}.MOST_PAIRS", 40)
    monkeypatch.setattr("ripost.answering.content.cells.USUAL_PAIRS", 100)
    monkeypatch.setattr("ripost.answering.content.tree.AT_ONCE", 7)
    for name, value in (("BOXES", 5), ("FEW", 2), ("AT_ONCE", 10), ("MOST_SHARES", 100), ("VISITS", 30)):
        monkeypatch.setattr(f"ripost.answering.engine.{name}", value)
    small = content.regions(asked)
    for name in ("value", "stderr", "low", "high"):
        np.testing.assert_allclose(getattr(small, name), getattr(usual, name), rtol=1e-9, atol=1e-9)


@settings(deadline=None, max_examples=100)
@given(shapes, seeds)
def test_regions_are_sets(shape: tuple[int, ...], seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = random_region(shape, rng), random_region(shape, rng)
    points = rng.uniform(0, 1, (200, len(shape))) * np.array(shape)

    def inside(region: Region) -> list[int]:
        return [
            sum(all(any(low <= x[axis] < high for low, high in spans) for axis, spans in box.items()) for box in region)
            for x in points
        ]

    a, b = np.array(inside(one)), np.array(inside(other))
    assert set(a) | set(b) <= {0, 1}, "boxes of a region are disjoint"
    assert inside(intersect(one, other)) == (a & b).tolist()
    assert inside(unite([one, other], shape)) == (a | b).tolist()
    assert inside(subtract(one, other, shape)) == (a & (1 - b)).tolist()


def test_a_region_of_too_many_boxes_is_refused() -> None:
    shape = (40,) * 12
    parts = [
        ({axis: [(float(i), i + 1.0)], (axis + 1) % 12: [(float(i), i + 1.0)]},)
        for axis in range(12)
        for i in range(40)
    ]
    with pytest.raises(QueryError, match=f"more than {MOST_BOXES} disjoint boxes"):
        unite(parts, shape)


def test_thousands_of_groups_take_a_moment() -> None:
    """5,000 groups of a view of 5,000 blocks: the plain way is a few milliseconds each."""
    view = make_view((100, 50, 40), leaves=5000, inner=0.5, marginals=True)
    asked = [({0: [(a, a + 1.0)], 1: [(b, b + 1.0)]},) for a in range(100) for b in range(50)]
    begun = time.process_time()
    answers = view.answer_regions(asked)
    assert time.process_time() - begun < 5  # a sixth of a second on the machine this was written on
    for number in (0, 77, 4999):
        alone = view.answer_selection(asked[number][0])
        assert answers[number].high == pytest.approx(alone.high, rel=1e-9)


@pytest.mark.parametrize("seed", [97, 117, 149, 164])  # sums of masses that round to just below the whole
def test_what_has_no_mass_may_be_left_out_of_a_block(seed: int) -> None:
    """A block is whole where only codes without mass are left out, however the masses of the others were summed."""
    rng = np.random.default_rng(seed)
    tree = random_tree((24, 5), 12, rng)
    mass = rng.random(24) * 0.1
    mass[7] = 0.0
    values, variances = rng.random(len(tree.leaves)) * 100, random_variances(tree, rng, inner=0.0)
    content = TreeContent(
        (24, 5),
        tree=tree,
        values=values,
        variances=lambda _: variances,
        density=[mass, rng.random(5)],
        error_model=None,
        row_bound=1.0,
    )
    every, without = content.regions([({1: [(0.5, 3.0)]},), ({1: [(0.5, 3.0)], 0: [(0.0, 7.0), (8.0, 24.0)]},)])
    assert (without.value, without.low, without.high) == pytest.approx((every.value, every.low, every.high))


@pytest.mark.parametrize("kind", KINDS)
def test_an_axis_that_is_named_whole_bounds_nothing(kind: str) -> None:
    """The answer does not depend on how a question is written, and a series of one period agrees with its release."""
    shape = (3, 4, 2)
    for seed in range(6):
        content = any_content(kind, shape, seed)
        series = UnionContent([content])
        for region in ({1: [(1.0, 3.0)]}, {0: [(0.0, 1.0)], 1: [(0.5, 3.0)]}, {}):
            plain = QueryBatch.of([(region,)], shape)
            wanted = content.answer_batch(plain)
            whole = {axis: [(0.0, float(size))] for axis, size in enumerate(shape)}
            moved = {axis + 1: spans for axis, spans in (whole | region).items()}
            for found in (
                content.answer_batch(QueryBatch.of([(whole | region,)], shape)),
                series.answer_batch(QueryBatch.of([(moved,)], (1, *shape))),
            ):
                for figure in ("value", "stderr", "reach"):
                    np.testing.assert_allclose(getattr(found, figure), getattr(wanted, figure), rtol=1e-9, atol=1e-9)
