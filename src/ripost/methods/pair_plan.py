"""Pair plan: whether the attributes of a table depend on each other, and how to measure their pairs.

Everything here is decided by public facts and by what was released: epsilon, the domain, the noisy total, one-way
densities. docs/methods/ripost-plus.md says how the constants were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.estimate.marginal import running_sums
from ripost.space.blocks import Codes
from ripost.space.question import Couples, Grid

LEAST_ATTRIBUTES = 5  # with fewer, the tree alone cuts pairs often enough
LEAST_ROWS = {False: 3000, True: 500}  # Gaussian noise -> rows in noise scales of the whole budget
LEAST_ROWS_OF_A_TABLE = 25  # in noise scales of its cells: with more pairs than that pays for, none are measured
LEAST_CELLS = 0.5  # of the domain, for each row in these scales: in smaller ones blocks reach single cells
TESTING = Fraction(2, 100)  # share of epsilon for the test of dependence
COARSE = 16  # stretches of an attribute in that test
CLEAR = 7.5  # noise scales above which a dependence is taken for real
MANY_ROWS = 100_000  # in the same scales, from which on the tree deserves more
MOST_OF_REST = Fraction(19, 20)  # of what is left for pair tables and the tree, the most that pair tables take
ROWS_OF_A_CELL = 1.0  # rows of a cell of a pair table, in noise scales, if rows lay evenly
FEWEST_BINS, MOST_BINS = 2, 64
EVEN = 0.5  # part of even mass when an attribute is cut into bins of equal mass
COMPONENTS, MANY_COMPONENTS = 200, 400  # of the mixture; the latter where the rows of a table are ENOUGH_FOR_MANY
ENOUGH_FOR_MANY = 4000  # in noise scales of a cell
STRENGTH, MOST_STRENGTH = 0.4, 1500.0  # of the penalty, per row of a noise scale


@dataclass(frozen=True)
class PairPlan:
    """Shares of the budget."""

    histograms: Fraction  # of all one-way histograms
    pairs: Fraction  # of all pair tables


PLANS = {  # Gaussian noise, many rows -> shares; the tree has what is left
    (False, False): PairPlan(Fraction(30, 100), Fraction(60, 100)),
    (False, True): PairPlan(Fraction(20, 100), Fraction(50, 100)),
    (True, False): PairPlan(Fraction(15, 100), Fraction(60, 100)),
    (True, True): PairPlan(Fraction(10, 100), Fraction(50, 100)),
}


def worth_testing(shape: Sequence[int], rows: float, *, gaussian: bool) -> bool:
    """Whether the table may be one for pair tables; `rows` are in noise scales of the whole budget."""
    pairs = len(pairs_of(shape))
    if pairs < math.comb(LEAST_ATTRIBUTES, 2) or rows < LEAST_ROWS[gaussian]:
        return False
    share = float(plan_for(rows, gaussian=gaussian).pairs) / pairs
    of_a_table = rows * (math.sqrt(share) if gaussian else share)
    return of_a_table >= LEAST_ROWS_OF_A_TABLE and sum(map(math.log, shape)) > math.log(LEAST_CELLS * rows)


def dependence_question(shape: Sequence[int]) -> Couples:
    """All pairs of attributes, each in stretches of equal length."""
    alone = [Grid((axis,), (size,), (min(size, COARSE),)) for axis, size in enumerate(shape)]
    return Couples(tuple((alone[one], alone[other]) for one, other in pairs_of(shape)))


def is_dependent(dependence: float, rows: float, scale: float) -> bool:
    """Whether a noisy largest dependence is above what noise of this scale and chance explain.

    The dependence is half the sum of |count - expected| over the cells of a table. By chance it is at most about
    sqrt(rows * cells / (2 pi)), which even tables reach.
    """
    return dependence > CLEAR * scale + math.sqrt(max(rows, 0.0) / (2 * math.pi)) * COARSE


def pairs_of(shape: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs of attributes that have more than one code."""
    return list(combinations([axis for axis, size in enumerate(shape) if size > 1], 2))


def equal_mass(density: Floats, bins: int) -> Codes:
    """Edges of bins of about equal mass, half of it by the density and half even; single codes where that is enough."""
    size = len(density)
    if size <= bins:
        return np.arange(size + 1)
    mass = running_sums((1 - EVEN) * density / density.sum() + EVEN / size)
    inner = np.searchsorted(mass, np.arange(1, bins) / bins * mass[-1]).clip(1, size - 1)
    return np.unique(np.concatenate([[0], inner, [size]]))


def plan_for(rows: float, *, gaussian: bool) -> PairPlan:
    """The plan for a table of this many rows, in noise scales of the whole budget."""
    return PLANS[gaussian, rows >= MANY_ROWS]


def bins_for(rows: float) -> int:
    """Bins of an attribute, for tables of this many rows in noise scales of a cell."""
    return int(min(max(math.sqrt(max(rows, 0.0) / ROWS_OF_A_CELL), FEWEST_BINS), MOST_BINS))


def components_for(rows: float) -> int:
    """Number of components of the mixture, for tables of this many rows in noise scales of a cell."""
    return COMPONENTS if rows < ENOUGH_FOR_MANY else MANY_COMPONENTS


def strength_for(rows: float) -> float:
    """Strength of the penalty, for tables of this many rows in noise scales of a cell."""
    return min(STRENGTH * rows, MOST_STRENGTH)
