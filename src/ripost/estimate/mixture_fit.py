"""Fit a mixture of products to noisy tables of pairs of attributes.

The fit begins with expectation maximization from random components, on tables that are shrunk towards independence.
Then L-BFGS minimizes the squared differences from the raw tables, weighted by the precision of their noise, plus a
penalty for components that leave the one-way distributions:

    strength * sum_k weight_k * sum_a KL(component k on a || one-way distribution of a).

Pair tables that were summed from one larger table share its noise, also in their one-way sums. So the fit uses only the
interaction of a pair table, which is the table without the means of its rows and columns, and takes one-way sums from
the histograms.

The components of all attributes form one matrix (k, bins of all attributes), so every pair table of the model is a
block of one matrix product.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import pairwise

import numpy as np
from threadpoolctl import threadpool_limits

from ripost.arrays import Codes, Floats, Mask
from ripost.estimate.lbfgs import minimize
from ripost.space.public_randomness import public_generator

EM_STEPS = 100
STEPS = 200  # of L-BFGS
HASTE = 1.7  # exponent of an EM step: above 1 it is longer than the step that cannot lose
LEAST_SHARE = 1e-9  # of a bin in a component or of a one-way distribution
RAKING_ROUNDS = 10
KEPT = 1e-4  # of the one-way distributions, mixed into components after each EM step
LEAST_LEFT = 0.02  # least value of a cell of a shrunk table, as a share of its value under independence


@dataclass(frozen=True)
class PairTable:
    """A noisy table of two attributes in bins."""

    axes: tuple[int, int]
    values: Floats  # (bins of the first, bins of the second)
    variance: float  # of the noise in each value

    @property
    def interaction(self) -> Floats:
        """The values without the means of rows and columns."""
        return interaction(self.values)


def interaction(table: Floats) -> Floats:
    """A table without the means of its rows and of its columns."""
    found: Floats = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    return found


@dataclass(frozen=True)
class MixtureData:
    """The data of a fit: noisy tables, and the one-way sums of each bin with their variances."""

    total: float
    tables: Sequence[PairTable]
    sums: Sequence[Floats]  # of each attribute, (bins,)
    variances: Sequence[Floats]  # of each attribute, (bins,)
    support: Mask | None = None  # (k, bins of all attributes): where components may have mass; None for everywhere

    @cached_property
    def possible(self) -> Mask | None:
        """Which cells of pair tables, as `matrix` has them, some component may have mass in; None for all."""
        if self.support is None:
            return None
        found: Mask = self.support.T.astype(np.float64) @ self.support > 0
        return found

    def keep_possible(self, matrix: Floats) -> Floats:
        """A matrix of tables with 0 in the cells that are impossible."""
        return matrix if self.possible is None else np.where(self.possible, matrix, 0.0)

    def keep_support(self, components: Floats) -> Floats:
        """Shares of components with 0 where they may have none."""
        return components if self.support is None else components * self.support

    @cached_property
    def ends(self) -> list[int]:
        """Where each attribute's bins begin, and where the last end."""
        return [0, *np.cumsum([len(sums) for sums in self.sums]).tolist()]

    @cached_property
    def attribute(self) -> Codes:
        """The attribute of each bin."""
        return np.repeat(np.arange(len(self.sums)), [len(sums) for sums in self.sums])

    @cached_property
    def one_way(self) -> Floats:
        """One-way distributions, side by side; each sums to 1 and none is 0."""
        parts = [np.maximum(sums, LEAST_SHARE * self.total / len(sums)) for sums in self.sums]
        return np.concatenate([part / part.sum() for part in parts])

    def matrix(self, table: Sequence[Floats]) -> Floats:
        """Tables of all pairs as blocks of one symmetric matrix; 0 where no pair was measured."""
        found = np.zeros((self.ends[-1], self.ends[-1]))
        for pair, block in zip(self.tables, table, strict=True):
            (a, b), (c, d) = ((self.ends[axis], self.ends[axis + 1]) for axis in pair.axes)
            found[a:b, c:d], found[c:d, a:b] = block, block.T
        return found

    def interactions(self, matrix: Floats) -> Floats:
        """A matrix of tables, each without the means of its rows and columns."""
        first, sizes = self.ends[:-1], np.diff(self.ends)
        found = matrix - (np.add.reduceat(matrix, first, axis=1) / sizes)[:, self.attribute]
        found -= (np.add.reduceat(found, first, axis=0) / sizes[:, None])[self.attribute]
        return found

    def normalize(self, components: Floats) -> Floats:
        """Components whose shares sum to 1 on each attribute."""
        sums = np.add.reduceat(components, self.ends[:-1], axis=1)
        found: Floats = components / np.maximum(sums, 1e-300)[:, self.attribute]
        return found


def fit_mixture(data: MixtureData, *, components: int, strength: float) -> tuple[Floats, list[Floats]]:
    """Weights (k,) and shares (k, bins) of each attribute.

    The matrices are small, so several threads gain little, and on a busy machine they can wait minutes for each other.
    """
    import_module("scipy.optimize")  # the limit holds only for libraries that are loaded already
    with threadpool_limits(limits=1, user_api="blas"):
        weights, shares = _maximize_expectation(data, *_random_components(data, components))
        weights, shares = _Objective(data, strength).minimize(weights, shares)
    return weights, [shares[:, first:last] for first, last in pairwise(data.ends)]


