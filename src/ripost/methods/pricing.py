"""Pricing: the noise of a measurement at a price, in rows, and how to split a budget."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ripost.estimate.smoother import LEAST_VARIANCE
from ripost.privacy.mechanisms import Gaussian, Laplace
from ripost.statistics.statistic import Statistic

STEPS = 64  # weights of a split are whole numbers of steps


@dataclass(frozen=True)
class Pricing:
    """Prices are in epsilon, and in rho with Gaussian noise."""

    gaussian: bool
    bound: int  # steps of the measure that one row adds at most

    def scale(self, price: Fraction) -> float:
        """Standard deviation of the noise at a price divided by sqrt(2), in rows; 1 / epsilon for Laplace noise."""
        return 1 / (2 * math.sqrt(price)) if self.gaussian else 1 / float(price)

    def noise(self, statistic: Statistic, price: Fraction) -> Laplace | Gaussian:
        return Gaussian(statistic, price) if self.gaussian else Laplace(statistic, price)

    def variance(self, mechanism: Laplace | Gaussian) -> float:
        """Variance of the noise at a price, in squared rows."""
        return self.in_rows(mechanism.variance(self.bound))

    def in_rows(self, variance: float) -> float:
        """A variance in squared rows, from one in squared counts."""
        return max(variance / self.bound**2, LEAST_VARIANCE)


def split_budget(costs: Sequence[int], *, gaussian: bool) -> list[Fraction]:
    """The share of each measurement in a budget; the shares add up to 1.

    The variance of a measurement of cost c is proportional to c / price^2, or to c / price with Gaussian noise. Prices
    by the cube root of c, or by its square root, make the sum of these variances smallest.
    """
    power = 1 / 2 if gaussian else 1 / 3
    weights = [max(1, round(STEPS * cost**power)) for cost in costs]
    return [Fraction(weight, sum(weights)) for weight in weights]
