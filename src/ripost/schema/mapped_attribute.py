"""MappedAttribute: a level, or what is derived from an attribute, asked for like an attribute.

Its codes are the numbers of its groups. A group stands for the codes of the attribute that it is a function of, so it
is answered from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ripost.schema.attribute import Category
from ripost.schema.attribute_base import AttributeBase
from ripost.schema.code_map import CodeMap
from ripost.space.interval import Interval, merge
from ripost.space.region import Intervals


@dataclass(frozen=True)
class MappedAttribute:
    """A function of an attribute."""

    name: str
    of: str  # the attribute
    axis: int  # of the attribute
    groups: Category  # its values are the groups
    parts: tuple[Intervals, ...]  # positions on the axis of each of its codes, those of other and missing values last
    is_level: bool

    @classmethod
    def by(cls, code_map: CodeMap, of: str, axis: int, attribute: Category, *, is_level: bool) -> MappedAttribute:
        """The function that a code map says."""
        groups = Category(type="category", values=code_map.names, outside=attribute.outside, missing=attribute.missing)
        found: dict[str, list[Interval]] = {name: [] for name in code_map.names}
        for name, low, high in code_map.runs:
            found[name].append((float(low), float(high)))
        special = ([(float(code), code + 1.0)] for code in range(attribute.count, attribute.size))
        return cls(code_map.name, of, axis, groups, (*found.values(), *special), is_level)

    def select(self, condition: Any) -> list[Interval]:
        """Positions on the axis of the groups that a condition covers."""
        return self.spread(self.groups.select(condition))

    def between(self, low: Any = None, high: Any = None, **flags: bool) -> list[Interval]:
        """QueryError: groups have no order."""
        return self.spread(self.groups.between(low, high, **flags))

    def spread(self, intervals: Iterable[Interval]) -> list[Interval]:
        """Positions on the axis of intervals of group codes."""
        return merge([one for low, high in intervals for part in self.parts[int(low) : int(high)] for one in part])


def map_attributes(attributes: Mapping[str, AttributeBase]) -> dict[str, MappedAttribute]:
    """The levels of all attributes and what is derived from them, by name."""
    found = {}
    for axis, (name, attribute) in enumerate(attributes.items()):
        if isinstance(attribute, Category):
            for number, one in enumerate(attribute.maps):
                is_level = number < len(attribute.levels or ())
                found[one.name] = MappedAttribute.by(one, name, axis, attribute, is_level=is_level)
    return found
