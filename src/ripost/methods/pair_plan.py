"""Pair plan: whether the attributes of a table depend on each other, and how to measure their pairs.

Public facts and released values decide everything here: epsilon, the domain, the noisy total, one-way densities.
docs/methods/ripost-plus.md says how the constants were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from statistics import median_low

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.marginal import running_sums
from ripost.methods.histograms import histogram_demand
from ripost.space.query_parameters import Couples, Grid
from ripost.space.spine import Spine

LEAST_ATTRIBUTES = 5  # with fewer, the tree alone measures pairs well enough
LEAST_ROWS = {False: 3000, True: 200}  # Gaussian noise -> rows in noise scales of the whole budget
LEAST_ROWS_OF_A_PAIR = 20  # in noise scales of its own table; with fewer, no pairs are measured
LEAST_CELLS = 0.5  # of the domain, per row in these scales: in smaller domains blocks reach single cells
TESTING = Fraction(2, 100)  # share of epsilon for the test of dependence
PROTECTED = Fraction(1, 4)  # share of protected pairs in the budget of pair tables
COARSE = 16  # bins of an attribute in that test
CLEAR = 7.5  # noise scales above which a dependence counts as real
MANY_ROWS_OF_A_PAIR = {False: 5_000, True: 18_000}  # Gaussian noise -> in the same scales; then the tree gets more
HISTOGRAMS = {10: Fraction(5, 10), 30: Fraction(4, 10)}  # rows a code and attribute, if fewer -> share of histograms
HISTOGRAMS_ELSE = Fraction(3, 10)
FEW_ROWS = {100: Fraction(9, 20), 1000: Fraction(3, 10)}  # rows a unit of `histogram_demand`, if fewer -> their share
ROWS_OF_A_CELL = 1.0  # rows of a cell of a pair table, in noise scales, under a uniform distribution
FEWEST_BINS, MOST_BINS = 2, 64
ROWS_OF_A_SINGLE_CODE = 4.0  # the same, from which on an attribute keeps its single codes
MOST_SINGLE_CODES = 128  # of an attribute that does
EVEN = 0.5  # weight of the uniform distribution when an attribute is cut into bins of equal mass
COMPONENTS, MANY_COMPONENTS = 200, 400  # of the mixture; the latter where the rows of a table are ENOUGH_FOR_MANY
ENOUGH_FOR_MANY = 4000  # in noise scales of a cell
STRENGTH, MOST_STRENGTH = 0.4, 1500.0  # of the penalty, per row of a noise scale
TWICE_UP_TO = 400.0  # that strength is doubled as long as it stays below


@dataclass(frozen=True)
class PairPlan:
    """How the budget is split."""

    histograms: Fraction  # of all one-way histograms, of the budget
    pairs: Fraction  # of all pair tables, of what then remains; the tree gets the rest


def worth_testing(shape: Sequence[int], rows: float, *, gaussian: bool) -> bool:
    """Whether pair tables may be worth their budget; `rows` are in noise scales of the whole budget."""
    if len(pairs_of(shape)) < math.comb(LEAST_ATTRIBUTES, 2) or rows < LEAST_ROWS[gaussian]:
        return False
    enough = _rows_of_a_pair(shape, rows, gaussian=gaussian) >= LEAST_ROWS_OF_A_PAIR
    return enough and sum(map(math.log, shape)) > math.log(LEAST_CELLS * rows)


def plan_for(shape: Sequence[int], rows: float, *, gaussian: bool) -> PairPlan:
    """The plan for a table of this many rows, in noise scales of the whole budget."""
    many = _rows_of_a_pair(shape, rows, gaussian=gaussian) >= MANY_ROWS_OF_A_PAIR[gaussian]
    if gaussian and many:
        return PairPlan(Fraction(1, 10), Fraction(3, 5))
    if gaussian:
        demand = histogram_demand(shape, gaussian=True)
        few = (PairPlan(part, Fraction(9, 10)) for fewer, part in FEW_ROWS.items() if rows < fewer * demand)
        return next(few, PairPlan(Fraction(3, 20), Fraction(3, 4)))
    if many:
        return PairPlan(Fraction(1, 5), Fraction(2, 3))
    share = rows / (max(shape) * sum(size > 1 for size in shape))
    histograms = next((part for fewer, part in HISTOGRAMS.items() if share < fewer), HISTOGRAMS_ELSE)
    return PairPlan(histograms, Fraction(9, 10))


def _rows_of_a_pair(shape: Sequence[int], rows: float, *, gaussian: bool) -> float:
    """The rows in noise scales of a cell, if half of the budget went to a table for each pair."""
    part = 1 / (2 * len(pairs_of(shape)))
    return rows * (math.sqrt(part) if gaussian else part)


def dependence_question(shape: Sequence[int]) -> Couples:
    """All pairs of attributes, each in bins of equal width."""
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


def spine_bins(density: Floats, bins: int, spine: Spine, axis: int) -> Codes:
    """Edges of bins of about equal mass that follow the spine of an axis.

    All groups of the finest level that fits are kept apart. Further bins are groups of the next level, or codes. Bins
    end where impossible boxes do, however many they become.
    """
    edges, finer = np.array([0, len(density)]), np.arange(len(density) + 1)
    if bins >= len(density):
        return finer
    for level in spine.edges[axis]:
        if len(level) - 1 > bins:
            finer = level
            break
        edges = level
    further = equal_mass(density, max(bins - len(edges) + 2, 1)) if bins > len(edges) - 1 else edges
    nearest = finer[np.abs(finer[:, None] - further).argmin(axis=0)] if len(finer) <= len(density) else further
    return np.unique(np.concatenate([edges, nearest, spine.ends(axis)]))


def bins_for(rows: float) -> int:
    """Bins of an attribute, for tables of this many rows in noise scales of a cell."""
    return int(min(max(math.sqrt(max(rows, 0.0) / ROWS_OF_A_CELL), FEWEST_BINS), MOST_BINS))


def bins_of(pairs: Collection[tuple[int, int]], shape: Sequence[int], rows: float) -> dict[int, int]:
    """Bins of each attribute in tables of these pairs, of this many rows in noise scales of a cell.

    Bins hide the distribution inside them. So an attribute keeps its single codes if at least half of its tables have
    enough rows for that while the other attributes are in bins.
    """
    number = bins_for(rows)
    found = {axis: min(shape[axis], number) for pair in pairs for axis in pair}
    few = {}
    for axis in found:
        others = [found[one + other - axis] for one, other in pairs if axis in (one, other)]
        cells = shape[axis] * median_low(others)
        if shape[axis] <= MOST_SINGLE_CODES and cells * ROWS_OF_A_SINGLE_CODE <= rows:
            few[axis] = shape[axis]
    return found | few


def components_for(rows: float) -> int:
    """Number of components of the mixture, for tables of this many rows in noise scales of a cell."""
    return COMPONENTS if rows < ENOUGH_FOR_MANY else MANY_COMPONENTS


def strength_for(rows: float) -> float:
    """Strength of the penalty, for tables of this many rows in noise scales of a cell."""
    return min(max(STRENGTH * rows, min(2 * STRENGTH * rows, TWICE_UP_TO)), MOST_STRENGTH)
