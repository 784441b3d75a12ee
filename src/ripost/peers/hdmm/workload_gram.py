"""Workload Gram matrices: how many ranges of a workload contain each pair of codes, per axis.

Boxes that bound the same axes form one group. A group is represented as the product of all ranges on its axes (of all
boxes, so that an axis has one Gram matrix) and of the whole of every other axis. The workload is a union of products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from ripost.arrays import Codes, Floats, Mask
from ripost.estimate.kronecker_union import KroneckerUnion
from ripost.space.workload import Workload


@dataclass(frozen=True)
class WorkloadGram:
    """Groups of questions by the axes that they bound, and the ranges on each axis."""

    ranges: tuple[Floats, ...]  # of each axis, (size, size): share of its ranges that contain both codes
    bounded: Mask  # (groups, d)
    share: Floats  # (groups,) of all questions

    @classmethod
    def all_ranges(cls, shape: Sequence[int]) -> WorkloadGram:
        """Every range of every axis, combined in every way."""
        ranges = tuple(_all_ranges(size) for size in shape)
        return cls(ranges, np.array([[size > 1 for size in shape]]), np.ones(1))

    @classmethod
    def of(cls, workload: Workload, shape: Sequence[int]) -> WorkloadGram:
        """The groups of a workload; empty boxes are left out."""
        some = (workload.lower < workload.upper).all(axis=1)
        lower, upper = workload.lower[some], workload.upper[some]
        if not len(lower):
            return cls.all_ranges(shape)
        bounded = upper - lower < np.array(shape)
        groups, count = np.unique(bounded, axis=0, return_counts=True)
        ranges = tuple(
            _gram(lower[rows, axis], upper[rows, axis], size)
            for axis, (size, rows) in enumerate(zip(shape, bounded.T, strict=True))
        )
        return cls(ranges, groups, count / len(lower))

    @property
    def used(self) -> list[bool]:
        """Whether some question bounds each axis."""
        return [bool(column.any()) for column in self.bounded.T]

    def mean_variance(self, union: KroneckerUnion) -> float:
        """Mean variance of the queries under a strategy, for noise of variance 1 on every row."""
        if len(union.weight) == 1:
            parts = [_parts(basis, gram) for basis, gram in zip(union.bases, self.ranges, strict=True)]
            return self.product_error(np.array([sum(part) for part in parts]), union.sums) / float(union.weight[0])
        return float((self.spectrum(union) / union.eigenvalues).sum())

    def spectrum(self, union: KroneckerUnion) -> Floats:
        """Energy of the queries in each T, in the shape of `eigenvalues`: its sum over e is their mean variance."""
        ranged = [np.array(_parts(basis, gram)) for basis, gram in zip(union.bases, self.ranges, strict=True)]
        whole = [np.array([s, 0.0]) for s in union.sums]
        found = np.zeros((2,) * len(union.grams))
        for bounded, share in zip(self.bounded, self.share.tolist(), strict=True):
            parts = [r if b else w for r, w, b in zip(ranged, whole, bounded, strict=True)]
            found += share * reduce(np.multiply.outer, parts)
        return found

    def product_error(self, ranged: Floats, whole: Floats) -> float:
        """Mean variance of a query if the variances of its ranges on each axis multiply."""
        return float(self.share @ np.where(self.bounded, ranged, whole).prod(axis=1))


def _all_ranges(size: int) -> Floats:
    code = np.arange(size)
    first, last = np.minimum.outer(code, code), np.maximum.outer(code, code)
    gram: Floats = (first + 1.0) * (size - last) / (size * (size + 1) / 2)
    return gram


def _gram(lower: Codes, upper: Codes, size: int) -> Floats:
    """Share of some ranges that contain both of two codes."""
    if not len(lower):
        return np.ones((size, size))
    ends = np.bincount(lower * size + upper - 1, minlength=size * size).reshape(size, size)
    holding = ends.cumsum(axis=0)[:, ::-1].cumsum(axis=1)[:, ::-1] / len(lower)
    upper_half = np.triu(holding)  # first code <= last code
    gram: Floats = upper_half + np.triu(holding, 1).T
    return gram


def _parts(basis: Floats, gram: Floats) -> tuple[float, float]:
    """Variance of a workload of one axis, by the first vector of the basis and by the others."""
    by_vector = (basis * (gram @ basis)).sum(axis=0)
    return float(by_vector[0]), float(by_vector[1:].sum())
