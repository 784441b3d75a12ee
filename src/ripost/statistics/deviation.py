"""Deviation of a block from uniform: the sum of |cell - mean| over all its cells."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ripost.arrays import Ints, Mask
from ripost.space.blocks import Blocks
from ripost.statistics.exact_sums import SAFE, capped_volumes, sums_at
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import PROOFS, Statistic
from ripost.statistics.totals import totals


def deviation_steps(blocks: Blocks) -> Steps:
    """Compute AE of each block, the sum of |cell - mean| over all its cells, rounded down.

    AE = 2 (T - J S / N) with S the sum, N the cells, T and J the sum and number of cells above the mean.

    Where S < N the mean is below 1, every non-empty cell lies above it, and this is the closed form 2 S (1 - K / N).
    """
    total = yield totals
    volume, exact = capped_volumes(blocks)
    mean = total // volume
    for block in np.flatnonzero(~exact & (mean > 0)).tolist():
        mean[block] = int(total[block]) // blocks.volume(block)
    high, number = np.split((yield partial(above_mean, mean=mean)), 2)
    deviation, safe = deviation_of(high, number, total, volume, exact)
    for block in np.flatnonzero(~safe).tolist():
        deviation[block] = exact_deviation(high[block], number[block], total[block], blocks.volume(block))
    return deviation


def above_mean(layout: Layout, mean: Ints) -> Ints:
    """Sums, and then numbers, of each block's cells above its mean, which is given rounded down."""
    above = layout.counts > mean[layout.owner]
    owner, size = layout.owner[above], len(layout.blocks)
    return np.concatenate([sums_at(owner, layout.counts[above], size), np.bincount(owner, minlength=size)])


def deviation_of(high: Ints, number: Ints, total: Ints, volume: Ints, exact: Mask) -> tuple[Ints, Mask]:
    """2 high - ceil(2 number total / volume), which is AE rounded down, and where int64 sufficed for it."""
    product = 2.0 * number * total
    safe = (product < SAFE) & (exact | ((product < volume) & (total < volume)))
    twice = 2 * number * np.where(safe, total, 0)
    return 2 * high + (-twice // volume), safe


def exact_deviation(high: Any, number: Any, total: Any, volume: int) -> int:
    """The same for one block of any volume, by Python integers."""
    return 2 * (int(high) * volume - int(number) * int(total)) // volume


DEVIATION = Statistic("deviation", deviation_steps, PROOFS / "deviation.md", per_count=2, extra_tests=1)
