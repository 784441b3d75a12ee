"""Data-like bounds: whether a bound looks as if it had been read off the data.

Only the bound is examined, never the data: the message "this is the largest value of the table" would reveal that
value. People choose round bounds, the ends of months, and a few well-known numbers. Extremes of data are seldom any of
these.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator

from ripost.schema.attribute import AttributeBase, Category, Date, Integer, Number, Timestamp

SMALL = 16  # below this any whole number may be a choice
KNOWN = {16, 18, 21, 23, 24, 31, 53, 54, 59, 90, 99, 127, 128, 180, 255, 256, 360, 365, 366, 1440, 3600, 86400}
KNOWN |= {2**power for power in range(4, 53)} | {2**power - 1 for power in range(4, 53)}
PERSONAL = re.compile(r"\S+@\S+\.\S+|[+]?\d{9,}|\d{3}-\d{2}-\d{4}")  # mail, long numbers, social security


def find_data_like_keys(attribute: AttributeBase) -> Iterator[str]:
    """The keys whose values look like data."""
    match attribute:
        case Integer():
            if not is_round(attribute.min):
                yield "min"
            if not any(is_round(value) for value in (attribute.max, attribute.max + 1)):
                yield "max"
        case Number():
            yield from (key for key in ("min", "max") if not is_short(getattr(attribute, key)))
            if any(not is_short(edge, digits=4) for edge in attribute.edges or ()):
                yield "edges"
        case Date():
            yield from (key for key in ("min", "max") if not is_month_boundary(getattr(attribute, key)))
        case Timestamp():
            yield from (key for key in ("min", "max") if not is_month_start(getattr(attribute, key)))
        case Category():
            if any(PERSONAL.fullmatch(value) for value in attribute.values):
                yield "values"


def is_round(value: int) -> bool:
    """Whether a whole number looks chosen: small, well known, or with few digits before its zeros."""
    size = abs(value)
    if size < SMALL or size in KNOWN:
        return True
    digits = str(size).rstrip("0")
    return (size % 5 == 0 and size < 1000) or len(digits) <= (2 if size >= 100 else 1)


def is_short(value: float | None, *, digits: int = 2) -> bool:
    """Whether a number has few significant digits, or is a well-known one."""
    if value is None or value == 0 or abs(value) in KNOWN:
        return True
    if value.is_integer() and abs(value) < 2**53:
        return is_round(int(value))
    lead = f"{abs(value):.15e}".split("e", maxsplit=1)[0].replace(".", "").rstrip("0")
    halves = math.isclose(value * 4, round(value * 4)) and abs(value) < 1000
    return len(lead) <= digits or halves


def is_month_boundary(day: dt.date) -> bool:
    return day.day == 1 or (day + dt.timedelta(days=1)).day == 1


def is_month_start(moment: dt.datetime) -> bool:
    """Whether a moment is the beginning of a month."""
    return moment.time() == dt.time() and moment.day == 1
