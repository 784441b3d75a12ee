"""Statistics of the report: means with intervals, ranks, and how they are printed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

RESAMPLES = 2000
SEED = 0  # of the resampling, so that a report is the same whenever it is written


@dataclass(frozen=True)
class Mean:
    """A mean and where 95 % of the means of resampled values lie; both ends are the mean if there is one value."""

    value: float
    low: float
    high: float
    number: int

    @classmethod
    def of(cls, values: ArrayLike) -> Mean:
        found: NDArray[np.float64] = np.asarray(values, np.float64)
        found = found[np.isfinite(found)]
        if not len(found):
            return cls(math.nan, math.nan, math.nan, 0)
        drawn = np.random.default_rng(SEED).integers(0, len(found), (RESAMPLES, len(found)))
        low, high = np.quantile(found[drawn].mean(axis=1), (0.025, 0.975))
        return cls(float(found.mean()), float(low), float(high), len(found))

    def __str__(self) -> str:
        if not self.number:
            return "-"
        return (
            figure(self.value)
            if self.number == 1
            else f"{figure(self.value)} [{figure(self.low)}, {figure(self.high)}]"
        )

    def has(self, value: float) -> bool:
        return self.low <= value <= self.high


def geometric(values: Iterable[float]) -> float:
    """The geometric mean of those that are there."""
    logs = [math.log(value) for value in values if value > 0 and math.isfinite(value)]
    return math.exp(math.fsum(logs) / len(logs)) if logs else math.nan


def rank_correlation(x: Sequence[float], y: Sequence[float]) -> float:
    """Spearman's: 1 where y never falls as x rises, -1 where it never rises. Ties share the mean of their ranks."""
    a, b = (_ranks(np.asarray(values, np.float64)) for values in (x, y))
    spread = a.std() * b.std()
    return float(((a - a.mean()) * (b - b.mean())).mean() / spread) if spread else 0.0


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, which, number = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(number) - (number - 1) / 2)[which]


def figure(value: float) -> str:
    """Three digits or so, whole from a hundred on."""
    if not math.isfinite(value):
        return "-"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"
