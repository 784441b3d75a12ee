"""Measure and Unit: what a cell holds, and whom the promise protects."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ripost.errors import InputError


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
    """One row, or all rows of one value of a column, of which at most `max_rows` are kept."""

    column: str | None = None
    max_rows: int = 1

    def __post_init__(self) -> None:
        if not (isinstance(self.max_rows, int) and self.max_rows >= 1):
            raise InputError(f"max_rows must be a whole number from 1, got {self.max_rows}")
        if self.column is None and self.max_rows != 1:
            raise InputError("max_rows needs a unit: name the column that identifies people")

    def __str__(self) -> str:
        if self.column is None:
            return "one row"
        return f"one {self.column} (at most {self.max_rows} row{'s' * (self.max_rows > 1)} kept)"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


COUNT = Measure()
OCCUPIED = Measure(cells=True)
ROW = Unit()
