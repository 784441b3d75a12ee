"""Sensitivities: how far one record can move each statistic, with the file that proves it.

One record adds between 0 and `bound` steps to one cell (bound is 1 for COUNT). A statistic is asked of blocks that
share no cell, so the figure holds for the whole vector of a level: in sum of changes for noisy values, in the
largest change of one score for choices, in the root of the sum of squared changes for the vectors of bounded.py and
gradients.py, which Gaussian noise alone may cover.
"""

from __future__ import annotations

from dataclasses import dataclass

from ripost.space.query_parameters import FULL, WEIGHT

SUM, LENGTH, LARGEST = "sum", "length", "largest"
"""What of the changes that one record makes in the figures of all blocks is bounded: their sum, which Laplace noise
needs; their length (root of the sum of squares), enough for Gaussian noise; or the largest alone, enough for choices.
"""


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of blocks, named as private engines compute it."""

    name: str
    per_step: int  # change per step of the record
    per_cell: int  # change when a cell turns empty or non-empty
    proof: str
    norm: str = SUM

    def sensitivity(self, bound: int) -> int:
        """The most that one record can change it."""
        return self.per_step * bound + self.per_cell


TOTAL = Statistic("total", per_step=1, per_cell=0, proof="total.md")
DEVIATION = Statistic("deviation", per_step=2, per_cell=0, proof="deviation.md")
MIXTURE_OF_CUT = Statistic("mixture of cut", per_step=0, per_cell=1, proof="mixture_of_cut.md", norm=LARGEST)
DEVIATION_OF_CUT = Statistic("deviation of cut", per_step=2, per_cell=0, proof="deviation_of_cut.md", norm=LARGEST)
TOTAL_OF_PART = Statistic("total of part", per_step=1, per_cell=0, proof="total_of_part.md")
DISCREPANCY = Statistic("discrepancy", per_step=1, per_cell=0, proof="discrepancy.md", norm=LARGEST)
WEIGHTED_SUM = Statistic("weighted sum", per_step=WEIGHT, per_cell=0, proof="weighted_sum.md")
DEVIATION_OF_RUN = Statistic("deviation of run", per_step=2, per_cell=0, proof="deviation_of_run.md", norm=LARGEST)
DEPENDENCE = Statistic("dependence", per_step=2, per_cell=0, proof="dependence.md", norm=LARGEST)
LARGEST_DEPENDENCE = Statistic("largest dependence", per_step=2, per_cell=0, proof="largest_dependence.md")
DISTANCE = Statistic("distance", per_step=FULL, per_cell=0, proof="distance.md", norm=LARGEST)
SECOND_MOMENT = Statistic("second moment", per_step=2**24, per_cell=0, proof="second_moment.md", norm=LENGTH)
RESPONSIBILITY = Statistic("responsibility", per_step=2**28, per_cell=0, proof="responsibility.md", norm=LENGTH)
GRADIENT = Statistic("gradient", per_step=2**28, per_cell=0, proof="gradient.md", norm=LENGTH)

STATISTICS = (
    TOTAL,
    DEVIATION,
    MIXTURE_OF_CUT,
    DEVIATION_OF_CUT,
    TOTAL_OF_PART,
    DISCREPANCY,
    WEIGHTED_SUM,
    DEVIATION_OF_RUN,
    DEPENDENCE,
    LARGEST_DEPENDENCE,
    DISTANCE,
    SECOND_MOMENT,
    RESPONSIBILITY,
    GRADIENT,
)
