"""Histograms: noisy one-way histograms of an axis, of several widths, and their share of the budget.

docs/methods/ripost-plus.md says how the constants were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes
from ripost.estimate.marginal import NoisyHistogram, spine_tree
from ripost.methods.pricing import Pricing, split_budget
from ripost.privacy.account import Account
from ripost.privacy.partition import Partition
from ripost.space.query_parameters import Slabs
from ripost.statistics.totals import TOTAL_OF_PART

WIDTHS = {  # longest axis -> widths of its histograms, in finest bins, and their shares
    32: ((1, Fraction(1)),),
    400: ((1, Fraction(6, 10)), (16, Fraction(4, 10))),
    2**62: ((1, Fraction(4, 10)), (16, Fraction(3, 10)), (128, Fraction(3, 10))),
}
SMALL_WIDTHS = {  # the same for tables of few cells: every cell is measured, so histograms of single codes add little
    32: WIDTHS[32],
    2**62: ((1, Fraction(1, 10)), (8, Fraction(9, 10))),
}
MOST_BINS = 4096  # of a histogram
LONG = 64  # codes; longer axes get no larger share, because wide histograms and smoothing help them
WIDE = 8  # with more attributes, a tree of few rows cannot cut along all of them
FEW_ROWS = {70: Fraction(9, 10), 110: Fraction(8, 10)}  # rows a unit of `histogram_demand`, if fewer -> share if wide
FEW_ROWS_OF_A_CODE = {30: Fraction(5, 10), 60: Fraction(4, 10)}  # rows a code of the longest axis, if fewer -> share
ENOUGH_ROWS = Fraction(3, 10)


def histogram_demand(shape: Sequence[int], *, gaussian: bool) -> float:
    """The error of ranges in the histograms of all axes, in noise scales of the whole budget, up to a constant."""
    codes = [min(size, LONG) for size in shape]
    return math.sqrt(sum(map(math.sqrt, codes))) if gaussian else sum(map(math.cbrt, codes))


def histogram_share(shape: Sequence[int], rows: float, *, gaussian: bool) -> Fraction:
    """The share of all histograms where pairs are not measured; `rows` are in noise scales of the whole budget.

    The fewer rows there are for the codes of all axes, the less can be learned beyond histograms.
    """
    demand = histogram_demand(shape, gaussian=gaussian)
    if sum(size > 1 for size in shape) >= WIDE and rows < max(FEW_ROWS) * demand:
        return next(part for fewer, part in FEW_ROWS.items() if rows < fewer * demand)
    return next((part for fewer, part in FEW_ROWS_OF_A_CODE.items() if rows < fewer * max(shape)), ENOUGH_ROWS)


def split_by_length(shape: Sequence[int], *, gaussian: bool) -> list[Fraction]:
    """The share of each axis in the budget of all histograms. It grows with the number of codes."""
    return split_budget([min(size, LONG) for size in shape], gaussian=gaussian)


def measure_histograms(
    account: Account, root: Partition, pricing: Pricing, axis: int, spend: Fraction, *, small: bool
) -> list[NoisyHistogram]:
    """The histograms of an axis, the finest first; `small` says that the table has few cells."""
    size, tables = account.shape[axis], []
    finest = 1 << max(0, math.ceil(math.log2(size / MOST_BINS)))
    levels = account.spine.edges[axis]
    planned = _of_levels(size, levels, finest) if levels else _of_widths(size, finest, small=small)
    for purpose, edges, part in planned:
        mechanism = pricing.noise(TOTAL_OF_PART, spend * part)
        term = account.charge_query(f"axis {axis + 1}, {purpose}", mechanism, root)
        noisy = term.measure(Slabs(axis, edges)) / account.bound
        tables.append(NoisyHistogram(edges, noisy, pricing.variance(mechanism)))
    return tables


def _of_widths(size: int, finest: int, *, small: bool) -> list[tuple[str, Codes, Fraction]]:
    """The histograms of an axis without levels: what to call each, its edges and its share."""
    table = SMALL_WIDTHS if small else WIDTHS
    widths = next(widths for longest, widths in table.items() if size <= longest)
    return [
        (f"width {width * finest}", np.append(np.arange(0, size, width * finest), size), part) for width, part in widths
    ]


def _of_levels(size: int, levels: Sequence[Codes], finest: int) -> list[tuple[str, Codes, Fraction]]:
    """The histograms of an axis with levels, one for single codes and one for each level, with equal shares."""
    tree = spine_tree(size, levels, finest=finest)
    codes = np.append(tree.boxes.lower[tree.leaves, 0], size)
    named = [(f"level {number}", edges) for number, edges in reversed([*enumerate(levels, 1)])]
    return [(name, edges, Fraction(1, len(levels) + 1)) for name, edges in (("codes", codes), *named)]
