"""Ask: trials of one kind, subject, method and epsilon over seeds; and the outcomes that come of many of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.datasets import load
from experiments.paper.methods import method_digest
from experiments.paper.subject import Subject
from experiments.pool import Outcome, Trial
from experiments.spec import parse_spec

ERROR, SHAPE, READING = "error", "shape", "reading"  # of a workload, of the blocks, of both on several workloads
EPSILON = 0.1  # of the whole paper

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Ask:
    """Trials with seeds 0 to runs - 1."""

    subject: Subject
    method: str
    runs: int
    epsilon: float = EPSILON
    kind: str = ERROR

    def trials(self, folder: Path | None) -> list[Trial]:
        return [
            {
                "kind": self.kind,
                "data": self.subject.data,
                "attributes": ",".join(self.subject.attributes),
                "rows": self.subject.rows,
                "method": self.method,
                "epsilon": self.epsilon,
                "seed": seed,
                "records": load(self.subject.data, folder).digest,
                "code": method_digest(parse_spec(self.method)[0]),
            }
            for seed in range(self.runs)
        ]


def subject_of(trial: Trial) -> Subject:
    return Subject(trial["data"], tuple(trial["attributes"].split(",")), trial["rows"])


class Results:
    """Outcomes by what was asked."""

    def __init__(self, outcomes: Iterable[tuple[Trial, Outcome]]) -> None:
        self._by: dict[tuple[str, Subject, str, float], list[Outcome]] = {}
        for trial, outcome in sorted(outcomes, key=lambda pair: int(pair[0]["seed"])):
            key = trial["kind"], subject_of(trial), trial["method"], trial["epsilon"]
            self._by.setdefault(key, []).append(outcome)

    def kinds(self, method: str) -> set[str]:
        """The kinds of trials that a method has."""
        return {kind for kind, _, spec, _ in self._by if spec == method}

    def subjects(self, method: str) -> list[Subject]:
        """The whole data sets' tensors on which a method has errors."""
        found = {s for kind, s, spec, _ in self._by if (kind, spec) == (ERROR, method) and s.rows is None}
        return sorted(found, key=str)

    def of(self, subject: Subject, method: str, epsilon: float = EPSILON, kind: str = ERROR) -> list[Outcome]:
        """The outcomes by rising seed; none if it was not run, or the method refused."""
        return [found for found in self._by.get((kind, subject, method, epsilon), []) if "refused" not in found]

    def refusal(self, subject: Subject, method: str, epsilon: float = EPSILON) -> str | None:
        """Why a method refused a subject."""
        return next((f["refused"] for f in self._by.get((ERROR, subject, method, epsilon), []) if "refused" in f), None)

    def errors(self, subject: Subject, method: str, epsilon: float = EPSILON, *, bounded: int | None = None) -> Floats:
        """The error of each run, on the workload that bounds every dimension or so many."""
        workload = str(subject.dimensions if bounded is None else bounded)
        return np.array([found["rmse"][workload] for found in self.of(subject, method, epsilon)])

    def error(self, subject: Subject, method: str, epsilon: float = EPSILON, *, bounded: int | None = None) -> float:
        """Their mean; NaN if there is none."""
        found = self.errors(subject, method, epsilon, bounded=bounded)
        return float(found.mean()) if len(found) else float("nan")

    def zero(self, subject: Subject, *, bounded: int | None = None) -> float:
        """The error of answering zero to every question."""
        workload = str(subject.dimensions if bounded is None else bounded)
        found = (o for (kind, s, _, _), all_of in self._by.items() if (kind, s) == (ERROR, subject) for o in all_of)
        return next((outcome["zero"][workload] for outcome in found if "zero" in outcome), float("nan"))

    def ratios(self, subjects: Sequence[Subject], method: str, base: str, *, bounded: int | None = None) -> Floats:
        """The error of a method over that of another, a subject each, where both were run."""
        found = np.array(
            [self.error(s, method, bounded=bounded) / self.error(s, base, bounded=bounded) for s in subjects]
        )
        finite: Floats = found[np.isfinite(found)]
        return finite
