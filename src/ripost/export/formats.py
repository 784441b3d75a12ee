"""Formats: what a view can be exported to, chosen by name or by the ending of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

from ripost.errors import InputError, suggest_nearest
from ripost.export.wanted import Wanted
from ripost.release.atomic import check_target, write_whole
from ripost.release.file import stem
from ripost.view import View


@dataclass(frozen=True)
class Format:
    """One format: the endings of its files, the usual one first, and how it is made."""

    suffixes: tuple[str, ...]
    made: Callable[[Wanted, str], bytes]  # from what is wanted, and a name for it


def _duckdb(wanted: Wanted, name: str) -> bytes:
    from ripost.export.database.write import database

    if not wanted.is_usual or wanted.where:
        raise InputError("a database holds the whole view; ask it in SQL, or choose csv, json-stat or xlsx for a table")
    return database(wanted.view, name)


def _csv(wanted: Wanted, _: str) -> bytes:
    from ripost.export.csv_file import csv_bytes

    return csv_bytes(wanted)


def _jsonstat(wanted: Wanted, _: str) -> bytes:
    from ripost.export.jsonstat import jsonstat_bytes

    return jsonstat_bytes(wanted)


def _xlsx(wanted: Wanted, _: str) -> bytes:
    from ripost.export.xlsx import xlsx_bytes

    return xlsx_bytes(wanted)


FORMATS = {
    "duckdb": Format((".duckdb", ".db"), _duckdb),
    "csv": Format((".csv",), _csv),
    "json-stat": Format((".json", ".jsonstat"), _jsonstat),
    "xlsx": Format((".xlsx",), _xlsx),
}


def format_of(path: str | PathLike[str], name: str | None = None) -> str:
    """The name of the format that was named, or that the ending of a file tells."""
    if name is not None:
        plain = name.lower().replace("jsonstat", "json-stat")
        if plain not in FORMATS:
            raise InputError(f"there is no format {name!r}; {suggest_nearest(plain, FORMATS)}")
        return plain
    suffix = Path(path).suffix.lower()
    for known, one in FORMATS.items():
        if suffix in one.suffixes:
            return known
    endings = ", ".join(one.suffixes[0] for one in FORMATS.values())
    raise InputError(f"the ending of {fspath(path)} tells no format; end it with one of {endings}, or name the format")


def export_view(
    view: View,
    path: str | PathLike[str],
    *,
    format: str | None = None,
    by: Sequence[str] = (),
    where: str | None = None,
    sql: str | None = None,
    force: bool = False,
) -> Wanted:
    """Write a view, or tables of it, whole or not at all; what was wanted is returned."""
    check_target(path, force=force)
    wanted = Wanted.read(view, [by] if isinstance(by, str) else by, where, sql)
    write_whole(path, FORMATS[format_of(path, format)].made(wanted, stem(path)), force=force)
    return wanted
