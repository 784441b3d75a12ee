"""Table union: noisy tables of a few axes each, solved in closed form by least squares.

A table measures its axes by their matrices A and adds up the others. With G = A'A, all ones is an eigenvector of every
G. A distribution over the domain splits into residuals: for a part T (a set of axes that some table contains) the
residual r(T) adds up to 0 along each of its axes, and lies evenly along all others. Residuals of different parts are
measured independently of each other (Xiao, He, Zhang and Kifer 2023), so their least-squares solutions and variances
need no joint matrix: the precision of r(T) is the product of the centered G of its axes, times

    e(T) = sum over the tables P that contain T: weight of P times level / size of every axis of P that is not in T,

where `level` is the eigenvalue of all ones: 1 if A is the identity, 0 if A is centered, as residuals are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.kronecker_union import along

Part = tuple[int, ...]  # axes, rising
NEGLIGIBLE = 1e-10  # of the largest eigenvalue


@dataclass(frozen=True)
class TableUnion:
    """The Gram matrices of the axes, and which of them each table measures."""

    grams: tuple[Floats, ...]  # G of each axis, (size, size)
    tables: tuple[Part, ...]
    weight: Floats  # (tables,) of the Gram matrix of each

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(len(gram) for gram in self.grams)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Sets of axes that some table contains, by length and then in order. An axis of one code has no residual."""
        found = {part for table in self.tables for n in range(len(table) + 1) for part in combinations(table, n)}
        kept = [part for part in found if all(self.shape[axis] > 1 for axis in part)]
        return tuple(sorted(kept, key=lambda part: (len(part), part)))

    @cached_property
    def levels(self) -> Floats:
        """The eigenvalue of all ones of each G, (d,); 0 if it may be rounding."""
        found = np.array([gram.sum() / len(gram) for gram in self.grams])
        return np.where(found > NEGLIGIBLE * np.array([abs(gram).max() for gram in self.grams]), found, 0.0)

    @cached_property
    def covariances(self) -> tuple[Floats, ...]:
        """The inverse of each G on vectors that add up to 0, (size, size)."""
        return tuple(_invert_centered(gram) for gram in self.grams)

    @cached_property
    def precision(self) -> Mapping[Part, float]:
        """e(T) of every part."""
        found = dict.fromkeys(self.parts, 0.0)
        for table, weight in zip(self.tables, self.weight.tolist(), strict=True):
            for number in range(len(table) + 1):
                for part in combinations(table, number):
                    if part in found:
                        others = (axis for axis in table if axis not in part)
                        found[part] += weight * math.prod(self.levels[a] / self.shape[a] for a in others)
        return found

    def solve(self, seen: Sequence[Floats]) -> dict[Part, Floats]:
        """The least-squares residual of every part, given A'y of every table in the shape of its axes."""
        found = {part: np.zeros([self.shape[axis] for axis in part]) for part in self.parts}
        for table, weight, values in zip(self.tables, self.weight.tolist(), seen, strict=True):
            for part in found:
                if set(part) <= set(table):
                    away = tuple(place for place, axis in enumerate(table) if axis not in part)
                    found[part] += weight * values.mean(axis=away)
        return {
            part: along([self.covariances[axis] for axis in part], pulls) / self.precision[part]
            for part, pulls in found.items()
        }


@dataclass(frozen=True)
class CompletedTables:
    """Residuals as signed rows, for a product of one-way densities that fills what no table says.

    The estimate of a box is the sum, over parts and their cells, of the cell's value times the share of the box along
    the other axes by their densities. A box that bounds only axes of one table gets the least-squares answer, whatever
    the densities are. Any other box gets what would follow if three or more attributes had nothing in common beyond
    their tables (Lancaster 1969).
    """

    density: tuple[Floats, ...]  # of each axis, adds up to 1
    values: Floats  # (rows,): the cells of all parts, part by part, each row-major

    @classmethod
    def of(cls, shape: Sequence[int], residuals: Mapping[Part, Floats]) -> CompletedTables:
        total = float(residuals[()])
        single = [total / size + residuals.get((axis,), np.zeros(size)) for axis, size in enumerate(shape)]
        density = tuple(map(_to_density, single))
        gaps = [1 / size - mass for size, mass in zip(shape, density, strict=True)]
        values = [_complete(part, residuals, gaps).ravel() for part in residuals]
        return cls(density, np.concatenate(values))


def _complete(part: Part, residuals: Mapping[Part, Floats], gaps: Sequence[Floats]) -> Floats:
    """The residual of a part with regard to the densities: the even ones of its subsets come to it."""
    found = np.zeros_like(residuals[part])
    for number in range(len(part) + 1):
        for some in combinations(part, number):
            sides = [gaps[axis] if axis not in some else np.ones(len(gaps[axis])) for axis in part]
            spread: Floats = reduce(np.multiply.outer, sides, np.ones(()))
            kept = [len(gaps[axis]) if axis in some else 1 for axis in part]
            found += spread * residuals[some].reshape(kept)
    return found


def _to_density(mass: Floats) -> Floats:
    """The shares of codes; even if no mass is above 0."""
    kept = np.maximum(mass, 0.0)
    total = kept.sum()
    return kept / total if total > 0 else np.full(len(mass), 1 / len(mass))


def _invert_centered(gram: Floats) -> Floats:
    values, vectors = np.linalg.eigh(_center(gram))
    kept = values > NEGLIGIBLE * max(values.max(), np.finfo(float).tiny)
    found: Floats = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return _center(found)


def _center(gram: Floats) -> Floats:
    rows = gram - gram.mean(axis=0)
    centered: Floats = rows - rows.mean(axis=1, keepdims=True)
    return centered
