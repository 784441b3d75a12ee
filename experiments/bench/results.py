"""Results: all figures of merit by table and epsilon, so that less is better in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from experiments.bench.rows import Row
from experiments.pool import Outcome, Trial
from ripost.comparing.measure import CELLS, GROUP_SIZES, THRESHOLDS

Done = Sequence[tuple[Trial, Outcome]]
PURE, APPROXIMATE = "pure", "approximate"
SUBJECTS = {PURE: "ripost+", APPROXIMATE: "ripost+[delta=1e-9]"}  # what is compared with the other methods
TITLES = {PURE: "pure epsilon", APPROXIMATE: "(epsilon, delta), delta 1e-9 unless a method says otherwise"}
RANGES = ("k=1", "k=2", "k=3", "all", "groups")
WORKLOADS = (*RANGES, *CELLS.values())
RELATIVE = {name: f"relative error of answers of at least {name} of the rows" for name in THRESHOLDS}
BY_SIZE = {name: f"groups of {name} of the rows" for name in GROUP_SIZES}
AREA = "1 - area under the ROC curve"


@dataclass(frozen=True)
class Results:
    """The trials of a run."""

    done: Done

    def methods(self, promise: str) -> list[str]:
        """Methods of a promise, in the order of the trials; the subject first."""
        found = dict.fromkeys(trial["method"] for trial, _ in self.done if trial["promise"] == promise)
        subject = SUBJECTS[promise]
        return [subject, *(name for name in _registered(found) if name != subject)] if subject in found else [*found]

    @property
    def tables(self) -> list[str]:
        return [*dict.fromkeys(trial["table"] for trial, _ in self.done)]

    @property
    def epsilons(self) -> list[float]:
        return sorted({trial["epsilon"] for trial, _ in self.done})

    def rows(self) -> list[Row]:
        """A row a figure of merit, table and epsilon, with the values of each method over seeds."""
        rows: dict[tuple[str, float, str], Row] = {}
        for trial, outcome in self.done:
            for name, value in _figures(outcome):
                key = (trial["table"], trial["epsilon"], name)
                rows.setdefault(key, Row(*key)).errors.setdefault(trial["method"], []).append(value)
        order = {name: number for number, name in enumerate([*WORKLOADS, *RELATIVE.values(), *BY_SIZE.values(), AREA])}
        return sorted(rows.values(), key=lambda row: (row.epsilon, row.table, order[row.workload]))

    def outcomes(self, method: str, kind: str = "answers") -> list[tuple[Trial, Outcome]]:
        return [(t, outcome) for t, outcome in self.done if (t["method"], t["kind"]) == (method, kind)]


def standard_error(values: Sequence[float]) -> float | None:
    """Of the mean of some seeds; None of one."""
    return stdev(values) / len(values) ** 0.5 if len(values) > 1 else None


def mean_of(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _figures(outcome: Outcome) -> Iterator[tuple[str, float]]:
    yield from outcome.get("error", {}).items()
    yield from ((RELATIVE[name], value) for name, value in outcome.get("relative", {}).items())
    yield from ((BY_SIZE[name], value) for name, value in outcome.get("groups", {}).items())
    if "auc" in outcome:
        yield AREA, 1 - outcome["auc"]


def _registered(found: Sequence[str] | dict[str, None]) -> list[str]:
    """In a fixed order, whichever trial came first: by name."""
    return sorted(found)
