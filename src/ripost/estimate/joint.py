"""Joint: one estimate from the blocks of a tree and the histograms of its axes.

The rows of a block are distributed as the density of each axis says, so a block's value adds a known share to every
bin of every histogram: histograms are further linear measurements of the blocks. TreeModel.means solves with the
precision matrix of the tree, so conjugate gradients on the side of the histograms find the joint posterior:

    value = tree + C A' lambda,   (R + A C A') lambda = y - A tree,   C the tree's posterior covariance.

They take their inner products by A C A', which makes them those on the side of the values: every step lowers the
weighted squared distance of the values from all measurements, so a search that ends early is never worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.axis_intervals import AxisIntervals, DensityIntervals
from ripost.estimate.least_squares import add_up
from ripost.estimate.marginal import NoisyHistogram
from ripost.estimate.noisy_measurements import PooledMeasurements
from ripost.estimate.tree_model import TreeModel
from ripost.space.tree import Tree

STEPS = 10  # 25 steps change the error of range queries by less than 1 %
CLOSE = 1e-9  # length of the residual at which the search ends, as a share of the first
SURELY = 2.0  # standard deviations above 0
HOLD = 2.0  # precision with which a sum is fixed, relative to that of its estimate
AT_ZERO = 1e5  # precision with which a leaf is fixed at 0, relative to the largest of a measurement
LEAST_AXES = 3  # with fewer, sums that are fixed are enough
ENOUGH_ROWS = 3e4  # in standard deviations of the sharpest measurement; with fewer, clipping informs more
ROUNDS = 3  # of proportional fitting
MOST_FACTOR = 2.0  # by which it multiplies or divides a sum at once


@dataclass(frozen=True)
class Histograms:
    """All histograms as linear measurements of the leaves, each row divided by its standard deviation."""

    intervals: Sequence[AxisIntervals]  # of the leaves on each axis
    density: Sequence[Floats]  # of each axis, mass per code
    tables: Sequence[Sequence[NoisyHistogram]]  # of each axis

    @cached_property
    def axes(self) -> list[tuple[DensityIntervals, list[tuple[NoisyHistogram, Codes, float]]]]:
        """The leaves on each axis, and its tables with the bin of each code and 1 / standard deviation."""
        return [
            (intervals.with_density(density), [(t, t.code_bins, t.variance**-0.5) for t in tables])
            for intervals, density, tables in zip(self.intervals, self.density, self.tables, strict=True)
        ]

    @cached_property
    def values(self) -> Floats:
        return np.concatenate([t.value * sharp for _, tables in self.axes for t, _, sharp in tables])

    @property
    def variances(self) -> Floats:
        """Of the noise of each row, in squared rows of the table."""
        return np.concatenate([np.full(len(t.value), t.variance) for _, tables in self.axes for t, _, _ in tables])

    def of(self, leaves: Floats) -> Floats:
        rows = []
        for shaped, tables in self.axes:
            mass = shaped.marginal(shaped.intervals.sums(leaves))
            rows += [np.add.reduceat(mass, t.edges[:-1]) * sharp for t, _, sharp in tables]
        return np.concatenate(rows)

    def back(self, rows: Floats) -> Floats:
        leaves, first = np.zeros(len(self.intervals[0].which)), 0
        for shaped, tables in self.axes:
            weights = np.zeros(len(shaped.density))
            for t, bins, sharp in tables:
                weights += (rows[first : first + len(t.value)] * sharp).take(bins)
                first += len(t.value)
            leaves += shaped.means(weights).take(shaped.intervals.which)
        return leaves

    def misfits(self, leaves: Floats) -> list[float]:
        """The misfit of the finest histogram of each axis, given the values of the leaves."""
        return self.misfits_of(self.values - self.of(leaves))

    def misfits_of(self, distance: Floats) -> list[float]:
        """The misfit of the finest histogram of each axis, given the distances of all rows."""
        first, found = 0, []
        for _, tables in self.axes:
            table, _, sharp = tables[0]
            found.append(misfit(table.value, distance[first : first + len(table.value)], sharp))
            first += sum(len(each.value) for each, _, _ in tables)
        return found


def misfit(values: Floats, distance: Floats, sharp: float) -> float:
    """The mean squared distance in standard deviations, at least 1; cells are weighted by their content."""
    content = np.maximum(values - distance / sharp, 0)
    return max(1.0, float(content @ distance**2) / max(float(content.sum()), 1e-9))


class LinearMeasurements(Protocol):
    """Linear measurements of the leaves, each divided by its standard deviation."""

    @property
    def values(self) -> Floats: ...

    def of(self, leaves: Floats) -> Floats: ...

    def back(self, rows: Floats) -> Floats: ...


@dataclass(frozen=True)
class BluntRows:
    """Linear measurements of which none counts as more precise than a least variance says."""

    rows: LinearMeasurements
    weight: Floats  # of each row, at most 1

    @classmethod
    def at_least(cls, rows: LinearMeasurements, variances: Floats, least: float) -> BluntRows:
        return cls(rows, np.sqrt(variances / np.maximum(variances, least)))

    @property
    def values(self) -> Floats:
        return self.rows.values * self.weight

    def of(self, leaves: Floats) -> Floats:
        return self.rows.of(leaves) * self.weight

    def back(self, rows: Floats) -> Floats:
        return self.rows.back(rows * self.weight)


def join(
    model: TreeModel,
    measured: PooledMeasurements,
    rows: LinearMeasurements,
    *,
    steps: int = STEPS,
    movable: TreeModel | None = None,
) -> Floats:
    """The expected value of every node of the tree given its measurements and the rows.

    The covariance of `movable`, if it is given, says which leaves the rows move, in place of that of the model.
    """
    tree, movable = model.tree, movable or model
    start = model.means(measured.information)[tree.leaves]
    residual = rows.values - rows.of(start)
    dual, direction = np.zeros(len(residual)), residual
    image = along = rows.of(movable.leaf_means(rows.back(residual)))  # A C A' times direction, and times residual
    length = first = float(residual @ along)
    for _ in range(steps if first > 0 else 0):
        step = length / float((direction + image) @ image)
        dual = dual + step * direction
        residual = residual - step * (direction + image)
        along = rows.of(movable.leaf_means(rows.back(residual)))
        shorter = float(residual @ along)
        if shorter < CLOSE * first:
            break
        direction = residual + (shorter / length) * direction
        image = along + (shorter / length) * image
        length = shorter
    return add_up(tree, start + movable.leaf_means(rows.back(dual)))


def above_zero(
    tree: Tree,
    measured: PooledMeasurements,
    model: TreeModel,
    scatter: Floats,
    histograms: Histograms,
    *,
    rounds: int = 2,
) -> Floats:
    """Nonnegative joint values: negative leaves are fixed at 0, and the system is solved again.

    This alone would raise the sums of many nearly empty leaves, so sums that are clearly positive are fixed, too, and
    with three or more axes and enough rows the leaves are fitted to the one-way sums that they had before.
    """
    joint = mean = join(model, measured, histograms)
    variance = model.covariance.posterior
    sure = np.flatnonzero(~tree.is_leaf & (measured.precision > 0) & (mean > SURELY * np.sqrt(variance)))
    noise, at_zero = float(measured.precision.max()) ** -0.5, AT_ZERO * float(measured.precision.max())
    measured = measured.also(sure, mean[sure], HOLD / variance[sure])
    for _ in range(rounds):
        negative = tree.leaves[mean[tree.leaves] < 0]
        if len(negative) == 0:
            break
        measured = measured.also(negative, np.zeros(len(negative)), at_zero)
        model = TreeModel.of(tree, measured.precision, model.share, scatter)
        mean = join(model, measured, histograms)
    values = model.above_zero(mean)
    if len(histograms.density) < LEAST_AXES or joint[0] < ENOUGH_ROWS * noise:
        return values
    return add_up(tree, fit_sums(values[tree.leaves], joint[tree.leaves], histograms))


def fit_sums(values: Floats, wanted: Floats, histograms: Histograms) -> Floats:
    """Leaves, none negative, with nearly the one-way sums and the total of others that may be negative.

    Iterative proportional fitting: each axis in turn multiplies the leaves by what their sums lack.
    """
    for _ in range(ROUNDS):
        for axis, _ in histograms.axes:
            aim, found = (axis.marginal(axis.intervals.sums(leaves)) for leaves in (wanted, values))
            factors = np.divide(aim, found, out=np.ones(len(found)), where=found > 0)
            factors = factors.clip(1 / MOST_FACTOR, MOST_FACTOR)
            values = values * axis.means(factors).take(axis.intervals.which)
    total, sum_found = float(wanted.sum()), float(values.sum())
    return values * (total / sum_found) if min(total, sum_found) > 0 else values
