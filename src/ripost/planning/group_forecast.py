"""Group forecast: the expected errors of counts by one and two attributes, and the cost of each attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from ripost.arrays import Floats
from ripost.data.tensor import Tensor
from ripost.planning.random_queries import QuerySet, draw_queries
from ripost.planning.simulation import COMPARED, Simulation, Trial, relative_errors
from ripost.schema.domain import Domain
from ripost.space.public_randomness import public_generator

MOST_GROUPS = 400  # of one group-by
MOST_PAIRS = 15  # group-bys of two attributes
MOST_COSTS = 8  # attributes whose cost is measured, each by a release without it
LOST = 0.5  # typical error of a group at which it can hardly be told from noise
SHARES = (0.5, 0.1, 0.01)  # of the rows, in the questions that measure a cost


@dataclass(frozen=True)
class GroupLine:
    """The expected errors of a group-by, as shares of the true count of a group that holds rows."""

    attributes: tuple[str, ...]
    groups: int
    rows: float  # in a group on average
    typical: float
    cost: float | None = None  # errors of the other attributes, divided by those without this one; None if not measured

    @property
    def is_lost(self) -> bool:
        return self.typical >= LOST

    def to_json(self) -> dict[str, Any]:
        known = {} if self.cost is None else {"cost": self.cost}
        figures = {"groups": self.groups, "rows": self.rows, "typical": self.typical, "lost": self.is_lost}
        return {"attributes": list(self.attributes), **figures, **known}


@dataclass(frozen=True)
class GroupForecast:
    """Group-bys of single attributes in the order of the schema, and of pairs."""

    single: tuple[GroupLine, ...]
    pairs: tuple[GroupLine, ...]

    @property
    def lost(self) -> tuple[GroupLine, ...]:
        """Attributes whose groups can hardly be told from noise."""
        return tuple(line for line in self.single if line.is_lost)

    def to_json(self) -> dict[str, Any]:
        return {"one": [line.to_json() for line in self.single], "two": [line.to_json() for line in self.pairs]}


def forecast_groups(simulation: Simulation, epsilon: Fraction) -> GroupForecast:
    """Forecast group-bys from two of the stand-ins, each published once, and once without each attribute."""
    domain, rows = simulation.facts.domain, simulation.facts.rows
    pairs = list(combinations(range(len(domain)), 2))
    asked: list[tuple[int, ...]] = [(axis,) for axis in range(len(domain))]
    asked += pairs[:: max(1, -(-len(pairs) // MOST_PAIRS))]
    errors: dict[tuple[int, ...], list[float]] = {axes: [] for axes in asked}
    costs: dict[int, list[float]] = {axis: [] for axis in _costly_axes(domain, reads_cells=simulation.reads_cells)}
    for trial in (trial for trial in simulation.trials if trial.shape in COMPARED):
        view = simulation.release(trial.tensor, trial.shape, epsilon)
        groups = [draw_groups(trial.tensor, axes, simulation.seed) for axes in asked]
        for axes, found in zip(asked, relative_errors(view, groups), strict=True):
            errors[axes].append(_median(found))
        for axis, ratios in costs.items():
            smaller, questions = leave_out(trial, axis, simulation.seed)
            without = simulation.release(smaller, trial.shape, epsilon, without=domain.names[axis])
            few = relative_errors(without, questions)
            many = relative_errors(view, [widen(one, axis, domain.shape[axis]) for one in questions])
            ratios += [_median(a) / _median(b) for a, b in zip(many, few, strict=True) if len(b) and _median(b) > 0]
    lines = []
    for axes, typical in errors.items():
        size = int(np.prod([domain.shape[axis] for axis in axes]))
        cost = _mean(costs[axes[0]]) if len(axes) == 1 and costs.get(axes[0]) else None
        names = tuple(domain.names[axis] for axis in axes)
        lines.append(GroupLine(names, size, rows / size, _mean(typical), cost))
    return GroupForecast(tuple(lines[: len(domain)]), tuple(lines[len(domain) :]))


def draw_groups(tensor: Tensor, axes: Sequence[int], seed: int) -> QuerySet:
    """A random choice of at most MOST_GROUPS groups that hold rows, with their true values."""
    codes, place = np.unique(tensor.coords[:, list(axes)], axis=0, return_inverse=True)
    held: Floats = np.bincount(place.ravel(), tensor.counts, len(codes)).astype(np.float64) * tensor.measure.step
    some = np.arange(len(codes))
    if len(codes) > MOST_GROUPS:
        some = np.sort(public_generator(seed, *axes).choice(len(codes), MOST_GROUPS, replace=False))
    lower = np.zeros((len(some), len(tensor.domain)), np.int64)
    upper = np.tile(np.array(tensor.domain.shape, np.int64), (len(some), 1))
    lower[:, list(axes)], upper[:, list(axes)] = codes[some], codes[some] + 1
    return QuerySet(0.0, lower, upper, held[some])


def leave_out(trial: Trial, axis: int, seed: int) -> tuple[Tensor, tuple[QuerySet, ...]]:
    """A stand-in without an attribute, and questions about the others."""
    tensor = trial.tensor
    kept = [other for other in range(len(tensor.domain)) if other != axis]
    domain = Domain({tensor.domain.names[one]: tensor.domain.attributes[tensor.domain.names[one]] for one in kept})
    smaller = Tensor.from_arrays(
        domain, tensor.coords[:, kept], tensor.counts, measure=tensor.measure, unit=tensor.unit
    )
    return smaller, draw_queries(smaller, SHARES, public_generator(seed, axis))


def widen(asked: QuerySet, axis: int, size: int) -> QuerySet:
    """The same questions in a table that has one more attribute, which they do not restrict."""
    lower, upper = np.insert(asked.lower, axis, 0, axis=1), np.insert(asked.upper, axis, size, axis=1)
    return QuerySet(asked.share, lower, upper, asked.truth)


def _costly_axes(domain: Domain, *, reads_cells: bool) -> list[int]:
    """The attributes whose cost is measured: those with most codes, or none where there is nothing to compare."""
    if len(domain) == 1 or reads_cells:
        return []
    return sorted(sorted(range(len(domain)), key=lambda axis: -domain.shape[axis])[:MOST_COSTS])


def _median(errors: Floats) -> float:
    return float(np.median(errors)) if len(errors) else 0.0


def _mean(figures: Sequence[float]) -> float:
    """The geometric mean, of figures that may be 0."""
    return float(np.exp(np.mean(np.log(np.maximum(figures, 1e-12)))))
