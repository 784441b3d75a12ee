"""ResidualPlanner: Gaussian noise for all two-way tables with the least sum of variances, in closed form.

Xiao, He, Zhang and Kifer, NeurIPS 2023. A table of attributes A is the sum of residuals of all parts of A, which are
orthogonal. The residual of A is the table with every axis centered; its noise has the covariance
sigma_A^2 * (K_a x K_b), where K_a inverts M_a on centered vectors and M_a is the square root of the centered Gram
matrix of what is asked of the attribute. For cells this is ResidualPlanner as published: M_a = K_a = I - 11'/n. For
ranges it stands for ResidualPlanner+ (2025), whose base matrices are found by numerical search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod, sqrt

import numpy as np

from experiments.bench.pair_tables import Pair, PairTables, true_pairs, true_single
from ripost import Tensor
from ripost.arrays import Floats

Part = tuple[int, ...]  # attributes of a residual: none, one or two
NEGLIGIBLE = 1e-10  # of the largest eigenvalue


def cells_gram(size: int) -> Floats:
    """The Gram matrix of all cells of an attribute."""
    return np.eye(size)


def ranges_gram(size: int) -> Floats:
    """The Gram matrix of all ranges of an attribute: in how many of them two codes lie together."""
    codes = np.arange(size)
    together: Floats = (np.minimum.outer(codes, codes) + 1.0) * (size - np.maximum.outer(codes, codes))
    return together


@dataclass(frozen=True)
class Base:
    """What an attribute adds to the noise of its residuals."""

    size: int
    precision: Floats  # M
    noise: Floats  # a root of K
    cost: float  # largest diagonal entry of M: squared sensitivity of the residual at sigma 1
    spread: float  # sum of the variances of the questions at sigma 1
    lifted: float  # sum of squares of what the questions get of a constant table that adds up to 1

    @classmethod
    def of(cls, gram: Floats) -> Base:
        size = len(gram)
        centered = gram - gram.mean(axis=0)
        centered = centered - centered.mean(axis=1, keepdims=True)
        values, vectors = np.linalg.eigh(centered)
        kept = values > NEGLIGIBLE * max(values.max(), 1.0)
        roots, vectors = np.sqrt(values[kept]), vectors[:, kept]
        precision = (vectors * roots) @ vectors.T
        return cls(
            size,
            precision,
            (vectors / np.sqrt(roots)) @ vectors.T,
            float(precision.diagonal().max()),
            float(roots.sum()),  # trace of centered @ K
            float(gram.sum()) / size**2,
        )


@dataclass(frozen=True)
class Plan:
    """Variances of the residuals that cost rho of zero-concentrated differential privacy together."""

    bases: Sequence[Base]
    variance: dict[Part, float]  # sigma_A^2

    @classmethod
    def of(cls, grams: Sequence[Floats], rho: float) -> Plan:
        """The least sum of variances of the questions about all pairs."""
        bases = [Base.of(gram) for gram in grams]
        axes = range(len(bases))
        parts: list[Part] = [part for number in (0, 1, 2) for part in combinations(axes, number)]
        weight = dict.fromkeys(parts, 0.0)
        for pair in combinations(axes, 2):
            for part in parts_of(pair):
                weight[part] += prod(bases[a].spread if a in part else bases[a].lifted for a in pair)
        cost = {part: prod(bases[a].cost for a in part) for part in parts}
        parts = [part for part in parts if cost[part] > 0]  # an attribute of one code has no residual
        scale = sum(sqrt(weight[part] * cost[part]) for part in parts) / (2 * rho)
        return cls(bases, {part: scale * sqrt(cost[part] / weight[part]) for part in parts})

    @property
    def rho(self) -> float:
        """What the residuals cost: half the sum of squared sensitivities over variances."""
        return sum(prod(self.bases[a].cost for a in part) / each for part, each in self.variance.items()) / 2

    def sum_of_variances(self, pair: Pair) -> float:
        """Of all questions about a pair: products of a question about one attribute and one about the other."""
        found = 0.0
        for part in parts_of(pair):
            each = prod(self.bases[a].spread if a in part else self.bases[a].lifted for a in pair)
            found += self.variance.get(part, 0.0) * each
        return found

    def release(self, tensor: Tensor, rng: np.random.Generator) -> PairTables:
        """Noisy residuals, added up to tables."""
        bases = self.bases
        total = float(tensor.counts.sum()) + sqrt(self.variance[()]) * rng.standard_normal()
        single = [self._residual((axis,), table, rng) for axis, table in enumerate(true_single(tensor))]
        pairs = {}
        for (one, two), table in true_pairs(tensor):
            residual = self._residual((one, two), table, rng)
            lifted = single[one][:, None] / bases[two].size + single[two][None] / bases[one].size
            pairs[one, two] = residual + lifted + total / (bases[one].size * bases[two].size)
        return PairTables.of(total, [table + total / len(table) for table in single], pairs)

    def _residual(self, part: Part, table: Floats, rng: np.random.Generator) -> Floats:
        """The centered table with noise; zero if it has none to tell."""
        if part not in self.variance:
            return np.zeros_like(table)
        noise = sqrt(self.variance[part]) * rng.standard_normal(table.shape)
        for axis, attribute in enumerate(part):
            table = table - table.mean(axis=axis, keepdims=True)
            noise = np.moveaxis(np.tensordot(self.bases[attribute].noise, noise, axes=(1, axis)), 0, axis)
        return table + noise


def parts_of(pair: Pair) -> list[Part]:
    one, two = pair
    return [(), (one,), (two,), (one, two)]
