"""The sampled audit: a lower bound on the epsilon of real releases, from how often an event befalls two neighbours.

A third of the runs chooses the event, the others count it, so that the choice cannot deceive. With Clopper and
Pearson's bounds p >= low and q <= high, each wrong with half of the allowed rate, any (epsilon, delta) that holds must
satisfy low <= e^epsilon high + delta. So log((low - delta) / high) is below epsilon, but for false alarms.
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

RATE = 1e-6  # of false alarms, of a whole table of audits
AUDITS = 40  # that share it
THRESHOLDS = 60


@dataclass(frozen=True)
class Event:
    """That a weighted sum of the figures is above a threshold."""

    weights: Floats
    threshold: float
    swapped: bool  # whether it is likelier for the first of the neighbours

    def counted(self, figures: Floats) -> int:
        return int((figures @ self.weights > self.threshold).sum())


@dataclass(frozen=True)
class Bound:
    """What the runs tell that did not choose."""

    epsilon: float  # the lower bound; 0 if nothing is known
    likely: float  # share of runs that the event befell, for the neighbour where it is likelier
    seldom: float
    runs: int  # of each neighbour, all of them


def lower_bound(one: Floats, other: Floats, *, delta: float = 0.0, rate: float = RATE / AUDITS) -> Bound:
    """The bound from figures of runs of two neighbours, (runs, figures) each; wrong with at most this rate."""
    part = len(one) // 3
    event = _chosen(one[:part], other[:part], delta)
    sides = (one[part:], other[part:])
    less, more = sides[::-1] if event.swapped else sides
    found = _epsilon(event.counted(more), len(more), event.counted(less), len(less), delta, rate)
    likely, seldom = event.counted(more) / len(more), event.counted(less) / len(less)
    return Bound(max(found, 0.0), likely, seldom, len(one))


def figures_of(one: Run, other: Run, runs: int) -> tuple[Floats, Floats]:
    """So many runs of each neighbour, in turns."""
    pairs = [(one(), other()) for _ in range(runs)]
    return np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])


def _thresholds(scores: Floats) -> list[float]:
    """Midway between neighbouring scores, about evenly, and in the widest gap: one at the edge of what was seen is soon
    passed by other runs.
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


def _chosen(one: Floats, other: Floats, delta: float) -> Event:
    """The event that would give the best bound on these runs."""
    best = Event(np.zeros(one.shape[1]), 0.0, False)
    most = -math.inf
    for weights in _directions(one, other):
        scores = one @ weights, other @ weights
        for swapped in (False, True):
            less, more = scores[::-1] if swapped else scores
            for threshold in _thresholds(np.concatenate(scores)):
                found = _epsilon(*_above(more, threshold), *_above(less, threshold), delta, 0.05)
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


def _epsilon(likely: int, of: int, seldom: int, among: int, delta: float, rate: float) -> float:
    low = float(beta.ppf(rate / 2, likely, of - likely + 1)) if likely else 0.0
    high = float(beta.ppf(1 - rate / 2, seldom + 1, among - seldom)) if seldom < among else 1.0
    return math.log((low - delta) / high) if low > delta else -math.inf
