"""The embedded DuckDB that reads files and Arrow data."""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import Any

import duckdb
import ibis

from ripost.ingest.spill import spill_folder

_numbers = itertools.count()


def connect() -> Any:
    """A fresh embedded DuckDB that never reaches for the network, leaves no rows where others can read them, and never
    draws its progress into what we print.
    """
    return silenced(ibis.duckdb.connect(autoinstall_known_extensions=False, temp_directory=str(spill_folder())))


def silenced(backend: Any) -> Any:
    """A DuckDB that does not print how far it is: it would after two seconds, into the output of a command."""
    with suppress(duckdb.InvalidInputException):  # a notebook that lacks what DuckDB would draw with: it draws nothing
        backend.raw_sql("SET enable_progress_bar = false")
    return backend


def fresh_name() -> str:
    """A name that no table has yet."""
    return f"ripost_{next(_numbers)}"


def quoted(text: str) -> str:
    """Text as a literal of DuckDB's SQL."""
    return "'" + text.replace("'", "''") + "'"
