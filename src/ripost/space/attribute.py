"""Attribute: the public description of one dimension, in the owner's units.

The same model reads the schema file and the manifest of a release, so the two cannot drift apart. Codes are laid
out as: the bins or categories in order, then `other` where values outside get a code of their own, then `missing`.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from abc import abstractmethod
from collections.abc import Collection
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ripost.errors import QueryError, nearest
from ripost.space.bins import Bins, Edges, Even

LARGEST_AXIS = 2**31 - 1
DAY = 86_400_000_000  # microseconds

Interval = tuple[float, float]  # positions on the code axis, half-open


class Base(BaseModel):
    """What every attribute has."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    column: str | None = Field(None, description="Column of the table, if it is not the attribute's name.")
    label: str | None = Field(None, description="What to call it in print.")
    unit: str | None = Field(None, description="Unit of measure, such as minutes.")
    missing: Literal["bin", "drop"] = Field(
        "bin", description="Give missing values a code of their own, or leave such rows out."
    )

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of regular codes."""

    @property
    def has_other(self) -> bool:
        return False

    @property
    def other_code(self) -> int:
        return self.count

    @property
    def missing_code(self) -> int:
        return self.count + self.has_other

    @property
    def size(self) -> int:
        """Number of codes, with those for other and missing values."""
        return self.missing_code + (self.missing == "bin")

    def describe(self, code: int) -> str:
        """What a code stands for, in print."""
        if code < self.count:
            return self._describe(code)
        return "other" if self.has_other and code == self.other_code else "missing"

    def select(self, condition: Any) -> list[Interval]:
        """Positions that a condition covers: a value, (low, high) with both ends in, a list of values, or None."""
        if condition is None:
            return [self._missing()]
        if isinstance(condition, (list, set, frozenset)):
            return merge([interval for one in condition for interval in self.select(one)])
        if isinstance(condition, tuple):
            if len(condition) != 2:
                raise QueryError(f"a range is (low, high), got {len(condition)} values")
            return self.between(*condition)
        return [self._point(condition)]

    def between(
        self, low: Any = None, high: Any = None, *, after: bool = False, before: bool = False
    ) -> list[Interval]:
        """Positions from low to high, ends included unless `after` low or `before` high; None leaves an end open."""
        raise QueryError("has no order; ask for values, not for a range")

    def _missing(self) -> Interval:
        if self.missing == "drop":
            raise QueryError("has no missing values: its schema drops them")
        return (float(self.missing_code), float(self.missing_code + 1))

    @abstractmethod
    def _point(self, value: Any) -> Interval:
        ...

    @abstractmethod
    def _describe(self, code: int) -> str:
        ...

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not 1 <= self.count <= LARGEST_AXIS - 2:
            raise ValueError(f"must have between 1 and {LARGEST_AXIS - 2} bins, got {self.count}")
        return self


class Ordered(Base):
    """An attribute whose values have an order and fall into bins."""

    outside: Literal["clamp", "other", "drop"] = Field(
        "clamp", description="Values outside the range: move to the nearest end, give a code of their own, leave out."
    )
    step: ClassVar[float] = 0  # distance from a value to the next, in ticks; 0 for a continuum

    @property
    @abstractmethod
    def bins(self) -> Bins:
        ...

    @property
    def count(self) -> int:
        return self.bins.count

    @property
    def has_other(self) -> bool:
        return self.outside == "other"

    @abstractmethod
    def tick(self, value: Any) -> float:
        """The value as a number."""

    @abstractmethod
    def text(self, tick: float) -> str:
        """The number as the owner would write it."""

    def between(
        self, low: Any = None, high: Any = None, *, after: bool = False, before: bool = False
    ) -> list[Interval]:
        first, last = self.bins.edge(0), self.bins.edge(self.count)
        start = first if low is None else self._tick(low) + (self.step if after else 0)
        stop = last if high is None else self._tick(high) + (0 if before else self.step)
        if low is not None and high is not None and self._tick(low) > self._tick(high):
            raise QueryError(f"range is reversed: {low} is above {high}")
        if start > last or stop < first or (start == last and self.step) or (stop == first and self.step):
            raise QueryError(f"lies in {self.text(first)} to {self.text(last - self.step)}; the range asked is outside")
        return [(self.bins.position(start), self.bins.position(stop))]

    def _point(self, value: Any) -> Interval:
        if self.step:
            return self.between(value, value)[0]
        self.between(value, value)
        code = min(math.floor(self.bins.position(self._tick(value))), self.count - 1)
        return (float(code), float(code + 1))

    def _tick(self, value: Any) -> float:
        try:
            tick = self.tick(value)
        except (TypeError, ValueError):
            raise QueryError(f"cannot read {value!r} as {self.__class__.__name__.lower()}") from None
        if not math.isfinite(tick):
            raise QueryError(f"needs a finite value, got {value!r}")
        return tick

    def _describe(self, code: int) -> str:
        low, high = self.bins.edge(code), self.bins.edge(code + 1)
        if high - low <= self.step:
            return self.text(low)
        return f"{self.text(low)} to {self.text(high - self.step)}"


class Integer(Ordered):
    """Whole numbers from min to max, both in, in bins of `width`."""

    type: Literal["integer"]
    min: int
    max: int
    width: int = Field(1, ge=1)
    step: ClassVar[float] = 1

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"min must not be above max, got min {self.min} and max {self.max}")
        if max(abs(self.min), abs(self.max)) > 2**53:
            raise ValueError("min and max must lie within 2^53 of zero")
        return self

    @cached_property
    def bins(self) -> Even:
        return Even(self.min, self.width, -((self.min - self.max - 1) // self.width))

    def tick(self, value: Any) -> float:
        if isinstance(value, bool):
            raise TypeError
        return float(value)

    def text(self, tick: float) -> str:
        return f"{tick:g}" if tick != int(tick) else str(int(min(tick, self.max)))


class Number(Ordered):
    """Real numbers from min to max in `bins` bins of one width, or between listed `edges`."""

    type: Literal["number"]
    min: float | None = None
    max: float | None = None
    bin_count: int | None = Field(None, alias="bins", ge=1)
    edges: tuple[float, ...] | None = None
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.edges is not None:
            if self.min is not None or self.max is not None or self.bin_count is not None:
                raise ValueError("takes either edges, or min, max and bins")
            if len(self.edges) < 2 or any(a >= b for a, b in zip(self.edges, self.edges[1:], strict=False)):
                raise ValueError("edges must be two or more and rise")
        elif self.min is None or self.max is None or self.bin_count is None:
            raise ValueError("needs min, max and bins, or edges")
        elif self.min >= self.max:
            raise ValueError(f"min must be below max, got min {self.min:g} and max {self.max:g}")
        return self

    @cached_property
    def bins(self) -> Bins:
        if self.edges is not None:
            return Edges(self.edges)
        assert self.min is not None and self.max is not None and self.bin_count is not None
        return Even(self.min, (self.max - self.min) / self.bin_count, self.bin_count)

    def tick(self, value: Any) -> float:
        if isinstance(value, bool):
            raise TypeError
        return float(value)

    def text(self, tick: float) -> str:
        return f"{tick:.10g}"


class Span(BaseModel):
    """A length of time such as "15 minutes" or "1 month"."""

    model_config = ConfigDict(frozen=True)
    number: int
    period: str

    FIXED: ClassVar[dict[str, int]] = {
        "second": 1_000_000,
        "minute": 60_000_000,
        "hour": 3_600_000_000,
        "day": DAY,
        "week": 7 * DAY,
    }
    MONTHS: ClassVar[dict[str, int]] = {"month": 1, "quarter": 3, "year": 12}

    @classmethod
    def parse(cls, text: str) -> Span:
        known = [*cls.FIXED, *cls.MONTHS]
        match = re.fullmatch(r"\s*(\d{1,6})\s+([a-z]+?)s?\s*", text)
        if not match or match[2] not in known or int(match[1]) < 1:
            raise ValueError(f"width must read like '1 day' or '15 minutes' ({', '.join(known)}), got {text!r}")
        return cls(number=int(match[1]), period=match[2])

    @property
    def microseconds(self) -> int | None:
        """The length, or None for a calendar span."""
        fixed = self.FIXED.get(self.period)
        return None if fixed is None else fixed * self.number

    @property
    def months(self) -> int:
        return self.MONTHS[self.period] * self.number


class Calendar(Ordered):
    """What dates and timestamps share: bins of a fixed or a calendar width."""

    width: str = "1 day"

    @property
    @abstractmethod
    def start(self) -> dt.datetime:
        ...

    @property
    @abstractmethod
    def stop(self) -> dt.datetime:
        ...

    @property
    def span(self) -> Span:
        return Span.parse(self.width)

    @model_validator(mode="after")
    def _binned(self) -> Self:
        if self.start >= self.stop:
            raise ValueError("min must be below max")
        if self.span.microseconds is None and self.start != month_start(self.start):
            raise ValueError(f"bins of {self.width} need a min on the first of a month at midnight")
        return self

    @cached_property
    def bins(self) -> Bins:
        start, stop = microseconds(self.start), microseconds(self.stop)
        length = self.span.microseconds
        if length is not None:
            return Even(start, length, -((start - stop) // length))
        edges = [start]
        while edges[-1] < stop:
            edges.append(microseconds(add_months(self.start, len(edges) * self.span.months)))
        return Edges(tuple(edges))


class Date(Calendar):
    """Days from min to max, both in, in bins of `width`."""

    type: Literal["date"]
    min: dt.date
    max: dt.date
    step: ClassVar[float] = DAY

    @property
    def start(self) -> dt.datetime:
        return dt.datetime.combine(self.min, dt.time())

    @property
    def stop(self) -> dt.datetime:
        return dt.datetime.combine(self.max, dt.time()) + dt.timedelta(days=1)

    @model_validator(mode="after")
    def _whole_days(self) -> Self:
        if self.span.period in ("second", "minute", "hour"):
            raise ValueError("a date has bins of whole days; use type timestamp for shorter ones")
        return self

    def tick(self, value: Any) -> float:
        if isinstance(value, str):
            value = dt.date.fromisoformat(value)
        if isinstance(value, dt.datetime) or not isinstance(value, dt.date):
            raise TypeError
        return microseconds(dt.datetime.combine(value, dt.time()))

    def text(self, tick: float) -> str:
        return from_microseconds(tick).date().isoformat()


class Timestamp(Calendar):
    """Moments from min up to, not including, max, in bins of `width`. Without a zone, as the clock on the wall."""

    type: Literal["timestamp"]
    min: dt.datetime
    max: dt.datetime

    @property
    def start(self) -> dt.datetime:
        return self.min

    @property
    def stop(self) -> dt.datetime:
        return self.max

    @model_validator(mode="before")
    @classmethod
    def _no_zone(cls, data: Any) -> Any:
        for key in ("min", "max"):
            value = data.get(key) if isinstance(data, dict) else None
            if isinstance(value, dt.datetime) and value.tzinfo is not None:
                raise ValueError(f"{key} must have no time zone")
        return data

    def tick(self, value: Any) -> float:
        if isinstance(value, str):
            value = dt.datetime.fromisoformat(value)
        if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
            value = dt.datetime.combine(value, dt.time())
        return microseconds(value)

    def text(self, tick: float) -> str:
        return from_microseconds(tick).isoformat(sep=" ")


class Labelled(Base):
    """An attribute whose values are names."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        ...

    @property
    def count(self) -> int:
        return len(self.names)

    @cached_property
    def codes(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.names)}

    def _point(self, value: Any) -> Interval:
        text = value if isinstance(value, str) else str(value)
        if (code := self.codes.get(text)) is None:
            raise QueryError(f"has no value {text!r}; {nearest(text, self.names)}")
        return (float(code), float(code + 1))

    def _describe(self, code: int) -> str:
        return self.names[code]


