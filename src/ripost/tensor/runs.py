"""Deviations of runs of cells along a public curve, exact, in whole numbers."""

from __future__ import annotations

import numpy as np

from ripost.space.runs import Runs
from ripost.tensor.cut_scores import above
from ripost.tensor.statistics import Ints, Layout, deviation_of, exact_deviation, running, sums_at


def run_deviations(layout: Layout, question: Runs) -> Ints:
    """AE of each run, rounded down, block by block: the sum of |cell - mean| over the run's cells.

    Each block's non-empty cells stand in the order of the curve, so a run is a stretch of them. A cell above the mean
    is never empty, and where the mean is below 1 every non-empty cell is above it.
    """
    cells = len(question.place)
    slot, which = np.unique(layout.owner * cells + question.at(layout.coords), return_inverse=True)
    counts = sums_at(which, layout.counts, len(slot))
    block = cells * np.arange(len(layout.blocks))[:, None]
    first, last = (np.searchsorted(slot, (block + end).ravel()) for end in (question.first, question.last))
    length = np.tile(question.lengths, len(layout.blocks))
    below = running(counts)
    total = below[last] - below[first]
    high, number = total.copy(), last - first
    dense = np.flatnonzero(total >= length)
    high[dense], number[dense] = above(counts, first[dense], last[dense], total[dense] // length[dense])
    deviation, safe = deviation_of(high, number, total, length, np.ones(len(length), bool))
    for run in np.flatnonzero(~safe).tolist():
        deviation[run] = exact_deviation(counts[first[run] : last[run]], int(length[run]))
    return deviation
