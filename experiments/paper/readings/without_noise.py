"""Noise left out: seeded twins that draw some values exactly, for readings of the paper that do not keep epsilon."""

from __future__ import annotations

from ripost.arrays import Ints, Mask
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.seeded_noise import SeededNoise


class _Twin(SeededNoise):
    """The same stream of noise as another."""

    def __init__(self, noise: SeededNoise) -> None:
        self.entropy, self._rng = noise.entropy, noise._rng


class ExactTests(_Twin):
    """Tests compare the exact value."""

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask:  # noqa: ARG002
        exact: Mask = values <= threshold
        return exact


class ExactLeaves(_Twin):
    """Measured values are exact; tests are not."""

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask:
        return super().laplace(values, mechanism, bound) <= threshold

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:  # noqa: ARG002
        return values
