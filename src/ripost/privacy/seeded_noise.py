"""Seeded noise: the NumPy twin for tests and experiments. A release with it is NOT PRIVATE and says so."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ripost.arrays import Floats, Ints, Mask
from ripost.errors import InputError
from ripost.privacy.budget import scale_for
from ripost.privacy.mechanisms import Choice, Exponential, Gaussian, Laplace, LeastPartition
from ripost.space.runs import Runs


class SeededNoise:
    """The same distributions as SystemNoise, repeatable."""

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise InputError(f"seed must be a whole number from 0, got {seed!r}")
        self.entropy = f"seed {seed}"
        self._rng = np.random.default_rng(seed)

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        stop = -np.expm1(-1 / mechanism.scale(bound))
        up, down = self._rng.geometric(stop, (2, len(values)))
        noisy: Ints = values + (up - down)
        return noisy

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        """Do nothing: repeatable noise is drawn in order."""

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints:
        """Discrete Gaussian noise, by rejection from discrete Laplace noise.

        Canonne, Kamath and Steinke 2020, Algorithm 3.
        """
        scale = mechanism.scale(bound)
        wide = np.floor(scale) + 1
        noise, waiting = np.zeros(len(values), np.int64), np.arange(len(values))
        while len(waiting):
            up, down = self._rng.geometric(-np.expm1(-1 / wide), (2, len(waiting)))
            drawn = up - down
            kept = self._rng.random(len(waiting)) < np.exp(-(((np.abs(drawn) - scale**2 / wide) / scale) ** 2) / 2)
            noise[waiting[kept]] = drawn[kept]
            waiting = waiting[~kept]
        noisy: Ints = values + noise
        return noisy

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask:
        return self.laplace(values, mechanism, bound) <= threshold

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints:
        """The best score after Gumbel (exponential mechanism) or exponential (permute and flip) noise.

        Ding et al. 2021 show that permute and flip is report-noisy-max with exponential noise.
        """
        draw = self._rng.gumbel if isinstance(mechanism, Exponential) else self._rng.exponential
        noisy = scores + draw(scale=mechanism.scale(bound), size=len(scores))
        best = np.repeat(np.maximum.reduceat(noisy, start[:-1]), np.diff(start)) if len(start) > 1 else noisy
        winners = np.flatnonzero(noisy == best)
        block = np.searchsorted(start, winners, side="right") - 1
        _, first = np.unique(block, return_index=True)
        return winners[first] - start[:-1]

    def partition(self, costs: Ints, runs: Runs, price: Ints, mechanism: LeastPartition, bound: int) -> Ints:
        """Each piece's cost minus geometric noise, which is at least g with probability exp(-g / scale)."""
        scales = np.array([scale_for(mechanism.shift(length, bound), mechanism.cost) for length in (1, 2, 3)])
        stop = -np.expm1(-1 / scales[np.minimum(runs.longest, 3) - 1])
        return runs.cheapest(runs.pieces(costs) + price - (self._rng.geometric(stop) - 1))[1]

    def subsample(self, counts: Ints, rate: Fraction) -> Ints:
        return self._rng.binomial(counts, float(rate))

    def sample(self, number: int, share: float) -> Mask:
        return self._rng.random(number) < share

    def uniforms(self, number: int) -> Floats:
        return self._rng.random(number)

    def below(self, bounds: Ints) -> Ints:
        return self._rng.integers(bounds)
