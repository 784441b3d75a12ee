"""Content: what answers the questions of a view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import UNMEASURED, Answer, Answers
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Codes, Floats, Mask
from ripost.space.region import Region, Selection

LARGEST = 1e100  # of values and masses, so that squares and sums stay finite


@dataclass(frozen=True, slots=True)
class ValuedBlocks:
    """The boxes of a view, in the order of its file."""

    lower: Codes  # (n, d), inclusive
    upper: Codes  # (n, d), exclusive
    value: Floats  # (n,), in units of the measure
    variance: Floats  # (n,): of the noise in each value; NaN where nothing is known of it

    def __len__(self) -> int:
        return len(self.value)


class Content(ABC):
    """An estimate of every box of a domain. It does not change."""

    kind: ClassVar[str]  # in the manifest
    noun: ClassVar[str]  # what `values` belong to, in print
    caution: str = UNMEASURED  # the note of answers that nothing measured directly bears on

    def __init__(self, shape: Sequence[int], values: ArrayLike) -> None:
        self.shape = tuple(shape)
        self.values = freeze(values)  # (rows,), in units of the measure
        if self.values.ndim != 1 or not (abs(self.values) <= LARGEST).all():
            raise ValueError("values must be finite numbers, one a row")

    @abstractmethod
    def answers(self, lower: Floats, upper: Floats) -> Floats:
        """The estimated total of each box of positions, (n, d)."""

    @abstractmethod
    def variances(self, lower: Floats, upper: Floats) -> Floats:
        """The variance of the noise in each of these answers: NaN if nothing is known of it, infinite if nothing that
        was measured tells of the box.
        """

    def selection(self, selection: Selection) -> Answer:
        """The total where every listed axis lies in one of its intervals, with its error."""
        return self.regions([(selection,)])[0]

    def regions(self, regions: Sequence[Region]) -> Answers:
        """The total of each region, with its error."""
        return self.answer_batch(QueryBatch.of(regions, self.shape))

    @abstractmethod
    def answer_batch(self, batch: QueryBatch) -> Answers:
        """The same for regions that are made ready, all in one pass."""

    def find_zeros(self, batch: QueryBatch) -> Mask:
        """Which regions are publicly 0: no row can lie in them."""
        return np.zeros(batch.count, bool)

    @property
    def total(self) -> float:
        """The estimated total of everything."""
        return float(self.values.sum())

    @property
    @abstractmethod
    def blocks(self) -> ValuedBlocks: ...


def freeze(numbers: ArrayLike) -> Floats:
    """A copy that cannot be written to."""
    array = np.array(numbers, np.float64)
    array.setflags(write=False)
    return array
