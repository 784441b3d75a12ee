"""Axis intervals: the distinct intervals that the leaves of a tree have on one axis."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.marginal import running_sums
from ripost.space.blocks import Blocks

TINY = 1e-300


@dataclass(frozen=True)
class AxisIntervals:
    """The distinct intervals that leaves cover on an axis, and the interval of each leaf."""

    lower: Codes  # (u,)
    upper: Codes
    which: Codes  # (leaves,)

    @classmethod
    def of(cls, leaves: Blocks, axis: int) -> AxisIntervals:
        lower, upper = leaves.lower[:, axis], leaves.upper[:, axis]
        far = int(upper.max()) + 1
        interval, which = np.unique(lower * far + upper, return_inverse=True)
        return cls(interval // far, interval % far, which)

    def sums(self, values: Floats) -> Floats:
        """The sum of the leaves' values on each interval."""
        found: Floats = np.bincount(self.which, values, len(self.lower)).astype(np.float64)
        return found

    def mass(self, weights: Floats) -> Floats:
        """The sum of a weight per code over each interval."""
        below = running_sums(weights)
        return below[self.upper] - below[self.lower]

    def with_density(self, density: Floats) -> DensityIntervals:
        """The intervals with a density that distributes the rows inside each of them."""
        return DensityIntervals(self, density, np.maximum(self.mass(density), TINY))


@dataclass(frozen=True)
class DensityIntervals:
    """Intervals with a density."""

    intervals: AxisIntervals
    density: Floats  # mass per code
    mass: Floats  # (u,): of each interval

    def marginal(self, sums: Floats) -> Floats:
        """The mass that the intervals give each code."""
        along, level, size = self.intervals, sums / self.mass, len(self.density) + 1
        steps = np.bincount(along.lower, level, size) - np.bincount(along.upper, level, size)
        found: Floats = self.density * steps.cumsum()[:-1]
        return found

    def means(self, weights: Floats) -> Floats:
        """The mean of a weight per code over each interval, by the density: the transpose of `marginal`."""
        found: Floats = self.intervals.mass(self.density * weights) / self.mass
        return found
