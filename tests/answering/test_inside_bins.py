"""Questions with bounds inside codes: their intervals hold wherever the rows of these codes lie."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ripost
from ripost.answering.answer import Answers
from ripost.answering.contrast import RegionPair, differences, ratios
from ripost.answering.query_batch import IntervalLists, QueryBatch
from ripost.query.condition import parse_condition
from ripost.schema.domain import Domain
from ripost.space.region import Region
from ripost.view import View
from tests.answering.contents import content_of
from tests.answering.making import make_view, promise
from tests.answering.mixing import mixed_view

SHAPE = (6, 4, 3)
VIEWS = {
    "mixture": mixed_view(seed=3),
    "noise alone": make_view((12, 7, 5), leaves=60, seed=3, marginals=True),
    "histograms": make_view(
        (12, 7, 5),
        leaves=60,
        seed=3,
        marginals=True,
        error_model=mixed_view((12, 7, 5), seed=4).content.error_model,  # type: ignore[attr-defined]
    ),
    "buckets": View(domain=Domain.of(SHAPE), content=content_of("buckets", SHAPE, 3), privacy=promise(1), method="m"),
    "matrix": View(domain=Domain.of(SHAPE), content=content_of("matrix", SHAPE, 3), privacy=promise(1), method="m"),
}


@st.composite
def boxes(draw: st.DrawFn, shape: tuple[int, ...]) -> Region:
    """One box: some axes are kept to one or two intervals with ends in quarters of codes."""
    box = {}
    for axis, size in enumerate(shape):
        if draw(st.booleans()):
            number = draw(st.sampled_from([2, 2, 4]))
            ends = draw(st.lists(st.integers(0, 4 * size), min_size=number, max_size=number, unique=True))
            ends = sorted(ends)
            box[axis] = [(ends[i] / 4, ends[i + 1] / 4) for i in range(0, number, 2)]
    return (box,)


def moved(region: Region, *, outward: bool) -> Region:
    """The boxes by the definition: the codes that lie in an interval wholly, or in part."""
    found = []
    for box in region:
        codes = {
            axis: [
                (float(code), code + 1.0)
                for code in range(int(max(high for _, high in spans)) + 1)
                if (any(low < code + 1 and code < high for low, high in spans) if outward else _covered(code, spans))
            ]
            for axis, spans in box.items()
        }
        if all(codes.values()):
            found.append(codes)
    return tuple(found)


def _covered(code: int, spans: object) -> bool:
    return any(low <= code and code + 1 <= high for low, high in spans)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", VIEWS)
@settings(max_examples=60, deadline=None)
@given(data=st.data(), level=st.sampled_from([0.9, 0.95, 0.999]))
def test_an_interval_reaches_to_those_of_whole_codes(name: str, data: st.DataObject, level: float) -> None:
    view = VIEWS[name].at(level)
    region = data.draw(boxes(view.domain.shape))
    plain = view.content.regions([region]).at(level)
    inner, outer = (view.content.regions([moved(region, outward=out)]).at(level) for out in (False, True))
    found = view.answer_regions([region])
    assert (found.value, found.stderr) == (plain.value, plain.stderr)
    if all(end % 1 == 0 for box in region for spans in box.values() for span in spans for end in span):
        assert same(found, plain.no_shorter(view.min_interval_width))
        return
    close = 1e-9 * max(1.0, float(outer.high[0]))
    assert found.low[0] <= min(inner.low[0], plain.low[0]) + close
    assert found.high[0] >= max(outer.high[0], plain.high[0]) - close
    far = max(
        plain.reach[0],
        plain.value[0] - inner.value[0] + inner.reach[0],
        outer.value[0] + outer.reach[0] - plain.value[0],
    )
    assert found.reach[0] == pytest.approx(far, rel=1e-9, abs=1e-9)
    widest = max(found.high[0] - found.low[0] for found in (plain, found))
    if widest > view.min_interval_width:
        ends = min(inner.low[0], plain.low[0]), max(outer.high[0], plain.high[0])
        assert (found.low[0], found.high[0]) == pytest.approx(ends, rel=1e-9, abs=1e-9)


def same(one: Answers, other: Answers) -> bool:
    """To the last bit."""
    names = ("value", "stderr", "low", "high", "reach", "unmeasured")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_ends_at_codes_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regions with ends at codes are asked once, beside one whose end lies inside a code; so are ends that rounding
    moved off a code.
    """
    view = VIEWS["mixture"]
    whole: list[Region] = [({1: [(2.0, 5.0)]},), ({},), ({1: [(0.0, 3.0 + 4e-16)], 2: [(0.3 / 0.1, 9.0)]},)]
    asked: list[int] = []
    ask = type(view.content).answer_batch
    monkeypatch.setattr(
        type(view.content), "answer_batch", lambda self, batch: asked.append(batch.count) or ask(self, batch)
    )
    alone = view.answer_regions(whole)
    assert asked == [3]
    beside = view.answer_regions([*whole, ({1: [(2.0, 5.5)]},)])
    assert asked == [3, 4, 1, 1]
    assert [beside[i] for i in range(3)] == [alone[i] for i in range(3)]
    assert beside[3].low <= view.answer_regions([({1: [(2.0, 5.0)]},)])[0].low


