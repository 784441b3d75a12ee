"""Cube: a part of a view, asked like the view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ripost.queryable import Condition, Queryable, read_region
from ripost.space.region import EVERYTHING, Region, intersect
from ripost.view import View


@dataclass(frozen=True)
class Cube(Queryable):
    """The part of a view where some conditions hold."""

    view: View
    where: Region = EVERYTHING

    def at(self, level: float | None) -> Cube:
        """Return the part with intervals of this level; None leaves the level as it is."""
        return Cube(self.view.at(level), self.where)

    def _part(
        self, where: Condition = None, named: Mapping[str, Any] | None = None, level: float | None = None
    ) -> Cube:
        if where is None and not named:
            return self.at(level)
        return Cube(self.view.at(level), intersect(self.where, read_region(self.view.domain, where, named)))

    def __repr__(self) -> str:
        return f"Cube of {self.view!r}, {self.count()}"
