"""Code books: the listed values of a category in a file of their own, beside the schema file.

The file is read when a schema is loaded. The schema then has the values themselves, and so has the view.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
    values, labels = read_code_book(folder / given, name=given)
    rest = {key: value for key, value in table.items() if key != VALUES_FILE}
    if labels is None:
        return {**rest, "values": values}
    codes = {value: label for value, label in zip(values, labels, strict=True) if value != label}
    aliases = rest.get("aliases", {})
    return {**rest, "values": labels, "aliases": {**codes, **aliases} if isinstance(aliases, dict) else aliases}


def read_code_book(path: Path, *, name: str) -> tuple[list[str], list[str] | None]:
    """The values in the first column and, if there is a second one, their labels; ValueError says what is wrong."""
    where = f"{VALUES_FILE} {name}"
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
    width = len(rows[0])
    if width > 2:
        raise ValueError(f"{where}: has {width} columns; keep the values and, if you want, their labels")
    if odd := next((row for row in rows if len(row) != width or not all(row)), None):
        raise ValueError(f"{where}: each line needs {width} value{'s' * (width > 1)}, got {odd!r}")
    values = [row[0] for row in rows[1:]]
    labels = [row[1] for row in rows[1:]] if width == 2 else None
    for kind, listed in (("value", values), ("label", labels or [])):
        if len(set(listed)) < len(listed):
            twice = next(one for place, one in enumerate(listed) if one in listed[:place])
            raise ValueError(f"{where}: {kind} {twice!r} is listed twice")
    return values, labels


def add_values_file(schema: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of the file, in which a category has either values or a file of them."""
    category = schema["$defs"]["Category"]
    told = {
        "type": "string",
        "minLength": 1,
        "description": "A CSV or TSV file that lists the values, instead of values.",
    }
    either = [{"required": ["values"]}, {"required": [VALUES_FILE]}]
    changed = {
        **category,
        "properties": {**category["properties"], VALUES_FILE: told},
        "required": [key for key in category["required"] if key != "values"],
        "oneOf": either,
    }
    return {**schema, "$defs": {**schema["$defs"], "Category": changed}}
