"""Dense plan: how to split the budget for small tables of three or more attributes, where every cell has many rows.

Plain counts of the cells are nearly the best there: the tree is measured at its cells, and histograms get less. Public
facts and the noisy total decide everything. docs/methods/ripost-plus.md says how the constants were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class DensePlan:
    """A plan, and the tables that it is for."""

    cells: int  # at most
    rows: int  # of a cell on average, in noise scales of the whole budget, at least
    histograms: Fraction  # of the budget, for all one-way histograms
    ratio: int  # budget of the cells over that of the total


DENSE = (
    DensePlan(48, 5, Fraction(1, 25), 50),
    DensePlan(128, 25, Fraction(1, 10), 6),
    DensePlan(512, 100, Fraction(1, 10), 6),
    DensePlan(2048, 150, Fraction(1, 5), 6),
)


def dense_plan(shape: Sequence[int], rows: float) -> DensePlan | None:
    """The plan for a table of this many rows, in noise scales of the whole budget; None if it is not dense."""
    cells = math.prod(shape)
    if sum(size > 1 for size in shape) <= 2:
        return None
    found = next((plan for plan in DENSE if cells <= plan.cells), None)
    return None if found is None or rows < found.rows * cells else found
