"""Frictionless: Table Schema, alone or in the resources of a Data Package, as JSON or YAML."""

from __future__ import annotations

from typing import Any

from ripost.draft.metadata.stated_schema import StatedColumn, StatedSchema, bounds, category_of, text
from ripost.schema.attribute import Boolean

TYPES = {
    "integer": "integer", "year": "integer", "number": "number", "boolean": "boolean", "date": "date",
    "datetime": "timestamp", "string": "category",
}  # fmt: skip
IDS = ("email", "uuid")


def is_frictionless(data: dict[str, Any]) -> bool:
    return isinstance(data.get("fields"), list) or isinstance(data.get("resources"), list)


def read_frictionless(data: dict[str, Any]) -> list[StatedSchema]:
    """The tables of a Data Package, or the one that a Table Schema describes."""
    if isinstance(data.get("fields"), list):
        return [_table(data, title=text(data.get("title")), aliases=())]
    found = [resource for resource in data["resources"] if isinstance(resource, dict)]
    return [
        _table(
            resource["schema"],
            title=text(resource.get("title")) or text(data.get("title")),
            aliases=tuple(name for key in ("name", "path") if (name := text(resource.get(key)))),
        )
        for resource in found
        if isinstance(resource.get("schema"), dict)
    ]


def _table(schema: dict[str, Any], *, title: str | None, aliases: tuple[str, ...]) -> StatedSchema:
    fields = schema.get("fields", [])
    key = schema.get("primaryKey")
    keys = [key] if isinstance(key, str) else key or []
    columns = [_column(one, keys) for one in fields if isinstance(one, dict) and isinstance(one.get("name"), str)]
    return StatedSchema("Frictionless", tuple(columns), title=title, aliases=aliases)


def _column(field: dict[str, Any], keys: list[Any]) -> StatedColumn:
    limits = field.get("constraints")
    limits = limits if isinstance(limits, dict) else {}
    found = _keys(field, limits)
    if found and limits.get("required") is True:
        found["missing"] = "drop"
    if found and (label := text(field.get("title"))):
        found["label"] = label
    identifies = keys == [field["name"]] or limits.get("unique") is True or field.get("format") in IDS
    return StatedColumn((field["name"],), found, identifies=identifies)


def _keys(field: dict[str, Any], limits: dict[str, Any]) -> dict[str, Any]:
    kind = TYPES.get(str(field.get("type", "any")))
    if names := category_of(limits.get("enum")) or category_of(field.get("categories")):
        return names
    if kind is None:
        return {}
    if kind == "boolean":
        return _boolean(field)
    if kind == "category":
        return {"type": kind}
    low, high = limits.get("minimum"), limits.get("maximum")
    above, below = low is None and "exclusiveMinimum" in limits, high is None and "exclusiveMaximum" in limits
    low, high = limits["exclusiveMinimum"] if above else low, limits["exclusiveMaximum"] if below else high
    return {"type": kind, **bounds(kind, low, high, above=above, below=below)}


def _boolean(field: dict[str, Any]) -> dict[str, Any]:
    """A boolean, or a category where it is spelled in ways that a boolean of a schema does not know."""
    known = Boolean.SPELLINGS[0] | Boolean.SPELLINGS[1]
    ways = [way for key in ("falseValues", "trueValues") for way in field.get(key) or []]
    if all(str(way).lower() in known for way in ways):
        return {"type": "boolean"}
    return category_of([str(way) for way in ways])
