"""Sample: synthetic rows. Their methods say nothing of the error, so neither do the answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import Answers
from ripost.answering.axis_index import AxisIndex
from ripost.answering.content.bits import Bits
from ripost.answering.content.content import Content, ValuedBlocks
from ripost.answering.engine import sum_regions
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Codes, Floats

MANY = 8  # boxes for which it pays to make words of the cells


class SampleContent(Content):
    """Distinct cells, sorted, and how much lies in each; everywhere else lies nothing."""

    kind = "sample"
    noun = "different synthetic rows"

    def __init__(self, shape: Sequence[int], *, coords: Codes, values: ArrayLike) -> None:
        super().__init__(shape, values)
        self.coords = coords  # (n, d)
        if coords.shape != (len(self.values), len(self.shape)):
            raise ValueError("every row needs a code for each axis")
        if ((coords < 0) | (coords >= np.array(self.shape))).any() or (self.values < 0).any():
            raise ValueError("rows must lie in the domain and weigh nothing below 0")

    @classmethod
    def of(cls, shape: Sequence[int], coords: Codes, weights: Floats) -> SampleContent:
        """From rows that may be equal; an empty sample becomes one cell of weight 0."""
        if not len(coords):
            return cls(shape, coords=np.zeros((1, len(shape)), np.int64), values=[0.0])
        order = np.lexsort(coords.T[::-1])
        coords, weights = coords[order], weights[order]
        first = np.ones(len(coords), bool)
        first[1:] = (coords[1:] != coords[:-1]).any(axis=1)
        starts = np.flatnonzero(first)
        return cls(shape, coords=coords[starts], values=np.add.reduceat(weights, starts))

    @cached_property
    def _by_axis(self) -> Codes:
        return np.ascontiguousarray(self.coords.T)

    @cached_property
    def _bits(self) -> Bits | None:
        return Bits.of(self.shape, self.coords, self.values)

    def answers(self, lower: Floats, upper: Floats) -> Floats:
        """By words of cells where no box cuts a code; else by the engine."""
        whole = bool((lower % 1 == 0).all() and (upper % 1 == 0).all())
        if whole and len(lower) >= MANY and self._bits is not None:
            return self._bits.sum_regions(lower.astype(np.int64), upper.astype(np.int64))
        return sum_regions(self, self.values, QueryBatch.of_boxes(lower, upper, self.shape))

    def variances(self, lower: Floats, upper: Floats) -> Floats:  # noqa: ARG002
        return np.full(len(lower), np.nan)

    def answer_batch(self, batch: QueryBatch) -> Answers:
        return Answers.unknown(sum_regions(self, self.values, batch))

    def index(self, axis: int) -> AxisIndex:
        """The codes of the rows on an axis, which may have many more."""
        if axis not in self._indexes:
            self._indexes[axis] = AxisIndex.of(None, self._by_axis[axis], self._by_axis[axis] + 1)
        return self._indexes[axis]

    @cached_property
    def _indexes(self) -> dict[int, AxisIndex]:
        return {}

    def rows(self, axes: Sequence[int]) -> Codes:  # noqa: ARG002
        """All rows."""
        return np.arange(len(self.values))

    @property
    def blocks(self) -> ValuedBlocks:
        return ValuedBlocks(self.coords, self.coords + 1, self.values, np.full(len(self.values), np.nan))
