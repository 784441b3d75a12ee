"""Mechanisms: what may be drawn, at a cost that is known before any data is seen."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.accountant import Event, accounted
from ripost.privacy.budget import gaussian_scale_for, scale_for
from ripost.privacy.ledger import Currency
from ripost.privacy.sensitivity import Statistic


@dataclass(frozen=True, slots=True)
class Mechanism(ABC):
    """A way to draw a statistic; `cost` is the epsilon it spends on every block it touches (Gaussian: the rho)."""

    statistic: Statistic
    cost: Fraction
    title: ClassVar[str]
    proof: ClassVar[str]

    @abstractmethod
    def scale(self, bound: int) -> float:
        """Scale of the noise, for records of at most `bound` steps."""

    def price(self, currency: Currency) -> Fraction:
        """The cost in an account's currency; epsilon is at most epsilon^2 / 2 of rho (proofs/concentrated.md)."""
        return self.cost if currency is Currency.EPSILON else self.cost**2 / 2


@dataclass(frozen=True, slots=True)
class Laplace(Mechanism):
    """Discrete Laplace noise on whole numbers: P(k) ~ exp(-|k| / scale)."""

    title: ClassVar[str] = "discrete Laplace"
    proof: ClassVar[str] = "laplace.md"

    def scale(self, bound: int) -> float:
        return scale_for(self.statistic.sensitivity(bound), self.cost)

    def variance(self, bound: int) -> float:
        """Variance of the noise."""
        return laplace_variance(self.scale(bound))


@dataclass(frozen=True, slots=True)
class Gaussian(Mechanism):
    """Discrete Gaussian noise on whole numbers: P(k) ~ exp(-k^2 / (2 scale^2)). Its cost is rho."""

    title: ClassVar[str] = "discrete Gaussian"
    proof: ClassVar[str] = "gaussian.md"

    def price(self, currency: Currency) -> Fraction:
        if currency is Currency.EPSILON:
            raise PrivacyError("Gaussian noise is not pure: it needs an account that counts rho")
        return self.cost

    def scale(self, bound: int) -> float:
        return gaussian_scale_for(self.statistic.sensitivity(bound), self.cost)

    def variance(self, bound: int) -> float:
        """Variance of the noise."""
        return gaussian_variance(self.scale(bound))


@dataclass(frozen=True, slots=True)
class Choice(Mechanism):
    """Choice of one candidate per block by its score."""

    halved: bool = False  # charge the score twice, as the paper prints it (4 Delta in place of 2 Delta)

    def scale(self, bound: int) -> float:
        return scale_for((4 if self.halved else 2) * self.statistic.sensitivity(bound), self.cost)


@dataclass(frozen=True, slots=True)
class Exponential(Choice):
    """The exponential mechanism: P(i) ~ exp(score_i / scale)."""

    title: ClassVar[str] = "exponential mechanism"
    proof: ClassVar[str] = "exponential.md"

    def price(self, currency: Currency) -> Fraction:
        """In rho a quarter of what its epsilon alone would cost: its loss has a bounded range."""
        return self.cost if currency is Currency.EPSILON else self.cost**2 / 8


@dataclass(frozen=True, slots=True)
class PermuteAndFlip(Choice):
    """Candidates in random order, each taken with probability exp((score - best) / scale)."""

    title: ClassVar[str] = "permute and flip"
    proof: ClassVar[str] = "permute_and_flip.md"


@dataclass(frozen=True, slots=True)
class Composed(Mechanism):
    """A course of Gaussian draws, some of secret samples of the records, that an accountant prices as one.

    Its cost is epsilon at `delta`; `statistic` is that of the last event.
    """

    events: tuple[Event, ...]
    delta: Fraction
    title: ClassVar[str] = "Gaussian course, accounted"
    proof: ClassVar[str] = "composed.md"

    @classmethod
    def of(cls, events: tuple[Event, ...], epsilon: Fraction, delta: Fraction) -> Composed:
        return cls(events[-1].statistic, epsilon, events, delta)

    def price(self, currency: Currency) -> Fraction:
        """The cost, if the accountant agrees."""
        if currency is not Currency.ACCOUNTED:
            raise PrivacyError("a course of draws needs an account that counts epsilon at a delta")
        stated = accounted(self.events, self.delta)
        if not stated <= self.cost:
            raise BudgetExceeded(
                f"the accountant states epsilon {stated!r} for a course that paid {float(self.cost)!r}"
            )
        return self.cost

    def scale(self, bound: int) -> float:
        return gaussian_scale_for(self.statistic.sensitivity(bound), self.events[-1].rho)

    def __str__(self) -> str:
        """Each event with what it costs by itself."""
        parts = [
            f"{event.purpose} {event.times} x rho {float(event.rho):.6g}"
            + (f" of a part of {event.rate}" if event.rate < 1 else "")
            for event in self.events
        ]
        return f"{', '.join(parts)}, delta {float(self.delta):g}"


def laplace_variance(scale: float) -> float:
    """Variance of discrete Laplace noise: 2 q / (1 - q)^2 with q = exp(-1 / scale)."""
    return 2 * math.exp(-1 / scale) / math.expm1(-1 / scale) ** 2


def gaussian_variance(scale: float) -> float:
    """Variance of discrete Gaussian noise; from 3 on it is scale^2 to all digits."""
    if scale >= 3:
        return scale**2
    weights = [math.exp(-((k / scale) ** 2) / 2) for k in range(1, 40)]
    return 2 * math.fsum(k**2 * w for k, w in enumerate(weights, 1)) / (1 + 2 * math.fsum(weights))
