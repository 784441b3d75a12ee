"""Intervals: how often the intervals of a view hold the truth, and how wide they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Floats, Ints, Mask
from ripost.view import View


@dataclass(frozen=True)
class Held:
    """Of some questions: which true answers lie inside their intervals, widths, truths and errors, (n,) each."""

    inside: Mask
    width: Floats
    truth: Floats
    error: Floats


def check_intervals(view: View, lower: Ints, upper: Ints, truth: Floats) -> Held | None:
    """The intervals of boxes against the truth; None if the view tells nothing of its error."""
    value, low, high = interval_answers(view, lower, upper)
    if not (np.isfinite(low) & np.isfinite(high)).all():
        return None
    return Held((low <= truth) & (truth <= high), high - low, truth, np.abs(value - truth))


def interval_answers(view: View, lower: Ints, upper: Ints) -> tuple[Floats, Floats, Floats]:
    """Values and ends of intervals."""
    found = view.answer_batch(
        QueryBatch.of_boxes(lower.astype(np.float64), upper.astype(np.float64), view.domain.shape)
    )
    return found.value, found.low, found.high