@given(st.lists(st.lists(st.integers(0, 40), min_size=2, max_size=8, unique=True), min_size=1, max_size=4))
def test_lists_are_rounded_as_sets_of_codes(drawn: list[list[int]]) -> None:
    spans = [[*zip(ends[::2], ends[1::2], strict=False)] for ends in ([e / 4 for e in sorted(one)] for one in drawn)]
    lists = IntervalLists.of([[(0.0, 10.0)], *spans])
    for outward in (False, True):
        rounded = lists.round_ends(outward=outward)
        for number, one in enumerate(spans, start=1):
            [codes] = moved(({0: one},), outward=outward) or ({0: []},)
            some = slice(rounded.start[number], rounded.start[number + 1])
            found = [*zip(rounded.low[some].tolist(), rounded.high[some].tolist(), strict=True)]
            assert [(c, c + 1.0) for low, high in found for c in np.arange(low, high)] == codes[0]
            assert all(high < low for (_, high), (low, _) in pairwise(found))


def test_a_list_that_becomes_the_whole_axis_bounds_nothing() -> None:
    asked = QueryBatch.of([({0: [(0.5, 11.5)], 1: [(0.5, 2.0)]},), ({0: [(3.2, 3.8)]},)], (12, 7, 5))
    outer, inner = asked.round_ends(outward=True), asked.round_ends(outward=False)
    assert outer.bounded.tolist() == [[False, True], [True, False]]
    assert inner.owner.tolist() == [0] and inner.count == 2  # the second region has no whole code
    assert asked.fractional.tolist() == [0, 1] and not len(inner.fractional)


@pytest.fixture(scope="module", params=["identity", "ripost+"])
def clustered(request: pytest.FixtureRequest) -> tuple[ripost.Tensor, View]:
    """Rows by minute, in bins of ten minutes: all of a bin lie in its first minute."""
    domain = Domain.from_json({"late": {"type": "integer", "min": 0, "max": 99, "width": 10}, "b": {"type": "boolean"}})
    codes = np.repeat(np.arange(10), 1000 + 100 * np.arange(10))
    rows = np.stack([codes, np.arange(len(codes)) % 2], axis=1)
    tensor = ripost.Tensor.from_arrays(domain.shape, rows, np.ones(len(rows), np.int64))
    return tensor, replace(ripost.publish(tensor, epsilon=1.0, method=request.param, seed=2), domain=domain)


def test_rows_at_one_end_of_a_bin(clustered: tuple[ripost.Tensor, View]) -> None:
    """Proportion is far from the truth if a bin's rows all lie before the bound, or all behind it."""
    view = clustered[1]
    below = 1000 * 2 + 100  # rows of the first two bins
    for where, truth in (("late < 21", below + 1200), ("late < 29", below + 1200), ("late BETWEEN 1 AND 9", 0)):
        plain = view.content.regions([parse_condition(where, view.domain)])
        assert not plain.low[0] <= truth <= plain.high[0] or where == "late < 29"
        for asked in (view, view.at(0.9), view.jointly(40)):
            found = asked.count(where)
            assert found.low <= truth <= found.high, where
    assert view.count("late < 20").high - view.count("late < 20").low < 100 < view.count("late < 21").high - below


def test_contrasts_and_shares_of_rows_at_one_end(clustered: tuple[ripost.Tensor, View]) -> None:
    view = clustered[1].at(0.9)
    truth, total = 1000 + 1100 + 1200, 14_500
    assert clustered[0].counts.sum() == total
    one, other = parse_condition("late < 21", view.domain), parse_condition("late >= 21", view.domain)
    pair = RegionPair.of(one, other, view.domain.shape)
    difference, ratio = differences(view, [pair])[0], ratios(view, [pair])[0]
    assert difference.low <= truth - (total - truth) <= difference.high
    assert ratio.low <= truth / (total - truth) <= ratio.high
    row = view.sql("SELECT SHARE(*) AS s, COUNT(*) AS n FROM view WHERE late < 21").rows[0]
    assert row[4] <= truth <= row[5]
    [shared] = view.sql(
        "SELECT late_is, s, s_low, s_high FROM (SELECT width(late, 21) AS late_is, SHARE(*) AS s FROM view "
        "GROUP BY late_is) LIMIT 1"
    ).rows
    assert shared[2] <= truth / total <= shared[3] < 0.3
    assert not shared[1] * 0.95 <= truth / total <= shared[1] * 1.05


def test_simultaneous_groups_with_bounds_inside_bins(clustered: tuple[ripost.Tensor, View]) -> None:
    view = clustered[1]
    usual, together = (
        view.sql(f"SELECT width(late, 7) AS part, COUNT(*) AS n FROM {source} GROUP BY part").rows
        for source in ("view", "view(simultaneous)")
    )
    assert len(usual) == len(together) == 16 and usual[-1][0] is None
    for one, other in zip(usual[:-1], together, strict=False):
        minutes = range(one[0], min(one[0] + 7, 100))
        rows = sum(1000 + 10 * minute for minute in minutes if minute % 10 == 0)
        assert other[-2] <= one[-2] and one[-1] < other[-1]
        assert one[-2] <= rows <= one[-1], one


def test_the_largest_value_is_not_in_a_bin_that_is_cut(clustered: tuple[ripost.Tensor, View]) -> None:
    """No row is known to lie in the part of a bin that a question keeps."""
    row = (
        clustered[1].sql("SELECT MAX(late) AS most, MIN(late) AS least FROM view WHERE late BETWEEN 15 AND 43").rows[0]
    )
    assert row == (39, 30, 43, 20, 15, 29)


def test_unknown_errors_stay_unknown() -> None:
    view = View(domain=Domain.of(SHAPE), content=content_of("sample", SHAPE, 3), privacy=promise(1), method="m")
    found = view.answer_regions([({0: [(0.5, 3.0)]},)])
    assert np.isnan(found.low[0]) and np.isnan(found.reach[0]) and found.value[0] > 0
