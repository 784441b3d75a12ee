"""Attribute: the public description of one dimension, in the owner's units.

The same model reads the schema file and the manifest of a release, so the two cannot drift apart.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, StrictBool, StrictFloat, StrictInt, model_validator

from ripost.errors import suggest_nearest
from ripost.schema.attribute_base import (
    LARGEST_AXIS,
    AttributeBase,
    LabeledAttribute,
    OrderedAttribute,
)
from ripost.schema.bins import Bins, EdgeBins, EvenBins
from ripost.schema.case_folding import fold
from ripost.schema.code_map import MAPS, CodeMap, Name, check_maps, level_edges, order_by_levels, read_maps
from ripost.schema.dates import DAY, Calendar, Date, Span, Timestamp
from ripost.schema.expression import Kind
from ripost.schema.numeric import NumericAttribute
from ripost.space.interval import Interval, merge

__all__ = [
    "DAY",
    "LARGEST_AXIS",
    "Attribute",
    "AttributeBase",
    "Boolean",
    "Calendar",
    "Category",
    "Date",
    "Integer",
    "Interval",
    "LabeledAttribute",
    "Number",
    "NumericAttribute",
    "OrderedAttribute",
    "Span",
    "Timestamp",
    "merge",
]

LARGEST_NUMBER = 1e300  # far enough from overflow that differences are finite


class Integer(NumericAttribute):
    """Whole numbers from min to max, both in, in bins of `width`."""

    type: Literal["integer"]
    min: StrictInt
    max: StrictInt
    width: StrictInt = Field(1, ge=1, description="Whole numbers in a bin.")
    step: ClassVar[int] = 1

    def _check(self) -> None:
        super()._check()
        if self.min > self.max:
            raise ValueError(f"min must not be above max, got min {self.min} and max {self.max}")
        if max(abs(self.min), abs(self.max), self.width) > 2**52:
            raise ValueError("min, max and width must lie within 2^52 of zero")

    @cached_property
    def bins(self) -> EvenBins:
        return EvenBins(self.min, self.width, -((self.min - self.max - 1) // self.width), self.max + 1)

    def tick(self, value: Any) -> float:
        return _to_float(value)

    def value(self, tick: float) -> int:
        return round(tick)

    def text(self, tick: float) -> str:
        return f"{tick:.0f}"


class Number(NumericAttribute):
    """Real numbers from min to max in `bins` bins of one width, in bins of `width`, or between listed `edges`."""

    model_config = ConfigDict(populate_by_name=True)

    type: Literal["number"]
    min: StrictFloat | None = None
    max: StrictFloat | None = None
    bin_count: StrictInt | None = Field(None, alias="bins", ge=1, description="Number of bins of one width.")
    width: StrictFloat | None = Field(None, gt=0, description="Width of a bin, instead of bins.")
    edges: tuple[StrictFloat, ...] | None = Field(
        None, description="Where bins begin, and where the last ends, instead of min, max and bins."
    )

    def _check(self) -> None:
        super()._check()
        if self.edges is not None:
            if any(one is not None for one in (self.min, self.max, self.bin_count, self.width)):
                raise ValueError("takes either edges, or min, max and one of bins and width")
            if len(self.edges) < 2 or any(a >= b for a, b in zip(self.edges, self.edges[1:], strict=False)):
                raise ValueError("edges must be two or more and rise")
        elif self.min is None or self.max is None or (self.bin_count is None) == (self.width is None):
            raise ValueError("needs min, max and one of bins and width, or edges")
        elif self.min >= self.max:
            raise ValueError(f"min must be below max, got min {self.min:g} and max {self.max:g}")
        elif self._bin_width < 4 * math.ulp(max(abs(self.min), abs(self.max))):
            raise ValueError("must have wider bins, these are too many to tell numbers apart")
        if max(abs(self.first), abs(self.last)) > LARGEST_NUMBER:
            raise ValueError(f"must lie within {LARGEST_NUMBER:g} of zero")

    @property
    def first(self) -> float:
        """Where the first bin begins."""
        low = self.edges[0] if self.edges else self.min
        assert low is not None
        return low

    @property
    def last(self) -> float:
        """Where the last bin ends, itself in it."""
        high = self.edges[-1] if self.edges else self.max
        assert high is not None
        return high

    @property
    def _bin_width(self) -> float:
        if self.width is not None:
            return self.width
        assert self.bin_count is not None
        return (self.last - self.first) / self.bin_count

    @cached_property
    def bins(self) -> Bins:
        if self.edges is not None:
            return EdgeBins(self.edges)
        return EvenBins(self.first, self._bin_width, self.bin_count or self._count_bins(), self.last)

    def _count_bins(self) -> int:
        """How many bins of `width` cover the range, by the decimals as written: 0.9 has three of 0.3."""
        low, high, width = (Fraction(repr(one)) for one in (self.first, self.last, self._bin_width))
        count = math.ceil((high - low) / width)
        return count - 1 if self.first + (count - 1) * self._bin_width >= self.last else count  # or the last is empty

    def tick(self, value: Any) -> float:
        return _to_float(value)

    def value(self, tick: float) -> float:
        return float(tick)

    def text(self, tick: float) -> str:
        return f"{tick:.10g}"


class Category(LabeledAttribute):
    """Listed values, in the order listed; with levels, in the order of their groups."""

    expression_kind: ClassVar[Kind] = "text"
    type: Literal["category"]
    values: tuple[Name, ...] = Field(min_length=1)
    outside: Literal["other", "drop"] = Field(
        "other", description="Values not listed: give a code of their own, or leave such rows out."
    )

    fold_case: StrictBool | None = Field(None, description="Whether letters of either case are the same.")
    aliases: dict[str, Name] | None = Field(
        None, description="Other spellings in the table, each with the listed value that it stands for."
    )
    levels: tuple[CodeMap, ...] | None = Field(
        None, min_length=1, description="Groups of values, groups of groups and so on, the coarsest level first."
    )
    derived: tuple[CodeMap, ...] | None = Field(
        None, min_length=1, description="Other columns that are functions of the values, such as the name of a code."
    )

    @model_validator(mode="before")
    @classmethod
    def _arrange(cls, data: Any) -> Any:
        return order_by_levels(read_maps(data)) if isinstance(data, dict) and {*MAPS} & data.keys() else data

    def _check(self) -> None:
        check_maps(self.levels or (), self.derived or (), len(self.values))
        if len(self.codes) != len(self.values):
            twice = next(v for i, v in enumerate(self.values) if self.codes[v] != i)
            raise ValueError(f"value {twice!r} is listed twice")
        for spelling, value in (self.aliases or {}).items():
            if value not in self.codes:
                raise ValueError(
                    f"aliases: {spelling!r} stands for {value!r}, which values does not list; "
                    f"{suggest_nearest(value, self.values)}"
                )

    @property
    def spellings(self) -> list[tuple[str, int | None]]:
        """Each text that the table may hold, with its code; None where it means missing. Some may occur twice."""
        listed = [*self.codes.items(), *((one, self.codes[value]) for one, value in (self.aliases or {}).items())]
        return [*listed, *((one, None) for one in self.missing_values or ())]

    @cached_property
    def lookup(self) -> dict[str, int | None]:
        """Each text that the table may hold once its case is folded, with its code; None where it means missing."""
        return {fold(one) if self.fold_case else one: code for one, code in self.spellings}

    @property
    def has_other(self) -> bool:
        return self.outside == "other"

    @property
    def names(self) -> tuple[str, ...]:
        return self.values

    @property
    def maps(self) -> tuple[CodeMap, ...]:
        """Its levels and what is derived from it."""
        return (*(self.levels or ()), *(self.derived or ()))

    @property
    def level_edges(self) -> list[list[int]]:
        """Where the groups of each level begin and end in codes, the coarsest level first."""
        return level_edges(self.levels or (), self.count, self.size)


class Boolean(LabeledAttribute):
    """False and true."""

    expression_kind: ClassVar[Kind] = "boolean"
    type: Literal["boolean"]
    SPELLINGS: ClassVar[tuple[frozenset[str], frozenset[str]]] = (
        frozenset({"false", "f", "no", "n", "0"}),
        frozenset({"true", "t", "yes", "y", "1"}),
    )

    @property
    def names(self) -> tuple[str, ...]:
        return ("false", "true")

    def _point(self, value: Any) -> Interval:
        text = str(value).strip().lower()
        names = zip(self.names, self.SPELLINGS, strict=True)
        return super()._point(next((name for name, ways in names if text in ways), text))


Attribute = Annotated[Integer | Number | Date | Timestamp | Category | Boolean, Field(discriminator="type")]


def _to_float(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError
    return float(value)
