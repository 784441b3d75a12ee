"""Random attributes, and values that sit on their edges, inside, outside, or nowhere."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

from hypothesis import strategies as st

from ripost.schema.attribute import AttributeBase, Category, Date, Integer, Number, Timestamp

missing = st.sampled_from(["bin", "drop"])
outside = st.sampled_from(["clamp", "other", "drop"])
tenths = st.integers(-500, 500).map(lambda n: n / 10)
DAYS = ("1 day", "3 days", "1 week", "2 weeks", "1 month", "1 quarter", "5 months", "1 year")
TIMES = ("1 second", "45 seconds", "15 minutes", "1 hour", "7 hours", *DAYS)


@st.composite
def integers(draw: st.DrawFn) -> Integer:
    low = draw(st.integers(-40, 40))
    high = low + draw(st.integers(0, 60))
    width = draw(st.integers(1, 9))
    return Integer(type="integer", min=low, max=high, width=width, missing=draw(missing), outside=draw(outside))


@st.composite
def numbers(draw: st.DrawFn) -> Number:
    if draw(st.booleans()):
        edges = sorted(draw(st.sets(tenths, min_size=2, max_size=12)))
        return Number(type="number", edges=tuple(edges), missing=draw(missing), outside=draw(outside))
    low = draw(tenths)
    high = low + draw(st.integers(1, 300)) / 10
    count = draw(st.integers(1, 30))
    return Number(type="number", min=low, max=high, bin_count=count, missing=draw(missing), outside=draw(outside))


@st.composite
def dates(draw: st.DrawFn) -> Date:
    low = draw(st.dates(dt.date(1960, 1, 1), dt.date(2030, 1, 1)))
    width = draw(st.sampled_from(DAYS))
    if any(period in width for period in ("month", "quarter", "year")):
        low = low.replace(day=1)
    high = low + dt.timedelta(days=draw(st.integers(0, 900)))
    return Date(type="date", min=low, max=high, width=width, missing=draw(missing), outside=draw(outside))


@st.composite
def timestamps(draw: st.DrawFn) -> Timestamp:
    moment = st.datetimes(dt.datetime(1960, 1, 1), dt.datetime(2030, 1, 1))
    low = draw(moment).replace(microsecond=0)
    width = draw(st.sampled_from(TIMES))
    if any(period in width for period in ("month", "quarter", "year")):
        low = low.replace(day=1, hour=0, minute=0, second=0)
    seconds = 3600 if "second" in width else 40_000_000
    high = low + dt.timedelta(seconds=draw(st.integers(1, seconds)))
    return Timestamp(type="timestamp", min=low, max=high, width=width, missing=draw(missing), outside=draw(outside))


@st.composite
def categories(draw: st.DrawFn) -> Category:
    names = draw(st.lists(st.text("abcé'\" ;", max_size=3), min_size=1, max_size=30, unique=True))
    policy = draw(st.sampled_from(["other", "drop"]))
    return Category(type="category", values=tuple(names), missing=draw(missing), outside=policy)


def values(attribute: AttributeBase, *, odd: bool = True) -> st.SearchStrategy[Any]:
    """Values of an attribute: its edges and their neighbours, others inside and, if `odd`, outside and missing."""
    if isinstance(attribute, Integer):
        low, high = attribute.min, attribute.max
        inside: st.SearchStrategy[Any] = st.integers(low, high)
        strange: list[Any] = [None, low - 1, high + 1, -(2**62), 2**62]
    elif isinstance(attribute, Number):
        first, last = attribute.first, attribute.last
        edges = [attribute.bins.edge(code) for code in range(attribute.count + 1)]
        near = [math.nextafter(edge, side) for edge in edges for side in (-math.inf, math.inf)]
        kept = [first, *(edge for edge in (*edges, *near) if first <= edge <= last)]
        inside = st.sampled_from(kept) | st.floats(first, last)
        strange = [None, math.nan, math.inf, -math.inf, 1.7e308, -1.7e308, math.nextafter(last, math.inf), first - 1]
    elif isinstance(attribute, Date):
        inside = st.dates(attribute.min, attribute.max) | st.sampled_from([attribute.min, attribute.max])
        day = dt.timedelta(days=1)
        strange = [None, attribute.min - day, attribute.max + day, dt.date(1, 1, 1), dt.date(9999, 12, 31)]
    elif isinstance(attribute, Timestamp):
        tick = dt.timedelta(microseconds=1)
        end = attribute.max - tick
        inside = st.datetimes(attribute.min, end) | st.sampled_from([attribute.min, end])
        strange = [None, attribute.min - tick, attribute.max, dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1)]
    else:
        assert isinstance(attribute, Category)
        inside = st.sampled_from(attribute.values)
        strange = [None, "elsewhere", "A", " a"]
    return inside | st.sampled_from(strange) if odd else inside


attributes: st.SearchStrategy[AttributeBase] = st.one_of(integers(), numbers(), dates(), timestamps(), categories())
