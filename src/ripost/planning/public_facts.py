"""Public facts: everything that planning knows about a table. All of it is public."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ripost.errors import InputError
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT, ROW, Measure, Unit
from ripost.schema.measured_column import share_budget
from ripost.schema.schema import Schema

MOST_ROWS = 10**12


@dataclass(frozen=True)
class PublicFacts:
    """The domain, the measure, the privacy unit, and the number of rows expected after bounding."""

    domain: Domain
    rows: int
    measure: Measure = COUNT
    unit: Unit = ROW
    share: Fraction = Fraction(1)  # of the budget, that the counts get beside measures

    def __post_init__(self) -> None:
        if not 1 <= self.rows <= MOST_ROWS:
            raise InputError(f"the expected number of rows must lie between 1 and {MOST_ROWS:,}, got {self.rows:,}")
        if self.rows * self.measure.bound >= 2**60:
            raise InputError("so many rows could add up to more than a view can hold; give a larger step in the schema")

    @classmethod
    def of(cls, schema: Schema, *, rows: int) -> PublicFacts:
        """The facts of a schema, with the number of rows that its owner expects."""
        return cls(schema.domain, rows, schema.measure, schema.row_unit, share_budget(schema.measures)[None])
