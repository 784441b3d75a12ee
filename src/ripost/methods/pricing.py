"""Pricing: what noise a price buys, in records, by the currency of the account."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ripost.estimate.smoother import LEAST_VARIANCE
from ripost.privacy.mechanisms import Gaussian, Laplace
from ripost.privacy.sensitivity import Statistic


@dataclass(frozen=True)
class Pricing:
    """Prices are in epsilon, and in rho with Gaussian noise."""

    gaussian: bool
    bound: int  # steps of the measure that one record adds at most

    def scale(self, price: Fraction) -> float:
        """Standard deviation over the root of two of noise at a price, in records; 1 / epsilon for Laplace noise."""
        return 1 / (2 * math.sqrt(price)) if self.gaussian else 1 / float(price)

    def noise(self, statistic: Statistic, price: Fraction) -> Laplace | Gaussian:
        return Gaussian(statistic, price) if self.gaussian else Laplace(statistic, price)

    def variance(self, mechanism: Laplace | Gaussian) -> float:
        """Of the noise, in records."""
        return max(mechanism.variance(self.bound) / self.bound**2, LEAST_VARIANCE)
