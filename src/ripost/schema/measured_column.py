"""MeasuredColumn: a column whose sums and means a view answers beside its counts.

A row adds its value, clamped to `min` and `max` and rounded to a public grid of `step`. What is measured with noise is
the sum of each value's distance from the middle of the range, in half steps: a whole number between -bound and bound
(privacy/proofs/measures.md). The sum itself is the middle times the count, plus that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, model_validator

from ripost.schema.attribute_base import Spelling
from ripost.schema.numeric import DecimalSign, ThousandsSign, check_signs, read_missing_numbers

MOST_STEPS = 2**31 - 1  # of a range; 2^29 rows of as many half steps still add up below 2^61
LARGEST_VALUE = 1e15  # so that half a step is told apart from none
MOST_MEASURES = 100


class MeasuredColumn(BaseModel):
    """A number of each row, whose sum and mean are known for every part of the table."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    column: str | None = Field(None, min_length=1, description="The column; the name of the measure without it.")
    min: StrictFloat = Field(description="The least value of a row; lower ones count as this. It may be negative.")
    max: StrictFloat = Field(description="The largest value of a row; higher ones count as this.")
    step: StrictFloat = Field(1.0, gt=0, description="Resolution: values are rounded to min plus whole steps.")
    missing: StrictFloat | Literal["drop"] | None = Field(
        None,
        description='The value of a row where it is missing: 0, or the end of the range next to it; or "drop", which '
        "leaves the row out of the view.",
    )
    weight: StrictFloat = Field(
        1.0, gt=0, description="Its share of the budget, over that of the other measures; the counts have weight 1."
    )

    decimal: DecimalSign | None = Field(None, description="The column is text; the sign before the fraction.")
    thousands: ThousandsSign | None = Field(None, description="The column is text; the sign between groups of digits.")
    missing_values: tuple[Spelling, ...] | None = Field(None, description="Further spellings of missing.")

    @property
    def bound(self) -> int:
        """Steps from the least value to the largest, and half steps that one row adds to a measured sum at most."""
        return math.ceil((self.max - self.min) / self.step)

    @property
    def middle(self) -> float:
        """The middle of the range, which a row without anything measured adds."""
        return self.min + self.bound * self.step / 2

    @property
    def missing_steps(self) -> int | None:
        """Steps above `min` of a row whose value is missing; None where it is dropped."""
        if self.missing == "drop":
            return None
        value = min(max(float(self.missing or 0.0), self.min), self.max)
        return min(math.floor((value - self.min) / self.step + 0.5), self.bound)

    def describe(self, name: str) -> str:
        """What a view knows of it, and how rows were added up, in a line."""
        column = f" of column {self.column}" if self.column not in (None, name) else ""
        steps = self.missing_steps
        missing = "are left out" if steps is None else f"count as {self.min + steps * self.step:g}"
        return (
            f"SUM and AVG of {name}{column}: values from {self.min:g} to {self.max:g}, rows without a value {missing}"
        )

    @property
    def exact_weight(self) -> Fraction:
        return Fraction(str(self.weight))

    @cached_property
    def missing_numbers(self) -> tuple[float, ...]:
        return read_missing_numbers(self.missing_values, self.decimal, self.thousands)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        check_signs(self.decimal, self.thousands)
        _ = self.missing_numbers
        if not self.min < self.max:
            raise ValueError(f"min must be below max, got min {self.min:g} and max {self.max:g}")
        if max(abs(self.min), abs(self.max)) > LARGEST_VALUE or self.step < 1 / LARGEST_VALUE:
            raise ValueError(
                f"min and max must lie between -{LARGEST_VALUE:g} and {LARGEST_VALUE:g} and step be at least "
                f"{1 / LARGEST_VALUE:g}; use other units"
            )
        if self.step > self.max - self.min:
            raise ValueError(f"step must not be above max - min, got step {self.step:g}")
        if not (self.max - self.min) / self.step <= MOST_STEPS:
            raise ValueError(f"step must be larger: min to max may be {MOST_STEPS} steps, got step {self.step:g}")
        if isinstance(self.missing, float) and not self.min <= self.missing <= self.max:
            raise ValueError(f"missing must lie between min and max, got {self.missing:g}")
        if not 1e-3 <= self.weight <= 1e3:
            raise ValueError(f"weight must lie between 0.001 and 1000, got {self.weight:g}")
        return self


def share_budget(measures: Mapping[str, MeasuredColumn]) -> dict[str | None, Fraction]:
    """The share of the counts (None) and of each measure in a budget, by weight; the shares add up to 1."""
    weights = {name: one.exact_weight for name, one in measures.items()}
    whole = sum(weights.values(), Fraction(1))
    found: dict[str | None, Fraction] = {None: 1 / whole}
    return found | {name: weight / whole for name, weight in weights.items()}


def value_of_missing(measured: MeasuredColumn) -> float | None:
    """The value that a row counts as whose own is missing; None where such rows are dropped."""
    steps = measured.missing_steps
    return None if steps is None else measured.min + steps * measured.step
