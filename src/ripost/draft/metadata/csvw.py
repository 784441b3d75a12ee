"""CSVW: the W3C's metadata vocabulary for tabular data, as JSON."""

from __future__ import annotations

import re
from typing import Any

from ripost.draft.metadata.stated_schema import StatedColumn, StatedSchema, bounds, text

BASES = {
    **dict.fromkeys(("number", "decimal", "double", "float"), "number"),
    **dict.fromkeys(("boolean",), "boolean"),
    **dict.fromkeys(("date",), "date"),
    **dict.fromkeys(("datetime", "dateTime", "dateTimeStamp"), "timestamp"),
    **dict.fromkeys(("string", "token", "normalizedString", "NMTOKEN", "Name"), "category"),
}
WHOLE: dict[str, tuple[int | None, int | None]] = {
    "integer": (None, None), "int": (None, None), "long": (None, None), "short": (None, None), "gYear": (None, None),
    "byte": (-128, 127), "unsignedByte": (0, 255), "nonNegativeInteger": (0, None), "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0), "negativeInteger": (None, -1), "unsignedLong": (0, None),
    "unsignedInt": (0, None), "unsignedShort": (0, 65535),
}  # fmt: skip
WAYS = re.compile(r"\^?\(?(?:\?:)?([\w -]+(?:\|[\w -]+)+)\)?\$?")


def is_csvw(data: dict[str, Any]) -> bool:
    return "csvw" in str(data.get("@context", "")) or "tableSchema" in data or "tables" in data


def read_csvw(data: dict[str, Any]) -> list[StatedSchema]:
    """The tables of a CSVW document."""
    tables = data["tables"] if isinstance(data.get("tables"), list) else [data]
    return [_table(table, data) for table in tables if isinstance(table, dict)]


def _table(table: dict[str, Any], group: dict[str, Any]) -> StatedSchema:
    schema = table.get("tableSchema", group.get("tableSchema"))
    schema = schema if isinstance(schema, dict) else {}
    found = schema.get("columns", [])
    keys = _names(schema.get("primaryKey"))
    inherited = schema.get("datatype", table.get("datatype", group.get("datatype")))
    columns = [
        _column(column, keys, inherited)
        for column in (found if isinstance(found, list) else [])
        if isinstance(column, dict) and not column.get("virtual")
    ]
    url = text(table.get("url")) or ""
    title = text(table.get("dc:title", table.get("dcterms:title", table.get("title"))))
    return StatedSchema("CSVW", tuple(column for column in columns if column.names), title=title, aliases=(url,))


def _column(column: dict[str, Any], keys: list[str], inherited: Any) -> StatedColumn:
    name, title = text(column.get("name")), text(column.get("titles"))
    names = tuple(dict.fromkeys(one for one in (title, name) if one))
    found = _keys(column.get("datatype", inherited))
    if found and column.get("required") is True:
        found["missing"] = "drop"
    if found and title and name and title != name:
        found["label"] = title
    return StatedColumn(names, found, identifies=keys == [name])


def _keys(datatype: Any) -> dict[str, Any]:
    """The keys of an attribute that a datatype states; a column without one holds text."""
    kind = datatype if isinstance(datatype, dict) else {"base": datatype or "string"}
    base, form = str(kind.get("base", "string")), kind.get("format")
    if base in WHOLE:
        low, high = WHOLE[base]
        ends = {"minimum": low, "maximum": high} | {key: value for key, value in kind.items() if value is not None}
        return {"type": "integer", **_bounds("integer", ends)}
    name = BASES.get(base)
    if name is None:
        return {}
    if name in ("category", "boolean"):
        ways = WAYS.fullmatch(form) if isinstance(form, str) else None
        usual = name == "boolean" and (form is None or form.lower() in ("y|n", "yes|no", "true|false", "t|f", "1|0"))
        if usual or ways is None:
            return {"type": name}
        return {"type": "category", "values": list(dict.fromkeys(way.strip() for way in ways[1].split("|")))}
    return {"type": name, **_bounds(name, kind)}


def _bounds(kind: str, ends: dict[str, Any]) -> dict[str, Any]:
    low, high = (ends.get(f"{end}imum", ends.get(f"{end}Inclusive")) for end in ("min", "max"))
    above, below = low is None and "minExclusive" in ends, high is None and "maxExclusive" in ends
    low, high = ends["minExclusive"] if above else low, ends["maxExclusive"] if below else high
    return bounds(kind, low, high, above=above, below=below)


def _names(found: Any) -> list[str]:
    return [found] if isinstance(found, str) else [one for one in found or [] if isinstance(one, str)]
