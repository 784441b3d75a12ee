"""Matrix: cells estimated by least squares from noisy products with a public matrix (estimate/kronecker_union.py)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import Answers
from ripost.answering.content.cells import MOST_PAIRS, CellsContent, TooManyPairs, box_shares, in_batches
from ripost.answering.content.content import LARGEST
from ripost.answering.query_batch import QueryBatch, spread_out
from ripost.arrays import Floats
from ripost.estimate.kronecker_union import KroneckerUnion
from ripost.estimate.weighted import sums_by
from ripost.space.work_limit import charge

AT_ONCE = 1 << 22  # weights of pairs of boxes held at a time
AS_LONG = 4  # codes of a pair of boxes that are multiplied in one step


class MatrixContent(CellsContent):
    """Every cell, with the noise of all measurements together."""

    kind = "matrix"

    def __init__(self, shape: Sequence[int], *, values: ArrayLike, stack: KroneckerUnion, variance: float) -> None:
        super().__init__(shape, values)
        self.stack = stack
        self.variance = variance  # of the noise of one measured row
        _check(stack, self.shape)

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        return self.stack.variance(lower, upper) * self.variance

    def answer_batch(self, batch: QueryBatch) -> Answers:
        return in_batches(batch, self._answer_batch)

    def _answer_batch(self, batch: QueryBatch) -> tuple[Answers, int]:
        covered = self._cover_cells(batch, batch.axes)  # what no box bounds is added up first
        free = tuple(axis for axis in range(len(self.shape)) if axis not in batch.axes)
        values = self.values.reshape(self.shape).sum(axis=free).ravel()
        value = sums_by(covered.region, values[covered.cell] * covered.weight, batch.count)
        noise = self._noise(batch) * self.variance
        return Answers.of(value, noise=noise, model=np.zeros(batch.count)), len(covered.region)

    def _noise(self, batch: QueryBatch) -> Floats:
        """The variance of each region: boxes of one region were measured together, so all their pairs count."""
        boxes = np.bincount(batch.owner, minlength=batch.count)
        charge(int((boxes * boxes).sum()) * sum(self.shape) / AS_LONG)
        one, place = spread_out(boxes[batch.owner], (np.cumsum(boxes) - boxes)[batch.owner])
        if len(one) > MOST_PAIRS and batch.count > 1:
            raise TooManyPairs
        found = np.zeros(batch.count)
        weights = {axis: box_shares(batch.lists[i], self.shape[axis]) for i, axis in enumerate(batch.axes)}
        which = {axis: batch.which[:, i] for i, axis in enumerate(batch.axes)}
        step = max(1, AT_ONCE // max(self.shape))
        for first in range(0, len(one), step):
            mine, theirs = one[first : first + step], place[first : first + step]
            each = self.stack.covariances(weights, which, mine, theirs)
            found += sums_by(batch.owner[mine], each, batch.count)
        return found

    @cached_property
    def cell_variance(self) -> Floats:  # type: ignore[override]
        return self.stack.cell_variance.ravel() * self.variance


def _check(stack: KroneckerUnion, shape: tuple[int, ...]) -> None:
    """ValueError unless the stack measures every cell of the domain."""
    for gram, size in zip(stack.grams, shape, strict=True):
        if gram.shape != (size, size) or not (abs(gram) <= LARGEST).all() or (gram != gram.T).any():
            raise ValueError("a Gram matrix must be square, symmetric and finite")
        if np.linalg.eigvalsh(gram).min() <= 0:
            raise ValueError("a Gram matrix must tell all codes apart")
    if not stack.measured.all(axis=1).any() or not ((stack.weight > 0) & (stack.weight <= LARGEST)).all():
        raise ValueError("one product must measure all dimensions, and all must have a weight above 0")
    with np.errstate(all="ignore"):
        figures = [*stack.bases, stack.sums, stack.eigenvalues, 1 / stack.eigenvalues]
        if not all((abs(array) <= LARGEST).all() for array in figures):
            raise ValueError("the noise of some sums of cells would not be a finite number")
