"""Periods of the calendar: where years, months, days and hours begin, and which number each has."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

from ripost.errors import QueryError, suggest_nearest
from ripost.schema.dates import DAY, SECOND, Calendar, Span, add_months, from_microseconds, microseconds
from ripost.space.work_limit import charge

MOST_PERIODS = 1_000_000
HOUR = 3600 * SECOND


@dataclass(frozen=True, slots=True)
class Period:
    """A part of dates: its shortest length, how many months it has if it has any, and its number at a moment."""

    length: int  # in microseconds
    months: int  # 0 if it does not follow months
    start: Callable[[dt.datetime], dt.datetime]  # of the period that a moment lies in
    at: Callable[[dt.datetime], int]

    @staticmethod
    def of_name(name: str, of: str) -> Period:
        known = PERIODS.get(ALIASES.get(name.lower(), name.lower()))
        if known is None:
            raise QueryError(f"{of} has no part {name[:40]!r}; {suggest_nearest(name[:40].lower(), PERIODS)}")
        return known

    def number(self, tick: float) -> int:
        """The number of the period that begins at a tick."""
        return self.at(from_microseconds(tick))

    @staticmethod
    def month_number(tick: float) -> int:
        """Months since the year 0."""
        at = from_microseconds(tick)
        return at.year * 12 + at.month - 1


def periods(attribute: Calendar, period: Period) -> list[float]:
    """Where periods begin that meet the attribute's range, and where the last ends, in ticks."""
    first, last = attribute.bins.edge(0), attribute.bins.edge(attribute.count)
    if (last - first) / period.length > MOST_PERIODS:
        raise QueryError(f"the range has more than {MOST_PERIODS:,} such periods; ask for a longer one")
    charge(4 * (last - first) / period.length)
    at = period.start(from_microseconds(first))
    edges = [float(microseconds(at))]
    while edges[-1] < last:
        if period.months:
            at = add_months(at, period.months)
            edges.append(float(microseconds(at)))
        else:
            edges.append(edges[-1] + period.length)
    return edges


def span_length(span: Span) -> int:
    """The shortest length of a bin, in microseconds: that of a period where the bin is one."""
    if span.microseconds is not None:
        return span.microseconds
    whole = [period.length for period in PERIODS.values() if period.months == span.months]
    return whole[0] if whole else 30 * DAY * span.months


def _midnight(at: dt.datetime) -> dt.datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)


def _monday(at: dt.datetime) -> dt.datetime:
    return _midnight(at) - dt.timedelta(days=at.weekday())


def _first_of(months: int) -> Callable[[dt.datetime], dt.datetime]:
    return lambda at: _midnight(at).replace(day=1, month=(at.month - 1) // months * months + 1)


def _clock(**zero: int) -> Callable[[dt.datetime], dt.datetime]:
    return lambda at: at.replace(microsecond=0, **zero)  # type: ignore[arg-type]


def _daily(at: Callable[[dt.datetime], int]) -> Period:
    return Period(DAY, 0, _midnight, at)


PERIODS = {
    "year": Period(365 * DAY, 12, _first_of(12), lambda at: at.year),
    "quarter": Period(90 * DAY, 3, _first_of(3), lambda at: (at.month - 1) // 3 + 1),
    "month": Period(28 * DAY, 1, _first_of(1), lambda at: at.month),
    "week": Period(7 * DAY, 0, _monday, lambda at: at.isocalendar()[1]),
    "day": _daily(lambda at: at.day),
    "dow": _daily(lambda at: at.isoweekday() % 7),
    "isodow": _daily(lambda at: at.isoweekday()),
    "doy": _daily(lambda at: at.timetuple().tm_yday),
    "hour": Period(HOUR, 0, _clock(minute=0, second=0), lambda at: at.hour),
    "minute": Period(60 * SECOND, 0, _clock(second=0), lambda at: at.minute),
    "second": Period(SECOND, 0, _clock(), lambda at: at.second),
}  # fmt: skip
ALIASES = {
    "weekday": "dow", "dayofweek": "dow", "day_of_week": "dow", "dayofmonth": "day", "day_of_month": "day",
    "dayofyear": "doy", "day_of_year": "doy", "dayofweekiso": "isodow", "day_of_week_iso": "isodow",
    "weekofyear": "week", "week_of_year": "week", "years": "year", "months": "month", "days": "day", "hours": "hour",
}  # fmt: skip
