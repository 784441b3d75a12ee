"""Round bounds hold what they must, are round, and make few bins."""

from __future__ import annotations

import datetime as dt
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from ripost.draft.round_bounds import BINS, date_range, moment_range, real_range, round_up, whole_range
from ripost.schema.schema import Schema

wholes = st.integers(-(10**12), 10**12)
reals = st.floats(-1e9, 1e9, allow_subnormal=False)
days = st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1))


def attribute(kind: str, keys: dict[str, Any]) -> Any:
    return Schema.from_dict({"attributes": {"x": {"type": kind, **keys}}}).attributes["x"]


@given(st.floats(1e-9, 1e12))
def test_a_round_size_is_not_smaller_and_less_than_three_times_as_large(size: float) -> None:
    assert size * (1 - 1e-8) <= round_up(size) <= 2.5 * size * (1 + 1e-8)
    assert f"{round_up(size):.6e}"[0] in "125"


@given(wholes, wholes)
def test_whole_numbers(a: int, b: int) -> None:
    low, high = sorted((a, b))
    made = attribute("integer", whole_range(low, high))
    assert made.min <= low and high <= made.max and made.count <= BINS
    assert made.max - made.min <= 4 * (high - low) + 2


@given(reals, reals)
def test_real_numbers(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assume(high - low > 1e-6 * max(abs(low), abs(high)) or high == low)
    made = attribute("number", real_range(low, high))
    slack = 1e-9 * max(abs(low), abs(high), 1e-300)
    assert made.min <= low + slack and high <= made.max + slack and made.bins.count <= BINS


@given(days, days)
def test_days_and_moments(a: dt.date, b: dt.date) -> None:
    low, high = sorted((a, b))
    made = attribute("date", date_range(low, high))
    assert made.min <= low and high <= made.max and made.min.day == 1 and made.count <= 202
    noon = dt.time(12)
    moments = attribute("timestamp", moment_range(dt.datetime.combine(low, noon), dt.datetime.combine(high, noon)))
    assert moments.min.date() == made.min and moments.max == dt.datetime.combine(made.max, dt.time()) + dt.timedelta(1)
