"""Answer: a number with its error; and Answers, many of them as arrays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.privacy.ledger import Privacy
from ripost.space.measure import Measure

Z = 2.12
"""95 % two-sided quantile of a Laplace variable over its standard deviation: ln 20 / sqrt 2."""
Z_SMOOTHED = 3.0
"""The same for values that were smoothed, whose error is not noise alone: found by `python -m experiments coverage`."""
SHORTEST = math.log(0.95 / 0.05)
"""Of an interval, in what one unit can add over epsilon. Tables that differ by a few records in a question look alike
up to a factor of exp(epsilon) for each, so no interval that is always shorter holds the truth in 95 of 100 cases for
every table (docs/concepts/intervals.md)."""


def shortest_width(measure: Measure, privacy: Privacy) -> float:
    """The width that the interval of an answer has at least: what epsilon lets nobody tell apart."""
    most = measure.bound * measure.step * privacy.unit.max_rows  # that one unit adds
    return SHORTEST * most / max(float(privacy.epsilon), 5e-324)


@dataclass(frozen=True, slots=True)
class Answer:
    """An estimate, the standard error of its noise, and a range that holds the truth in about 95 of 100 cases.

    The range covers two errors. The noise that was added for privacy has the known standard deviation `stderr`. A
    block that lies partly in the question is the other: its content may be anywhere inside. The range allows for all of
    it being one clump at a random place or, if the values were smoothed, for its straying as far as the tree showed
    (clumps.py). One Laplace draw stays within 2.12 standard deviations in 95 of 100 cases; sums of many draws stay
    closer. No range of a view's answer is shorter than what epsilon lets anyone tell apart (SHORTEST). Counts are not
    negative, so the range starts at 0 or above; a value that was not smoothed is left as it is, below 0 or not,
    because then it is right on average. Where a method tells nothing of its error, as with synthetic
    records, `stderr`, `low` and `high` are NaN; where nothing that was measured tells of the question, they are
    infinite.
    """

    value: float
    stderr: float
    low: float
    high: float

    @property
    def is_bounded(self) -> bool:
        """Whether anything is known of the error."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def __str__(self) -> str:
        if not self.is_bounded:
            return f"{self.value:,.0f} (error unknown)"
        digits = self._digits
        value, stderr, low, high = (
            f"{round(number, digits) + 0.0:,.{digits}f}" for number in (self.value, self.stderr, self.low, self.high)
        )
        return f"{value} ± {stderr} (95 %: {low} to {high})"

    @property
    def _digits(self) -> int:
        """Decimals worth showing: two digits of the error."""
        error = max(self.stderr, (self.high - self.low) / 2 / Z)
        if error == 0:
            return 0 if self.value == round(self.value) else 3
        return min(9, max(0, 1 - math.floor(math.log10(error))))

    def _repr_html_(self) -> str:
        return f"<span>{escape(str(self))}</span>"


@dataclass(frozen=True, slots=True)
class Answers:
    """Many answers, (n,) each."""

    value: Floats
    stderr: Floats
    low: Floats
    high: Floats

    @classmethod
    def of(cls, value: Floats, *, noise: Floats, model: Floats, z: float = Z) -> Answers:
        """The answers from values and the variances of their noise and of what is unknown inside blocks."""
        reach = z * np.sqrt(noise + model)
        return cls(value, np.sqrt(noise), np.maximum(0.0, value - reach), np.maximum(0.0, value + reach))

    def no_shorter(self, width: float) -> Answers:
        """The same with intervals of at least this width, wherever there is noise at all; none starts below 0."""
        lacking = np.where(self.stderr > 0, np.maximum(width - (self.high - self.low), 0.0), 0.0)
        low = np.maximum(self.low - lacking / 2, 0.0)
        high = np.where(lacking > 0, np.maximum(self.high + lacking / 2, low + width), self.high)
        return Answers(self.value, self.stderr, low, high)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, number: int) -> Answer:
        fields = (self.value, self.stderr, self.low, self.high)
        return Answer(*(float(field[number]) for field in fields))

    def put(self, first: int, others: Answers) -> None:
        """Write others over those from a number on."""
        for mine, theirs in zip(
            (self.value, self.stderr, self.low, self.high),
            (others.value, others.stderr, others.low, others.high),
            strict=True,
        ):
            mine[first : first + len(others)] = theirs
