"""Code books: the listed values of a category in a file of their own, beside the schema file.

The first column has the values. Columns that `levels` and `derived` name are code maps. One more column, if there is
one, has labels. The file is read when a schema is loaded. The schema then has the values themselves, and so has the
view.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ripost.errors import suggest_nearest
from ripost.schema.code_map import MAPS

VALUES_FILE = "values_file"
SEPARATORS = {".csv": ",;\t|", ".txt": ",;\t|", ".tsv": "\t"}


def read_code_books(data: Mapping[str, Any], folder: Path | None) -> dict[str, Any]:
    """The content of a schema file in which each values_file is replaced by what the file lists."""
    attributes = data.get("attributes")
    if not isinstance(attributes, dict):
        return dict(data)
    found = dict(attributes)
    for name, table in attributes.items():
        if isinstance(table, dict) and VALUES_FILE in table:
            try:
                found[name] = _with_values(table, folder)
            except ValueError as error:
                raise ValueError(f"attribute {name}: {error}") from None
    return {**data, "attributes": found}


def _with_values(table: Mapping[str, Any], folder: Path | None) -> dict[str, Any]:
    given = table[VALUES_FILE]
    if not isinstance(given, str) or not given:
        raise ValueError(f"{VALUES_FILE} must be the name of a file, got {given!r}")
    if table.get("type") != "category":
        raise ValueError(f"{VALUES_FILE} is for categories; leave it out")
    if "values" in table:
        raise ValueError(f"takes either values or {VALUES_FILE}")
    if folder is None:
        raise ValueError(
            f"{VALUES_FILE} is relative to the schema file; load the schema from a file, or give its folder"
        )
    mapped = {key: table[key] for key in MAPS if isinstance(table.get(key), list)}
    names = [_check_name(name, key) for key, listed in mapped.items() for name in listed]
    book = read_code_book(folder / given, name=given, mapped=names)
    rest = {key: value for key, value in table.items() if key != VALUES_FILE}
    for key, listed in mapped.items():
        rest[key] = [{"name": name, "groups": book.maps[name]} for name in listed]
    if book.labels is None:
        return {**rest, "values": book.values}
    codes = {value: label for value, label in zip(book.values, book.labels, strict=True) if value != label}
    aliases = rest.get("aliases", {})
    return {**rest, "values": book.labels, "aliases": {**codes, **aliases} if isinstance(aliases, dict) else aliases}


def _check_name(name: Any, key: str) -> str:
    if not isinstance(name, str):
        raise ValueError(f"{key} beside {VALUES_FILE} must name columns of the file, got {name!r}")
    return name


@dataclass(frozen=True)
class CodeBook:
    """What a code book lists: values, perhaps a label for each, and the groups of code maps."""

    values: list[str]
    labels: list[str] | None
    maps: dict[str, list[str]]


def read_code_book(path: Path, *, name: str, mapped: Sequence[str] = ()) -> CodeBook:
    """The content of a code book, `mapped` being columns with code maps; ValueError says what is wrong."""
    where = f"{VALUES_FILE} {name}"
    header, *rows = _read_rows(path, where)
    if absent := [one for one in mapped if one not in header[1:]]:
        raise ValueError(f"{where}: has no column {absent[0]!r} after the first; {suggest_nearest(absent[0], header)}")
    width, plain = len(header), [place for place, one in enumerate(header) if place == 0 or one not in mapped]
    if len(plain) > 2:
        more = f"; name {header[plain[2]]!r} under levels or derived, or take it out" if mapped else ""
        raise ValueError(f"{where}: has {width} columns; keep the values and, if you want, their labels{more}")
    if odd := next((row for row in rows if len(row) != width or not all(row)), None):
        raise ValueError(f"{where}: each line needs {width} value{'s' * (width > 1)}, got {odd!r}")
    values, *others = ([row[place] for row in rows] for place in plain)
    for kind, listed in (("value", values), *(("label", labels) for labels in others)):
        if len(set(listed)) < len(listed):
            twice = next(one for place, one in enumerate(listed) if one in listed[:place])
            raise ValueError(f"{where}: {kind} {twice!r} is listed twice")
    maps = {one: [row[header.index(one)] for row in rows] for one in mapped}
    return CodeBook(values, others[0] if others else None, maps)


def _read_rows(path: Path, where: str) -> list[list[str]]:
    """The lines of a code book, its header first."""
    separators = SEPARATORS.get(path.suffix.lower())
    if separators is None:
        raise ValueError(f"{where}: must end in .csv, .tsv or .txt")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ValueError(f"{where}: there is no such file") from None
    except OSError as error:
        raise ValueError(f"{where}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{where}: is not UTF-8 text") from None
    header = text.replace("\r", "\n").partition("\n")[0]
    separator = max(separators, key=header.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if any(row)]
    except csv.Error:
        raise ValueError(f"{where}: is not well-formed CSV") from None
    if len(rows) < 2:
        raise ValueError(f"{where}: needs a header and at least one value")
    return rows


def add_values_file(schema: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of the file, in which a category has either values or a file of them.

    Code maps are columns of that file, or tables by the name of the map.
    """
    category = schema["$defs"]["Category"]
    told = {
        "type": "string",
        "minLength": 1,
        "description": "A CSV or TSV file that lists the values, instead of values.",
    }
    either = [{"required": ["values"]}, {"required": [VALUES_FILE]}]
    groups = {"type": "array", "items": {"type": ["string", "integer"]}}
    by_name = {"anyOf": [groups, {"type": "object", "additionalProperties": groups}]}
    columns = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    for key in MAPS:
        words = category["properties"][key]["description"]
        told_of: dict[str, Any] = {"description": f"{words} Columns of values_file, or the groups of each by its name."}
        told_of |= {"anyOf": [columns, {"type": "object", "additionalProperties": by_name, "minProperties": 1}]}
        category = {**category, "properties": {**category["properties"], key: told_of}}
    changed = {
        **category,
        "properties": {**category["properties"], VALUES_FILE: told},
        "required": [key for key in category["required"] if key != "values"],
        "oneOf": either,
    }
    rest = {name: kind for name, kind in schema["$defs"].items() if name != "CodeMap"}
    return {**schema, "$defs": {**rest, "Category": changed}}
