"""Compare protection: the expected errors for pairs of attributes, with protected pairs and without."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from ripost.planning.simulation import PairForecast, Simulation
from ripost.schema.attribute_sets import resolve_attribute_sets

USUAL_SHARE = 0.01  # share of the rows that a question about a pair counts
MOST_OTHERS = 12  # pairs that are not protected, of which questions are asked

Pair = tuple[int, int]


@dataclass(frozen=True)
class ProtectedLine:
    """Typical errors of questions about one protected pair, or about all pairs that are not protected."""

    attributes: tuple[str, str] | None  # None for the pairs that are not protected
    without: float
    protected: float

    @property
    def ratio(self) -> float:
        """The error with protection divided by that without it."""
        return self.protected / self.without


@dataclass(frozen=True)
class ProtectionComparison:
    """How protection changes the errors of questions that count about `share` of the rows."""

    share: float
    lines: tuple[ProtectedLine, ...]

    def to_json(self) -> dict[str, Any]:
        return {"share": self.share, "lines": [{**vars(line), "ratio": line.ratio} for line in self.lines]}


def compare_protection(
    simulation: Simulation, epsilon: Fraction, share: float = USUAL_SHARE
) -> ProtectionComparison | None:
    """Compare releases with and without protection, for protected and other pairs; None if no pair is protected.

    Pairs for which the stand-ins have too few questions of that size are left out.
    """
    if not simulation.protect:
        return None
    domain = simulation.facts.domain
    inside = _list_protected_pairs(simulation)
    others = [pair for pair in combinations(range(len(domain)), 2) if pair not in inside]
    step = max(1, -(-len(others) // MOST_OTHERS))
    asked = [*inside, *others[::step]]
    without, protected = (
        _typical(simulation.pair_errors(asked, share, epsilon, protect=protect)) for protect in (False, True)
    )
    groups: list[tuple[tuple[str, str] | None, list[Pair]]] = [
        ((domain.names[one], domain.names[other]), [(one, other)]) for one, other in inside
    ]
    lines = []
    for attributes, pairs in [*groups, (None, others)]:
        known = [pair for pair in pairs if without.get(pair) and protected.get(pair)]
        if known:
            means = (float(np.exp(np.mean([np.log(found[pair]) for pair in known]))) for found in (without, protected))
            lines.append(ProtectedLine(attributes, *means))
    return ProtectionComparison(share, tuple(lines))


def _list_protected_pairs(simulation: Simulation) -> list[Pair]:
    sets = resolve_attribute_sets(simulation.protect, simulation.facts.domain)
    return sorted({(one, other) for axes in sets for one, other in combinations(axes, 2)})


def _typical(errors: Iterable[PairForecast]) -> dict[Pair, float]:
    """The median error of each pair, a geometric mean over releases and stand-ins."""
    logs: dict[Pair, list[float]] = {}
    for found in errors:
        logs.setdefault(found.pair, []).append(float(np.log(max(np.median(found.values), 1e-12))))
    return {pair: float(np.exp(np.mean(some))) for pair, some in logs.items()}
