"""Compare promises: the expected errors at pure epsilon and at the same epsilon with a delta."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ripost.methods.delta_rule import DeltaRule, delta_rule
from ripost.planning.forecast import Forecast, ForecastLine, summarize
from ripost.planning.simulation import Simulation

USUAL_DELTA = Fraction(1, 10**9)


@dataclass(frozen=True)
class DeltaLine:
    """Typical errors of questions of one size, as shares of the true answer."""

    share: float
    pure: float
    with_delta: float


@dataclass(frozen=True)
class DeltaComparison:
    """The errors of pure epsilon and of (epsilon, delta) on the same questions, and the verdict of the rule."""

    epsilon: Fraction
    delta: Fraction
    lines: tuple[DeltaLine, ...]
    rule: DeltaRule

    @property
    def ratio(self) -> float | None:
        """The error with delta divided by that at pure epsilon, a geometric mean over sizes; None without any size."""
        logs = [np.log(line.with_delta / line.pure) for line in self.lines]
        return float(np.exp(np.mean(logs))) if logs else None

    def to_json(self) -> dict[str, Any]:
        return {
            "epsilon": float(self.epsilon),
            "delta": float(self.delta),
            "lines": [vars(line) for line in self.lines],
            "ratio": self.ratio,
            "rule": {**vars(self.rule), "verdict": self.rule.verdict},
        }


def compare_delta(simulation: Simulation, planned: Forecast) -> DeltaComparison | None:
    """Compare the planned promise with the other one at the same epsilon; None if the method can make only one.

    The other promise is simulated on some stand-ins. Its error is the planned error times the mean ratio on these.
    """
    if not simulation.has_both_promises:
        return None
    own, delta = simulation.delta, simulation.delta or USUAL_DELTA
    facts, epsilon = simulation.facts, planned.epsilon
    other = summarize(simulation.errors_with(Fraction(0) if own else delta, epsilon), facts, epsilon, None)
    lines = []
    for line in planned.lines:
        ratio = _ratio(other.line(line.share), line)
        if ratio is not None:
            errors = (line.typical.middle, line.typical.middle * ratio)
            pure, with_delta = reversed(errors) if own else errors
            lines.append(DeltaLine(line.share, pure, with_delta))
    rule = delta_rule(
        facts.domain.shape,
        facts.rows,
        epsilon=epsilon,
        delta=delta,
        max_rows=facts.unit.max_rows,
        pairs=simulation.options.get("pairs", True),
    )
    return DeltaComparison(epsilon, delta, tuple(lines), rule)


def _ratio(other: ForecastLine | None, line: ForecastLine) -> float | None:
    """The ratio of two lines' errors on the stand-ins that both have; None for the total, which is asked only once."""
    if other is None or line.share == 1 or line.typical.middle == 0:
        return None
    pairs = [(error, line.by_shape[shape]) for shape, error in other.by_shape.items() if shape in line.by_shape]
    logs = [np.log(mine / theirs) for mine, theirs in pairs if mine > 0 and theirs > 0]
    return float(np.exp(np.mean(logs))) if logs else None
