"""Histograms: noisy one-way histograms of an axis, of several widths."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from ripost.estimate.marginal import Table
from ripost.methods.pricing import Pricing
from ripost.privacy.account import Account, Frontier
from ripost.privacy.sensitivity import TOTAL_OF_PART
from ripost.space.question import Slabs

WIDTHS = {  # longest axis -> widths of its histograms, in finest stretches, and their shares
    32: ((1, Fraction(1)),),
    400: ((1, Fraction(6, 10)), (16, Fraction(4, 10))),
    2**62: ((1, Fraction(4, 10)), (16, Fraction(3, 10)), (128, Fraction(3, 10))),
}
SMALL_WIDTHS = {  # the same for tables of few cells: all of them are measured, so single codes add little
    32: WIDTHS[32],
    2**62: ((1, Fraction(1, 10)), (8, Fraction(9, 10))),
}
MOST_STRETCHES = 4096  # of a histogram


def measure_histograms(
    account: Account, root: Frontier, pricing: Pricing, axis: int, spend: Fraction, *, small: bool
) -> list[Table]:
    """The histograms of an axis, the finest first; `small` says that the table has few cells."""
    size = account.shape[axis]
    finest = 1 << max(0, math.ceil(math.log2(size / MOST_STRETCHES)))
    table = SMALL_WIDTHS if small else WIDTHS
    widths = next(widths for longest, widths in table.items() if size <= longest)
    tables = []
    for width, part in widths:
        edges = np.append(np.arange(0, size, width * finest), size)
        mechanism = pricing.noise(TOTAL_OF_PART, spend * part)
        term = account.open(f"axis {axis + 1}, width {width * finest}", mechanism, root)
        noisy = term.values(Slabs(axis, edges)) / account.bound
        tables.append(Table(edges, noisy, pricing.variance(mechanism)))
    return tables
