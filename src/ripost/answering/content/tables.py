"""Tables: noisy tables of a few attributes each, with the noise of their answers in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import Answers
from ripost.answering.axis_index import AxisIndex
from ripost.answering.content.cells import MOST_PAIRS, box_shares, unit_cells
from ripost.answering.content.content import LARGEST, Content, ValuedBlocks, freeze
from ripost.answering.engine import sum_regions
from ripost.answering.query_batch import QueryBatch, spread_out
from ripost.arrays import Codes, Floats, Mask
from ripost.estimate.table_union import Part, TableUnion
from ripost.estimate.weighted import sums_by
from ripost.space.work_limit import charge

AT_ONCE = 1 << 22  # weights of pairs of boxes held at a time
AS_LONG = 4  # codes of a pair of boxes that are multiplied in one step
ROUNDING = 1e-9  # of the level of a Gram matrix
MOST_ROWS = 1 << 22
MOST_OF_TABLE = 4  # axes of a table


class TableContent(Content):
    """Signed values of the cells of all parts of the tables; content lies along the other axes as the densities say.

    A question whose boxes each bound axes of one table has a known error, which is noise alone. Of any other question
    the tables do not tell the error.
    """

    kind = "tables"
    noun = "cells of tables"
    caution = (
        "no measured table holds all of these attributes: the answer combines smaller tables, and its error is unknown"
    )

    def __init__(
        self,
        shape: Sequence[int],
        *,
        values: ArrayLike,
        density: Sequence[ArrayLike],
        union: TableUnion,
        variance: float,
    ) -> None:
        super().__init__(shape, values)
        self.density = tuple(freeze(mass) for mass in density)
        self.union = union
        self.variance = variance  # of the noise of one measured row
        _check(union, self.shape, self.density, len(self.values))

    @property
    def total(self) -> float:
        return float(self.values[0])

    def answers(self, lower: Floats, upper: Floats) -> Floats:
        return sum_regions(self, self.values, QueryBatch.of_boxes(lower, upper, self.shape))

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        return self._noise(QueryBatch.of_boxes(lower, upper, self.shape))

    def answer_batch(self, batch: QueryBatch) -> Answers:
        value, noise = sum_regions(self, self.values, batch), self._noise(batch)
        return Answers.of(value, noise=noise, model=np.zeros(batch.count), unmeasured=np.isnan(noise))

    @cached_property
    def blocks(self) -> ValuedBlocks:
        sides = [self._sides(part) for part in self.union.parts]
        lower, upper = (np.concatenate(side) for side in zip(*sides, strict=True))
        return ValuedBlocks(lower, upper, self.values, np.full(len(self.values), np.nan))

    def index(self, axis: int) -> AxisIndex:
        """The codes of an axis, and the whole axis for rows of other parts."""
        if axis not in self._indexes:
            lower, upper = self.blocks.lower[:, axis], self.blocks.upper[:, axis]
            self._indexes[axis] = AxisIndex.of(self.density[axis], lower, upper)
        return self._indexes[axis]

    def rows(self, axes: Sequence[int]) -> Codes:
        """The rows of the parts of these axes: those of any other add up to 0 along an axis."""
        starts, inside = self._starts, [set(part) <= set(axes) for part in self.union.parts]
        runs = [np.arange(starts[k], starts[k + 1]) for k in np.flatnonzero(inside)]
        return np.concatenate(runs)

    @cached_property
    def _indexes(self) -> dict[int, AxisIndex]:
        return {}

    @cached_property
    def _starts(self) -> Codes:
        return np.concatenate([[0], np.cumsum([_cells(part, self.shape) for part in self.union.parts])])

    def _sides(self, part: Part) -> tuple[Codes, Codes]:
        number = _cells(part, self.shape)
        lower = np.zeros((number, len(self.shape)), np.int64)
        upper = np.tile(np.array(self.shape, np.int64), (number, 1))
        if part:
            cells = unit_cells([self.shape[axis] for axis in part])
            lower[:, list(part)], upper[:, list(part)] = cells.lower, cells.upper
        return lower, upper

    def _noise(self, batch: QueryBatch) -> Floats:
        """The variance of each region, NaN where no table holds the axes of a box.

        Boxes of one region were measured together, so all their pairs count.
        """
        boxes = np.bincount(batch.owner, minlength=batch.count)
        charge(int((boxes * boxes).sum()) * sum(self.shape) / AS_LONG)
        one, other = spread_out(boxes[batch.owner], (np.cumsum(boxes) - boxes)[batch.owner])
        if len(one) > MOST_PAIRS:
            raise ValueError(f"one question has {len(batch.owner):,} boxes; ask fewer at once")
        found = sums_by(batch.owner[one], self._covariances(batch, one, other), batch.count) * self.variance
        unknown = np.bincount(batch.owner, ~self._is_known(batch), batch.count) > 0
        return np.where(unknown, np.nan, np.maximum(found, 0.0))

    def _is_known(self, batch: QueryBatch) -> Mask:
        """Whether some table holds all axes that a box bounds, or the box is empty, (boxes,)."""
        empty = np.zeros(len(batch.owner), bool)
        for lists, which in zip(batch.lists, batch.which.T, strict=True):
            empty |= (lists.number == 0)[which]
        bounded = batch.bounded & np.array([self.shape[axis] > 1 for axis in batch.axes], bool)
        kinds, kind = np.unique(bounded, axis=0, return_inverse=True)
        parts, axes = set(self.union.parts), np.array(batch.axes, np.int64)
        held = np.array([tuple(axes[some].tolist()) in parts for some in kinds], bool)
        return held[kind.ravel()] | empty

    def _covariances(self, batch: QueryBatch, one: Codes, other: Codes) -> Floats:
        """Covariances of pairs of boxes, for noise of variance 1, from the parts that both bound."""
        shares, both = {}, {}
        for i, axis in enumerate(batch.axes):
            weights, which = box_shares(batch.lists[i], self.shape[axis]), batch.which[:, i]
            mean = weights.mean(axis=1)
            shares[axis] = mean[which[one]] * mean[which[other]]
            shares[axis][(which[one] == 0) & (which[other] == 0)] = 1.0
            both[axis] = self._products(axis, weights, which[one], which[other])
        found = np.zeros(len(one))
        common = batch.bounded[one] & batch.bounded[other]
        kinds, kind = np.unique(common, axis=0, return_inverse=True)
        for number, some in enumerate(kinds):
            here = np.flatnonzero(kind.ravel() == number)
            axes = [axis for axis, is_bounded in zip(batch.axes, some, strict=True) if is_bounded]
            for count in range(min(len(axes), MOST_OF_TABLE) + 1):
                for part in combinations(axes, count):
                    if part in self.union.precision:
                        each = np.full(len(here), 1 / self.union.precision[part])
                        for axis in batch.axes:
                            each *= (both if axis in part else shares)[axis][here]
                        found[here] += each
        return found

    def _products(self, axis: int, weights: Floats, one: Codes, other: Codes) -> Floats:
        """Covariances along an axis of the lists of pairs of boxes, (pairs,)."""
        turned, found = weights @ self.union.covariances[axis], np.zeros(len(one))
        step = max(1, AT_ONCE // self.shape[axis])
        for first in range(0, len(one), step):
            some = slice(first, first + step)
            found[some] = np.einsum("nc,nc->n", turned[one[some]], weights[other[some]])
        return found


def _cells(part: Part, shape: Sequence[int]) -> int:
    return int(np.prod([shape[axis] for axis in part], dtype=object)) if part else 1


def _check(union: TableUnion, shape: tuple[int, ...], density: Sequence[Floats], rows: int) -> None:
    """ValueError unless the parts fit each other and the tables tell every part."""
    if union.shape != shape or [len(mass) for mass in density] != list(shape):
        raise ValueError("there must be a Gram matrix and a density for every axis")
    if any(not ((mass >= 0) & (mass <= LARGEST)).all() or not 0 < mass.sum() <= LARGEST for mass in density):
        raise ValueError("a density must be finite, not negative, and above 0 somewhere")
    if not union.tables or any(
        len(table) > MOST_OF_TABLE or sorted(set(table)) != list(table) or not set(table) <= set(range(len(shape)))
        for table in union.tables
    ):
        raise ValueError(f"a table must be of up to {MOST_OF_TABLE} axes of the domain, in order")
    if not ((union.weight > 0) & (union.weight <= LARGEST)).all():
        raise ValueError("tables must have a weight above 0")
    cells = sum(_cells(part, shape) for part in union.parts)
    if cells != rows or rows > MOST_ROWS:
        raise ValueError("there must be a value for every cell of every part of the tables")
    for gram, level in zip(union.grams, union.levels.tolist(), strict=True):
        if not (abs(gram) <= LARGEST).all() or (gram != gram.T).any():
            raise ValueError("a Gram matrix must be square, symmetric and finite")
        if not (abs(gram.sum(axis=0) - level) <= ROUNDING * max(float(abs(gram).max()), 1e-300) * len(gram)).all():
            raise ValueError("all ones must be an eigenvector of every Gram matrix")
    with np.errstate(all="ignore"):
        for axis, size in enumerate(shape):
            inverse = union.covariances[axis]
            if not (abs(inverse) <= LARGEST).all() or np.linalg.matrix_rank(inverse, hermitian=True) != size - 1:
                raise ValueError("a Gram matrix must tell all codes apart")
        if not all(1 / LARGEST <= each <= LARGEST for each in union.precision.values()):
            raise ValueError("the tables must tell all of their parts")
