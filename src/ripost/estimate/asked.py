"""Asked: what a workload asks of each axis, as far as a matrix mechanism needs to know.

Boxes that bound the same axes make one group. A group is taken as the product of the ranges seen on its axes (all boxes
together, so that an axis has one Gram matrix) and of the whole of every other axis: a union of products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes, Floats, Mask
from ripost.space.workload import Workload


@dataclass(frozen=True)
class Asked:
    """Groups of questions by the axes that they bound, and the ranges on each axis."""

    ranges: tuple[Floats, ...]  # of each axis, (size, size): share of its ranges that hold both of two codes
    bounded: Mask  # (groups, d)
    share: Floats  # (groups,) of all questions

    @classmethod
    def all_ranges(cls, shape: Sequence[int]) -> Asked:
        """Every range of every axis, combined in every way."""
        ranges = tuple(_all_ranges(size) for size in shape)
        return cls(ranges, np.array([[size > 1 for size in shape]]), np.ones(1))

    @classmethod
    def of(cls, workload: Workload, shape: Sequence[int]) -> Asked:
        """The groups of a workload; boxes without a cell ask nothing."""
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

    def product_error(self, ranged: Floats, whole: Floats) -> float:
        """Mean variance of a question if that of a range and that of the whole of each axis are multiplied."""
        return float(self.share @ np.where(self.bounded, ranged, whole).prod(axis=1))


def _all_ranges(size: int) -> Floats:
    code = np.arange(size)
    first, last = np.minimum.outer(code, code), np.maximum.outer(code, code)
    gram: Floats = (first + 1.0) * (size - last) / (size * (size + 1) / 2)
    return gram


def _gram(lower: Codes, upper: Codes, size: int) -> Floats:
    """Share of some ranges that hold both of two codes."""
    if not len(lower):
        return np.ones((size, size))
    ends = np.bincount(lower * size + upper - 1, minlength=size * size).reshape(size, size)
    holding = ends.cumsum(axis=0)[:, ::-1].cumsum(axis=1)[:, ::-1] / len(lower)
    upper_half = np.triu(holding)  # first code <= last code
    gram: Floats = upper_half + np.triu(holding, 1).T
    return gram
