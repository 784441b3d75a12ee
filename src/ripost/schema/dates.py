"""Date and Timestamp: attributes whose bins follow the calendar. Ticks are microseconds on the wall clock."""

from __future__ import annotations

import datetime as dt
import re
from abc import abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from ripost.errors import QueryError
from ripost.schema.attribute_base import OrderedAttribute, shorten
from ripost.schema.bins import Bins, EdgeBins, EvenBins
from ripost.schema.date_format import DateFormat
from ripost.schema.expression import Kind
from ripost.space.interval import Interval

SECOND = 1_000_000  # microseconds
DAY = 86_400 * SECOND
LAST_YEAR = 9998  # so that the day after max is still a date
EPOCH = dt.datetime(1970, 1, 1)


class Span(BaseModel):
    """A length of time such as "15 minutes" or "1 month"."""

    model_config = ConfigDict(frozen=True)
    number: int
    period: str

    FIXED: ClassVar[dict[str, int]] = {
        "second": SECOND,
        "minute": 60 * SECOND,
        "hour": 3600 * SECOND,
        "day": DAY,
        "week": 7 * DAY,
    }
    MONTHS: ClassVar[dict[str, int]] = {"month": 1, "quarter": 3, "year": 12}

    @classmethod
    def parse(cls, text: str) -> Span:
        known = [*cls.FIXED, *cls.MONTHS]
        match = re.fullmatch(r"\s*([0-9]{1,6})\s+([a-z]+?)s?\s*", text)
        if not match or match[2] not in known or int(match[1]) < 1:
            raise ValueError(f"width must read like '1 day' or '15 minutes' ({', '.join(known)}), got {shorten(text)}")
        return cls(number=int(match[1]), period=match[2])

    @property
    def microseconds(self) -> int | None:
        """The length, or None for a calendar span."""
        fixed = self.FIXED.get(self.period)
        return None if fixed is None else fixed * self.number

    @property
    def months(self) -> int:
        return self.MONTHS[self.period] * self.number


