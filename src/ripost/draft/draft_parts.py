"""Draft parts: the proposals for each column, with the origin of each value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


class Origin(Enum):
    """Where a drafted value comes from; only what comes from the data is private."""

    DATA = "the data"
    NAME = "its name"
    TABLE = "its type"
    METADATA = "the metadata"
    CHOICE = "a choice"


@dataclass(frozen=True, slots=True)
class DraftKey:
    """A key of an attribute, with its value and where that comes from."""

    key: str
    value: Any
    origin: Origin


@dataclass(frozen=True, slots=True)
class DraftAttribute:
    """A column that is proposed as an attribute."""

    column: str
    entries: tuple[DraftKey, ...]
    note: str | None = None  # for the steward, about this attribute alone
    gaps: tuple[str, ...] = ()  # keys that must still be filled in

    @property
    def unreviewed(self) -> tuple[str, ...]:
        return tuple(entry.key for entry in self.entries if entry.origin is Origin.DATA)

    @property
    def origins(self) -> tuple[Origin, ...]:
        return tuple(dict.fromkeys(entry.origin for entry in self.entries if entry.origin is not Origin.CHOICE))

    @property
    def keys(self) -> dict[str, Any]:
        return {entry.key: entry.value for entry in self.entries}


@dataclass(frozen=True, slots=True)
class OmittedColumn:
    """A column that is not proposed as an attribute, and why."""

    column: str
    why: str


@dataclass(frozen=True, slots=True)
class SchemaDraft:
    """A whole proposed schema."""

    source: str  # what it was drafted from
    columns: tuple[DraftAttribute | OmittedColumn, ...]
    title: str | None = None
    unit: str | None = None  # stated by the steward or the metadata
    max_rows: int | str | None = None  # "discover" leaves it to discovery
    row_stated: bool = False  # the metadata says that a row is a person
    people: tuple[str, ...] = ()  # columns that look like they tell people apart

    @property
    def attributes(self) -> tuple[DraftAttribute, ...]:
        return tuple(one for one in self.columns if isinstance(one, DraftAttribute))

    @property
    def left_out(self) -> tuple[OmittedColumn, ...]:
        return tuple(one for one in self.columns if isinstance(one, OmittedColumn))

    @property
    def must_choose_unit(self) -> bool:
        """Whether the steward must choose between protecting rows and protecting people."""
        return self.unit is None and not self.row_stated and bool(self.people)


def make_keys(origin: Origin, **values: Any) -> tuple[DraftKey, ...]:
    return tuple(DraftKey(key, value, origin) for key, value in values.items())
