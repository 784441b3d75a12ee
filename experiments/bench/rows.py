"""Rows: errors and coverage by table and epsilon, pooled over seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from experiments.pool import Outcome, Trial

Done = Iterable[tuple[Trial, Outcome]]
LEAST_CELLS = 10  # of a pair, for its share inside to count


@dataclass(frozen=True)
class Row:
    """A workload of a table at an epsilon and, for each method, its errors over seeds."""

    table: str
    epsilon: float
    workload: str
    errors: dict[str, list[float]] = field(default_factory=dict)

    def mean(self, method: str) -> float | None:
        """The mean error over seeds; None if the method was not run, refused or has no answer."""
        values = self.errors.get(method)
        return fmean(values) if values else None

    def best(self, methods: Sequence[str]) -> float | None:
        """The least mean error of some methods."""
        return min((mean for mean in map(self.mean, methods) if mean is not None), default=None)


def rows_of(done: Done) -> list[Row]:
    """A row a workload, in the order of the trials."""
    rows: dict[tuple[str, float, str], Row] = {}
    for trial, outcome in done:
        for workload, error in outcome.get("error", {}).items():
            key = (trial["table"], trial["epsilon"], workload)
            rows.setdefault(key, Row(*key)).errors.setdefault(trial["method"], []).append(error)
    order = {(row.table, row.epsilon): number for number, row in reversed([*enumerate(rows.values())])}
    return sorted(rows.values(), key=lambda row: order[row.table, row.epsilon])


@dataclass(frozen=True)
class Covered:
    """The intervals of a method on a table at an epsilon."""

    table: str
    epsilon: float
    method: str
    outcomes: list[Outcome] = field(default_factory=list)  # of each seed

    @property
    def workloads(self) -> list[str]:
        return [*self.outcomes[0]["coverage"]]

    def total(self, workload: str, part: str) -> float:
        """A figure of a workload, added up over seeds."""
        return float(sum(outcome["coverage"][workload][part] for outcome in self.outcomes))

    def inside(self, workload: str) -> float:
        """The share of true answers inside their intervals."""
        return self.total(workload, "inside") / max(self.total(workload, "asked"), 1)

    def relative_width(self, workload: str) -> float:
        """The median of width over truth, averaged over seeds."""
        return self.total(workload, "width over truth") / len(self.outcomes)

    def width_by_error(self, workload: str) -> float:
        """Mean width over mean absolute error, both weighted by how many were asked."""
        width, error = (sum(_weighted(outcome, workload, part) for outcome in self.outcomes) for part in SIZES)
        return width / max(error, 1e-9)

    @property
    def pairs(self) -> dict[str, float]:
        """The share inside of each pair that has enough cells, over all seeds."""
        sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        for outcome in self.outcomes:
            for pair, (inside, asked) in outcome["pairs"].items():
                sums[pair][0] += inside
                sums[pair][1] += asked
        enough = LEAST_CELLS * len(self.outcomes)
        return {pair: inside / asked for pair, (inside, asked) in sums.items() if asked >= enough}


SIZES = ("width", "error")


def covered(done: Done) -> list[Covered]:
    """What tells of its error, by table, epsilon and method."""
    found: dict[tuple[str, float, str], Covered] = {}
    for trial, outcome in done:
        if "coverage" in outcome:
            key = (trial["table"], trial["epsilon"], trial["method"])
            found.setdefault(key, Covered(*key)).outcomes.append(outcome)
    return [*found.values()]


def _weighted(outcome: dict[str, Any], workload: str, part: str) -> float:
    found = outcome["coverage"][workload]
    return float(found[part] * found["asked"])
