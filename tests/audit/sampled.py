"""The sampled audit: a lower bound on the epsilon of real releases, from how often an event occurs for two neighbors.

A third of the runs chooses the event and the other runs count it, so the choice does not bias the count. Clopper and
Pearson's bounds p >= low and q <= high are each wrong with half of the allowed rate. Every (epsilon, delta) that holds
satisfies low <= e^epsilon high + delta, so log((low - delta) / high) is at most epsilon, except for false alarms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

Floats = NDArray[np.float64]
Run = Callable[[], Floats]  # one release, as the figures that a reader would look at

RATE = 1e-6  # of false alarms, for all bounds of docs/explanation/audit.md together
AUDITS = 200  # bounds that share it
THRESHOLDS = 60


@dataclass(frozen=True)
class Event:
    """A weighted sum of the figures is above a threshold."""

    weights: Floats
    threshold: float
    swapped: bool  # whether it is likelier for the first of the neighbors

    def count(self, figures: Floats) -> int:
        return int((figures @ self.weights > self.threshold).sum())


@dataclass(frozen=True)
class Bound:
    """A lower bound of epsilon and the shares of counting runs that it comes from."""

    epsilon: float  # 0 if the runs show no difference
    likely: float  # share of runs with the event, for the neighbor where it is likelier
    seldom: float


def lower_bound(one: Floats, other: Floats, *, delta: float = 0.0, rate: float = RATE / AUDITS) -> Bound:
    """The bound from figures of runs of two neighbors, (runs, figures) each; it is wrong with at most this rate."""
    part = len(one) // 3
    event = _choose_event(one[:part], other[:part], delta, rate)
    sides = (one[part:], other[part:])
    less, more = sides[::-1] if event.swapped else sides
    return bound_of(event.count(more), len(more), event.count(less), len(less), delta=delta, rate=rate)


def bound_of(likely: int, of: int, seldom: int, among: int, *, delta: float = 0.0, rate: float) -> Bound:
    """The bound from how often an event occurred in the runs of each neighbor; it is wrong with at most this rate."""
    found = _epsilon(likely, of, seldom, among, delta, rate)
    return Bound(max(found, 0.0), likely / of, seldom / among)


def figures_of(one: Run, other: Run, runs: int) -> tuple[Floats, Floats]:
    """The figures of this many runs of each neighbor, taken in turns."""
    pairs = [(one(), other()) for _ in range(runs)]
    return np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])


def _thresholds(scores: Floats) -> list[float]:
    """Midpoints between scores, about evenly spaced, and the middle of the widest gap: a threshold at the edge of the
    scores that chose it would soon be passed by runs that count.
    """
    values = np.unique(scores)
    if len(values) == 1:
        return values.tolist()
    chosen = np.linspace(0, len(values) - 2, THRESHOLDS).astype(int)
    chosen = np.unique(np.append(chosen, np.diff(values).argmax()))
    found: list[float] = ((values[chosen] + values[chosen + 1]) / 2).tolist()
    return found


def _above(scores: Floats, threshold: float) -> tuple[int, int]:
    """How many are above a threshold, and of how many."""
    return int((scores > threshold).sum()), len(scores)


def _choose_event(one: Floats, other: Floats, delta: float, rate: float) -> Event:
    """The event that would give the best bound if twice as many runs, which count, showed the same shares."""
    best = Event(np.zeros(one.shape[1]), 0.0, False)
    most = -math.inf
    for weights in _directions(one, other):
        scores = one @ weights, other @ weights
        for swapped in (False, True):
            less, more = scores[::-1] if swapped else scores
            for threshold in _thresholds(np.concatenate(scores)):
                counts = (2 * number for number in (*_above(more, threshold), *_above(less, threshold)))
                found = _epsilon(*counts, delta, rate)
                if found > most:
                    best, most = Event(weights, threshold, swapped), found
    return best


def _directions(one: Floats, other: Floats) -> Iterator[Floats]:
    """Each figure by itself, up and down, and the direction that Fisher's discriminant takes."""
    for axis in np.eye(one.shape[1]):
        yield axis
        yield -axis
    spread = np.cov(np.concatenate([one - one.mean(axis=0), other - other.mean(axis=0)]).T)
    spread = np.atleast_2d(spread) + 1e-6 * np.eye(one.shape[1])
    yield np.linalg.solve(spread, other.mean(axis=0) - one.mean(axis=0))


def least(count: int, of: int, rate: float) -> float:
    """Clopper and Pearson's lower bound of a probability; it is too high with at most this rate."""
    return float(beta.ppf(rate, count, of - count + 1)) if count else 0.0


def most(count: int, of: int, rate: float) -> float:
    """Clopper and Pearson's upper bound of a probability; it is too low with at most this rate."""
    return float(beta.ppf(1 - rate, count + 1, of - count)) if count < of else 1.0


def _epsilon(likely: int, of: int, seldom: int, among: int, delta: float, rate: float) -> float:
    low, high = least(likely, of, rate / 2), most(seldom, among, rate / 2)
    return math.log((low - delta) / high) if low > delta else -math.inf
