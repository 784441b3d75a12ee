"""Databases: a table of a database that Ibis can reach, by URL. Messages never show the URL: it may hold a password.

The password is better left out of it, and given in RIPOST_PASSWORD, in a file that RIPOST_PASSWORD_FILE names, or in
the ways that a driver has of its own (PGPASSWORD, ~/.pgpass).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import ibis

from ripost.errors import SourceError, redact_passwords, suggest_nearest
from ripost.sources.duckdb_engine import disable_progress_bar
from ripost.sources.error_redaction import redact_errors
from ripost.sources.source_table import SourceTable, build_null_table, defer_error, require_columns, select_columns
from ripost.sources.spill import spill_folder

ALIASES = {"postgresql": "postgres"}
FILES = ("duckdb", "sqlite")  # databases that are one file
PASSWORD, PASSWORD_FILE = "RIPOST_PASSWORD", "RIPOST_PASSWORD_FILE"


def open_database(url: str, *, columns: Sequence[str] | None, table: str | None) -> SourceTable:
    """A table, given as `name` or `schema.name`, of the database at a URL; all its columns if none are named."""
    scheme, _, rest = url.partition("://")
    kind = ALIASES.get(scheme.lower(), scheme.lower())
    known = sorted(point.name for point in ibis.util.backend_entry_points())
    if kind not in known:
        raise SourceError(f"cannot connect to {scheme}://; {suggest_nearest(kind, known)}")
    if not table:
        raise SourceError(f"a {kind} database needs the name of a table; give it with --table, in Python with table=")
    backend = _connect(kind, f"{kind}://{rest}")
    try:
        return _open_table(backend, table, columns)
    except SourceError:
        backend.disconnect()
        raise


def list_database_columns(url: str, *, table: str | None) -> list[str]:
    """The names of the columns of a table."""
    opened = open_database(url, columns=None, table=table)
    try:
        return list(opened.table.columns)
    finally:
        opened.close()


def _open_table(backend: Any, table: str, columns: Sequence[str] | None) -> SourceTable:
    name = f"{backend.name} table {table}"
    if names := _untyped_columns(backend, table):
        require_columns(columns or (), names, name=name)
        load = partial(_load_table, backend, table, columns)
        return SourceTable(name, build_null_table(columns or names), backend, end=backend.disconnect, load=load)
    found = _table(backend, table)
    if found is None and table in (known := _tables(backend)):
        error = SourceError(f"{name}: cannot be read; what it says is withheld, since it may quote rows")
        if columns is None:
            raise error
        return defer_error(name, columns, backend, error)  # a view looks at what it is made of
    if found is None:
        raise SourceError(f"the {backend.name} database has no table {table!r}; {suggest_nearest(table, known)}")
    require_columns(columns or (), found.columns, name=name)
    return SourceTable(name, select_columns(found, columns or found.columns), backend, end=backend.disconnect)


def _untyped_columns(backend: Any, table: str) -> list[str]:
    """The columns of an SQLite table if some have no declared type; Ibis would take those from the first row."""
    if backend.name != "sqlite":
        return []
    first, _, last = table.rpartition(".")
    sql = "SELECT name, type FROM pragma_table_info(?, coalesce(?, 'main'))"
    for place in ((table, None), (last, first)):
        with suppress(SourceError):
            found = redact_errors(lambda: backend.con.execute(sql, place).fetchall(), say="no such table")  # noqa: B023
            if found:
                return [] if all(kind for _, kind in found) else [name for name, _ in found]
    return []


def _load_table(backend: Any, table: str, columns: Sequence[str] | None) -> Any:
    """A table whose first row says of which types its columns are."""
    if (found := _table(backend, table)) is None:
        raise SourceError(f"sqlite table {table}: has columns without a type, and no row to tell it; declare types")
    return select_columns(found, columns or found.columns)


def _connect(kind: str, url: str) -> Any:
    if kind in FILES:
        path = Path(unquote(url.removeprefix(f"{kind}://").partition("?")[0]))
        if not path.is_file():
            raise SourceError(f"{path}: there is no such {kind} file")
        if kind == "duckdb":
            say = f"{path}: is not a DuckDB database, or another program has it open"
            rows = str(spill_folder())
            return redact_errors(
                lambda: disable_progress_bar(ibis.duckdb.connect(path, read_only=True, temp_directory=rows)), say=say
            )

    def complain(error: Exception) -> str:
        if isinstance(error, ImportError):
            return f"reading from {kind} needs more packages: pip install 'ibis-framework[{kind}]'"
        host = ""
        with suppress(ValueError):
            host = urlsplit(redact_passwords(url)).hostname or ""
        what = f"cannot connect to {kind}{f' at {host}' if host else ''}"
        return f"{what}; check the URL, the user, the password ({PASSWORD} or {PASSWORD_FILE}) and the network"

    return redact_errors(
        lambda: ibis.sqlite.connect(path) if kind == "sqlite" else ibis.connect(with_password(url)), say=complain
    )


def with_password(url: str) -> str:
    """A URL with the password of the environment, if there is one and the URL has none of its own."""
    password = os.environ.get(PASSWORD)
    if password is None and (name := os.environ.get(PASSWORD_FILE)):
        try:
            password = Path(name).read_text("utf-8").rstrip("\r\n")
        except (OSError, UnicodeError):
            raise SourceError(f"{PASSWORD_FILE} names a file that cannot be read as text: {name}") from None
    if not password or redact_passwords(url) != url:
        return url
    parts = urlsplit(url)
    login, _, place = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{login}:{quote(password, safe='')}@{place}").geturl()


def _table(backend: Any, name: str) -> Any:
    """The table, or None if the database has none of that name."""
    first, _, last = name.rpartition(".")
    ways = [lambda: backend.table(name)]
    if first:
        ways.append(lambda: backend.table(last, database=first))
    for way in ways:
        try:
            return redact_errors(way, say="no such table")
        except SourceError:
            continue
    return None


def _tables(backend: Any) -> list[str]:
    if backend.name == "duckdb":  # list_tables of Ibis 12 does not know DuckDB 2
        return [row[0] for row in backend.con.execute("SHOW TABLES").fetchall()]
    try:
        return redact_errors(lambda: list(backend.list_tables()), say="no list of tables")
    except SourceError:
        return []
