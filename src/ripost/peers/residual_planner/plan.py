"""The plan: whole-number matrices of the attributes, and a weight for every residual.

What is asked of an attribute are linear queries with the Gram matrix W. Centered, W is V diag(w) V'. Measured are sums
by a matrix A whose Gram matrix is V diag(root of w) V', which for cells is the centered identity: the residuals of
Xiao, He, Zhang and Kifer 2023. A root of a Gram matrix is the optimal choice for one attribute under a bound on the sum
of all squared weights (the singular value bound, Li and Miklau 2013); for ranges it stands for the base matrices that
ResidualPlanner+ finds by numerical search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt, prod, sqrt

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.table_union import Part, TableUnion
from ripost.peers.noisy_tables import list_tables
from ripost.peers.residual_planner.statistics import LENGTH_OF_WEIGHTS

FINEST = 2**6  # least scale of the whole numbers of a matrix
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

    matrix: Codes  # A, (size, size): symmetric whole numbers; each row adds up to 0
    cost: float  # the largest sum of squares of a column
    spread: float  # sum of the variances of the questions, for noise of variance 1 on the sums
    lifted: float  # sum of squares of what the questions get of a constant table that adds up to 1

    @classmethod
    def of(cls, gram: Floats) -> Base:
        size = len(gram)
        centered = gram - gram.mean(axis=0)
        centered = centered - centered.mean(axis=1, keepdims=True)
        values, vectors = np.linalg.eigh(centered)
        kept = values > NEGLIGIBLE * max(values.max(), 1.0)
        vectors = vectors[:, kept]
        root = (vectors * values[kept] ** 0.25) @ vectors.T
        matrix = _to_whole_numbers(root * (max(2 * size, FINEST) / max(abs(root).max(initial=0), 1e-300)))
        variances = np.linalg.pinv((matrix.T @ matrix).astype(np.float64), hermitian=True)
        squares = (matrix.astype(np.float64) ** 2).sum(axis=0)
        return cls(matrix, float(squares.max()), float((centered * variances).sum()), float(gram.sum()) / size**2)


@dataclass(frozen=True)
class Plan:
    """The residuals that are measured, with whole-number weights whose squares cost no more than LENGTH_OF_WEIGHTS."""

    bases: Sequence[Base]
    weights: Mapping[Part, int]

    @classmethod
    def of(cls, grams: Sequence[Floats]) -> Plan:
        """The least sum of variances of the questions about all pairs of attributes."""
        shape, bases = [len(gram) for gram in grams], [Base.of(gram) for gram in grams]
        worth: dict[Part, float] = {}
        for table in list_tables(shape, 2):
            for part in (part for n in range(len(table) + 1) for part in combinations(table, n)):
                each = prod(bases[axis].spread if axis in part else bases[axis].lifted for axis in table)
                worth[part] = worth.get(part, 0.0) + each
        cost = {part: prod(bases[axis].cost for axis in part) for part in worth}
        whole = sum(sqrt(worth[part] * cost[part]) for part in worth)
        shares = {part: sqrt(worth[part] / cost[part]) / whole for part in worth}
        return cls(bases, {part: isqrt(int(LENGTH_OF_WEIGHTS**2 * share)) for part, share in shares.items()})

    @property
    def union(self) -> TableUnion:
        """The Gram matrices of what is measured."""
        grams = tuple((base.matrix.T @ base.matrix).astype(np.float64) for base in self.bases)
        return TableUnion(grams, tuple(self.weights), np.array([float(w) ** 2 for w in self.weights.values()]))


def _to_whole_numbers(matrix: Floats) -> Codes:
    """The matrix rounded so that it stays symmetric and each row adds up to 0, in lowest terms."""
    found: Codes = np.rint(matrix).astype(np.int64)
    found = np.tril(found, -1)
    found = found + found.T
    found -= np.diag(found.sum(axis=1))
    return found // max(int(np.gcd.reduce(found, axis=None)), 1)