class Calendar(OrderedAttribute):
    """What dates and timestamps share: bins of a fixed or a calendar width."""

    expression_kind: ClassVar[Kind] = "moment"
    width: str = Field("1 day", description="Length of a bin: a number and a period, such as '15 minutes'.")
    format: str | None = Field(
        None, min_length=1, max_length=100, description="How text spells it, such as '%d/%m/%Y'; ISO if absent."
    )

    @property
    @abstractmethod
    def start(self) -> dt.datetime: ...

    @property
    @abstractmethod
    def stop(self) -> dt.datetime: ...

    @cached_property
    def span(self) -> Span:
        return Span.parse(self.width)

    @cached_property
    def date_format(self) -> DateFormat | None:
        return None if self.format is None else DateFormat.parse(self.format)

    @cached_property
    def missing_moments(self) -> tuple[dt.datetime, ...]:
        """The spellings of missing that are dates or moments; other text is missing anyway."""
        return tuple(found for one in self.missing_values or () if (found := self._read_text(one)) is not None)

    def _read_text(self, text: str) -> dt.datetime | None:
        if self.date_format is not None and (read := self.date_format.read(text)) is not None:
            return read
        try:
            found = dt.datetime.fromisoformat(text.strip())
            return found if found.tzinfo is None else found.astimezone(dt.UTC).replace(tzinfo=None)
        except (ValueError, OverflowError):
            return None

    def _check(self) -> None:
        _ = self.date_format
        if self.span.microseconds is None and self.start != month_start(self.start):
            raise ValueError(f"bins of {self.width} need a min on the first of a month at midnight")

    @cached_property
    def bins(self) -> Bins:
        start, stop = microseconds(self.start), microseconds(self.stop)
        length = self.span.microseconds
        if length is not None:
            return EvenBins(start, length, -((start - stop) // length), stop)
        months = range(self.span.months, months_between(self.start, self.stop), self.span.months)
        inner = (microseconds(add_months(self.start, month)) for month in months)
        return EdgeBins((start, *(edge for edge in inner if edge < stop), stop))


class Date(Calendar):
    """Days from min to max, both in, in bins of `width`."""

    type: Literal["date"]
    min: dt.date
    max: dt.date
    step: ClassVar[int] = DAY

    @property
    def start(self) -> dt.datetime:
        return dt.datetime.combine(self.min, dt.time())

    @property
    def stop(self) -> dt.datetime:
        return dt.datetime.combine(self.max, dt.time()) + dt.timedelta(days=1)

    @field_validator("min", "max", mode="before")
    @classmethod
    def _read(cls, value: Any) -> dt.date:
        try:
            return from_microseconds(day(value)).date()
        except (TypeError, ValueError):
            raise ValueError(f"must be a date such as 2013-01-31, got {str(value)!r}") from None

    def _check(self) -> None:
        if self.min > self.max:
            raise ValueError(f"min must not be above max, got min {self.min} and max {self.max}")
        if self.max.year > LAST_YEAR:
            raise ValueError(f"max must not be after the year {LAST_YEAR}, got {self.max}")
        if self.span.period in ("second", "minute", "hour"):
            raise ValueError("a date has bins of whole days; use type timestamp for shorter ones")
        super()._check()

    def tick(self, value: Any) -> float:
        if isinstance(value, dt.datetime) and value.time() == dt.time() and value.tzinfo is None:
            value = value.date()  # the moment at which a day begins, as pandas writes days
        return day(value)

    def value(self, tick: float) -> dt.date:
        return from_microseconds(tick).date()

    def text(self, tick: float) -> str:
        return self.value(tick).isoformat()


class Timestamp(Calendar):
    """Moments from min up to, not including, max, in bins of `width`; no zone, as the clock on the wall."""

    type: Literal["timestamp"]
    min: dt.datetime
    max: dt.datetime

    @property
    def start(self) -> dt.datetime:
        return self.min

    @property
    def stop(self) -> dt.datetime:
        return self.max

    @field_validator("min", "max", mode="before")
    @classmethod
    def _read(cls, value: Any) -> dt.datetime:
        try:
            at = moment(value)
        except (TypeError, ValueError):
            raise ValueError(f"must be a moment such as 2013-01-31T08:00:00, got {str(value)!r}") from None
        if at.tzinfo is not None:
            raise ValueError(f"must have no time zone, got {at}")
        if at.microsecond:
            raise ValueError(f"must be a whole second, got {at}")
        return at

    def _check(self) -> None:
        if self.min >= self.max:
            raise ValueError(f"min must be below max, got min {self.min} and max {self.max}")
        if self.max.year > LAST_YEAR:
            raise ValueError(f"max must not be after the year {LAST_YEAR}, got {self.max}")
        super()._check()

    def between(
        self, low: Any = None, high: Any = None, *, after: bool = False, before: bool = False
    ) -> list[Interval]:
        """The same as for other attributes; a date without a time of day is the whole day, also as the last one."""
        start = self._day_after(low) if after else low
        stop = high if before else self._day_after(high)
        if low is not None and stop is not high and self._tick(low) >= self._tick(stop):
            raise QueryError(f"range is reversed: {shorten(low)} is above {shorten(high)}")
        return super().between(start, stop, after=after, before=before)

    def _point(self, value: Any) -> Interval:
        return self.between(value, value)[0] if is_day(value) else super()._point(value)

    def _day_after(self, value: Any) -> Any:
        """Where the day that a value names ends; a value that names a moment is returned as it is."""
        if not is_day(value):
            return value
        self._tick(value)  # QueryError if it is not a date
        at = moment(value)
        return at + dt.timedelta(days=1) if at.date() < dt.date.max else at

    def tick(self, value: Any) -> float:
        at = moment(value)
        return microseconds(at if at.tzinfo is None else at.astimezone(dt.UTC).replace(tzinfo=None))

    def value(self, tick: float) -> dt.datetime:
        return from_microseconds(tick)

    def text(self, tick: float) -> str:
        return self.value(tick).isoformat(sep=" ")


def is_day(value: Any) -> bool:
    """Whether a value is a date without a time of day: a date, or text such as 2013-01-31."""
    if isinstance(value, str):
        return re.fullmatch(r"\s*\d{4}-?\d\d-?\d\d\s*", value, re.ASCII) is not None
    return isinstance(value, dt.date) and not isinstance(value, dt.datetime)


def day(value: Any) -> int:
    """The tick of a date, given as such or as ISO text."""
    if isinstance(value, str):
        value = dt.date.fromisoformat(value)
    if isinstance(value, dt.datetime) or not isinstance(value, dt.date):
        raise TypeError
    return microseconds(dt.datetime.combine(value, dt.time()))


def moment(value: Any) -> dt.datetime:
    """A moment, given as such, as a date or as ISO text."""
    if isinstance(value, str):
        return dt.datetime.fromisoformat(value)
    if isinstance(value, dt.datetime):
        return value
    return from_microseconds(day(value))


def microseconds(at: dt.datetime) -> int:
    """Microseconds since 1970 on the wall clock."""
    return (at - EPOCH) // dt.timedelta(microseconds=1)


def from_microseconds(tick: float) -> dt.datetime:
    return EPOCH + dt.timedelta(microseconds=round(tick))


def month_start(at: dt.datetime) -> dt.datetime:
    return at.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def months_between(first: dt.datetime, last: dt.datetime) -> int:
    """Months from the month of one moment to that of another, both counted."""
    return (last.year - first.year) * 12 + last.month - first.month + 1


def add_months(at: dt.datetime, months: int) -> dt.datetime:
    years, month = divmod(at.month - 1 + months, 12)
    return at.replace(year=at.year + years, month=month + 1)
