"""Views exported to a database, and numbers that must be the same there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from ripost.answering.answer import Answer
from ripost.view import View


@contextmanager
def exported(view: View, folder: Path, name: str = "flights.duckdb") -> Iterator[Any]:
    view.export(folder / name, force=True)
    with duckdb.connect(folder / name, read_only=True) as connection:
        yield connection


def same(found: tuple[Any, ...], wanted: Answer) -> bool:
    """To 1e-9 relative; NULL where nothing is known."""
    figures = (wanted.value, wanted.stderr, wanted.low, wanted.high)
    return all(
        mine is None if not math.isfinite(theirs) else math.isclose(mine, theirs, rel_tol=1e-9, abs_tol=1e-9)
        for mine, theirs in zip(found, figures, strict=True)
    )
