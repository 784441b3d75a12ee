"""Intervals: how often the 95 % intervals of a view hold the truth, and how wide they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.wide.workloads import Axes, Floats, Ints
from ripost import View
from ripost.view.answer import Answers
from ripost.view.projection import by_axes


@dataclass(frozen=True)
class Held:
    """Of some questions: which true answers lie inside their intervals, widths, truths and errors, (n,) each."""

    inside: NDArray[np.bool_]
    width: Floats
    truth: Floats
    error: Floats


def held(view: View, lower: Ints, upper: Ints, truth: Floats) -> Held | None:
    """The intervals of boxes against the truth; None if the view tells nothing of its error."""
    value, low, high = interval_answers(view, lower, upper)
    if not (np.isfinite(low) & np.isfinite(high)).all():
        return None
    return Held((low <= truth) & (truth <= high), high - low, truth, np.abs(value - truth))


def interval_answers(view: View, lower: Ints, upper: Ints) -> tuple[Floats, Floats, Floats]:
    """Values and ends of intervals; boxes that bound the same axes go in one batch, which is quick."""
    value, low, high = (np.empty(len(lower)) for _ in range(3))
    for axes, boxes in by_axes(lower.astype(np.float64), upper.astype(np.float64), view.domain.shape):
        some = _batch(view, lower[boxes], upper[boxes], tuple(axes))
        value[boxes], low[boxes], high[boxes] = some.value, some.low, some.high
    return value, low, high


def _batch(view: View, lower: Ints, upper: Ints, axes: Axes) -> Answers:
    """Answers of boxes that bound the same axes; equal intervals are one object, so they are looked at once."""
    known: dict[tuple[int, int], tuple[tuple[float, float]]] = {}
    regions = []
    for low, high in zip(lower[:, axes].tolist(), upper[:, axes].tolist(), strict=True):
        ends = zip(low, high, strict=True)
        spans = [known.setdefault(end, ((float(end[0]), float(end[1])),)) for end in ends]
        regions.append((dict(zip(axes, spans, strict=True)),))
    return view.answer_regions(regions)
