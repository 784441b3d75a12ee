"""Refit: the view's marginals moved towards the histograms of each axis, as far as the inside of leaves is unknown.

A view's marginal differs from the histograms for two reasons: their noise, and content that lies otherwise inside the
leaves than the density says. How far it may lie otherwise follows from the roughness of the tree (smoother.py), so each
difference is weighed as it deserves; a marginal that is clearly contradicted all the same gives way to the
histograms alone. Densities move first, values stay; with three axes or more the rest is
done by iterative proportional fitting, which moves both, a value by one standard deviation at most: blocks that
were measured well do not give way to a histogram that is off by chance.
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

ROUNDS = 4  # of learning how far an axis strays
ROUNDS_OF_DENSITY = 5
ROUNDS_OF_FITTING = 6
FACTOR = 5.0  # a density changes by this factor at most
MOST_AT_ONCE = 10.0  # and by this one in a round of fitting
SOFT = 1e-3  # records added to both sides of a ratio
CLEARLY = 4.0  # standard errors
KURTOSIS = 5.0  # variance of the square of a Laplace variable, over the square of its variance
LEAST = 1e-6  # scatter of a split that cannot stray
AT_ONCE = 1_000_000  # pairs of a stretch and a node held at a time
MOST_PAIRS = 50_000_000  # an axis with more is left as it is


@dataclass(frozen=True)
class Sums:
    """The leaves on one axis, those of a stretch taken together."""

    stretches: AxisIntervals
    value: Floats  # sum of values
    powered: Floats  # sum of values to the power of real differences

    @classmethod
    def of(cls, stretches: AxisIntervals, values: Floats) -> Sums:
        return cls(stretches, stretches.sums(values), stretches.sums(np.maximum(values, 0) ** POWER))

    def scatter(self, marginal: Marginal, mass: Floats, density: Floats, roughness: float) -> Floats:
        """How far each split of the axis' tree may stray from the view because of what is inside leaves.

        A leaf's part of a node is split like any other content. Leaves of one stretch that hold all of its mass
        cannot stray: the view's marginal is fixed there.
        """
        tree = marginal.tree
        inner = np.flatnonzero(~tree.is_leaf)
        boxes = tree.boxes
        ends = boxes.lower[inner, 0], tree.cut[inner], boxes.upper[inner, 0]
        below, lower, upper = running_sums(density), self.stretches.lower, self.stretches.upper
        free = np.clip(1 - self.value / np.maximum(self.stretches.mass(mass), 1e-9), 0, 1)
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
            found += roughness * ((self.powered[some] * free[some]) @ (uneven * part**POWER))
        return np.maximum(found, LEAST)


def refit(
    stretches: Sequence[AxisIntervals],
    values: Floats,
    density: Sequence[Floats],
    marginals: Sequence[Marginal],
    *,
    roughness: float,
    total_variance: float,
    doubt: Floats,
) -> tuple[Floats, list[Floats]]:
    """Values and densities that agree better with the histograms of each axis; `doubt` is the variance of values."""
    density, goals = list(density), []
    least, most = np.maximum(values - np.sqrt(doubt), 0), values + np.sqrt(doubt)
    total = float(values.sum())
    for axis, marginal in enumerate(marginals):
        sums, mass = Sums.of(stretches[axis], values), density[axis]
        goal = _corrected(sums, mass, marginal, roughness, total_variance)
        goal *= total / max(float(goal.sum()), 1e-9)
        density[axis] = _reshaped(sums, mass, goal)
        goals.append(goal)
    for _ in range(ROUNDS_OF_FITTING if len(goals) >= 3 else 0):
        for axis, (goal, along) in enumerate(zip(goals, stretches, strict=True)):
            before = density[axis]
            held = along.sums(values)
            shaped = along.shaped(before)
            ratio = (goal + SOFT) / (shaped.marginal(held) + SOFT)
            density[axis] = before * ratio.clip(1 / MOST_AT_ONCE, MOST_AT_ONCE)
            factor = along.mass(density[axis]) / shaped.mass
            factor *= total / max(float(held @ factor), TINY)
            values = np.clip(values * factor.take(along.which), least, most)
    return values, density


def _corrected(sums: Sums, density: Floats, marginal: Marginal, roughness: float, total_variance: float) -> Floats:
    """The view's marginal moved towards the histograms of the axis: a smoother of the differences."""
    tree = marginal.tree
    mass = sums.stretches.shaped(density).marginal(sums.value)
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
    precision[0] += 1 / total_variance  # the total is right
    usual = sums.scatter(marginal, mass, density, roughness)
    scatter = np.full(len(tree), unknown_scatter(precision))
    scatter[inner] = usual
    for turn in range(ROUNDS):
        model = TreeModel.of(tree, precision, share, scatter)
        mean = model.means(gap)
        if turn == ROUNDS - 1:
            break
        square, doubt = model.deviations(mean)
        strayed = square[inner] + doubt[inner]
        factor = (1 + float((strayed / usual).sum())) / (1 + len(inner))
        scatter[inner] = np.maximum((factor * usual + strayed) / 2, LEAST)  # Student, one degree of freedom
    width = np.diff(tree.boxes.lower[tree.leaves, 0], append=len(mass))
    better: Floats = np.maximum(mass + np.repeat(mean[tree.leaves] / width, width), 0)
    return marginal.mass.copy() if _contradicted(marginal, better) else better


def _contradicted(marginal: Marginal, mass: Floats) -> bool:
    """Whether an axis' histograms are further from a mass per code than their noise explains."""
    measured = marginal.measured
    square = measured.precision * (measured.value - marginal.of_nodes(mass)) ** 2
    number = int(np.count_nonzero(measured.precision))
    return float(square.sum()) - number > CLEARLY * math.sqrt(KURTOSIS * number)


def _reshaped(sums: Sums, density: Floats, goal: Floats) -> Floats:
    """The density that brings the marginal nearest the goal while values stay; leaves of one code cannot help."""
    along = sums.stretches
    wide = along.upper - along.lower > 1
    fixed = along.shaped(density).marginal(np.where(wide, 0, sums.value))
    free, lowest, highest = np.where(wide, sums.value, 0), density / FACTOR, density * FACTOR
    wanted = np.maximum(goal - fixed, 0) + SOFT
    shaped = density
    for _ in range(ROUNDS_OF_DENSITY):
        given = along.shaped(shaped).marginal(free) + SOFT
        shaped = np.minimum(np.maximum(shaped * wanted / given, lowest), highest)
    return shaped
