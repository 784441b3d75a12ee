"""Deviations of runs of cells along a public curve, exact, in whole numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from ripost.arrays import Ints
from ripost.space.blocks import Blocks
from ripost.space.runs import Runs
from ripost.statistics.cut_scores import above
from ripost.statistics.deviation import deviation_of, exact_deviation
from ripost.statistics.exact_sums import running, sums_at
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import RUN, Statistic


def run_deviation_steps(blocks: Blocks, parameters: Runs) -> Steps:
    """Compute AE of each run, the sum of |cell - mean| over its cells, rounded down, block by block.

    The non-empty cells of a block are in the order of the curve, so those of a run are consecutive. A cell above the
    mean is never empty, and where the mean is below 1 every non-empty cell is above it.
    """
    cells = len(parameters.place)
    along = yield partial(_along, parameters=parameters)
    slot = np.flatnonzero(along)
    counts = along[slot]
    block = cells * np.arange(len(blocks))[:, None]
    first, last = (np.searchsorted(slot, (block + end).ravel()) for end in (parameters.first, parameters.last))
    length = np.tile(parameters.lengths, len(blocks))
    below = running(counts)
    total = below[last] - below[first]
    high, number = total.copy(), last - first
    dense = np.flatnonzero(total >= length)
    high[dense], number[dense] = above(counts, first[dense], last[dense], total[dense] // length[dense])
    deviation, safe = deviation_of(high, number, total, length, np.ones(len(length), bool))
    for run in np.flatnonzero(~safe).tolist():
        deviation[run] = exact_deviation(high[run], number[run], total[run], int(length[run]))
    return deviation


def _along(layout: Layout, parameters: Runs) -> Ints:
    """Counts of each block in the order of the curve."""
    cells = len(parameters.place)
    return sums_at(layout.owner * cells + parameters.at(layout.coords), layout.counts, len(layout.blocks) * cells)


DEVIATION_OF_RUN = Statistic(
    "deviation of run", run_deviation_steps, Path(__file__).with_name("deviation_of_run.md"), per_count=2, norm=RUN
)
