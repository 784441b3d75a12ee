"""Mechanisms: what may be drawn, at a cost that is known before any data is seen."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from ripost.privacy.budget import scale_for
from ripost.privacy.sensitivity import Statistic


@dataclass(frozen=True, slots=True)
class Mechanism(ABC):
    """A way to draw a statistic; `cost` is the epsilon it spends on every block it touches."""

    statistic: Statistic
    cost: Fraction
    title: ClassVar[str]
    proof: ClassVar[str]

    @abstractmethod
    def scale(self, bound: int) -> float:
        """Scale of the noise, for records of at most `bound` steps."""


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


@dataclass(frozen=True, slots=True)
class PermuteAndFlip(Choice):
    """Candidates in random order, each taken with probability exp((score - best) / scale)."""

    title: ClassVar[str] = "permute and flip"
    proof: ClassVar[str] = "permute_and_flip.md"


@dataclass(frozen=True, slots=True)
class LeastPartition(Mechanism):
    """The cheapest way to cover a block by runs, after each run's cost was lowered by geometric noise of its own."""

    title: ClassVar[str] = "least noisy partition"
    proof: ClassVar[str] = "partition.md"

    def scale(self, bound: int) -> float:
        """Scale of the noise of long runs, the largest."""
        return scale_for(self.shift(3, bound), self.cost)

    def shift(self, length: int, bound: int) -> int:
        """How far the noise of a run must reach: what a record moves the run's own cost, and that of another run."""
        most = self.statistic.sensitivity(bound)
        return most + min(most * (length - 1) // 2, most)


def laplace_variance(scale: float) -> float:
    """Variance of discrete Laplace noise: 2 q / (1 - q)^2 with q = exp(-1 / scale)."""
    return 2 * math.exp(-1 / scale) / math.expm1(-1 / scale) ** 2
