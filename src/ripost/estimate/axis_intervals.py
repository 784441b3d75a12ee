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
    """The stretches of an axis on which leaves lie, and which leaf lies on which."""

    lower: Codes  # (u,)
    upper: Codes
    which: Codes  # (leaves,)

    @classmethod
    def of(cls, leaves: Blocks, axis: int) -> AxisIntervals:
        lower, upper = leaves.lower[:, axis], leaves.upper[:, axis]
        far = int(upper.max()) + 1
        stretch, which = np.unique(lower * far + upper, return_inverse=True)
        return cls(stretch // far, stretch % far, which)

    def sums(self, values: Floats) -> Floats:
        """The sum of the leaves' values on each stretch."""
        found: Floats = np.bincount(self.which, values, len(self.lower)).astype(np.float64)
        return found

    def mass(self, weights: Floats) -> Floats:
        """What a weight per code gives each stretch."""
        below = running_sums(weights)
        return below[self.upper] - below[self.lower]

    def shaped(self, density: Floats) -> Shaped:
        """The stretches, content in each of which lies as the density says."""
        return Shaped(self, density, np.maximum(self.mass(density), TINY))


@dataclass(frozen=True)
class Shaped:
    """Intervals with a density."""

    stretches: AxisIntervals
    density: Floats  # mass per code
    mass: Floats  # (u,): of each stretch

    def marginal(self, sums: Floats) -> Floats:
        """What the stretches give each code."""
        along, level, size = self.stretches, sums / self.mass, len(self.density) + 1
        steps = np.bincount(along.lower, level, size) - np.bincount(along.upper, level, size)
        found: Floats = self.density * steps.cumsum()[:-1]
        return found

    def means(self, weights: Floats) -> Floats:
        """The mean of a weight per code over each stretch, by the density: the transpose of `marginal`."""
        found: Floats = self.stretches.mass(self.density * weights) / self.mass
        return found
