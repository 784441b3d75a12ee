"""The embedded DuckDB that reads files and Arrow data."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import ibis
from pydantic import ByteSize, TypeAdapter, ValidationError

from ripost.errors import InputError, SourceError
from ripost.sources.spill import spill_folder

T = TypeVar("T")

LEAST_MEMORY = 64_000_000
SOON = 0.02  # seconds
PAUSE = 0.2  # seconds between looks at how far a query is
GLOB = re.compile(r"[*?[]")

_numbers = itertools.count()


def connect() -> Any:
    """A fresh embedded DuckDB that never reaches for the network, leaves no rows where others can read them, and never
    draws its progress into what we print, though it can be asked for it.
    """
    return disable_progress_bar(
        ibis.duckdb.connect(autoinstall_known_extensions=False, temp_directory=str(spill_folder()))
    )


def disable_progress_bar(backend: Any) -> Any:
    """A DuckDB that knows how far it is but does not print it: it would after two seconds, into the output of a
    command.
    """
    for setting in ("enable_progress_bar_print = false", "enable_progress_bar = true"):
        with suppress(duckdb.InvalidInputException):  # a notebook that lacks what DuckDB would draw with: nothing drawn
            backend.raw_sql(f"SET {setting}")
    return backend


def limit_memory(backend: Any, memory: int | str) -> None:
    """Let a DuckDB hold so many bytes, also said as "2GB" or "512MiB"; what is more goes to the private folder."""
    try:
        asked = TypeAdapter(ByteSize).validate_python(memory)
    except ValidationError:
        raise InputError(f"memory must read like 2GB or 512MiB, got {memory!r}") from None
    if asked < LEAST_MEMORY:
        raise InputError(f"memory must be at least {LEAST_MEMORY // 1_000_000}MB, got {memory!r}")
    backend.raw_sql(f"SET memory_limit = '{asked // 1024}KiB'")
    backend.raw_sql("SET preserve_insertion_order = false")  # order would be held in memory, and no count needs it


def run_interruptible(backend: Any, work: Callable[[], T], tell: Callable[[float], None] | None) -> T:
    """What some work of a DuckDB gives. It is done beside, so that Ctrl-C stops it at once, and so that `tell` hears
    now and then which share is done.
    """
    with ThreadPoolExecutor(1) as pool:
        task = pool.submit(work)
        try:
            while not wait([task], timeout=PAUSE).done:
                share = backend.con.query_progress()
                if tell is not None and share >= 0:
                    tell(min(share / 100, 1.0))
            return task.result()
        except KeyboardInterrupt:
            while not wait([task], timeout=SOON).done:  # more than once: it may not have begun
                backend.con.interrupt()
            raise


def new_table_name() -> str:
    """A name that no table has yet."""
    return f"ripost_{next(_numbers)}"


def escape_glob(path: str | Path) -> str:
    """A path as DuckDB takes it for the file of that name: it would look for others that match `*`, `?` and `[`."""
    if os.sep == "/" and "\\" in str(path) and GLOB.search(str(path)):  # in a glob it takes \ for the end of a folder
        raise SourceError(f"{path}: has a backslash and one of * ? [ in its name; rename it")
    return GLOB.sub(r"[\g<0>]", str(path))


def quote_literal(text: str) -> str:
    """Text as a literal of DuckDB's SQL."""
    return "'" + text.replace("'", "''") + "'"
