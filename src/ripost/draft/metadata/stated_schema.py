"""Stated schema: what metadata say about a table, in the keys of a schema."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class StatedColumn:
    """A column as metadata describe it, with the keys of an attribute that they state."""

    names: tuple[str, ...]  # what the column may be called in the table, the likeliest first
    keys: dict[str, Any] = field(default_factory=dict)  # empty if the metadata only name the column
    identifies: bool = False  # it identifies rows or people


@dataclass(frozen=True, slots=True)
class StatedSchema:
    """A table as metadata describe it."""

    format: str
    columns: tuple[StatedColumn, ...]
    title: str | None = None
    unit: str | None = None
    max_rows: int | None = None
    row_is_person: bool = False
    aliases: tuple[str, ...] = ()  # names of the table or of its file


def bounds(kind: str, low: Any, high: Any, *, above: bool = False, below: bool = False) -> dict[str, Any]:
    """min and max of a kind, if they can be read; `above` and `below` exclude an end from the range."""
    ends: dict[str, Any] = {}
    if (first := reading(kind, low)) is not None:
        ends["min"] = after(kind, first) if above else first
    if (last := reading(kind, high)) is not None:
        if kind == "timestamp":  # max itself is not in the range of a schema
            ends["max"] = last if below else last + dt.timedelta(seconds=1)
        else:
            ends["max"] = before(kind, last) if below else last
    return ends


def reading(kind: str, value: Any) -> Any:
    """A bound as a value of the kind; None if it is not one."""
    if value is None or isinstance(value, bool):
        return None
    try:
        return READINGS[kind](value) if kind in READINGS else None
    except (TypeError, ValueError, OverflowError):
        return None


def whole(value: Any) -> int:
    return value if isinstance(value, int) else int(str(value).strip().removesuffix(".0"))


def day(value: Any) -> dt.date:
    return dt.date.fromisoformat(str(value)[:10])


def moment(value: Any) -> dt.datetime:
    at = value if isinstance(value, dt.datetime) else dt.datetime.fromisoformat(str(value))
    if at.tzinfo is not None:
        at = at.astimezone(dt.UTC).replace(tzinfo=None)
    return at.replace(microsecond=0)


READINGS: dict[str, Callable[[Any], Any]] = {"integer": whole, "number": float, "date": day, "timestamp": moment}


def after(kind: str, value: Any) -> Any:
    """The first value in the range after an excluded end."""
    return value + {"integer": 1, "number": 0, "date": dt.timedelta(days=1)}.get(kind, dt.timedelta(seconds=1))


def before(kind: str, value: Any) -> Any:
    return value - {"integer": 1, "number": 0, "date": dt.timedelta(days=1)}[kind]


def category_of(values: Any) -> dict[str, Any]:
    """A category of listed values, each as text; no keys if there is no list of plain values."""
    if not isinstance(values, list) or not values:
        return {}
    plain = [value.get("value") if isinstance(value, dict) else value for value in values]
    if not all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in plain):
        return {}
    names = [str(int(v)) if isinstance(v, float) and v.is_integer() else str(v) for v in plain]
    return {"type": "category", "values": list(dict.fromkeys(names))}


def text(value: Any) -> str | None:
    """A title as text: the text itself, the first of a list, or the first of several languages."""
    for _ in range(3):
        if not isinstance(value, list | dict):
            break
        value = next(iter(value.values() if isinstance(value, dict) else value), None)
    return value if isinstance(value, str) and value.strip() and value.isprintable() else None
