"""What all attributes share: codes for missing and other values, and the positions that a condition covers.

Codes are laid out as: the bins or categories in order, then `(other)` where values outside get a code of their
own, then `(missing)`.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from ripost.errors import QueryError, suggest_nearest
from ripost.schema.bins import Bins
from ripost.schema.expression import Kind, Term
from ripost.space.interval import Interval, merge

LARGEST_AXIS = 2**31 - 1
OTHER, MISSING = "(other)", "(missing)"  # what those codes are called; a schema lists no value of these names


def _to_spelling(value: Any) -> str:
    """A spelling of missing as text."""
    if not isinstance(value, (str, int, float)) or isinstance(value, bool):
        raise ValueError(f"must be text or a number, got {value!r}")
    return to_category_text(value)


Spelling = Annotated[str, BeforeValidator(_to_spelling), WithJsonSchema({"type": ["string", "number"]})]


class AttributeBase(BaseModel):
    """What every attribute has."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    expression_kind: ClassVar[Kind]  # of values that an expression must give

    column: str | None = Field(
        None, min_length=1, description="Column of the table, if it is not the attribute's name."
    )
    expression: str | None = Field(
        None,
        min_length=1,
        max_length=1000,
        description="Instead of column: SQL that computes its value from the columns of one row.",
    )
    label: str | None = Field(None, description="What to call it in print.")
    description: str | None = Field(None, description="What it is, in a sentence or two.")
    unit: str | None = Field(None, description="Unit of measure, such as minutes.")
    missing: Literal["bin", "drop"] = Field(
        "bin", description="Give missing values a code of their own, or leave such rows out."
    )
    missing_values: tuple[Spelling, ...] | None = Field(
        None, description="Further spellings of missing, such as 'NA' or 999."
    )

    @property
    @abstractmethod
    def count(self) -> int:
        """Number of regular codes."""

    @cached_property
    def computed(self) -> Term | None:
        """The tree of its expression, if it has one; ValueError where that is no function of one row."""
        if self.expression is None:
            return None
        from ripost.schema.expression_sql import parse_expression

        return parse_expression(self.expression, self.expression_kind)

    def list_columns(self, name: str) -> tuple[str, ...]:
        """The columns of the table that it is read from, by the name of the attribute."""
        return (self.column or name,) if self.computed is None else tuple(self.computed.columns)

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
        return self.other_name if self.has_other and code == self.other_code else self.missing_name

    @property
    def other_name(self) -> str:
        """What the code of other values is called: no value has this name."""
        return OTHER

    @property
    def missing_name(self) -> str:
        """What missing values are called in print and in conditions; in tables they are NULL."""
        return MISSING

    def select(self, condition: Any) -> list[Interval]:
        """Positions that a condition covers: a value, (low, high) with both ends in, a list, or None."""
        if condition is None:
            return [self._missing()]
        if isinstance(condition, (list, set, frozenset)):
            return merge([interval for one in condition for interval in self.select(one)])
        if isinstance(condition, tuple):
            if len(condition) != 2:
                raise QueryError(f"a range is (low, high), got {len(condition)} values")
            return self.between(*condition)
        if self.has_other and isinstance(condition, str) and condition == self.other_name:
            return [(float(self.other_code), self.other_code + 1.0)]
        if isinstance(condition, str) and condition == self.missing_name:
            return [self._missing()]
        return [self._point(condition)]

    def between(
        self, low: Any = None, high: Any = None, *, after: bool = False, before: bool = False
    ) -> list[Interval]:
        """Positions from low to high, ends in unless `after` low or `before` high; None: an end is open."""
        del low, high, after, before
        raise QueryError("has no order; ask for values, not for a range")

    def _missing(self) -> Interval:
        if self.missing == "drop":
            raise QueryError("has no missing values: its schema drops them")
        return (float(self.missing_code), float(self.missing_code + 1))

    @abstractmethod
    def _point(self, value: Any) -> Interval: ...

    @abstractmethod
    def _describe(self, code: int) -> str: ...

    def _check(self) -> None:
        """Raise ValueError where a rule of the kind is broken; nothing is derived before this has passed."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        self._check()
        if not 1 <= self.count <= LARGEST_AXIS - 2:
            raise ValueError(f"must have between 1 and {LARGEST_AXIS - 2} bins, got {self.count}")
        return self


class OrderedAttribute(AttributeBase):
    """An attribute whose values have an order and fall into bins."""

    outside: Literal["clamp", "other", "drop"] = Field(
        "clamp",
        description="Values outside the range: move to the nearest end, give a code of their own, leave out.",
    )
    step: ClassVar[int] = 0  # distance from a value to the next, in ticks; 0 for a continuum

    @property
    @abstractmethod
    def bins(self) -> Bins: ...

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
    def value(self, tick: float) -> Any:
        """The number as a value of the owner's type."""

    @abstractmethod
    def text(self, tick: float) -> str:
        """The number as the owner would write it."""

    def between(
        self, low: Any = None, high: Any = None, *, after: bool = False, before: bool = False
    ) -> list[Interval]:
        if low is not None and high is not None and self._tick(low) > self._tick(high):
            raise QueryError(f"range is reversed: {shorten(low)} is above {shorten(high)}")
        start = self.bins.edge(0) if low is None else self._first(self._tick(low), after=after)
        stop = self.bins.edge(self.count) if high is None else self._first(self._tick(high), after=not before)
        return [self._cover(start, max(start, stop))]

    def _point(self, value: Any) -> Interval:
        tick = self._tick(value)
        if self.step:
            start = math.floor(tick / self.step) * self.step
            return self._cover(start, start + self.step)
        self._cover(tick, tick)
        code = self.bins.code(tick)
        return (float(code), float(code + 1))

    def _first(self, tick: float, *, after: bool) -> float:
        """The first value at a tick or, with `after`, beyond it; the tick itself on a continuum."""
        if not self.step:
            return tick
        return (math.floor(tick / self.step) + 1 if after else math.ceil(tick / self.step)) * self.step

    def _cover(self, start: float, stop: float) -> Interval:
        first, last = self.bins.edge(0), self.bins.edge(self.count)
        if start > last or stop < first or (self.step and (start == last or stop == first)):
            known = f"{self.text(first)} to {self.text(last - self.step)}"
            raise QueryError(f"lies in {known}; the range asked is outside")
        return (self.bins.position(start), self.bins.position(stop))

    def _tick(self, value: Any) -> float:
        try:
            tick = self.tick(value)
        except (TypeError, ValueError, OverflowError):
            raise QueryError(f"cannot read {shorten(value)} as {self.__class__.__name__.lower()}") from None
        if not math.isfinite(tick):
            raise QueryError(f"needs a finite value, got {shorten(value)}")
        return tick

    def _describe(self, code: int) -> str:
        return self.describe_range(self.bins.edge(code), self.bins.edge(code + 1))

    def describe_range(self, low: float, high: float) -> str:
        """The values from one tick to before another, in print: one value, or the first and the last."""
        if high - low <= self.step:
            return self.text(low)
        return f"{self.text(low)} to {self.text(high - self.step)}"


