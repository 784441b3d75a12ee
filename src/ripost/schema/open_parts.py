"""Gather: what a schema file leaves open, put in one place, with the largest domain in its stead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from ripost.schema.attribute import Category, Number
from ripost.schema.discovery import (
    DISCOVER,
    LARGEST_BINS,
    LARGEST_LIST,
    MAX_ROWS,
    MOST_BINS,
    MOST_VALUES,
    NOTHING_FOUND,
    OPEN,
    Edge,
    OpenBounds,
    OpenParts,
    OpenRows,
    OpenValues,
    list_edges,
    widen,
)


def gather_open(data: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a schema file with what it leaves open in one place, and the largest domain in its stead."""
    if OPEN in data:
        raise ValueError(f"unknown key {OPEN!r}")
    attributes, found, rows = data.get("attributes"), {}, None
    if isinstance(attributes, dict):
        attributes = dict(attributes)
        for name, table in attributes.items():
            if not isinstance(table, dict):
                continue
            try:
                opened = _open_attribute(table)
            except ValueError as error:
                raise ValueError(f"attribute {name}: {error}") from None
            if opened is not None:
                attributes[name], found[name] = opened
        data = {**data, "attributes": attributes}
    if data.get("max_rows") == DISCOVER:
        if data.get("unit") is None:
            raise ValueError("max_rows needs unit: name the column that identifies people")
        data, rows = {**data, "max_rows": MAX_ROWS[-1]}, OpenRows()
    return {**data, OPEN: OpenParts(found, rows)}


def _open_attribute(table: dict[str, Any]) -> tuple[dict[str, Any], OpenValues | OpenBounds] | None:
    """An attribute with the largest domain, and what it leaves open; None where it leaves nothing open."""
    kind, listed = table.get("type"), table.get("values") == DISCOVER
    sides = tuple(side for side in ("min", "max") if table.get(side) == DISCOVER)
    if listed and kind == "category":
        return _open_values(table)
    if listed or (sides and kind not in ("integer", "number")):
        what = "values" if listed else sides[0]
        raise ValueError(f"{what} cannot be discovered for type {kind!r}; state it")
    if "max_values" in table:
        raise ValueError('max_values is for values = "discover"; leave it out')
    if not sides:
        if "max_bins" in table:
            raise ValueError('max_bins is for bounds that are "discover"; leave it out')
        return None
    return _open_integer(table, sides) if kind == "integer" else _open_number(table, sides)


def _open_values(table: dict[str, Any]) -> tuple[dict[str, Any], OpenValues]:
    for key in ("levels", "derived"):
        if table.get(key):
            raise ValueError(f"{key} needs the values of each group; list the values, or leave out {key}")
    rest = {key: value for key, value in table.items() if key not in ("values", "max_values", "aliases")}
    aliases, most = table.get("aliases", {}), _read_count(table, "max_values", MOST_VALUES)
    targets = list(dict.fromkeys(map(str, aliases.values()))) if isinstance(aliases, dict) else []
    probe = {**rest, "values": targets or [NOTHING_FOUND], "aliases": aliases}
    try:
        facts = Category.model_validate(probe)
    except ValidationError:  # which is said where all attributes are checked
        return probe, OpenValues(most, {})
    part = OpenValues(most, dict(facts.aliases or {}), facts.missing_values or (), bool(facts.fold_case))
    part.check()
    return {**rest, "values": [f"(value {number})" for number in range(1, most + 1)]}, part


def _open_integer(table: dict[str, Any], sides: Any) -> tuple[dict[str, Any], OpenBounds]:
    width, most = table.get("width", 1), _read_count(table, "max_bins", MOST_BINS)
    if not isinstance(width, int) or isinstance(width, bool) or width < 1:
        raise ValueError(f"width must be a whole number from 1, got {width!r}")
    if not 1 <= most <= LARGEST_BINS:
        raise ValueError(f"max_bins must lie between 1 and {LARGEST_BINS:,}, got {most}")
    low, high = (None if side in sides else table.get(side) for side in ("min", "max"))
    edges = list_edges(
        whole=True, low=_read_whole(low, "min"), high=None if high is None else _read_whole(high, "max") + 1
    )
    _require_cells(edges)
    if widen(width, int(edges[-1]) - int(edges[0]), most) > 2**52:
        raise ValueError("max_bins are too few for the widest range that can be found; give more")
    start = low if low is not None else high - most * width + 1 if high is not None else 0
    rest = {key: value for key, value in table.items() if key != "max_bins"}
    return {**rest, "min": start, "max": start + most * width - 1}, OpenBounds(sides, edges, most)


