"""The sums of a measure over the blocks of the counts: what it adds above `min`, and how far that is from the truth.

The sum of a part of the table is `min * count + above`. Its error is that of the count times the mean, and the error of
the mean; `error_of_mean` is the variance of the second (docs/explanation/intervals.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.content.content import LARGEST, freeze
from ripost.answering.content.tree import TreeContent
from ripost.answering.engine import join_regions
from ripost.answering.query_batch import QueryBatch
from ripost.answering.within_block_variance import Overlaps
from ripost.arrays import Floats
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.mixture import Mixture
from ripost.schema.measured_column import MeasuredColumn
from ripost.space.tree import Tree


@dataclass(frozen=True, slots=True)
class MeanErrors:
    """The parameters of the error of a mean, in squared units of the measure."""

    z: float  # half-width of a 95 % interval in standard deviations
    total: float  # variance of the sum of all rows
    histogram: float  # variance of a sum along one attribute, where it can be told from the others at all
    variation: float  # by which means of small parts may differ from what was measured
    spread: float  # of the values of single rows

    def to_json(self) -> dict[str, float]:
        return asdict(self)


class MeasureContent(TreeContent):
    """Sums of a measure above `min`, over the blocks of the counts."""

    kind = "measure"

    def __init__(
        self,
        measured: MeasuredColumn,
        shape: Sequence[int],
        *,
        tree: Tree | Callable[[], Tree],
        counts: ArrayLike,
        values: ArrayLike,
        variances: ArrayLike,
        density: Sequence[ArrayLike | None] | None,
        errors: MeanErrors,
        mixture: Mixture | None = None,
        corrections: ArrayLike | None = None,
    ) -> None:
        none = ErrorModel(0.0, (None,) * len(shape))
        super().__init__(
            shape,
            tree=tree,
            values=values,
            variances=lambda found: np.full(len(found), np.inf),  # the errors of blocks are stated as such
            density=density,
            error_model=none if mixture is not None else None,
            mixture=mixture,
            corrections=corrections,
        )
        self.measured = measured
        self.errors = errors
        self.counts = freeze(counts)  # of each block, released
        self.block_variances = freeze(variances)  # (blocks,): of the value of each block, given its count
        if not ((self.block_variances >= 0) & (self.block_variances <= LARGEST)).all():
            raise ValueError("the variances of a measure must be finite numbers from 0 up")
        if not self.values.shape == self.counts.shape == self.block_variances.shape:
            raise ValueError("a measure needs a value and a variance for each block")

    def totals(self, batch: QueryBatch, counts: Floats, rows: float) -> tuple[Floats, Floats]:
        """What the rows of each region add above `min`, and the variance of the error of that, given their counts."""
        above, known = np.zeros(batch.count), np.zeros(batch.count)
        mixture = self.density_mixture
        if mixture is not None:
            above += np.bincount(batch.owner, mixture.totals(batch), batch.count)
        for numbers, some, pairs in join_regions(self.index, batch):
            met = Overlaps.of(pairs, some, self.index)
            above[numbers] += met.sums(self._corrections[met.row] * met.share)
            inside = self._block_variance_sums[met.row] * met.share**2 + self._spread[met.row] * met.share * (
                1 - met.share
            )
            known[numbers] = met.sums(inside)
        return above, known + self.error_of_model(counts, rows)

    def error_of_model(self, counts: Floats, rows: float) -> Floats:
        """The variance that blocks do not tell: of the total, and of what no histogram can tell from noise."""
        share = np.clip(counts / max(rows, 1.0), 0.0, 1.0)
        unseen = np.minimum(self.errors.histogram, self.errors.variation * np.maximum(counts, 0.0) ** 2)
        found: Floats = unseen * (1 - share) + self.errors.total * share**2
        return found

    @cached_property
    def _block_variance_sums(self) -> Floats:
        return self._sums(self.block_variances)

    @cached_property
    def _spread(self) -> Floats:
        return self._sums(self.errors.spread * np.maximum(self.counts, 0.0))
