"""The estimate of a measure from the estimate of the counts and noisy sums. It draws nothing: it is post-processing.

All figures are in ranges: a row adds (value - min) / (max - min), between 0 and 1, and what was measured with noise is
half a row's distance from the middle, so that `sum = count / 2 + measured / 2`. Histograms of sums tilt the densities
and the mixture of the counts towards codes with large values. Measured blocks then correct the tilted counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.axis_intervals import AxisIntervals
from ripost.estimate.joint import Histograms, join
from ripost.estimate.least_squares import add_up
from ripost.estimate.marginal import NoisyHistogram, bin_nodes, dyadic, running_sums, spine_tree
from ripost.estimate.mixture import Mixture
from ripost.estimate.noisy_measurements import NoisyMeasurements
from ripost.estimate.smoother import smooth
from ripost.methods.combine import FINENESS, round_running_sums
from ripost.methods.method import Decomposition
from ripost.space.spine import Spine
from ripost.space.tree import Tree

LEAST_DENSITY = 1e-4  # of the rows, spread evenly over each axis
FITTINGS = 2  # of the tilts to all histograms, because attributes depend on each other
MOST_TILT = 2.0  # in one fitting
OVERDISPERSION = 2.0  # as in combine.py
STEPS = 60  # of the joint solution
FAINT = 1e-9


@dataclass(frozen=True)
class Tilted:
    """Sums of a measure: a density an axis, perhaps a mixture, and the leaves of the counts' tree."""

    tree: Tree
    density: tuple[Floats, ...]  # of each axis, mass per code
    values: Floats  # (leaves,)
    mixture: Mixture | None
    corrections: Floats | None  # (leaves,): to the mixture
    impossible: Codes  # the leaves that hold impossible cells alone

    @classmethod
    def of_counts(cls, found: Decomposition, spine: Spine) -> Self:
        """The counts themselves."""
        tree = found.tree.by_level
        density = found.density or tuple(np.ones(size) for size in tree.shape)
        return cls(tree, density, found.values, found.mixture, found.corrections, spine.impossible_leaves(tree))

    @cached_property
    def along(self) -> list[AxisIntervals]:
        leaves = self.tree.boxes.take(self.tree.leaves)
        return [AxisIntervals.of(leaves, axis) for axis in range(len(self.density))]

    @cached_property
    def base(self) -> Floats:
        """What the mixture expects in each leaf, or the product of the densities, (leaves,)."""
        leaves = self.tree.boxes.take(self.tree.leaves)
        if self.mixture is not None:
            return self.mixture.on(self.density).totals(leaves.lower, leaves.upper)
        product = np.ones(len(leaves))
        for intervals, mass in zip(self.along, self.density, strict=True):
            product *= (intervals.mass(mass) / mass.sum()).take(intervals.which)
        return product

    def marginal(self, axis: int) -> Floats:
        """The sum of each code of an axis."""
        held = self.values if self.corrections is None else self.corrections
        intervals = self.along[axis]
        found: Floats = intervals.with_density(self.density[axis]).marginal(intervals.sums(held))
        if self.mixture is not None:
            shares = self.mixture.over_codes(axis, self.density[axis])
            found = found + self.mixture.total * (self.mixture.weights @ shares)
        return found

    def tilt(self, density: Sequence[Floats], total: float) -> Tilted:
        """The same leaves, each changed as other densities change what is expected there, with another total."""
        mixture, keep_empty = self.mixture, len(self.impossible) > 0
        if mixture is not None:
            mixture = tilt_mixture(mixture, self.density, density, total, keep_empty=keep_empty)
        tilted = replace(self, density=tuple(density), mixture=mixture)
        before = np.maximum(self.base, 0)
        usual = float(tilted.base.sum()) / max(float(before.sum()), FAINT)
        ratio = np.divide(tilted.base, before, out=np.full(len(before), usual), where=before > FAINT)
        values = np.maximum(self.values, 0) * ratio
        return tilted.with_values(values * (total / max(float(values.sum()), FAINT)))

    def with_values(self, values: Floats) -> Tilted:
        return replace(self, values=values, corrections=None if self.mixture is None else values - self.base)