def _open_number(table: dict[str, Any], sides: Any) -> tuple[dict[str, Any], OpenBounds]:
    if "bins" not in table or "width" in table or "edges" in table:
        raise ValueError('needs bins where a bound is "discover", and neither width nor edges')
    if "max_bins" in table:
        raise ValueError("max_bins is for whole numbers; leave it out, bins says how many there are")
    stated = {side: float(table[side]) for side in ("min", "max") if side not in sides and _is_number(table.get(side))}
    if len(stated) + len(sides) < 2:
        raise ValueError('needs min and max, each a number or "discover"')
    edges = list_edges(whole=False, low=stated.get("min"), high=stated.get("max"))
    _require_cells(edges)
    bins = table["bins"]
    if isinstance(bins, int) and bins > LARGEST_BINS:
        raise ValueError(f'bins must be at most {LARGEST_BINS:,} where a bound is "discover", got {bins}')
    widest = {"type": "number", "bins": bins, "min": edges[0], "max": edges[-1]}
    if _is_sound(widest):  # else it is said where all attributes are checked
        ends = edges[1:] if "max" in sides else edges[:-1]
        if not all(_is_sound({**widest, **_end(one, stated)}) for one in ends):
            raise ValueError("bins are too many for the narrowest range that can be found; give fewer")
    return {**table, "min": edges[0], "max": edges[-1]}, OpenBounds(sides, edges)


def _is_sound(facts: Mapping[str, Any]) -> bool:
    try:
        Number.model_validate(facts)
    except ValidationError:
        return False
    return True


def _end(one: Edge, stated: Mapping[str, float]) -> dict[str, float]:
    """A bound that can be found, beside the stated one."""
    if not stated:
        return {}
    return {"max": float(one)} if "min" in stated else {"min": float(one)}


def _require_cells(edges: Sequence[Edge]) -> None:
    if len(edges) < 2:
        raise ValueError("the stated bound leaves no room for the other one")


def _read_count(table: Mapping[str, Any], key: str, default: int) -> int:
    found = table.get(key, default)
    if not isinstance(found, int) or isinstance(found, bool):
        raise ValueError(f"{key} must be a whole number, got {found!r}")
    return found


def _read_whole(value: Any, key: str) -> Any:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**52):
        raise ValueError(f'{key} must be a whole number within 2^52 of zero, or "discover", got {value!r}')
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def add_open(schema: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of the file, with "discover" where it may stand."""
    kinds: dict[str, Any] = dict(schema["$defs"])
    word = {"const": DISCOVER}
    for kind, keys in (("Category", ("values",)), ("Integer", ("min", "max")), ("Number", ("min", "max"))):
        properties = dict(kinds[kind]["properties"])
        for key in keys:
            old = properties[key]
            about = {part: old[part] for part in ("title", "description", "default") if part in old}
            plain = {part: value for part, value in old.items() if part not in about}
            options = plain["anyOf"] if set(plain) == {"anyOf"} else [plain]
            properties[key] = {**about, "anyOf": [*options, word]}
        kinds[kind] = {**kinds[kind], "properties": properties}
    for kind, key, most, sentence in (
        ("Category", "max_values", LARGEST_LIST, 'With values = "discover": the most values to list.'),
        ("Integer", "max_bins", LARGEST_BINS, "With a discovered bound: bins are widened if there would be more."),
    ):
        rule = {"type": "integer", "minimum": 1, "maximum": most, "description": sentence}
        kinds[kind] = {**kinds[kind], "properties": {**kinds[kind]["properties"], key: rule}}
    properties = {key: value for key, value in schema["properties"].items() if key != OPEN}
    rows = properties["max_rows"]
    properties["max_rows"] = {**rows, "anyOf": [*rows["anyOf"], word]}
    used = {
        name: kind for name, kind in kinds.items() if name not in ("OpenParts", "OpenValues", "OpenBounds", "OpenRows")
    }
    return {**schema, "$defs": used, "properties": properties}
