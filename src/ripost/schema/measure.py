"""Measure and Unit: what a cell holds, and whom the promise protects."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ripost.errors import InputError

HISTORY_STAYS = (  # what `max_periods` needs to bound all releases of a series (privacy/proofs/periods.md)
    "This rests on the steward: each period was published from a table with all earlier rows, and no row joined, left "
    "or changed a period once this or a later one was published."
)


@dataclass(frozen=True, slots=True)
class Measure:
    """Rows, the sum of a column, or non-empty cells; cells hold whole numbers of `step`."""

    column: str | None = None  # None counts rows
    step: float = 1.0
    bound: int = 1  # the most one row adds to a cell, in steps
    cells: bool = False  # every non-empty cell counts once, however many rows it has

    def __post_init__(self) -> None:
        if self.cells and (self.column, self.step, self.bound) != (None, 1, 1):
            raise InputError("a measure of non-empty cells has no column, and counts by one")
        if not (isinstance(self.bound, int) and 1 <= self.bound < 2**53 and 0 < self.step < float("inf")):
            raise InputError(f"a measure needs a positive step and bound, got {self.step} and {self.bound}")

    @property
    def title(self) -> str:
        if self.cells:
            return "COUNT(non-empty cells)"
        return "COUNT(*)" if self.column is None else f"SUM({self.column})"

    @property
    def holds_rows(self) -> bool:
        """Whether cells hold numbers of rows."""
        return self.column is None and not self.cells

    def to_json(self) -> dict[str, Any]:
        facts = asdict(self)
        return facts if facts.pop("cells") is False else {**facts, "cells": True}


@dataclass(frozen=True, slots=True)
class Unit:
    """One row, or all rows of one value of a column, of which at most `max_rows` are kept.

    In a release of one period, `max_periods` says that only rows in the first periods of a unit are kept.
    """

    column: str | None = None
    max_rows: int = 1
    max_periods: int | None = None  # None: in every period

    def __post_init__(self) -> None:
        if not (isinstance(self.max_rows, int) and self.max_rows >= 1):
            raise InputError(f"max_rows must be a whole number from 1, got {self.max_rows}")
        if self.column is None and self.max_rows != 1:
            raise InputError("max_rows needs a unit: name the column that identifies people")
        if self.max_periods is None:
            return
        if not (isinstance(self.max_periods, int) and self.max_periods >= 1):
            raise InputError(f"max_periods must be a whole number from 1, got {self.max_periods}")
        if self.column is None:
            raise InputError("max_periods needs a unit: name the column that identifies people")

    @property
    def most_periods(self) -> int | None:
        """The most periods of a rule in which one unit counts; None if in all (privacy/proofs/periods.md)."""
        return 1 if self.column is None else self.max_periods

    @property
    def first_periods(self) -> str:
        """The periods in which rows of one unit are kept, for print; empty if in all."""
        if self.max_periods is None:
            return ""
        return "first period" if self.max_periods == 1 else f"first {self.max_periods:,} periods"

    def __str__(self) -> str:
        if self.column is None:
            return "one row"
        when = f", in its {self.first_periods}" if self.first_periods else ""
        return f"one {self.column} (at most {self.max_rows} row{'s' * (self.max_rows > 1)} kept{when})"

    def to_json(self) -> dict[str, Any]:
        facts = asdict(self)
        return facts if self.max_periods is not None else {name: facts[name] for name in ("column", "max_rows")}


COUNT = Measure()
OCCUPIED = Measure(cells=True)
ROW = Unit()
