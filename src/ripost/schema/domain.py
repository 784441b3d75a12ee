"""Domain: the public list of dimensions and how many codes each has."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from ripost.errors import InputError, QueryError, suggest_nearest
from ripost.schema.attribute import LARGEST_AXIS, Attribute, AttributeBase, Integer
from ripost.schema.attribute_base import shorten
from ripost.schema.impossible import ImpossibleCells
from ripost.schema.mapped_attribute import MappedAttribute, map_attributes
from ripost.space.interval import Interval
from ripost.space.region import Intervals, intersect_intervals

if TYPE_CHECKING:
    from ripost.space.spine import Spine

_ADAPTER: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Attribute])


@dataclass(frozen=True)
class Domain:
    """Named attributes in order."""

    attributes: Mapping[str, AttributeBase]
    impossible: ImpossibleCells | None = None  # cells that no row can lie in

    def __post_init__(self) -> None:
        if not self.attributes:
            raise InputError("a domain needs at least one attribute")

    def __eq__(self, other: object) -> bool:
        """Whether both have the same attributes in the same order, and the same impossible cells."""
        if not isinstance(other, Domain) or self.impossible != other.impossible:
            return False
        return [*self.attributes.items()] == [*other.attributes.items()]

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

    @cached_property
    def mapped(self) -> dict[str, MappedAttribute]:
        """The levels of all attributes and what is derived from them, by name."""
        return map_attributes(self.attributes)

    @cached_property
    def spine(self) -> Spine:
        """The edges of levels and the impossible boxes, as methods know them."""
        import numpy as np  # reading a schema starts without it

        from ripost.space.spine import Spine

        levels = (getattr(attribute, "level_edges", ()) for attribute in self.attributes.values())
        edges = tuple(tuple(np.array(level, np.int64) for level in some) for some in levels)
        return Spine(edges, None if self.impossible is None else self.impossible.blocks)

    @property
    def asked_names(self) -> tuple[str, ...]:
        """What can be asked for by name: the attributes, their levels and what is derived from them."""
        return (*self.names, *self.mapped)

    @property
    def attributes_and_levels(self) -> tuple[str, ...]:
        """Each attribute, followed by its levels."""
        levels = {name: [one for one in self.mapped.values() if one.of == name and one.is_level] for name in self.names}
        return tuple(one for name in self.names for one in (name, *(level.name for level in levels[name])))

    def determines(self, known: str, name: str) -> bool:
        """Whether a level, or what is derived, is a function of an attribute or of a finer level."""
        mapped, finer = self.mapped[name], self.mapped.get(known)
        if finer is None:
            return known == mapped.of
        inside = (sum(1 for one in mapped.parts if _meets(part, one)) == 1 for part in finer.parts)
        return finer.of == mapped.of and all(inside)

    def find(self, name: str) -> AttributeBase:
        """The attribute of a name, or the groups of a level, or of what is derived, as an attribute."""
        known = self.mapped.get(name) if isinstance(name, str) else None
        if known is None:
            self.axis(name)  # refuses what is no name of an attribute
        return self.attributes[name] if known is None else known.groups

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
        if name in self.mapped:
            raise QueryError(f"{name} is a function of {self.mapped[name].of}; ask for {self.mapped[name].of} here")
        if name not in self.attributes:
            raise QueryError(
                f"the view has no attribute {shorten(name)}; {suggest_nearest(name[:100], self.asked_names)}"
            )
        return self.names.index(name)

    def select(self, conditions: Mapping[str, Any]) -> dict[int, list[Interval]]:
        """Positions that the conditions cover, by axis."""
        chosen: dict[int, list[Interval]] = {}
        for name, condition in conditions.items():
            known = self.mapped.get(name)
            axis = self.axis(name) if known is None else known.axis
            try:
                found = self.attributes[name].select(condition) if known is None else known.select(condition)
            except QueryError as error:
                raise QueryError(f"{name} {error}") from None
            chosen[axis] = intersect_intervals(chosen[axis], found) if axis in chosen else found
        return chosen

    def describe_structure(self) -> list[tuple[str, str]]:
        """What is public beyond the attributes, as names and words: levels, what is derived, impossible cells."""
        found = list[tuple[str, str]]()
        for name in self.names:
            of = [one for one in self.mapped.values() if one.of == name]
            for words, is_level in (("levels of", True), ("derived from", False)):
                if sizes := [f"{one.name} ({one.groups.count:,} groups)" for one in of if one.is_level == is_level]:
                    found.append((f"{words} {name}", ", ".join(sizes)))
        if self.impossible is not None:
            found.append(("impossible, exactly 0", "; ".join(self.impossible.conditions)))
        return found

    def to_json(self) -> dict[str, Any]:
        return {
            name: attribute.model_dump(mode="json", by_alias=True, exclude_none=True)
            for name, attribute in self.attributes.items()
        }

    @classmethod
    def from_json(cls, data: Any) -> Domain:
        return cls(_ADAPTER.validate_python(data))


def _meets(one: Intervals, other: Intervals) -> bool:
    return bool(intersect_intervals(one, other))


MOST_AXES_OF_CELLS = 22  # of a view that holds every cell: with more, some axes have only one code


def format_count(cells: int) -> str:
    """A number of cells in print, whole or, where it is long, as a power; neither floats nor Python's text of integers
    hold them all.
    """
    return f"{cells:,}" if cells < 10**15 else f"about {Decimal(cells):.1e}"


def format_exactly(number: int) -> str:
    """All digits of a whole number, however many."""
    return f"{Decimal(number):f}"
