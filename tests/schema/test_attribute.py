"""Attributes: which codes they have, what a condition covers, what a code is called."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from ripost.errors import QueryError
from ripost.schema.attribute import Attribute, AttributeBase, Boolean, Category, Date, Integer, Number, Timestamp
from ripost.space.interval import merge

HOUR = Integer(type="integer", min=0, max=23)
AGE = Integer(type="integer", min=0, max=102, width=5, outside="other", missing="drop")
DELAY = Number(type="number", min=-30, max=70, bin_count=10, unit="minutes")
PRICE = Number(type="number", edges=(0, 1, 10, 100), outside="drop")
DAY = Date(type="date", min=dt.date(2013, 1, 1), max=dt.date(2013, 1, 31), width="1 week")
MONTH = Date(type="date", min=dt.date(2012, 11, 1), max=dt.date(2013, 3, 10), width="1 month")
CLOCK = Timestamp(type="timestamp", min=dt.datetime(2013, 1, 1), max=dt.datetime(2013, 1, 1, 1), width="15 minutes")
PORT = Category(type="category", values=("JFK", "LGA", "5"))
FLAG = Boolean(type="boolean", missing="drop")
ALL: list[AttributeBase] = [HOUR, AGE, DELAY, PRICE, DAY, MONTH, CLOCK, PORT, FLAG]


def test_codes_are_bins_then_other_then_missing() -> None:
    assert (HOUR.count, HOUR.has_other, HOUR.missing_code, HOUR.size) == (24, False, 24, 25)
    assert (AGE.count, AGE.other_code, AGE.size) == (21, 21, 22)
    assert (PORT.count, PORT.other_code, PORT.missing_code, PORT.size) == (3, 3, 4, 5)
    assert (FLAG.count, FLAG.size) == (2, 2)
    assert [one.count for one in (DELAY, PRICE, DAY, MONTH, CLOCK)] == [10, 3, 5, 5, 4]


CASES: list[tuple[AttributeBase, Any, list[tuple[float, float]]]] = [
    (HOUR, 0, [(0, 1)]),
    (HOUR, 23, [(23, 24)]),
    (HOUR, (6, 9), [(6, 10)]),
    (HOUR, (-5, 3), [(0, 4)]),
    (HOUR, (20, 99), [(20, 24)]),
    (HOUR, (6.5, 9.5), [(7, 10)]),
    (HOUR, 6.5, [(6, 7)]),
    (HOUR, [5, 6, 9], [(5, 7), (9, 10)]),
    (HOUR, [(0, 5), (3, 8), None], [(0, 9), (24, 25)]),
    (HOUR, {3}, [(3, 4)]),
    (HOUR, None, [(24, 25)]),
    (AGE, (5, 9), [(1, 2)]),
    (AGE, 7, [(1.4, 1.6)]),
    (AGE, (100, 102), [(20, 21)]),
    (AGE, 101, [(20 + 1 / 3, 20 + 2 / 3)]),
    (DELAY, -30, [(0, 1)]),
    (DELAY, 70, [(9, 10)]),
    (DELAY, (-25, 15), [(0.5, 4.5)]),
    (DELAY, (-25, None), [(0.5, 10)]),
    (DELAY, (None, None), [(0, 10)]),
    (DELAY, "12.5", [(4, 5)]),
    (PRICE, 1, [(1, 2)]),
    (PRICE, 100, [(2, 3)]),
    (PRICE, (0.5, 55), [(0.5, 2.5)]),
    (DAY, dt.date(2013, 1, 8), [(1, 1 + 1 / 7)]),
    (DAY, ("2013-01-08", "2013-01-21"), [(1, 3)]),
    (DAY, ("2013-01-29", "2013-01-31"), [(4, 5)]),
    (MONTH, ("2012-12-01", "2013-01-31"), [(1, 3)]),
    (MONTH, ("2013-03-01", "2013-03-10"), [(4, 5)]),
    (CLOCK, dt.datetime(2013, 1, 1, 0, 20), [(1, 2)]),
    (CLOCK, "2013-01-01T01:20:00+01:00", [(1, 2)]),
    (CLOCK, ("2013-01-01 00:15", "2013-01-01 00:45"), [(1, 3)]),
    (CLOCK, dt.date(2013, 1, 1), [(0, 4)]),  # the whole day
    (PORT, "LGA", [(1, 2)]),
    (PORT, 5, [(2, 3)]),
    (PORT, 5.0, [(2, 3)]),
    (PORT, ["JFK", "LGA", None], [(0, 2), (4, 5)]),
    (FLAG, True, [(1, 2)]),
    (FLAG, "No", [(0, 1)]),
    (FLAG, 1, [(1, 2)]),
]


@pytest.mark.parametrize(("attribute", "condition", "expected"), CASES)
def test_a_condition_covers_positions(
    attribute: AttributeBase, condition: Any, expected: list[tuple[float, float]]
) -> None:
    covered = attribute.select(condition)
    assert len(covered) == len(expected)
    for got, wanted in zip(covered, expected, strict=True):
        assert got == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("after", "before", "expected"),
    [(False, False, (6, 10)), (True, False, (7, 10)), (False, True, (6, 9)), (True, True, (7, 9))],
)
def test_ends_may_be_left_out(after: bool, before: bool, expected: tuple[float, float]) -> None:
    assert HOUR.between(6, 9, after=after, before=before) == [expected]
    assert DELAY.between(-20, 10, after=after, before=before) == [(1, 4)]


def test_a_range_without_any_value_is_empty() -> None:
    assert HOUR.between(7, 7, after=True, before=True) == [(8, 8)]
    assert HOUR.between(6.2, 6.8) == [(7, 7)]


REFUSED: list[tuple[AttributeBase, Any, str]] = [
    (HOUR, 24, "lies in 0 to 23; the range asked is outside"),
    (HOUR, (-9, -1), "lies in 0 to 23; the range asked is outside"),
    (HOUR, (9, 6), "range is reversed: 9 is above 6"),
    (HOUR, (1, 2, 3), "a range is (low, high), got 3 values"),
    (HOUR, "noon", "cannot read 'noon' as integer"),
    (HOUR, True, "cannot read True as integer"),
    (HOUR, 10**400, f"cannot read {str(10**400)[:79]}… as integer"),
    (HOUR, float("nan"), "needs a finite value, got nan"),
    (AGE, 103, "lies in 0 to 102; the range asked is outside"),
    (AGE, None, "has no missing values: its schema drops them"),
    (DELAY, 70.1, "lies in -30 to 70; the range asked is outside"),
    (DAY, "2013-02-01", "lies in 2013-01-01 to 2013-01-31; the range asked is outside"),
    (DAY, dt.datetime(2013, 1, 1, 5), "cannot read 2013-01-01 05:00:00 as date"),
    (DAY, 5, "cannot read 5 as date"),
    (CLOCK, 5, "cannot read 5 as timestamp"),
    (CLOCK, "2014-01-01", "lies in 2013-01-01 00:00:00 to 2013-01-01 01:00:00; the range asked is outside"),
    (PORT, "JKF", "has no value 'JKF'; did you mean 'JFK'?"),
    (PORT, ("JFK", "LGA"), "has no order; ask for values, not for a range"),
    (FLAG, "perhaps", "has no value 'perhaps'; known: false, true"),
    (FLAG, None, "has no missing values: its schema drops them"),
]


@pytest.mark.parametrize(("attribute", "condition", "sentence"), REFUSED)
def test_a_condition_that_makes_no_sense_is_refused(attribute: AttributeBase, condition: Any, sentence: str) -> None:
    with pytest.raises(QueryError) as caught:
        attribute.select(condition)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("attribute", "code", "text"),
    [
        (HOUR, 7, "7"),
        (HOUR, 24, "(missing)"),
        (AGE, 0, "0 to 4"),
        (AGE, 20, "100 to 102"),
        (AGE, 21, "(other)"),
        (DELAY, 0, "-30 to -20"),
        (PRICE, 2, "10 to 100"),
        (DAY, 0, "2013-01-01 to 2013-01-07"),
        (DAY, 4, "2013-01-29 to 2013-01-31"),
        (MONTH, 3, "2013-02-01 to 2013-02-28"),
        (CLOCK, 1, "2013-01-01 00:15:00 to 2013-01-01 00:30:00"),
        (PORT, 1, "LGA"),
        (PORT, 3, "(other)"),
        (PORT, 4, "(missing)"),
        (FLAG, 1, "true"),
    ],
)
def test_a_code_has_a_name(attribute: AttributeBase, code: int, text: str) -> None:
    assert attribute.describe(code) == text


@pytest.mark.parametrize("attribute", ALL)
def test_an_attribute_survives_json(attribute: AttributeBase) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(Attribute)
    assert adapter.validate_json(attribute.model_dump_json(by_alias=True, exclude_none=True)) == attribute


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).map(lambda pair: (min(pair), max(pair) + 1))))
def test_merged_intervals_cover_the_same_and_do_not_touch(intervals: list[tuple[int, int]]) -> None:
    def cover(some: Any) -> set[int]:
        return {point for low, high in some for point in range(int(low), int(high))}

    merged = merge([(float(low), float(high)) for low, high in intervals])
    assert cover(merged) == cover(intervals)
    assert all(one[1] < other[0] for one, other in pairwise(merged))
