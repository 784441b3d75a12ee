"""Error model: what a release states about the errors of its answers, beyond the variances of its blocks.

Every constant that an interval needs is here, so that all readers of a file give the same interval.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.smoother import POWER


@dataclass(frozen=True)
class MeasuredPair:
    """Two attributes whose table of bins was measured."""

    axes: tuple[int, int]  # the smaller first
    variance: float  # of the noise in a cell of the table
    dependence: float  # phi squared of the table, as estimated
    misfit: float = 1.0  # mean squared distance of the table from the estimate, in noise variances; at least 1


@dataclass(frozen=True)
class ErrorModel:
    """The parameters of the errors of answers, beyond noise."""

    scatter: float  # of content inside blocks: a split of n rows has the variance (n + scatter n^power) q (1 - q)
    histogram_variances: tuple[float | None, ...]  # of each axis, noise per code of its histogram; None if coarser
    z: float = 3.0  # half-width of a 95 % interval in standard deviations
    power: float = POWER
    together: float = 0.25  # share of the scatter that blocks cut along the same interval have in common
    histogram_weight: float = 0.25
    dependence_weight: float = 0.1
    sum_power: float = 1.0  # how the variance of a sum of table cells grows with their number
    pair_scatter: float = 1.0  # weight of the scatter inside the bins of a table and across other attributes
    centering: float = 0.0  # 1: the noise of a table counts without the means of its rows and columns
    least_noise: float = 1.0  # of a pair's noise variance: what counts where the pair is as if independent
    most_noise: float = 1.0  # and where it is far from that
    correction_weight: float = 0.0  # of the squared correction of the mixture, where a pair tells the variance
    margin_weight: float = 0.0  # without a mixture: weight of the noise of histograms where blocks are cut
    unmeasured_weight: float = 0.0  # and of the dependence between axes, which was not measured
    unmeasured_power: float = 1.0  # how that grows with the share of an answer that lies in cut blocks
    outside_weight: float | None = None  # of the rest of a cut block, against the share in the query; None: no limit
    note_share: float | None = None  # share of an answer from cut blocks above which it has a note; None: no notes
    pairs: tuple[MeasuredPair, ...] = ()

    def in_units(self, unit: float) -> ErrorModel:
        """The error model of values multiplied by `unit`."""
        known = tuple(None if variance is None else variance * unit**2 for variance in self.histogram_variances)
        pairs = tuple(replace(pair, variance=pair.variance * unit**2) for pair in self.pairs)
        return replace(self, histogram_variances=known, pairs=pairs)

    def split_variance_factor(self, rows: Floats) -> Floats:
        """Variance of a split of these numbers of rows, before the factor q (1 - q)."""
        some = np.maximum(rows, 0.0)
        found: Floats = some + self.scatter * some**self.power
        return found
