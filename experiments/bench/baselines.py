"""Baselines: simple and strong peers, a page of NumPy each, with seeded noise. For experiments alone, never private."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Literal

import numpy as np

from experiments.bench.pair_tables import PairTables, cumulated, true_pairs, true_single
from experiments.bench.residual_planner import Plan, cells_gram, ranges_gram
from ripost import Tensor
from ripost.arrays import Floats, Ints
from ripost.comparing.workloads import Answer
from ripost.privacy.zcdp import rho_for

DELTA = Fraction(1, 10**9)
Release = Callable[[Tensor, float, np.random.Generator], Answer]  # a table, epsilon and noise
Promise = Literal["pure", "approximate"]


@dataclass(frozen=True)
class Baseline:
    """A peer: what it promises, epsilon or (epsilon, DELTA), and how it answers."""

    promise: Promise
    release: Release


def one_way(tensor: Tensor, epsilon: float, rng: np.random.Generator) -> Answer:
    """Histograms of all attributes with Laplace noise; attributes are taken as independent."""
    scale = len(tensor.domain) / epsilon
    noisy = [table + rng.laplace(0, scale, table.shape) for table in true_single(tensor)]
    total = float(np.average([table.sum() for table in noisy], weights=[1 / len(table) for table in noisy]))
    clipped = [np.maximum(table, 0) for table in noisy]
    shares = [cumulated(table / max(table.sum(), 1e-9)) for table in clipped]

    def answer(lower: Ints, upper: Ints) -> Floats:
        found = np.full(len(lower), max(total, 0.0))
        for share, low, high in zip(shares, lower.T, upper.T, strict=True):
            found *= share[high] - share[low]
        return found

    return answer


def two_way(tensor: Tensor, epsilon: float, rng: np.random.Generator) -> Answer:
    """All two-way tables with Laplace noise, an equal part of epsilon each."""
    scale = comb(len(tensor.domain), 2) / epsilon
    return _tables(tensor, lambda shape: rng.laplace(0, scale, shape))


def two_way_gaussian(tensor: Tensor, epsilon: float, rng: np.random.Generator) -> Answer:
    """All two-way tables with Gaussian noise, an equal part of rho each."""
    deviation = np.sqrt(comb(len(tensor.domain), 2) / (2 * _rho(epsilon)))
    return _tables(tensor, lambda shape: rng.normal(0, deviation, shape))


def residual_planner(tensor: Tensor, epsilon: float, rng: np.random.Generator) -> Answer:
    """ResidualPlanner for the cells of all two-way tables."""
    return Plan.of([cells_gram(size) for size in tensor.domain.shape], _rho(epsilon)).release(tensor, rng).answer


def residual_planner_ranges(tensor: Tensor, epsilon: float, rng: np.random.Generator) -> Answer:
    """ResidualPlanner for products of ranges of all pairs of attributes."""
    return Plan.of([ranges_gram(size) for size in tensor.domain.shape], _rho(epsilon)).release(tensor, rng).answer


BASELINES = {
    "one-way": Baseline("pure", one_way),
    "two-way": Baseline("pure", two_way),
    "two-way-gaussian": Baseline("approximate", two_way_gaussian),
    "residual-planner": Baseline("approximate", residual_planner),
    "residual-planner-ranges": Baseline("approximate", residual_planner_ranges),
}


def _tables(tensor: Tensor, noise: Callable[[tuple[int, ...]], Floats]) -> Answer:
    """Noisy tables; one attribute is the average of what its tables say, weighted by their inverse variances."""
    shape = tensor.domain.shape
    pairs = {pair: table + noise(table.shape) for pair, table in true_pairs(tensor)}
    single = []
    for axis in range(len(shape)):
        of_axis = [(table if one == axis else table.T) for (one, two), table in pairs.items() if axis in (one, two)]
        sums, weights = [table.sum(axis=1) for table in of_axis], [1 / table.shape[1] for table in of_axis]
        single.append(np.average(sums, axis=0, weights=weights))
    total = float(np.average([table.sum() for table in single], weights=[1 / size for size in shape]))
    return PairTables.of(total, single, pairs).answer


def _rho(epsilon: float) -> float:
    return float(rho_for(Fraction(str(epsilon)), DELTA))
