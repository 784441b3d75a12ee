"""Bins: positions, codes and edges agree, also where the last bin is shorter."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.schema.bins import Bins, EdgeBins, EvenBins

WEEKS = EvenBins(0, 7, 5, 31)
TENTHS = EvenBins(0.0, 0.1, 10, 1.0)
STEPS = EdgeBins((-1.0, 0.0, 10.0, 100.0))
ALL = [EvenBins(3, 2, 4), WEEKS, TENTHS, STEPS]


def test_a_position_is_a_point_on_the_code_axis() -> None:
    assert [EvenBins(3, 2, 4).position(x) for x in (0, 3, 4, 5, 11, 99)] == [0, 0, 0.5, 1, 4, 4]
    assert [STEPS.position(x) for x in (-9, -1, -0.5, 0, 5, 55, 100, 101)] == [0, 0, 0.5, 1, 1.5, 2.5, 3, 3]


def test_a_short_last_bin_is_as_wide_as_it_is() -> None:
    assert [WEEKS.position(x) for x in (28, 29.5, 31)] == [4, 4.5, 5]
    assert [WEEKS.edge(code) for code in range(6)] == [0, 7, 14, 21, 28, 31]
    assert EvenBins(0, 7, 5).position(31) == pytest.approx(31 / 7)


def test_the_last_edge_is_the_end_of_the_range() -> None:
    assert 0.1 * 3 != 0.3 and EvenBins(0.0, 0.3 / 3, 3, 0.3).edge(3) == 0.3
    assert TENTHS.edge(10) == 1.0 and TENTHS.position(1.0) == 10


@given(st.sampled_from(ALL), st.floats(-20, 120), st.floats(-20, 120))
def test_positions_keep_the_order(bins: Bins, one: float, other: float) -> None:
    low, high = sorted([one, other])
    assert 0 <= bins.position(low) <= bins.position(high) <= bins.count


@given(st.sampled_from(ALL), st.floats(-20, 120))
def test_a_code_is_where_the_position_lies(bins: Bins, tick: float) -> None:
    code, place = bins.code(tick), bins.position(tick)
    assert 0 <= code < bins.count
    assert code <= place + 1e-9 and place <= code + 1


@given(st.sampled_from([EvenBins(3, 2, 4), WEEKS, STEPS]), st.integers(0, 4))
def test_an_edge_belongs_to_the_bin_it_begins(bins: Bins, code: int) -> None:
    if code < bins.count:
        assert bins.code(bins.edge(code)) == code == bins.position(bins.edge(code))
        assert bins.code(math.nextafter(bins.edge(code), -math.inf)) == max(code - 1, 0)
