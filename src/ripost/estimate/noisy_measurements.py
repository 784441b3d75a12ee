"""Noisy measurements of a tree's nodes, one by one, and pooled to one normal measurement per node.

Laplace noise has heavier tails than normal noise: a measurement far from all others most likely has a large error and
should have little weight. Expectation propagation (Minka 2001) replaces each measurement by the normal factor that
gives its node the right posterior mean and variance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Floats, Mask

NEARLY_EXACT = 0.01  # noise of a smaller variance is treated as normal
LEAST_WEIGHT = 0.04  # of a measurement, relative to its weight under normal noise
WIDE = 100.0  # with a larger variance of the other factors, in squared scales, noise is treated as normal
FRESH = 0.75  # damping: the share of a factor that one update replaces
PINNED = 1e5  # precision of what is known, relative to the largest of a measurement
LEAST_CAVITY = 0.005  # precision of the other factors, relative to that of normal noise


@dataclass(frozen=True)
class PooledMeasurements:
    """All measurements of each node pooled to one: a precision, 0 for an unmeasured node, and a value."""

    precision: Floats  # (m,)
    value: Floats  # (m,)

    @property
    def information(self) -> Floats:
        return self.precision * self.value

    def also(self, nodes: Codes, value: Floats, precision: Floats | float) -> PooledMeasurements:
        """These measurements and one more independent measurement of these nodes, each named once."""
        known, mean = self.precision.copy(), self.value.copy()
        known[nodes] += precision
        mean[nodes] += (value - mean[nodes]) * precision / known[nodes]
        return PooledMeasurements(known, mean)


@dataclass(frozen=True)
class NoisyMeasurements:
    """Measurements of a tree's nodes."""

    node: Codes  # (r,)
    value: Floats  # (r,)
    variance: Floats  # (r,): of the noise
    is_laplace: Mask  # (r,): whether the noise is one Laplace draw

    @classmethod
    def nothing(cls) -> NoisyMeasurements:
        return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0, bool))

    def also(self, node: Codes, value: Floats, variance: float, *, is_laplace: bool = True) -> NoisyMeasurements:
        """These measurements and one more independent measurement of each of these nodes."""
        alike = is_laplace and variance > NEARLY_EXACT
        return NoisyMeasurements(
            np.append(self.node, node),
            np.append(self.value, value),
            np.append(self.variance, np.full(len(node), variance)),
            np.append(self.is_laplace, np.full(len(node), alike)),
        )

    def pin(self, node: Codes) -> NoisyMeasurements:
        """These measurements and that these nodes are 0, which is known of impossible cells."""
        if len(node) == 0:
            return self
        return self.also(node, np.zeros(len(node)), float(self.variance.min()) / PINNED, is_laplace=False)

    def pool(self, size: int) -> PooledMeasurements:
        """The pooled measurement of each node of a tree, if the noise were normal."""
        return self.normal().pool(size)

    def normal(self) -> EPSites:
        return EPSites(self, 1 / self.variance, self.value)


@dataclass(frozen=True)
class EPSites:
    """The normal factor that stands for each measurement."""

    measurements: NoisyMeasurements
    weight: Floats  # (r,): its precision
    value: Floats  # (r,)

    def pool(self, size: int) -> PooledMeasurements:
        node = self.measurements.node
        precision: Floats = np.bincount(node, self.weight, size).astype(np.float64)
        value = np.bincount(node, self.weight * self.value, size) / np.maximum(precision, 1e-300)
        return PooledMeasurements(precision, value)

    def update(self, mean: Floats, variance: Floats) -> EPSites:
        """The factors given the current mean and variance of each node, which include this measurement's factor."""
        measurements = self.measurements
        scale = np.sqrt(measurements.variance / 2)
        x, v = mean[measurements.node], variance[measurements.node]
        others = 1 / np.maximum(1 / v - self.weight, 2 * LEAST_CAVITY / scale**2)
        without = x + (x - self.value) * self.weight * others
        weight, value = laplace_factor(without, others, measurements.value, scale)
        fresh = np.where(measurements.is_laplace & (others < WIDE * scale**2), FRESH, 0.0)
        mixed = fresh * weight + (1 - fresh) * self.weight
        return EPSites(measurements, mixed, (fresh * weight * value + (1 - fresh) * self.weight * self.value) / mixed)


def laplace_factor(mean: Floats, variance: Floats, measurement: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Precision and value of the normal factor of a Laplace measurement of something with this mean and variance.

    With Z the density of the measurement, the true posterior has mean `mean + variance * slope` and variance
    `variance + variance^2 * curve`, slope and curve the first two derivatives of log Z by the mean. Z is a sum of two
    tails of the normal law, one on each side of the measurement.
    """
    gap, sd = mean - measurement, np.sqrt(variance)
    above, below = _tail(gap / sd - sd / scale), _tail(-gap / sd - sd / scale)
    slope = (below - above) / ((above + below) * scale)
    curve = 1 / scale**2 - np.sqrt(2 / np.pi) / (sd * scale * (above + below)) - slope**2
    curve = np.clip(curve, -(1 - 1e-9) / variance, 0)
    weight = np.maximum(-curve / (1 + variance * curve), LEAST_WEIGHT / (2 * scale**2))
    return weight, ((mean + variance * slope) * (1 / variance + weight) - mean / variance) / weight


def _tail(z: Floats) -> Floats:
    """exp(z^2 / 2) times the normal law's probability below z, to seven digits.

    The error function by Chebyshev coefficients (Press et al., Numerical Recipes, section 6.2), which keep a relative
    error however far the tail.
    """
    t = 1 / (1 + abs(z) / np.sqrt(8))
    power = np.zeros_like(t)
    for coefficient in CHEBYSHEV:
        power *= t
        power += coefficient
    tail = t * np.exp(power) / 2
    found: Floats = np.where(z > 0, np.exp(np.clip(z, 0, 35) ** 2 / 2) - tail, tail)
    return found


CHEBYSHEV = (
    0.17087277,
    -0.82215223,
    1.48851587,
    -1.13520398,
    0.27886807,
    -0.18628806,
    0.09678418,
    0.37409196,
    1.00002368,
    -1.26551223,
)
