"""Wanted: which tables to export from a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ripost.errors import InputError
from ripost.export.crossed import Crossed, can_list
from ripost.query.condition import parse_condition
from ripost.query.table import Table
from ripost.view import View


@dataclass(frozen=True)
class Wanted:
    """Tables by some dimensions or levels each, where a condition holds; or what a SELECT asks for."""

    view: View
    by: tuple[tuple[str, ...], ...] = ()  # none: every dimension and every level by itself
    where: str = ""
    sql: str | None = None

    def __post_init__(self) -> None:
        if self.sql is not None and (self.by or self.where):
            raise InputError("give either a SELECT, or dimensions and a condition")

    @classmethod
    def read(cls, view: View, by: Sequence[str], where: str | None, sql: str | None) -> Wanted:
        """From texts such as "origin,hour"; a dimension whose name has a comma is named by itself."""
        return cls(view, tuple(tuple(_names(view, text)) for text in by), where or "", sql)

    @property
    def is_usual(self) -> bool:
        """Whether nothing was asked for, so that every dimension gets its own table."""
        return not self.by and self.sql is None

    @cached_property
    def crossed(self) -> tuple[Crossed, ...]:
        where = parse_condition(self.where, self.view.domain)
        return tuple(Crossed.of(self.view, names, where) for names in self._sets())

    @cached_property
    def answered(self) -> Table:
        """The table of the SELECT."""
        assert self.sql is not None
        return self.view.sql(self.sql)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Dimensions with too many codes for a table of their own."""
        names = self.view.domain.attributes_and_levels if self.is_usual else ()
        return tuple(name for name in names if not can_list(self.view, name))

    def _sets(self) -> Iterator[tuple[str, ...]]:
        if self.by:
            yield from self.by
            return
        listed = [name for name in self.view.domain.attributes_and_levels if can_list(self.view, name)]
        if not listed:
            raise InputError("every dimension has too many codes for a table; ask a SELECT with width(dimension, …)")
        yield from ((name,) for name in listed)


def _names(view: View, text: str) -> list[str]:
    whole = text.strip()
    names = [whole] if whole in view.domain.asked_names else [part.strip() for part in text.split(",")]
    for name in names:
        view.domain.find(name)
    return names
