"""Differences and ratios: laws that their values and intervals keep, and how often the intervals hold the truth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ripost
from ripost.answering.contrast import RegionPair, differences, ratios
from ripost.errors import QueryError
from ripost.schema.domain import Domain
from ripost.space.region import Region
from ripost.view import View
from tests.answering.contents import content_of
from tests.answering.making import make_view, promise
from tests.answering.mixing import mixed_view

MIXED, PLAIN = mixed_view(seed=3), make_view((12, 7, 5), leaves=60, seed=3, marginals=True)
VIEWS = {"mixture": MIXED, "noise alone": PLAIN}


@st.composite
def regions(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[dict[int, list[tuple[float, float]]]]:
    """One box: some axes are kept to a range of codes."""
    box = {}
    for axis, size in enumerate(shape):
        if draw(st.booleans()):
            low = draw(st.integers(0, size - 1))
            box[axis] = [(float(low), float(draw(st.integers(low + 1, size))))]
    return (box,)


@pytest.mark.parametrize("name", VIEWS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_laws(name: str, data: st.DataObject) -> None:
    view = VIEWS[name]
    check_laws(view, *(data.draw(regions(view.domain.shape)) for _ in range(2)))


def test_laws_where_a_region_seems_smaller_than_its_part() -> None:
    """Answers of a mixture may be below 0. The ratio is then an end of its interval, here 1."""
    whole, part = ({2: [(18.0, 19.0)]},), ({2: [(18.0, 19.0)], 3: [(1.0, 3.0)]},)
    small, large = view_values(MIXED, whole, part)
    assert 0 < small < 0.9 * large
    check_laws(MIXED, whole, part)
    check_laws(MIXED, part, whole)
    shape = MIXED.domain.shape
    found = ratios(MIXED, [RegionPair.of(whole, part, shape), RegionPair.of(part, whole, shape)])
    assert found.value.tolist() == [1, 1]


def check_laws(view: View, one: Region, other: Region) -> None:
    shape = view.domain.shape
    pair, turned = RegionPair.of(one, other, shape), RegionPair.of(other, one, shape)
    a, b = view.answer_regions([one, other])[0], view.answer_regions([one, other])[1]
    difference, opposite = differences(view, [pair, turned])
    assert difference.value == pytest.approx(a.value - b.value, abs=1e-6)
    for mine, theirs in ((difference.low, opposite.high), (difference.high, opposite.low)):
        assert mine == pytest.approx(-theirs, abs=1e-6)
    raw = view.content.regions([one, other])
    both_widths = 2 * sum(max(float(reach), view.min_interval_width / 2) for reach in raw.reach)
    assert difference.high - difference.low <= both_widths * (1 + 1e-9)
    ratio, inverse = ratios(view, [pair, turned])
    assert 0 <= ratio.low <= ratio.high
    if inverse.high > 0:  # else the first region is surely empty
        assert ratio.low == pytest.approx(1 / inverse.high, rel=1e-6)
    if not pair.only_one:
        assert ratio.high <= 1
    if b.value > 0 and a.value >= 0:
        assert ratio.low <= ratio.value <= ratio.high
        parts = view_values(view, pair.only_one, pair.common, pair.only_other)
        quotient = a.value / b.value
        possible = quotient if min(parts) >= 0 else min(max(quotient, ratio.low), ratio.high)
        assert ratio.value == pytest.approx(possible)


def view_values(view: View, *regions: Region) -> list[float]:
    values: list[float] = view.answer_regions(regions).value.tolist()
    return values


@pytest.mark.parametrize("name", VIEWS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_ratio_is_where_the_interval_of_the_weighted_difference_holds_zero(name: str, data: st.DataObject) -> None:
    """Disjoint regions, by scanning: t is inside if |A - t B| is at most its half-width."""
    view = VIEWS[name]
    size = view.domain.shape[0]
    cut = data.draw(st.integers(1, size - 1))
    regions = [({0: [(0.0, float(cut))]},), ({0: [(float(cut), float(size))]},), ({},)]
    found = view.content.regions(regions)
    a, b = found.value[:2].clip(min=0)
    reach = np.maximum(found.reach, np.where(found.stderr > 0, view.min_interval_width / 2, 0.0))
    shared = min(0.0, max(-reach[0] * reach[1], (reach[2] ** 2 - reach[0] ** 2 - reach[1] ** 2) / 2))
    t = np.geomspace(1e-4, 1e4, 20001)
    inside = t[(a - t * b) ** 2 <= reach[0] ** 2 + (t * reach[1]) ** 2 - 2 * t * shared]
    ratio = ratios(view, [RegionPair.of(regions[0], regions[1], view.domain.shape)])[0]
    if ratio.low > 1e-4 and ratio.high < 1e4:
        assert (ratio.low, ratio.high) == pytest.approx((inside[0], inside[-1]), rel=2e-3)


def test_a_region_and_itself() -> None:
    for view in VIEWS.values():
        name = view.domain.names[0]
        condition = {name: view.domain.attributes[name].value(2)} if view is PLAIN else {name: "JFK"}
        difference, ratio = view.difference(condition, condition), view.ratio(condition, condition)
        assert (difference.value, difference.low, difference.high) == (0, 0, 0)
        assert (ratio.value, ratio.low, ratio.high) == (1, 1, 1)


def test_the_whole_tells_of_two_halves() -> None:
    """If a total is known, an error of one half is that of the other with the opposite sign: it counts twice."""
    view = make_view((8,), leaves=2, seed=1, values=[500.0, 400.0], inner=1.0)
    half = float(view.blocks.upper[0, 0])
    halves = [({0: [(0.0, half)]},), ({0: [(half, 8.0)]},)]
    one, other = view.content.regions(halves).reach
    both = view.content.regions([({},)]).reach[0]
    difference = differences(view, [RegionPair.of(*halves, (8,))])
    assert both**2 < one**2 + other**2
    assert difference.reach[0] ** 2 == pytest.approx(2 * one**2 + 2 * other**2 - both**2)


def two_cells(*values: float) -> tuple[View, RegionPair]:
    cells = ({0: [(0.0, 1.0)]},), ({0: [(1.0, 2.0)]},)
    return make_view((2,), leaves=2, seed=1, values=[*values]), RegionPair.of(*cells, (2,))


def test_values_below_zero_do_not_collapse_an_interval() -> None:
    view, pair = two_cells(-300.0, 1000.0)
    [below] = ratios(view, [pair])
    reach = view.content.regions([pair.one]).reach[0]
    assert below.value == 0 and below.low == 0 and below.high == pytest.approx(reach / 1000, rel=0.1)
    view, pair = two_cells(0.0, -50.0)
    [empty] = ratios(view, [pair])
    assert math.isnan(empty.value) and (empty.low, empty.high) == (0, math.inf)


def test_a_ratio_to_what_may_be_none_has_no_upper_end() -> None:
    view, pair = two_cells(5000.0, 1.0)
    [found] = ratios(view, [pair])
    [turned] = ratios(view, [RegionPair.of(pair.other, pair.one, (2,))])
    assert not found.is_bounded and found.low > 0 and "or more" in str(found)
    assert turned.low == 0 and turned.high == pytest.approx(1 / found.low)


def test_synthetic_rows_know_nothing_of_their_error() -> None:
    view = View(domain=Domain.of((6, 4, 3)), content=content_of("sample", (6, 4, 3), 3), privacy=promise(1), method="m")
    pair = RegionPair.of(({0: [(0.0, 2.0)]},), ({0: [(1.0, 5.0)]},), (6, 4, 3))
    for found in (differences(view, [pair])[0], ratios(view, [pair])[0]):
        assert math.isnan(found.low) and math.isnan(found.high) and math.isfinite(found.value)


def test_levels_and_wrong_conditions() -> None:
    jfk, lga = {"origin": "JFK"}, {"origin": "LGA"}
    for ask in (MIXED.difference, MIXED.ratio):
        usual, sure = ask(jfk, lga), ask(jfk, lga, level=0.999)
        assert sure.level == 0.999 and sure.low < usual.low <= usual.high < sure.high
        with pytest.raises(QueryError, match="has no attribute"):
            ask(jfk, {"place": 1})


def test_answers_of_one_view_are_subtracted_and_divided() -> None:
    jfk, lga = {"origin": "JFK"}, {"origin": "LGA"}
    one, other = MIXED.count(jfk), MIXED.slice(lga).count()
    assert one - other == MIXED.difference(jfk, lga) and one / other == MIXED.ratio(jfk, lga)
    assert float(one) == one.value
    for stranger in (mixed_view(seed=4).count(lga), one - other):
        with pytest.raises(QueryError, match="of the same view"):
            one - stranger
    with pytest.raises(QueryError, match="ask for one level"):
        one - MIXED.count(lga, level=0.9)
    with pytest.raises(QueryError, match="combined with an answer or a number, got str"):
        one / "two"  # type: ignore[operator]


def test_an_answer_and_a_number() -> None:
    """Scaling and shifting is exact: the interval moves along."""
    jfk = MIXED.count(origin="JFK")
    share = jfk / MIXED.count()
    rest, percent = 1 - share, np.float64(100) * share
    assert (rest.value, rest.low, rest.high) == (1 - share.value, 1 - share.high, 1 - share.low)
    assert (percent.low, percent.stderr) == (100 * share.low, 100 * share.stderr)
    assert (jfk / 2).high == jfk.high / 2 and (-jfk).low == -jfk.high and (jfk + 5).value == jfk.value + 5
    assert (0 * jfk).high == 0 and jfk + 0 is jfk
    assert int(jfk) == int(jfk.value) and round(jfk) == round(jfk.value) and round(jfk, -2) == round(jfk.value, -2)
    assert f"{jfk:,.1f}" == f"{jfk.value:,.1f}" and f"{jfk}" == str(jfk) == repr(jfk) and abs(-jfk) == jfk.value
    for compute in (lambda: jfk**2, lambda: jfk // 2, lambda: 2 % jfk):
        with pytest.raises(QueryError, match="compute with float"):
            compute()
    assert sorted([jfk, MIXED.count()])[0] is jfk and jfk > 1 and jfk >= jfk and not jfk < np.int64(3) and jfk <= jfk


def test_sums_of_answers() -> None:
    jfk, lga, early = (MIXED.count(where) for where in ("origin = 'JFK'", "origin = 'LGA'", "hour < 9"))
    both = MIXED.count(origin=["JFK", "LGA"])
    assert jfk + lga == both and sum([jfk, lga]) == both and (jfk + lga) / MIXED.count() == both / MIXED.count()
    overlapping = jfk + early
    assert overlapping.value == pytest.approx(jfk.value + early.value)
    assert overlapping.low >= jfk.low + early.low - 1e-6 and overlapping.high <= jfk.high + early.high + 1e-6
    with pytest.raises(QueryError, match="each from count"):
        overlapping - lga


def releases() -> list[tuple[Any, View]]:
    rng = np.random.default_rng(0)
    rows = np.stack([rng.integers(0, 4, 5000), rng.binomial(5, 0.3, 5000)], axis=1)
    tensor = ripost.Tensor.from_arrays((4, 6), rows, np.ones(5000, np.int64))
    return [(tensor, ripost.publish(tensor, epsilon=0.5, method="identity", seed=seed)) for seed in range(60)]


def test_intervals_of_noise_alone_hold_the_truth() -> None:
    """60 releases of 12 contrasts each: 90 % of 95 % intervals fail by chance less than once in a million times."""
    held: dict[str, list[bool]] = {"difference": [], "ratio": [], "share": []}
    for tensor, view in releases():
        table = np.zeros((4, 6))
        np.add.at(table, tuple(tensor.coords.T), tensor.counts)
        for i in range(4):
            for j in range(3):
                one, other = {"x0": i, "x1": j}, {"x0": i, "x1": j + 1}
                asked = {
                    "difference": (view.difference(one, other), table[i, j] - table[i, j + 1]),
                    "ratio": (view.ratio(one, other), table[i, j] / table[i, j + 1]),
                    "share": (view.ratio(one, {"x0": i}), table[i, j] / table[i].sum()),
                }
                for kind, (answer, truth) in asked.items():
                    held[kind].append(answer.low <= truth <= answer.high)
    assert {kind: np.mean(each) >= 0.9 for kind, each in held.items()} == dict.fromkeys(held, True)
