"""Forecast: the expected error at an epsilon, by the size of a question, with its range over the stand-ins."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ripost.planning.public_facts import PublicFacts
from ripost.planning.simulation import QueryErrors, Simulation

SHARES = (1.0, 0.5, 0.1, 0.01, 0.001, 0.0001)
FEWEST_ROWS = 20  # of the smallest question in a plan
NINE_IN_TEN = 0.9


@dataclass(frozen=True)
class ErrorRange:
    """A figure over the stand-ins: their geometric mean, the least and the largest."""

    middle: float
    least: float
    most: float

    @classmethod
    def of(cls, figures: Iterable[float]) -> ErrorRange:
        found = sorted(figures)
        middle = math.exp(float(np.mean(np.log(found)))) if found[0] > 0 else float(np.median(found))
        return cls(middle, found[0], found[-1])


@dataclass(frozen=True)
class ForecastLine:
    """The expected errors of questions of one size, as shares of the true answer."""

    share: float
    rows: float
    typical: ErrorRange  # the median error
    nine_in_ten: ErrorRange | None  # the 90 % quantile; None for the total, which is one question only
    floor: float | None  # the least median error of any method; None where no such bound is known
    by_shape: dict[str, float]  # the typical error on each stand-in

    def to_json(self) -> dict[str, Any]:
        return {
            "share": self.share,
            "rows": round(self.rows),
            "typical": vars(self.typical),
            "nine_in_ten": self.nine_in_ten and vars(self.nine_in_ten),
            "floor": self.floor,
            "by_stand_in": self.by_shape,
        }


@dataclass(frozen=True)
class Forecast:
    """Lines from the largest questions to the smallest."""

    epsilon: Fraction
    lines: tuple[ForecastLine, ...]

    def line(self, share: float) -> ForecastLine | None:
        return next((line for line in self.lines if math.isclose(line.share, share)), None)


def shares_for(rows: int, wanted: Iterable[float] = ()) -> tuple[float, ...]:
    """The sizes of questions in a plan, falling: those wanted, and round ones of at least FEWEST_ROWS rows."""
    usual = (share for share in SHARES if share == 1 or share * rows >= FEWEST_ROWS)
    return tuple(sorted({*usual, *wanted}, reverse=True))


def forecast(simulation: Simulation, epsilon: Fraction) -> Forecast:
    """Forecast the errors at an epsilon from releases of the stand-ins."""
    bound = error_floor(simulation.facts, epsilon) if simulation.counts_purely else None
    return summarize(simulation.errors(epsilon), simulation.facts, epsilon, bound)


def summarize(errors: Iterable[QueryErrors], facts: PublicFacts, epsilon: Fraction, bound: float | None) -> Forecast:
    """Summarize errors by size; `bound` is the least median error in rows."""
    by_share: dict[float, list[QueryErrors]] = {}
    for found in errors:
        by_share.setdefault(found.share, []).append(found)
    lines = []
    for share in sorted(by_share, reverse=True):
        some = by_share[share]
        typical = {one.shape: float(np.median(one.values)) for one in some}
        most = ErrorRange.of(float(np.quantile(one.values, NINE_IN_TEN)) for one in some) if share < 1 else None
        rows = share * facts.rows
        lines.append(ForecastLine(share, rows, ErrorRange.of(typical.values()), most, bound and bound / rows, typical))
    return Forecast(epsilon, tuple(lines))


def error_floor(facts: PublicFacts, epsilon: Fraction) -> float:
    """The median error, in rows, of one count with the whole budget.

    The geometric mechanism is optimal for one count (Ghosh, Roughgarden and Sundararajan 2009). It is close to Laplace
    noise of scale max_rows / epsilon, whose median size is ln 2 times that. A cell and a total cost the same.
    """
    return math.log(2) * facts.unit.max_rows / float(epsilon)
