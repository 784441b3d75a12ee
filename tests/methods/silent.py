"""Noise that adds nothing, to see what a method does with exact values; and a run of a method on a tensor."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ripost.arrays import Floats, Ints
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.estimate import mixture_fit
from ripost.methods import METHODS, pair_plan
from ripost.methods.method import PublicInputs
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Choice, Gaussian, Laplace, LeastPartition
from ripost.privacy.noise import Noise
from ripost.privacy.paths import Watch
from ripost.privacy.seeded_noise import SeededNoise
from ripost.space.runs import Runs


class Silent:
    entropy = "seed of nothing"

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        return values

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        pass

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints:
        return values

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> NDArray[np.bool_]:
        return values <= threshold

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints:
        """The first of the best."""
        return np.array([scores[a:b].argmax() for a, b in pairwise(start.tolist())], np.int64)

    def partition(self, costs: Ints, runs: Runs, price: Ints, mechanism: LeastPartition, bound: int) -> Ints:
        return runs.cheapest(runs.pieces(costs) + price)[1]

    def subsample(self, counts: Ints, rate: Fraction) -> Ints:
        return counts

    def sample(self, number: int, share: float) -> NDArray[np.bool_]:
        return np.arange(number) < share * number

    def uniforms(self, number: int) -> Floats:
        """Far from each other however few they are."""
        return np.arange(1, number + 1) * 0.6180339887498949 % 1

    def below(self, bounds: Ints) -> Ints:
        return bounds // 2


def run(
    name: str,
    tensor: Tensor,
    epsilon: Fraction | int = 1,
    *,
    noise: Noise | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> tuple[Any, Account]:
    """A method on a tensor, seeded unless told otherwise."""
    method = METHODS[name].configure(options)
    budget = method.budget(Fraction(epsilon), 1)
    method.check(PublicInputs(tensor.domain.shape, budget, tensor.measure.bound))
    account = Account(
        MemoryBlockData.of(tensor),
        shape=tensor.domain.shape,
        epsilon=budget,
        noise=noise or SeededNoise(7),
        bound=tensor.measure.bound,
        watch=watch,
        currency=method.currency,
        delta=method.exact_delta,
    )
    return method.run(account), account


def quick_fit(patch: pytest.MonkeyPatch) -> None:
    """Mixtures of ripost+ that take less time to fit and are a little worse."""
    for name in ("COMPONENTS", "MANY_COMPONENTS"):
        patch.setattr(pair_plan, name, 40)
    for name in ("EM_STEPS", "STEPS"):
        patch.setattr(mixture_fit, name, 20)


def poisson(shape: tuple[int, ...], rate: float = 2.0, seed: int = 0) -> Tensor:
    counts = np.random.default_rng(seed).poisson(rate, shape)
    return Tensor.from_arrays(shape, np.argwhere(counts >= 0), counts.ravel())
