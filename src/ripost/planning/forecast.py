"""Forecast: the error to expect at an epsilon, by the size of a question, with its range over the stand-ins."""

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
FEWEST_ROWS = 20  # of a question that a plan speaks of
NINE_IN_TEN = 0.9


@dataclass(frozen=True)
class ErrorRange:
    """A figure over the stand-ins: the middle (their geometric mean), the least and the most."""

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
    """What to expect of questions of one size; errors are shares of the true answer."""

    share: float
    rows: float
    typical: ErrorRange  # half of the questions are off by less
    nine_in_ten: ErrorRange | None  # of everything there is one question only
    floor: float | None  # what no method can be expected to beat, half of the times; None where theory is silent
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
    """The sizes a plan speaks of: those wanted, and round ones that still hold some rows; falling."""
    usual = (share for share in SHARES if share == 1 or share * rows >= FEWEST_ROWS)
    return tuple(sorted({*usual, *wanted}, reverse=True))


def forecast(simulation: Simulation, epsilon: Fraction) -> Forecast:
    """What stand-ins tell of the error at an epsilon."""
    bound = error_floor(simulation.facts, epsilon) if simulation.counts_purely else None
    return summarize(simulation.errors(epsilon), simulation.facts, epsilon, bound)


def summarize(errors: Iterable[QueryErrors], facts: PublicFacts, epsilon: Fraction, bound: float | None) -> Forecast:
    """Errors gathered by size; `bound` is the floor in rows."""
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
    """Half of the times one count is off by more than this many rows, though it alone had the whole budget.

    The geometric mechanism is optimal for one count (Ghosh, Roughgarden and Sundararajan 2009) and near to Laplace
    noise of scale max_rows / epsilon, whose median is ln 2 times that. A cell and a total cost the same.
    """
    return math.log(2) * facts.unit.max_rows / float(epsilon)