class Category(Labelled):
    """Listed values, in the order listed."""

    type: Literal["category"]
    values: tuple[str, ...] = Field(min_length=1)
    outside: Literal["other", "drop"] = Field(
        "other", description="Values not listed: give a code of their own, or leave such rows out."
    )

    @model_validator(mode="before")
    @classmethod
    def _as_text(cls, data: Any) -> Any:
        if isinstance(data, dict) and isinstance(data.get("values"), (list, tuple)):
            listed = data["values"]
            if any(isinstance(value, (bool, float, dict, list)) for value in listed):
                raise ValueError("values must be text or whole numbers")
            data = {**data, "values": tuple(str(value) for value in listed)}
        return data

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len(self.codes) != len(self.values):
            twice = next(v for i, v in enumerate(self.values) if self.codes[v] != i)
            raise ValueError(f"value {twice!r} is listed twice")
        return self

    @property
    def has_other(self) -> bool:
        return self.outside == "other"

    @property
    def names(self) -> tuple[str, ...]:
        return self.values


class Boolean(Labelled):
    """False and true."""

    type: Literal["boolean"]

    @property
    def names(self) -> tuple[str, ...]:
        return ("false", "true")

    def _point(self, value: Any) -> Interval:
        return super()._point(str(value).lower())


Attribute = Annotated[Integer | Number | Date | Timestamp | Category | Boolean, Field(discriminator="type")]


def merge(intervals: Collection[Interval]) -> list[Interval]:
    """The same positions as disjoint intervals in order."""
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


EPOCH = dt.datetime(1970, 1, 1)


def microseconds(moment: dt.datetime) -> int:
    """Microseconds since 1970 on the wall clock."""
    return (moment - EPOCH) // dt.timedelta(microseconds=1)


def from_microseconds(tick: float) -> dt.datetime:
    return EPOCH + dt.timedelta(microseconds=round(tick))


def month_start(moment: dt.datetime) -> dt.datetime:
    return moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def add_months(moment: dt.datetime, months: int) -> dt.datetime:
    years, month = divmod(moment.month - 1 + months, 12)
    return moment.replace(year=moment.year + years, month=month + 1)
