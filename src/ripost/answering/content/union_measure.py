"""UnionMeasure: the sums of a measure over the periods of a series."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.answering.content.content import Content
from ripost.answering.content.measure import MeanErrors, MeasureContent
from ripost.answering.content.union import CORRELATION, select_code
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Floats
from ripost.schema.measured_column import MeasuredColumn


class UnionMeasure:
    """Sums of one measure in releases of different periods; code i of the first axis is the i-th of them."""

    def __init__(self, counts: Sequence[Content], parts: Sequence[MeasureContent]) -> None:
        self.counts, self.parts = tuple(counts), tuple(parts)

    @property
    def measured(self) -> MeasuredColumn:
        return self.parts[0].measured

    @property
    def errors(self) -> MeanErrors:
        return self.parts[0].errors

    def totals(self, batch: QueryBatch, counts: Floats, rows: float) -> tuple[Floats, Floats]:  # noqa: ARG002
        """The sums above `min` over all periods, and their variance, with a covariance as in `UnionContent`."""
        above, own, alike = np.zeros((3, batch.count))
        for number, (content, part) in enumerate(zip(self.counts, self.parts, strict=True)):
            asked, here = select_code(batch, number)
            found, variance = part.totals(asked, content.answer_batch(asked).value, content.total)
            above += np.where(here, found, 0.0)
            own += np.where(here, variance, 0.0)
            alike += np.where(here, np.sqrt(variance), 0.0)
        return above, own + CORRELATION * np.maximum(alike**2 - own, 0.0)
