"""Tensor: the non-empty cells of a table, exact and private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ripost.arrays import Floats, Ints
from ripost.errors import InputError
from ripost.schema.domain import Domain
from ripost.schema.measure import COUNT, OCCUPIED, ROW, Measure, Unit
from ripost.schema.measured_column import MeasuredColumn

if TYPE_CHECKING:
    from ripost.schema.schema import Schema

LARGEST_TOTAL = 2.0**61  # room for float rounding below int64
QUERY_CHUNK = 4_000_000  # comparisons at a time


@dataclass(frozen=True, repr=False)
class Tensor:
    """Distinct coordinates with positive counts, in steps of the measure."""

    domain: Domain
    coords: NDArray[np.int32]  # (n, d)
    counts: Ints  # (n,)
    measure: Measure = COUNT
    unit: Unit = ROW
    measures: Mapping[str, MeasuredColumn] = field(default_factory=dict)
    sums: Ints | None = None  # (measures, n): sums of each measure in half steps from the middle of its range

    def __post_init__(self) -> None:
        check_total(self.counts)
        for sums in () if self.sums is None else self.sums:
            check_total(np.abs(sums))

    @classmethod
    def from_arrays(
        cls,
        shape: Domain | Sequence[int] | Mapping[str, int],
        coords: ArrayLike,
        counts: ArrayLike,
        *,
        measure: Measure = COUNT,
        unit: Unit = ROW,
    ) -> Tensor:
        """A tensor from cells. Counts of a cell that is given twice are added, and zeros are left out."""
        domain = Domain.of(shape)
        where = np.asarray(coords)
        amount = np.asarray(counts)
        if where.size == 0 and amount.size == 0:
            where = np.zeros((0, len(domain)), np.int64)
            amount = np.zeros(0, np.int64)
        if where.ndim != 2 or where.shape[1] != len(domain) or amount.shape != where.shape[:1]:
            raise InputError(f"coords must be (n, {len(domain)}) and counts (n,)")
        if where.dtype.kind not in "iu" or amount.dtype.kind not in "iub":
            raise InputError("coords and counts must be whole numbers")
        if ((where < 0) | (where >= np.array(domain.shape))).any():
            raise InputError("coords must lie inside the domain")
        if (amount < 0).any():
            raise InputError("counts must not be negative")
        check_total(amount)
        return cls(domain, *_distinct(where.astype(np.int32), amount.astype(np.int64)), measure, unit)

    @classmethod
    def from_table(
        cls, source: Any, schema: Schema, *, table: str | None = None, encoding: str | None = None
    ) -> Tensor:
        """The tensor of a table: a path, data frame, Arrow data, Ibis table or database URL."""
        from ripost.data.read import read_tensor

        return read_tensor(source, schema, table=table, encoding=encoding)

    def __repr__(self) -> str:
        return f"Tensor({' x '.join(map(str, self.domain.shape))}, private)"

    def occupied(self) -> Tensor:
        """The tensor with the count 1 in every non-empty cell. One row changes one cell of it by at most 1
        (privacy/proofs/occupied.md).
        """
        return replace(self, counts=np.ones_like(self.counts), measure=OCCUPIED, measures={}, sums=None)

    def answer(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """Exact sums over boxes, lower inclusive, upper exclusive, (n, d). Not private: for experiments."""
        low, high = np.atleast_2d(lower), np.atleast_2d(upper)
        answers = np.zeros(len(low), np.int64)
        step = max(1, QUERY_CHUNK // max(1, len(self.counts)))
        for first in range(0, len(low), step):
            some = slice(first, first + step)
            inside = np.ones((len(low[some]), len(self.counts)), bool)
            for axis in range(len(self.domain)):
                at = self.coords[:, axis]
                inside &= (low[some, axis, None] <= at) & (at < high[some, axis, None])
            answers[some] = [self.counts[row].sum() for row in inside]
        exact: Floats = answers * np.float64(self.measure.step)
        return exact


def check_total(counts: NDArray[Any]) -> None:
    """InputError unless sums of counts fit 64 bits: otherwise one row could change a sum by 2^64."""
    if counts.sum(dtype=np.float64) >= LARGEST_TOTAL:
        raise InputError("counts must add up to less than 2^61")


def _distinct(coords: NDArray[np.int32], counts: Ints) -> tuple[NDArray[np.int32], Ints]:
    """Sorted distinct coordinates with their counts added up, without zeros."""
    full = counts > 0
    coords, counts = coords[full], counts[full]
    order = np.lexsort(coords.T[::-1])
    coords, counts = coords[order], counts[order]
    if len(coords) == 0:
        return coords, counts
    first = np.flatnonzero(np.concatenate([[True], (coords[1:] != coords[:-1]).any(axis=1)]))
    return coords[first], np.add.reduceat(counts, first)