def rake(data: MixtureData, weights: Floats, shares: Sequence[Floats]) -> tuple[Floats, list[Floats]]:
    """Weights and shares of the mixture nearest this one, in Kullback-Leibler divergence, that has the one-way sums.

    Iterative proportional fitting: a factor for each bin of an attribute leaves a mixture of products, whose weights
    take what normalizes the shares.
    """
    found = list(shares)
    for _ in range(RAKING_ROUNDS):
        for axis, goal in enumerate(np.split(data.one_way, data.ends[1:-1])):
            raked = found[axis] * (goal / np.maximum(weights @ found[axis], 1e-300))
            kept = raked.sum(axis=1)
            found[axis] = raked / np.maximum(kept, 1e-300)[:, None]
            weights = weights * kept / float(weights @ kept)
    return weights, found


def _random_components(data: MixtureData, number: int) -> tuple[Floats, Floats]:
    """The one-way distributions, each share times a random factor; the same at every fit."""
    factors = 0.05 - np.log1p(-public_generator(0).random((number, data.ends[-1])))
    return np.full(number, 1 / number), data.normalize(data.keep_support(data.one_way * factors))


def _maximize_expectation(data: MixtureData, weights: Floats, shares: Floats) -> tuple[Floats, Floats]:
    """EM on the shrunk tables, all pairs counting as one sample (a composite likelihood)."""
    goal = data.keep_possible(data.matrix([_shrunk(data, table) for table in data.tables]) / data.total)
    attributes = len(data.sums)
    for _ in range(EM_STEPS):
        model = (shares * weights[:, None]).T @ shares
        pull = shares @ (goal / np.maximum(model, 1e-12))
        gained = (shares * pull).sum(axis=1)
        weights = np.maximum(weights * gained / float(weights @ gained), 1e-6)
        weights = weights / weights.sum()
        step = np.maximum(pull * attributes / np.maximum(gained, 1e-300)[:, None], 1e-6)
        shares = (1 - KEPT) * data.normalize(shares * step**HASTE) + KEPT * data.one_way
        if data.support is not None:
            shares = data.normalize(data.keep_support(shares))
    return weights, shares


def _shrunk(data: MixtureData, table: PairTable) -> Floats:
    """A table shrunk towards independence, as far as noise explains its differences (empirical Bayes)."""
    one, other = (data.one_way[data.ends[axis] : data.ends[axis + 1]] for axis in table.axes)
    expected = data.total * np.outer(one, other)
    difference = table.values - expected
    real = max(float((difference**2 - table.variance).sum()) / data.total, 1e-9) * expected
    found: Floats = np.maximum(expected + real / (real + table.variance) * difference, LEAST_LEFT * expected)
    return found


class _Objective:
    """The penalized squared differences, as a function of logarithms of weights and shares."""

    def __init__(self, data: MixtureData, strength: float) -> None:
        self.data, self.strength = data, strength
        self.tables = data.keep_possible(data.matrix([table.values for table in data.tables]))
        self.precision = data.matrix([np.full(table.values.shape, 1 / table.variance) for table in data.tables])
        self.sums, self.variances = np.concatenate(data.sums), np.concatenate(data.variances)
        self.log_one_way = np.log(data.one_way)

    def minimize(self, weights: Floats, shares: Floats) -> tuple[Floats, Floats]:
        start = np.concatenate([weights[:, None], shares], axis=1)
        _, found = minimize(self, np.log(np.maximum(start, LEAST_SHARE)), steps=STEPS, lower=None)
        return self._unpack(found)

    def _unpack(self, logs: Floats) -> tuple[Floats, Floats]:
        weights = np.exp(logs[:, 0] - logs[:, 0].max())
        largest = np.maximum.reduceat(logs[:, 1:], self.data.ends[:-1], axis=1)
        shares = np.exp(logs[:, 1:] - largest[:, self.data.attribute])
        shares = self.data.normalize(self.data.keep_support(shares))
        return weights / weights.sum(), shares

    def __call__(self, logs: Floats) -> tuple[float, Floats]:
        """The value and its gradient by the logarithms."""
        total = self.data.total
        weights, shares = self._unpack(logs)
        weighed = shares * weights[:, None]
        difference = self.data.interactions(total * (weighed.T @ shares) - self.tables)
        pull = self.precision * difference  # 0 where no pair was measured
        gap = total * weighed.sum(axis=0) - self.sums
        one_way_pull = gap / self.variances
        logarithm = np.log(np.maximum(shares, 1e-300)) - self.log_one_way
        divergence = (shares * logarithm).sum(axis=1)
        value = (float((pull * difference).sum()) / 2 + float(gap @ one_way_pull)) / 2
        value += self.strength * float(weights @ divergence)
        # Each pair occurs twice in the matrix, so its gradient by `weighed.T @ shares` is halved.
        by_model = shares @ (total / 2 * pull)
        by_shares = 2 * by_model + total * one_way_pull + self.strength * (logarithm + 1)
        by_weights = (shares * by_model).sum(axis=1) + total * (shares @ one_way_pull) + self.strength * divergence
        slope = np.empty_like(logs)
        slope[:, 0] = weights * (by_weights - float(weights @ by_weights))
        mean = np.add.reduceat(shares * by_shares, self.data.ends[:-1], axis=1)
        slope[:, 1:] = weighed * (by_shares - mean[:, self.data.attribute])
        return value, slope
