"""Discovery: what a schema leaves open, and all that can be found for it. Everything here is public.

A schema may say "discover" in place of the values of a category, a bound of a number or max_rows. Until they are found,
the schema holds the largest domain that can be found, so that everything that can fail for public reasons fails before
the ledger is debited.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ripost.schema.attribute import Attribute, Integer, Number
from ripost.schema.attribute_base import MISSING, OTHER
from ripost.schema.case_folding import fold

DISCOVER = "discover"
OPEN = "open"  # the field of a schema that holds what is left open; no key of the file
NOTHING_FOUND = "(none found)"  # the one value of a category of which none was found
MOST_VALUES, LARGEST_LIST = 1000, 100_000  # max_values: by default, and the most
MOST_BINS, LARGEST_BINS = 1000, 1_000_000  # max_bins of a whole number: by default, and the most
LONGEST_VALUE = 256  # letters
UNLISTED = {"Cc", "Cs", "Zl", "Zp"}  # Unicode categories of control characters, halves of letters and line ends
STEPS = (1, 2, 5)
MAX_ROWS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
LAST_POWER = 15  # of ten; beyond, whole numbers are not exact
FIRST_POWER = -6  # of a number with a fraction
Edge = int | float


@dataclass(frozen=True)
class OpenValues:
    """The values of a category, to be discovered."""

    max_values: int
    aliases: Mapping[str, str]
    missing_values: tuple[str, ...] = ()
    fold_case: bool = False
    what = "values"

    @property
    def cells(self) -> int:
        return self.max_values

    @cached_property
    def _lookup(self) -> dict[str, str | None]:
        """Further spellings, each with the value that it stands for, or None where it means missing."""
        listed = {self._fold(one): self._fold(value) for one, value in self.aliases.items()}
        return {**listed, **{self._fold(one): None for one in self.missing_values}}

    def _fold(self, text: str) -> str:
        return fold(text) if self.fold_case else text

    def find_value(self, text: str) -> str | None:
        """The value that a text of the table stands for; None if it means missing or can never be listed."""
        folded = self._fold(text)
        value = self._lookup.get(folded, folded)
        return value if value is not None and is_listable(value) else None

    def check(self) -> None:
        """ValueError where a spelling has two meanings, whatever is found."""
        if not 1 <= self.max_values <= LARGEST_LIST:
            raise ValueError(f"max_values must lie between 1 and {LARGEST_LIST:,}, got {self.max_values}")
        absent = {self._fold(one) for one in self.missing_values}
        folded: dict[str, str] = {}
        for spelling, value in self.aliases.items():
            if folded.setdefault(self._fold(spelling), self._fold(value)) != self._fold(value):
                raise ValueError(f"aliases: {spelling!r} stands for two values once case is folded; list one of them")
            if not is_listable(value):
                raise ValueError(f"aliases: {value!r} can never be discovered; choose a short, printable name")
        for spelling, value in folded.items():
            if value in absent or spelling in absent:
                raise ValueError(f"aliases: {spelling!r} or its value means missing too; leave one of them out")
            if value in folded and value != spelling:
                raise ValueError(f"aliases: {value!r} stands for a value and is one; leave one of them out")

    def resolve(self, attribute: Attribute, values: Sequence[str]) -> Attribute:
        """The category with the values that were found."""
        found = set(values)
        aliases = {one: self._fold(value) for one, value in self.aliases.items() if self._fold(value) in found}
        facts = {"values": list(values) or [NOTHING_FOUND], "aliases": aliases or None}
        return _change(attribute, facts)


@dataclass(frozen=True)
class OpenBounds:
    """The bounds of a numeric attribute, to be discovered on a grid of 1, 2 and 5 times the powers of ten."""

    sides: tuple[Literal["min", "max"], ...]
    edges: tuple[Edge, ...]  # where the cells of the grid begin, and where the last ends
    max_bins: int | None = None  # of a whole number: wider bins if there would be more
    what = "bounds"

    @property
    def cells(self) -> int:
        return len(self.edges) - 1

    def resolve(self, attribute: Attribute, first: int, last: int) -> Attribute:
        """The attribute that reaches from one cell of the grid to another."""
        low, high = self._reach(first, last)
        if isinstance(attribute, Number):
            return _change(attribute, {"min": float(low), "max": float(high)})
        assert isinstance(attribute, Integer) and self.max_bins is not None
        width = widen(attribute.width, int(high) - int(low), self.max_bins)
        return _change(attribute, {"min": int(low), "max": int(high) - 1, "width": width})

    def find_least(self, attribute: Attribute) -> tuple[int, int]:
        """The cells of the grid from which to which the attribute has the fewest bins."""
        ranges = [(first, last) for last in range(self.cells) for first in range(last + 1)]
        if not isinstance(attribute, Integer):
            return ranges[0]  # a number with a fraction has the same bins anywhere
        width, most = attribute.width, self.max_bins
        assert most is not None

        def count_bins(cells: tuple[int, int]) -> int:
            low, high = self._reach(*cells)
            values = int(high) - int(low)
            return -(-values // widen(width, values, most))

        return min(ranges, key=count_bins)

    def _reach(self, first: int, last: int) -> tuple[Edge, Edge]:
        return self.edges[first if "min" in self.sides else 0], self.edges[last + 1 if "max" in self.sides else -1]


@dataclass(frozen=True)
class OpenRows:
    """max_rows, to be discovered in a public list."""

    what = "max_rows"

    @property
    def cells(self) -> int:
        return len(MAX_ROWS)


@dataclass(frozen=True)
class OpenParts:
    """All that a schema leaves open: by attribute, and max_rows."""

    attributes: Mapping[str, OpenValues | OpenBounds]
    max_rows: OpenRows | None = None

    def __bool__(self) -> bool:
        return bool(self.attributes) or self.max_rows is not None

    @property
    def parts(self) -> list[tuple[str | None, OpenValues | OpenBounds | OpenRows]]:
        """Every open part with its attribute, in the order in which they are charged."""
        rows: list[tuple[str | None, OpenValues | OpenBounds | OpenRows]] = [*self.attributes.items()]
        return rows if self.max_rows is None else [*rows, (None, self.max_rows)]

    @property
    def needs_delta(self) -> bool:
        """Whether values are to be discovered, which costs delta."""
        return any(isinstance(part, OpenValues) for part in self.attributes.values())

    def list_stated(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """Each open attribute with the values that its aliases stand for, or with the fewest codes."""
        found = self.list_least(attributes)
        for name, part in self.attributes.items():
            if isinstance(part, OpenValues) and part.aliases:
                stated = {part._fold(value) for value in part.aliases.values()}
                found[name] = part.resolve(attributes[name], sorted(stated, key=str.encode))
        return found

    def list_least(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        """Each open attribute with the fewest codes that can be found."""
        found: dict[str, Attribute] = {}
        for name, part in self.attributes.items():
            if isinstance(part, OpenValues):
                found[name] = part.resolve(attributes[name], ())
            else:
                found[name] = part.resolve(attributes[name], *part.find_least(attributes[name]))
        return found


def is_listable(text: str) -> bool:
    """Whether a text can be a discovered value: short, of one line, and no name that a view gives to a code."""
    return (
        0 < len(text) <= LONGEST_VALUE
        and text not in (OTHER, MISSING, NOTHING_FOUND)
        and not any(unicodedata.category(letter) in UNLISTED for letter in text)
    )


def widen(width: int, values: int, most: int) -> int:
    """The width times the least of 1, 2, 5, 10, … with which at most so many bins hold the values."""
    factors: list[int] = [step * 10**power for power in range(LAST_POWER + 2) for step in STEPS]
    return next(width * factor for factor in factors if -(-values // (width * factor)) <= most)


def list_edges(*, whole: bool, low: Edge | None = None, high: Edge | None = None) -> tuple[Edge, ...]:
    """The grid of bounds: 0 and 1, 2, 5 times the powers of ten of both signs, between stated bounds."""
    if whole:
        sizes: list[Edge] = [step * 10**power for power in range(LAST_POWER + 1) for step in STEPS]
        sizes = [size for size in sizes if size <= 2**52]
    else:
        sizes = [float(f"{step}e{power}") for power in range(FIRST_POWER, LAST_POWER + 1) for step in STEPS]
    grid = [*(-size for size in reversed(sizes)), 0 * sizes[0], *sizes]
    inner = [edge for edge in grid if (low is None or edge > low) and (high is None or edge < high)]
    return (*([] if low is None else [low]), *inner, *([] if high is None else [high]))


def _change(attribute: Attribute, facts: Mapping[str, Any]) -> Attribute:
    """The attribute with other facts, checked anew."""
    known = attribute.model_dump(by_alias=True, exclude_none=True)
    changed = {key: value for key, value in {**known, **facts}.items() if value is not None}
    return type(attribute).model_validate(changed)
