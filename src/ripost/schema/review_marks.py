"""Marks: the `unreviewed` lists of a schema file, which name what nobody has confirmed yet.

They stand beside the values in the file, at its top or in an attribute, and never reach a release: a schema with marks
cannot be published, and the model of an attribute does not know them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MARK = "unreviewed"
WHOLE = ""  # where the marks of the whole file are kept
FEW = 3


def gather_marks(data: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a schema file with all its marks in one place, by attribute."""
    top = data.get(MARK, [])
    places = top if isinstance(top, dict) else {WHOLE: top}
    marks = {name: _keys(keys, where=f"attribute {name}: " if name else "") for name, keys in places.items()}
    attributes = data.get("attributes")
    if isinstance(attributes, dict):
        own = {name: table[MARK] for name, table in attributes.items() if isinstance(table, dict) and MARK in table}
        attributes = {
            name: {key: value for key, value in table.items() if key != MARK} if name in own else table
            for name, table in attributes.items()
        }
        marks |= {name: _keys(keys, where=f"attribute {name}: ") for name, keys in own.items()}
        data = {**data, "attributes": attributes}
    return {**data, MARK: {name: tuple(keys) for name, keys in marks.items() if keys}}


def _keys(found: Any, *, where: str) -> list[str]:
    if not isinstance(found, list | tuple) or not all(isinstance(key, str) for key in found):
        raise ValueError(f"{where}{MARK} must be a list of keys such as ['min', 'max']")
    return list(found)


def describe_marks(marks: Mapping[str, Sequence[str]]) -> str:
    """Where the marks are, in words that show no value: "min, max of 'age' and unit of the file"."""
    places = [f"{', '.join(keys)} of {repr(name) if name else 'the file'}" for name, keys in marks.items()]
    more = len(places) - FEW
    return " and ".join(places[:FEW]) + (f" and those of {more:,} more" if more > 0 else "")


def add_marks(schema: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of the file, with the marks where the file has them."""
    marks = {
        "type": "array",
        "items": {"type": "string"},
        "description": "Keys that were drafted from the data and that nobody has confirmed; publishing refuses them.",
    }
    kinds = {
        name: {**kind, "properties": {**kind["properties"], MARK: marks}} if "type" in kind["properties"] else kind
        for name, kind in schema["$defs"].items()
    }
    return {**schema, "$defs": kinds, "properties": {**schema["properties"], MARK: marks}}
