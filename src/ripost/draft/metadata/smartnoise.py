"""SmartNoise: the YAML metadata of SmartNoise SQL, in which a curator states bounds and the privacy unit."""

from __future__ import annotations

from typing import Any

from ripost.draft.metadata.stated_schema import StatedColumn, StatedSchema, bounds

TYPES = {"int": "integer", "float": "number", "string": "category", "boolean": "boolean", "datetime": "timestamp"}


def is_smartnoise(data: dict[str, Any]) -> bool:
    return bool(_tables(data, ()))


def read_smartnoise(data: dict[str, Any]) -> list[StatedSchema]:
    """The tables of a collection, at any of its levels."""
    return [_table(table, path) for path, table in _tables(data, ())]


def _tables(node: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """Nodes, at most three deep, whose children are columns: they have a type."""
    if not isinstance(node, dict) or len(path) > 3:
        return []
    if any(isinstance(child, dict) and isinstance(child.get("type"), str) for child in node.values()):
        return [(path, node)]
    return [found for name, child in node.items() for found in _tables(child, (*path, str(name)))]


def _table(table: dict[str, Any], path: tuple[str, ...]) -> StatedSchema:
    described = {str(name): one for name, one in table.items() if isinstance(one, dict) and "type" in one}
    people = [str(one.get("name", name)) for name, one in described.items() if one.get("private_id") is True]
    row = table.get("row_privacy") is True
    limit = table.get("max_ids", 1)
    whole = isinstance(limit, int) and not isinstance(limit, bool) and limit >= 1
    columns = [_column(str(one.get("name", name)), one) for name, one in described.items()]
    return StatedSchema(
        "SmartNoise",
        tuple(columns),
        unit=people[0] if len(people) == 1 and not row else None,
        max_rows=limit if people and whole and not row else None,
        row_is_person=row,
        aliases=tuple(name for name in (path[-1] if path else "", ".".join(path[-2:])) if name),
    )


def _column(name: str, one: dict[str, Any]) -> StatedColumn:
    kind = TYPES.get(str(one["type"]))
    private = one.get("private_id") is True
    if kind is None or private:
        return StatedColumn((name,), identifies=private)
    keys = {"type": kind, **bounds(kind, one.get("lower"), one.get("upper"))}
    if one.get("nullable") is False:
        keys["missing"] = "drop"
    return StatedColumn((name,), keys)
