"""Mechanisms: the possible draws, each at a cost that is known before any data is read."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ripost.errors import BudgetExceeded, InputError, PrivacyError
from ripost.privacy.budget import gaussian_scale_for, scale_for
from ripost.privacy.gaussian_accounting import DpEvent, compute_epsilon
from ripost.privacy.ledger import Currency
from ripost.statistics.statistic import RUN, Statistic

MOST_BIAS = 2**59


@dataclass(frozen=True, slots=True)
class Mechanism(ABC):
    """A way to draw a statistic; `cost` is the epsilon it spends on every block it touches (Gaussian: the rho)."""

    statistic: Statistic
    cost: Fraction
    title: ClassVar[str]
    proof: ClassVar[str]

    @abstractmethod
    def scale(self, bound: int) -> float:
        """Scale of the noise, for rows of at most `bound` steps."""

    @property
    def terms(self) -> str:
        """Further parameters of the scale, for the ledger; empty if statistic and cost determine it."""
        return ""

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
class BiasedThresholdTest(Mechanism):
    """Whether a noisy statistic is above a threshold, for a block and then for its parts, all for one price.

    A path is tested until it fails once. Test i on a path, from `first`, lowers the statistic by i times the bias, but
    not below a floor: a test far above the threshold reveals little, and one far below it nothing.
    """

    threshold: int = 0
    decay: Fraction = Fraction(2)  # above the threshold, a test loses this many times less privacy than the next one
    first: int = 0
    title: ClassVar[str] = "biased test"
    proof: ClassVar[str] = "biased_test.md"

    def __post_init__(self) -> None:
        if self.statistic.extra_tests is None:
            raise PrivacyError(f"{self.statistic.name} may be larger for a part of a block, so it cannot be tested so")
        if self.decay < Fraction(101, 100) or self.first < 0 or abs(self.threshold) > 2**53:
            raise PrivacyError("a biased test needs a decay from 1.01, a first test from 0 and a threshold up to 2^53")

    @property
    def terms(self) -> str:
        return f"decay {self.decay}"

    def price(self, currency: Currency) -> Fraction:
        if currency is not Currency.EPSILON:
            raise PrivacyError("tests of a threshold sequence are proved for pure epsilon only")
        return self.cost

    @property
    def tests(self) -> Fraction:
        """All tests on a path together lose at most as much privacy as this many single tests."""
        return 2 + 1 / (self.decay - 1) + (self.statistic.extra_tests or 0)

    @property
    def each(self) -> OneThresholdTest:
        """One of the tests."""
        return OneThresholdTest(self.statistic, self.cost / self.tests, self)

    def scale(self, bound: int) -> float:
        return self.each.scale(bound)

    def bias(self, bound: int) -> int:
        """The least whole number, or a little more, with exp(-bias / scale) <= 1 / decay."""
        exact = self.scale(bound) * math.log(self.decay) * (1 + 2**-40)  # a margin above the error of the logarithm
        if exact > MOST_BIAS:
            raise InputError("epsilon leaves only noise that no number of 64 bits holds; give more")
        return math.ceil(exact)

    def floor(self, bound: int) -> int:
        """The least value of the lowered statistic."""
        return self.threshold - self.bias(bound) + self.statistic.per_count - 1


@dataclass(frozen=True, slots=True)
class OneThresholdTest(Laplace):
    """One of the tests that were charged together; its cost is its share of that."""

    of: BiasedThresholdTest
    proof: ClassVar[str] = "biased_test.md"


@dataclass(frozen=True, slots=True)
class Choice(Mechanism):
    """Choice of one candidate per block by its score."""

    halved: bool = False  # charge the score twice, as the paper prints it (4 Delta in place of 2 Delta)

    @property
    def reach(self) -> int:
        """Scale of the noise in sensitivities, at a cost of 1."""
        return 4 if self.halved else 2

    @property
    def terms(self) -> str:
        return f"{self.reach} sensitivities"

    def scale(self, bound: int) -> float:
        return scale_for(self.reach * self.statistic.sensitivity(bound), self.cost)


@dataclass(frozen=True, slots=True)
class Exponential(Choice):
    """The exponential mechanism: P(i) ~ exp(score_i / scale)."""

    title: ClassVar[str] = "exponential mechanism"
    proof: ClassVar[str] = "exponential.md"

    def price(self, currency: Currency) -> Fraction:
        """In rho, a quarter of the price of its epsilon alone, because its loss has a bounded range."""
        return self.cost if currency is Currency.EPSILON else self.cost**2 / 8


@dataclass(frozen=True, slots=True)
class PermuteAndFlip(Choice):
    """Visit candidates in random order, and take each with probability exp((score - best) / scale)."""

    title: ClassVar[str] = "permute and flip"
    proof: ClassVar[str] = "permute_and_flip.md"


@dataclass(frozen=True, slots=True)
class SampleChoices(Mechanism):
    """Choices by a secret sample of the rows, all for one price.

    Each row is in the sample with probability `rate`, and no path makes more than `times` choices.
    """

    rate: Fraction = Fraction(1)
    times: int = 1
    title: ClassVar[str] = "choices by a sample"
    proof: ClassVar[str] = "sample_choices.md"

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1 or self.times < 1:
            raise PrivacyError("choices by a sample need a rate above 0 and up to 1, and to be made once at least")

    @property
    def terms(self) -> str:
        return f"{self.times} choices, rate {self.rate}"

    def price(self, currency: Currency) -> Fraction:
        if currency is not Currency.EPSILON:
            raise PrivacyError("choices by a sample are proved for pure epsilon only")
        return self.cost

    @property
    def inside(self) -> Fraction:
        """The privacy loss of all choices of a path for the sample: at most ln(1 + (exp(cost) - 1) / rate)."""
        more = (self.cost + self.cost**2 / 2) / self.rate
        return 2 * more / (2 + more)

    @property
    def each(self) -> OneChoice:
        """One of the choices."""
        return OneChoice(self.statistic, self.inside / self.times, of=self)

    def scale(self, bound: int) -> float:
        return self.each.scale(bound)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneChoice(PermuteAndFlip):
    """One of the choices that were charged together; its cost is its share of their cost for the sample."""

    of: SampleChoices
    proof: ClassVar[str] = "sample_choices.md"


@dataclass(frozen=True, slots=True)
class LeastPartition(Mechanism):
    """The cheapest cover of a block by evenly cut runs; geometric noise lowers the cost of each."""

    title: ClassVar[str] = "least noisy partition"
    proof: ClassVar[str] = "partition.md"

    def __post_init__(self) -> None:
        if self.statistic.norm != RUN:
            raise PrivacyError(f"{self.statistic.name} is no statistic of runs, so no partition can be chosen by it")

    def scale(self, bound: int) -> float:
        """Scale of the noise of pieces with long runs, the largest."""
        return scale_for(self.shift(3, bound), self.cost)

    def shift(self, length: int, bound: int) -> int:
        """How far the noise of a piece must reach: the change by one row in it, by its longest run, and in another."""
        most = self.statistic.sensitivity(bound)
        return most + min(most * (length - 1) // 2, most)


@dataclass(frozen=True, slots=True)
class ComposedMechanism(Mechanism):
    """A sequence of Gaussian draws, some of secret samples of the rows, that an accountant prices as one.

    Its cost is epsilon at `delta`; `statistic` is that of the last event.
    """

    events: tuple[DpEvent, ...]
    delta: Fraction
    title: ClassVar[str] = "Gaussian course, accounted"
    proof: ClassVar[str] = "composed.md"

    @classmethod
    def of(cls, events: tuple[DpEvent, ...], epsilon: Fraction, delta: Fraction) -> ComposedMechanism:
        return cls(events[-1].statistic, epsilon, events, delta)

    def price(self, currency: Currency) -> Fraction:
        """The cost, if the accountant agrees."""
        if currency is not Currency.ACCOUNTED:
            raise PrivacyError("a sequence of draws needs an account that counts epsilon at a delta")
        stated = compute_epsilon(self.events, self.delta)
        if not stated <= self.cost:
            raise BudgetExceeded(
                f"the accountant states epsilon {stated!r} for a sequence that paid {float(self.cost)!r}"
            )
        return self.cost

    def scale(self, bound: int) -> float:
        return gaussian_scale_for(self.statistic.sensitivity(bound), self.events[-1].rho)

    @property
    def terms(self) -> str:
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
