"""Delta rule: when ripost+ has smaller errors with Gaussian noise and a delta than at pure epsilon, by public facts.

A measurement that gets the share f of the budget has noise of variance 2 / (f epsilon)^2 at pure epsilon (Laplace
noise) and 1 / (2 f rho) with delta (Gaussian noise). So the standard deviation at pure epsilon is
sqrt(4 rho / f) / epsilon times that with delta: the smaller the share, the more delta helps. At epsilon 1 and delta
1e-9, 4 rho is 1 / 17, so measurements with a share below 1 / 17 gain. Rows per privacy unit cancel in that ratio.
For pairs, which share tables at pure epsilon, the rule compares the noise of ranges.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ripost.methods.histograms import histogram_share
from ripost.methods.pair_cover import cover_pairs, range_noise
from ripost.methods.pair_plan import LEAST_ATTRIBUTES, TESTING, bins_of, pairs_of, plan_for, worth_testing
from ripost.methods.root_measurement import FEW
from ripost.privacy.zcdp import row_budget

ALIKE, MUCH = 1.1, 1.5  # ratios below which errors are about the same, and above which they clearly differ
BLOCK = Fraction(1, 2)  # the approximate share of the last depth in the budget of the tree


@dataclass(frozen=True)
class DeltaRule:
    """The measurement that dominates the errors, and the ratio of its noise at pure epsilon to its noise with delta."""

    measured: str
    ratio: float

    @property
    def verdict(self) -> str:
        """Which promise is expected to give the smaller errors."""
        if 1 / ALIKE <= self.ratio <= ALIKE:
            return "both are expected to give about the same errors"
        if self.ratio < 1:
            return "pure epsilon is expected to give the smaller errors"
        return f"delta is expected to make errors {'clearly' if self.ratio >= MUCH else 'a little'} smaller"


def delta_rule(
    shape: Sequence[int], rows: float, *, epsilon: Fraction, delta: Fraction, max_rows: int = 1, pairs: bool = True
) -> DeltaRule:
    """The rule for a table of this shape and about this many rows, by what ripost+ measures at pure epsilon.

    These are the pair tables if there are enough rows and attributes, else the histograms of a wide table or the blocks
    of a narrow one. If there are too few rows to measure more than the total with delta, it is the total.
    """
    price, rho = (float(row_budget(epsilon, some, max_rows)) for some in (Fraction(0), delta))
    scaled = rows * price
    histograms = histogram_share(shape, scaled, gaussian=False)
    gain = 1.0
    if rows * 2 * math.sqrt(rho) < FEW * math.sqrt(len(shape)):
        measured, part = "the total", Fraction(1)
    elif pairs and worth_testing(shape, scaled, gaussian=False):
        every, plan = pairs_of(shape), plan_for(shape, scaled, gaussian=False)
        measured, part = "a range of two attributes", plan.pairs * (1 - TESTING - plan.histograms)
        known = bins_of(every, shape, scaled * float(part) / len(every))
        bins = [known.get(axis, 1) for axis in range(len(shape))]
        pure, other = (
            range_noise(cover_pairs(every, bins, gaussian=gaussian), every, bins, gaussian=gaussian)
            for gaussian in (False, True)
        )
        gain = pure / other
    elif len(shape) >= LEAST_ATTRIBUTES:
        measured, part = f"each of the {len(shape)} histograms", histograms / len(shape)
    else:
        measured, part = "the count of a block", (1 - histograms) * BLOCK
    return DeltaRule(measured, gain * math.sqrt(4 * rho / part) / price)
