"""Refit: move the marginals of a view towards the histograms of each axis, as far as the inside of leaves is unknown.

A marginal of the view differs from the histograms for two reasons: their noise, and rows that are distributed
differently inside the leaves than the density says. The scatter of the tree (smoother.py) bounds the second, so each
difference gets the weight that its variance allows. If the result still contradicts the histograms, they replace it.
Densities change first, values stay. With three axes or more, iterative proportional fitting then changes both, a value
by one standard deviation at most: a histogram with a large error does not change blocks that were measured well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.arrays import Floats
from ripost.estimate.axis_intervals import TINY, AxisIntervals
from ripost.estimate.marginal import Marginal, running_sums
from ripost.estimate.smoother import EDGE, POWER
from ripost.estimate.tree_model import TreeModel, unknown_scatter

ROUNDS = 4  # iterations that estimate the scatter of an axis
ROUNDS_OF_DENSITY = 5
ROUNDS_OF_FITTING = 6
FACTOR = 5.0  # a density changes by this factor at most
MOST_AT_ONCE = 10.0  # and by this factor in one iteration of fitting
SOFT = 1e-3  # rows added to both sides of a ratio
CLEARLY = 4.0  # standard errors
KURTOSIS = 5.0  # variance of the square of a Laplace variable, over the square of its variance
LEAST = 1e-6  # scatter of a split that cannot deviate
AT_ONCE = 1_000_000  # pairs of an interval and a node in memory at a time
MOST_PAIRS = 50_000_000  # an axis with more is not refitted


@dataclass(frozen=True)
class Sums:
    """Sums of the leaves on each interval of one axis."""

    intervals: AxisIntervals
    value: Floats  # sum of values
    powered: Floats  # sum of values to the power of real differences

    @classmethod
    def of(cls, intervals: AxisIntervals, values: Floats) -> Sums:
        return cls(intervals, intervals.sums(values), intervals.sums(np.maximum(values, 0) ** POWER))

    def scatter(self, marginal: Marginal, mass: Floats, density: Floats, scatter_parameter: float) -> Floats:
        """The variance of each split of the axis' tree around the view, from the unknown distribution inside leaves.

        A leaf's part of a node scatters like any other split. If the leaves of one interval contain all of its mass,
        the marginal of the view is known there and does not scatter.
        """
        tree = marginal.tree
        inner = np.flatnonzero(~tree.is_leaf)
        boxes = tree.boxes
        ends = boxes.lower[inner, 0], tree.cut[inner], boxes.upper[inner, 0]
        below, lower, upper = running_sums(density), self.intervals.lower, self.intervals.upper
        free = np.clip(1 - self.value / np.maximum(self.intervals.mass(mass), 1e-9), 0, 1)
        found = np.zeros(len(inner))
        step = max(1, AT_ONCE // max(len(inner), 1))
        for first in range(0, len(self.value), step):
            some = slice(first, first + step)
            low, high = lower[some, None], upper[some, None]
            start, middle, stop = (below[np.clip(end, low, high)] for end in ends)
            whole = np.maximum(below[high] - below[low], TINY)
            part = np.maximum(stop - start, 0) / whole
            uneven = np.maximum((middle - start) * (stop - middle), 0) / np.maximum(stop - start, 1e-100) ** 2
            found += (self.value[some] * free[some]) @ (uneven * part)
            found += scatter_parameter * ((self.powered[some] * free[some]) @ (uneven * part**POWER))
        return np.maximum(found, LEAST)


def refit(
    intervals: Sequence[AxisIntervals],
    values: Floats,
    density: Sequence[Floats],
    marginals: Sequence[Marginal],
    *,
    scatter_parameter: float,
    total_variance: float,
    variance: Floats,
) -> tuple[Floats, list[Floats]]:
    """Values and densities that agree better with the histograms of each axis; `variance` is that of the values."""
    density, goals = list(density), []
    least, most = np.maximum(values - np.sqrt(variance), 0), values + np.sqrt(variance)
    total = float(values.sum())
    for axis, marginal in enumerate(marginals):
        sums, mass = Sums.of(intervals[axis], values), density[axis]
        goal = _correct_marginal(sums, mass, marginal, scatter_parameter, total_variance)
        goal *= total / max(float(goal.sum()), 1e-9)
        density[axis] = _reshape_density(sums, mass, goal)
        goals.append(goal)
    for _ in range(ROUNDS_OF_FITTING if len(goals) >= 3 else 0):
        for axis, (goal, along) in enumerate(zip(goals, intervals, strict=True)):
            before = density[axis]
            held = along.sums(values)
            shaped = along.with_density(before)
            ratio = (goal + SOFT) / (shaped.marginal(held) + SOFT)
            density[axis] = before * ratio.clip(1 / MOST_AT_ONCE, MOST_AT_ONCE)
            factor = along.mass(density[axis]) / shaped.mass
            factor *= total / max(float(held @ factor), TINY)
            values = np.clip(values * factor.take(along.which), least, most)
    return values, density


def _correct_marginal(
    sums: Sums, density: Floats, marginal: Marginal, scatter_parameter: float, total_variance: float
) -> Floats:
    """Move the marginal of the view towards the histograms of the axis, by smoothing the differences."""
    tree = marginal.tree
    mass = sums.intervals.with_density(density).marginal(sums.value)
    inner = np.flatnonzero(~tree.is_leaf)
    if len(inner) == 0 or len(inner) * len(sums.value) > MOST_PAIRS:
        return mass
    within = marginal.of_nodes(mass)
    share = marginal.share.copy()
    full = inner[within[inner] > 1]
    share[full] = within[tree.child[full]] / within[full]
    share = share.clip(EDGE, 1 - EDGE)
    gap = marginal.measured.precision * (marginal.measured.value - within)
    precision = marginal.measured.precision.copy()
    precision[0] += 1 / total_variance  # the view has the right total
    usual = sums.scatter(marginal, mass, density, scatter_parameter)
    scatter = np.full(len(tree), unknown_scatter(precision))
    scatter[inner] = usual
    for turn in range(ROUNDS):
        model = TreeModel.of(tree, precision, share, scatter)
        mean = model.means(gap)
        if turn == ROUNDS - 1:
            break
        square, error = model.deviations(mean)
        deviation = square[inner] + error[inner]
        factor = (1 + float((deviation / usual).sum())) / (1 + len(inner))
        scatter[inner] = np.maximum((factor * usual + deviation) / 2, LEAST)  # Student, one degree of freedom
    width = np.diff(tree.boxes.lower[tree.leaves, 0], append=len(mass))
    better: Floats = np.maximum(mass + np.repeat(mean[tree.leaves] / width, width), 0)
    return marginal.mass.copy() if _contradicted(marginal, better) else better


def _contradicted(marginal: Marginal, mass: Floats) -> bool:
    """Whether the histograms of an axis differ from a mass per code by more than their noise explains."""
    measured = marginal.measured
    square = measured.precision * (measured.value - marginal.of_nodes(mass)) ** 2
    number = int(np.count_nonzero(measured.precision))
    return float(square.sum()) - number > CLEARLY * math.sqrt(KURTOSIS * number)


def _reshape_density(sums: Sums, density: Floats, goal: Floats) -> Floats:
    """The density that brings the marginal nearest the goal without changing values; leaves of one code have none."""
    along = sums.intervals
    wide = along.upper - along.lower > 1
    fixed = along.with_density(density).marginal(np.where(wide, 0, sums.value))
    free, lowest, highest = np.where(wide, sums.value, 0), density / FACTOR, density * FACTOR
    wanted = np.maximum(goal - fixed, 0) + SOFT
    shaped = density
    for _ in range(ROUNDS_OF_DENSITY):
        given = along.with_density(shaped).marginal(free) + SOFT
        shaped = np.minimum(np.maximum(shaped * wanted / given, lowest), highest)
    return shaped