class LabeledAttribute(AttributeBase):
    """An attribute whose values are names."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]: ...

    @property
    def count(self) -> int:
        return len(self.names)

    @cached_property
    def codes(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.names)}

    def _point(self, value: Any) -> Interval:
        try:
            text = to_category_text(value)
        except ValueError:  # a whole number of thousands of digits
            text = shorten(value)
        if (code := self.codes.get(text)) is None:
            raise QueryError(f"has no value {shorten(text)}; {suggest_nearest(text[:100], self.names)}")
        return (float(code), float(code + 1))

    def _describe(self, code: int) -> str:
        return self.names[code]

    @property
    def other_name(self) -> str:
        return self._bracket(OTHER)

    @property
    def missing_name(self) -> str:
        return self._bracket(MISSING)

    def _bracket(self, name: str) -> str:
        """A name with more brackets where a file of an earlier version lists it."""
        while name in self.codes:
            name = f"({name})"
        return name


def to_category_text(value: Any) -> str:
    """A value as ingest spells it when it compares names: true, 5 and not 5.0, 2013-01-31."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def shorten(value: Any) -> str:
    """A value of a question as a refusal shows it: text in quotes, and short."""
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # a whole number of thousands of digits
        return f"a very large {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= 80 else f"{text[:79]}…"
