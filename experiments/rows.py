"""Rows: the errors of all methods on one workload of one case at one epsilon."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from experiments.peers import Key
from experiments.pool import Outcome, Trial

MARGINALS = "marginals alone"  # what a method released for each axis, without its blocks
ALL, ONE, TOTAL = "all dimensions", "one dimension", "total"


@dataclass(frozen=True)
class Row:
    """A workload and, for each method, its errors over seeds."""

    case: str
    bounded: int
    epsilon: float
    dimensions: int
    errors: dict[str, list[float]] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.case, self.bounded, self.epsilon

    @property
    def group(self) -> str:
        """The kind of workload; one that bounds every dimension is of the first kind, however few they are."""
        if self.bounded == self.dimensions:
            return ALL
        if self.bounded in (2, 3):
            return "2 and 3 dimensions"
        return {0: TOTAL, 1: ONE}.get(self.bounded, f"{self.bounded} dimensions")

    def mean(self, method: str) -> float | None:
        """The mean error over seeds; None if the method was not run or refused."""
        values = self.errors.get(method)
        return math.fsum(values) / len(values) if values else None


def rows_of(trials: Iterable[tuple[Trial, Outcome]]) -> list[Row]:
    """A row a workload, by epsilon, then case, then dimensions bounded, most first."""
    rows: dict[Key, Row] = {}
    for trial, outcome in trials:
        for bounded, error in outcome.get("rmse", {}).items():
            row = Row(trial["case"], int(bounded), trial["epsilon"], outcome["dimensions"])
            errors = rows.setdefault(row.key, row).errors
            errors.setdefault(trial["method"], []).append(error)
            if row.bounded == 1 and "marginals" in outcome:
                errors.setdefault(MARGINALS, []).append(outcome["marginals"])
    return sorted(rows.values(), key=lambda row: (row.epsilon, row.case, -row.bounded))


def groups_of(rows: Iterable[Row]) -> list[str]:
    """The kinds of workload met, from all dimensions down to the total."""
    order = {ALL: -2, ONE: 0, TOTAL: 1}
    return sorted({row.group for row in rows}, key=lambda group: (order.get(group, -1), group))


def ratio(above: float | None, below: float | None) -> float | None:
    """Their quotient; None if one is missing or zero, which has no place in a geometric mean."""
    return above / below if above and below else None
