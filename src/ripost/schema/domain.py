"""Domain: the public list of dimensions and how many codes each has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from pydantic import TypeAdapter

from ripost.errors import InputError, QueryError, suggest_nearest
from ripost.schema.attribute import LARGEST_AXIS, Attribute, AttributeBase, Integer
from ripost.schema.attribute_base import shorten
from ripost.space.interval import Interval

_ADAPTER: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Attribute])


@dataclass(frozen=True)
class Domain:
    """Named attributes in order."""

    attributes: Mapping[str, AttributeBase]

    def __post_init__(self) -> None:
        if not self.attributes:
            raise InputError("a domain needs at least one attribute")

    def __eq__(self, other: object) -> bool:
        """Whether both have the same attributes in the same order."""
        return isinstance(other, Domain) and [*self.attributes.items()] == [*other.attributes.items()]

    def __hash__(self) -> int:
        return hash((*self.attributes.items(),))

    @classmethod
    def of(cls, shape: Domain | Sequence[int] | Mapping[str, int]) -> Domain:
        """A domain of plain codes: a shape, names with their sizes, or a domain as it is."""
        if isinstance(shape, Domain):
            return shape
        sizes = shape if isinstance(shape, Mapping) else {f"x{i}": n for i, n in enumerate(shape)}
        for name, size in sizes.items():
            if not 1 <= size <= LARGEST_AXIS - 2:
                raise InputError(f"size of {name} must lie in 1..{LARGEST_AXIS - 2}, got {size}")
        return cls(
            {name: Integer(type="integer", min=0, max=int(size) - 1, missing="drop") for name, size in sizes.items()}
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(self.attributes)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return tuple(attribute.size for attribute in self.attributes.values())

    @property
    def size(self) -> int:
        """Number of cells, exact however large."""
        return math.prod(self.shape)

    @property
    def size_in_words(self) -> str:
        """Number of cells in print."""
        return format_count(self.size)

    def __len__(self) -> int:
        return len(self.attributes)

    def __iter__(self) -> Iterator[tuple[str, AttributeBase]]:
        return iter(self.attributes.items())

    def axis(self, name: str) -> int:
        """Position of a named attribute."""
        if not isinstance(name, str):
            raise QueryError(f"an attribute is asked for by its name, got {shorten(name)}")
        if name not in self.attributes:
            raise QueryError(f"the view has no attribute {shorten(name)}; {suggest_nearest(name[:100], self.names)}")
        return self.names.index(name)

    def select(self, conditions: Mapping[str, Any]) -> dict[int, list[Interval]]:
        """Positions that the conditions cover, by axis."""
        chosen: dict[int, list[Interval]] = {}
        for name, condition in conditions.items():
            axis = self.axis(name)
            try:
                chosen[axis] = self.attributes[name].select(condition)
            except QueryError as error:
                raise QueryError(f"{name} {error}") from None
        return chosen

    def to_json(self) -> dict[str, Any]:
        return {
            name: attribute.model_dump(mode="json", by_alias=True, exclude_none=True)
            for name, attribute in self.attributes.items()
        }

    @classmethod
    def from_json(cls, data: Any) -> Domain:
        return cls(_ADAPTER.validate_python(data))


MOST_AXES_OF_CELLS = 22  # of a view that holds every cell: with more, some axes have only one code


def format_count(cells: int) -> str:
    """A number of cells in print, whole or, where it is long, as a power; neither floats nor Python's text of integers
    hold them all.
    """
    return f"{cells:,}" if cells < 10**15 else f"about {Decimal(cells):.1e}"


def format_exactly(number: int) -> str:
    """All digits of a whole number, however many."""
    return f"{Decimal(number):f}"