def tilt_mixture(
    mixture: Mixture, before: Sequence[Floats], after: Sequence[Floats], total: float, *, keep_empty: bool
) -> Mixture:
    """The mixture whose densities changed: bins gain what their codes gain, in every component.

    Rounding may give a bin without mass a little, unless `keep_empty`, which keeps impossible cells at 0.
    """
    weights, shares = mixture.weights.copy(), []
    for axis, (edges, one, other) in enumerate(zip(mixture.edges, before, after, strict=True)):
        old, new = (np.add.reduceat(mass, edges[:-1]) / mass.sum() for mass in (one, other))
        tilted = mixture.shares(axis) * np.divide(new, old, out=np.ones(len(new)), where=old > 0)
        whole = tilted.sum(axis=1)
        weights *= whole
        shares.append(tilted / whole[:, None])
    support = [levels > 0 for levels in mixture.levels] if keep_empty else None
    return Mixture.quantize(total, weights, mixture.edges, shares, support)


@dataclass(frozen=True)
class MeasuredSums:
    """The noisy sums of a measure, in ranges above the middle."""

    total: tuple[float, float]  # the noisy value and the variance of its noise
    histograms: Sequence[Sequence[NoisyHistogram]]  # of each axis
    blocks: Sequence[tuple[Codes, Floats, float]]  # nodes of the tree, their noisy values, and the variance
    gaussian: bool


@dataclass(frozen=True)
class MeasureEstimate:
    """Sums above `min` over the tree of the counts, in ranges, with the variance of what the counts do not explain."""

    sums: Tilted
    variances: Floats  # (leaves,)
    counts: Floats  # (leaves,), as released
    total: float  # variance of the sum of all rows
    histogram: float  # variance of a bin of a histogram of sums, the median of all axes
    mean: float  # of all rows, between 0 and 1

    def round_sums(self) -> tuple[Tilted, Floats]:
        """Sums and variances with as many bits as their noise leaves, so that the file is smaller."""
        noisy = self.variances[self.variances > 0]
        deviation = float(np.sqrt(np.median(noisy))) if len(noisy) else FAINT
        step = 2.0 ** math.floor(math.log2(max(deviation, FAINT) / FINENESS))
        mantissa, exponent = np.frexp(self.variances)
        sums, coarse = self.sums, np.ldexp(np.rint(mantissa * FINENESS), exponent) / FINENESS
        if sums.corrections is None:
            return replace(sums, values=round_running_sums(sums.values, step)), coarse
        corrections = round_running_sums(sums.corrections, step)
        return replace(sums, values=np.rint((sums.base + corrections) / step) * step, corrections=corrections), coarse


