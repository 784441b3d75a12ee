"""Sums and means of a measure with their intervals, from the counts and from what rows add above `min`."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal, Protocol

import numpy as np

from ripost.answering.answer import Answers, min_interval_width, reach_factor
from ripost.answering.content.content import Content
from ripost.answering.content.measure import MeanErrors
from ripost.answering.impossible import keep_zeros
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Floats
from ripost.privacy.ledger import Privacy
from ripost.schema.measure import Measure
from ripost.schema.measured_column import MeasuredColumn

What = Literal["sum", "mean"]


class MeasureSums(Protocol):
    """The sums of a measure, of a release or of a series."""

    @property
    def measured(self) -> MeasuredColumn: ...

    @property
    def errors(self) -> MeanErrors: ...

    def totals(self, batch: QueryBatch, counts: Floats, rows: float) -> tuple[Floats, Floats]: ...


def answer_measure(
    counts: Content, measure: MeasureSums, what: What, batch: QueryBatch, *, level: float, least: float
) -> Answers:
    """The sum or the mean of each region, with intervals of a level.

    `least` is the smallest width of an interval of a sum (`min_sum_width`). Where no row can lie, sums are exactly 0
    and there is no mean. The interval of a sum leaves out signs that no sum can have, but holds its value, which may
    have such a sign: values are not cut off, so that those of groups add up.
    """
    zero = counts.find_zeros(batch)
    counted = counts.answer_batch(batch)
    above, variance = measure.totals(batch, counted.value, counts.total)
    low, high = measure.measured.min, measure.measured.max
    rows = counted.value
    some = rows > 0
    mean = np.clip(low + np.divide(above, rows, out=np.zeros(len(rows)), where=some), low, high)
    wider = reach_factor(level)
    around = measure.errors.z * np.sqrt(variance) * wider  # of the sum, if the count were known
    counted_reach = counted.reach * wider
    if what == "sum":
        value = low * rows + above
        stderr = np.hypot(mean * counted.stderr, np.sqrt(variance))
        reach = np.maximum(np.hypot(mean * counted_reach, around), least / 2)
        found = Answers(value, stderr, value - reach, value + reach, reach, counted.unmeasured, level)
        least_sum = 0.0 if low >= 0 else -math.inf
        most_sum = 0.0 if high <= 0 else math.inf
        least_end, most_end = (np.clip(end, least_sum, most_sum) for end in (found.low, found.high))
        found = replace(found, low=np.minimum(least_end, value), high=np.maximum(most_end, value))
        return keep_zeros(found, zero)
    sure = rows - counted_reach
    reach = np.divide(np.maximum(around, least / 2), sure, out=np.full(len(rows), math.inf), where=sure > 0)
    value = np.where(some, mean, math.nan)
    stderr = np.divide(np.sqrt(variance), rows, out=np.full(len(rows), math.inf), where=some)
    lower, upper = (np.where(zero, math.nan, np.clip(end, low, high)) for end in (mean - reach, mean + reach))
    return Answers(value, stderr, lower, upper, np.minimum(reach, high - low), counted.unmeasured, level)


def min_sum_width(measured: MeasuredColumn, privacy: Privacy, level: float) -> float:
    """The least width of an interval of a sum, by the most that one unit adds to it (`min_interval_width`)."""
    return min_interval_width(Measure(step=max(abs(measured.min), abs(measured.max))), privacy, level)
