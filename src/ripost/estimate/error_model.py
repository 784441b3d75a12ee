"""Error model: what a release states about the errors of its answers, beyond the variances of its blocks.

Every constant that an interval needs is here, so that all readers of a file give the same interval.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.estimate.smoother import POWER


@dataclass(frozen=True)
class MeasuredPair:
    """Two attributes whose table of bins was measured."""

    axes: tuple[int, int]  # the smaller first
    variance: float  # of the noise in a cell of the table
    dependence: float  # phi squared of the table, as estimated
    misfit: float = 1.0  # how far the table is from the estimate, in squares of its noise; at least 1


@dataclass(frozen=True)
class ErrorModel:
    """How far answers may lie from the truth where values are not noise alone."""

    scatter: float  # of content inside blocks: a split of n rows has the variance (n + scatter n^power) q (1 - q)
    histogram_variances: tuple[float | None, ...]  # of each axis, noise per code of its histogram; None if coarser
    z: float = 3.0  # half-width of a 95 % interval in standard deviations
    power: float = POWER
    together: float = 0.25  # share of the scatter that blocks cut along the same stretch have in common
    histogram_weight: float = 0.25
    dependence_weight: float = 0.1
    sum_power: float = 1.0  # how the variance of a sum of cells of a table grows with their number
    pair_scatter: float = 1.0  # weight of the scatter inside the bins of a table and across other attributes
    margin_weight: float = 0.0  # without a mixture: weight of the noise of histograms where blocks are cut
    unmeasured_weight: float = 0.0  # and of the dependence of axes on each other, which nothing measured
    unmeasured_power: float = 1.0  # how that grows with the part of an answer that blocks do not tell
    pairs: tuple[MeasuredPair, ...] = ()

    def in_units(self, unit: float) -> ErrorModel:
        """The same for values that are this many times as large."""
        known = tuple(None if variance is None else variance * unit**2 for variance in self.histogram_variances)
        pairs = tuple(replace(pair, variance=pair.variance * unit**2) for pair in self.pairs)
        return replace(self, histogram_variances=known, pairs=pairs)

    def scattered(self, rows: Floats) -> Floats:
        """Variance of a split of these numbers of rows, before the factor q (1 - q)."""
        some = np.maximum(rows, 0.0)
        found: Floats = some + self.scatter * some**self.power
        return found