def estimate_measure(found: Decomposition, measured: MeasuredSums, spine: Spine) -> MeasureEstimate:
    """The estimate of a measure from the counts and from what was measured."""
    counts = Tilted.of_counts(found, spine)
    tree, rows = counts.tree, max(float(counts.values.sum()), 1.0)
    tables, masses = [], []
    readings = NoisyMeasurements.nothing()
    root, laplace = np.array([0]), not measured.gaussian
    readings = readings.also(
        root, np.array([(rows + measured.total[0]) / 2]), measured.total[1] / 4, is_laplace=laplace
    )
    held, total = readings, readings
    counted = [
        np.maximum(counts.marginal(axis), 0) + LEAST_DENSITY * rows / size for axis, size in enumerate(tree.shape)
    ]
    for mass, given, levels in zip(counted, measured.histograms, spine.edges, strict=True):
        above = [
            NoisyHistogram(one.edges, (np.add.reduceat(mass, one.edges[:-1]) + one.value) / 2, one.variance / 4)
            for one in given
        ]
        tables.append(above)
        sums, whole, variance = smooth_histograms(above, mass, is_laplace=laplace, levels=levels)
        masses.append(sums)
        total = total.also(root, np.array([whole]), variance, is_laplace=False)
    whole = min(max(float(total.pool(1).value[0]), FAINT * rows), rows)
    goals = [
        mass * (whole / max(float(mass.sum()), FAINT)) + LEAST_DENSITY * whole / rows * known
        for mass, known in zip(masses, counted, strict=True)
    ]
    start = fit_tilts(counts, counted, goals, whole)
    nodes = add_up(tree, np.maximum(counts.values, 0))
    for some, values, variance in measured.blocks:
        held = held.also(some, (nodes[some] + values) / 2, variance / 4, is_laplace=laplace)
    impossible = counts.impossible
    held = held.pin(impossible)
    expected, share, inner = add_up(tree, start.values), np.full(len(tree), 0.5), ~tree.is_leaf
    above_nothing = inner & (expected > FAINT)
    share[above_nothing] = expected[tree.child[above_nothing]] / expected[above_nothing]
    smoothed = smooth(tree, held, share, overdispersion=OVERDISPERSION)
    histograms = Histograms(start.along, start.density, tables)
    rest = _Residuals(histograms, _expect_histograms(start, tables))
    values = join(smoothed.model, smoothed.measured, rest, steps=STEPS)
    noise = float(np.median([some[0].variance for some in tables]))
    known = smoothed.model.covariance.posterior.copy()
    values[impossible], known[impossible] = 0.0, 0.0
    values, known = values[tree.leaves], known[tree.leaves]
    return MeasureEstimate(
        start.with_values(values), known, counts.values, measured.total[1] / 4, noise, min(max(whole / rows, 0.0), 1.0)
    )


def smooth_histograms(
    tables: Sequence[NoisyHistogram], counts: Floats, *, is_laplace: bool, levels: Sequence[Codes] = ()
) -> tuple[Floats, float, float]:
    """The sum of each code of an axis, expected in proportion to its count, and the total with its variance."""
    size, finest = len(counts), int(np.diff(tables[0].edges).max())
    tree = spine_tree(size, levels, finest=finest) if levels else dyadic(size, finest=finest)
    lower, upper = tree.boxes.lower[:, 0], tree.boxes.upper[:, 0]
    below = running_sums(counts)
    held = below[upper] - below[lower]
    readings = NoisyMeasurements.nothing()
    for table in tables:
        nodes = bin_nodes(lower, upper, table.edges)
        readings = readings.also(nodes, table.value, table.variance, is_laplace=is_laplace)
    share = (below[np.maximum(tree.cut, lower)] - below[lower]) / held
    found = smooth(tree, readings, share)
    mean = found.model.above_zero(found.mean)[tree.leaves] / held[tree.leaves]
    sums = np.repeat(mean, (upper - lower)[tree.leaves]) * counts
    return sums, found.plain_total, 1 / found.plain.total_precision


def fit_tilts(counts: Tilted, counted: Sequence[Floats], goals: Sequence[Floats], total: float) -> Tilted:
    """The counts tilted so that their sums along each axis come near the goals."""
    density = [goal / known * mass for goal, known, mass in zip(goals, counted, counts.density, strict=True)]
    found = counts.tilt(density, total)
    for _ in range(FITTINGS):
        for axis, goal in enumerate(goals):
            change = np.divide(goal, found.marginal(axis), out=np.ones(len(goal)), where=found.marginal(axis) > FAINT)
            density[axis] = density[axis] * np.clip(change, 1 / MOST_TILT, MOST_TILT)
        found = counts.tilt(density, total)
    return found


def _expect_histograms(start: Tilted, tables: Sequence[Sequence[NoisyHistogram]]) -> Floats:
    """What the start expects of each bin of each histogram, divided by the standard deviation of its noise."""
    expected = []
    for axis, some in enumerate(tables):
        mass = start.marginal(axis)
        expected += [np.add.reduceat(mass, one.edges[:-1]) * one.variance**-0.5 for one in some]
    return np.concatenate(expected) - Histograms(start.along, start.density, tables).of(start.values)


class _Residuals:
    """Histograms less what they hold besides the leaves, as linear measurements of the leaves."""

    def __init__(self, histograms: Histograms, beside: Floats) -> None:
        self.values = histograms.values - beside
        self.of, self.back = histograms.of, histograms.back
