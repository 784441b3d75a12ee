"""Round bounds: ranges that contain the values of a sample, with round ends and bins of a round width."""

from __future__ import annotations

import datetime as dt
import math
from typing import Any

BINS = 100  # the most bins that a draft proposes
DAYS_OF = (("1 day", 62), ("1 week", 750), ("1 month", 3700))


def round_up(size: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, … that is not below a positive size."""
    power = 10.0 ** math.floor(math.log10(size))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= size * (1 - 1e-9))


def whole_range(low: float, high: float) -> dict[str, Any]:
    """min, max and width of whole numbers around a range."""
    first, last = math.floor(low), math.floor(high) + 1
    step = max(int(round_up((last - first) / 20)), 1)
    start = 0 if 0 <= first < last - first else first // step * step
    stop = -(-last // step) * step
    width = max(int(round_up((stop - start) / BINS)), 1)
    return {"min": start, "max": stop - 1} | ({"width": width} if width > 1 else {})


def real_range(low: float, high: float) -> dict[str, Any]:
    """min, max and bins of real numbers around a range."""
    size = high - low if high > low else max(abs(high), 1.0)
    step = round_up(size / 20)
    start = 0.0 if 0 <= low < size else math.floor(low / step) * step
    stop = (math.floor(high / step) + 1) * step
    bins = max(round((stop - start) / step), 1)
    while bins * 2 <= BINS:
        bins *= 2
    digits = max(0, 2 - math.floor(math.log10(step)))
    return {"min": round(start, digits), "max": round(stop, digits), "bins": bins}


def date_range(low: dt.date, high: dt.date) -> dict[str, Any]:
    """min, max and width of days around a range: whole months, or whole years where it is long."""
    long = (high - low).days > 366
    first = low.replace(month=1, day=1) if long else low.replace(day=1)
    last = high.replace(month=12, day=31) if long else next_month(high) - dt.timedelta(days=1)
    return {"min": first, "max": last, "width": span(last - first)}


def moment_range(low: dt.datetime, high: dt.datetime) -> dict[str, Any]:
    """min, max and width of timestamps around a range; max itself is not in the range."""
    days = date_range(low.date(), high.date())
    midnight = dt.time()
    stop = dt.datetime.combine(days["max"] + dt.timedelta(days=1), midnight)
    return {"min": dt.datetime.combine(days["min"], midnight), "max": stop, "width": days["width"]}


def next_month(day: dt.date) -> dt.date:
    return (day.replace(day=1) + dt.timedelta(days=32)).replace(day=1)


def span(length: dt.timedelta) -> str:
    """A width that gives a range of days a medium number of bins."""
    return next((width for width, most in DAYS_OF if length.days <= most), "1 year")
