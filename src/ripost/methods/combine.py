"""Combine: one estimate from everything that ripost+ measured. It draws no noise: it is post-processing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.estimate.axis_intervals import AxisIntervals
from ripost.estimate.error_model import ErrorModel, MeasuredPair
from ripost.estimate.joint import BluntRows, Histograms, above_zero, join
from ripost.estimate.joint_pairs import PairRows
from ripost.estimate.marginal import Marginal
from ripost.estimate.mixture import Mixture, MixtureIndex
from ripost.estimate.mixture_fit import MixtureData, fit_mixture, rake
from ripost.estimate.mixture_support import draw_support
from ripost.estimate.noisy_measurements import NoisyMeasurements
from ripost.estimate.refit import refit as refitted
from ripost.estimate.smoother import Smoothed, smooth
from ripost.methods.method import Decomposition
from ripost.methods.pair_measurement import MeasuredPairs
from ripost.methods.pair_plan import components_for, strength_for
from ripost.space.spine import Spine
from ripost.space.tree import Tree

OVERDISPERSION = 2.0  # scatter of the splits in the final estimate, relative to the learned scatter
WIDE_BIN = 16  # codes; the noise of a wider bin's sum does not grow, because wider histograms measure it
FINENESS = 256  # steps of rounding in a standard deviation of a leaf
CLOSE = 2e-7  # tolerance, as a share of the total, with which values equal mixture plus corrections
ENOUGH_TO_RAKE = 4000  # rows of a pair table in noise scales of a cell, from which on the mixture is raked
STEPS_WITH_PAIRS = 240  # of the joint solution, at most
LEAF_DOUBT = 0.1  # least variance of a leaf there, relative to the mean variance of the content of leaves
ROW_DOUBT = 0.05  # least variance of a bin or cell there, relative to that of a leaf

# Constants of the error model, with a mixture, chosen by `python -m experiments bench` on its choosing tables.
Z, SUM_POWER, PAIR_SCATTER, CORRECTION_WEIGHT = 2.3, 0.7, 0.3, 0.7
CENTERING, LEAST_NOISE, MOST_NOISE = 1.0, 0.4, 2.2
HISTOGRAM_WEIGHT, DEPENDENCE_WEIGHT = 0.25, 0.12
# Without a mixture, chosen on some rows and on some attributes of the same tables.
MARGIN_WEIGHT, UNMEASURED_WEIGHT, UNMEASURED_POWER, OUTSIDE_WEIGHT = 0.9, 0.75, 1.4, 4.0
NOTE_SHARE = 0.5  # an answer about several attributes has a note if cut blocks hold more of it
MOST_SCATTER = 0.15  # of the square of the table's rows: scatter that few rows suggest may be noise


def fit_tables(
    pairs: MeasuredPairs, density: Sequence[Floats], marginals: Sequence[Marginal], total: float, *, spine: Spine
) -> Mixture:
    """The mixture that fits pair tables and one-way sums, in its released form."""
    edges = pairs.edges
    sums = [np.add.reduceat(mass, edge[:-1]) * (total / mass.sum()) for mass, edge in zip(density, edges, strict=True)]
    variances = [
        np.maximum(marginal.tables[0].variance * np.minimum(np.diff(edge), WIDE_BIN), 1.0)
        for marginal, edge in zip(marginals, edges, strict=True)
    ]
    for axis, also in enumerate(pairs.one_way_of(total)):
        for table in also:
            weight = variances[axis] / (variances[axis] + table.variance)
            sums[axis] = sums[axis] + weight * (table.value - sums[axis])
            variances[axis] = variances[axis] * (1 - weight)
    rows = total / (float(np.median([table.variance for table in pairs.tables])) / 2) ** 0.5
    components = components_for(rows)
    support = draw_support(spine, edges, [np.maximum(each, 0.0) / total for each in sums], components)
    data = MixtureData(total, pairs.tables, sums, variances, None if support is None else np.hstack(support))
    weights, shares = fit_mixture(data, components=components, strength=strength_for(rows))
    if rows >= ENOUGH_TO_RAKE:
        weights, shares = rake(data, weights, shares)
    return Mixture.quantize(total, weights, edges, shares, support)


@dataclass(frozen=True)
class Measurements:
    """All measurements of a run. Values are in rows, `unit` steps of the measure each."""

    tree: Tree
    measurements: NoisyMeasurements  # of the tree's nodes
    shares: Floats  # expected share of each node's left half
    density: Sequence[Floats]  # of each axis, mass per code
    marginals: Sequence[Marginal]
    total_variance: float
    unit: int
    pairs: MeasuredPairs | None = None
    mixture: MixtureIndex | None = None
    impossible: Codes | None = None  # leaves that hold impossible cells alone, if there are any

    def combine(self, *, shrink: bool, leeway: bool, joint: bool, refit: bool) -> Decomposition:
        """The estimate. The arguments are parameters of RipostPlus."""
        tree, factor = self.tree, OVERDISPERSION if leeway else 1.0
        smoothed = smooth(tree, self.measurements, self.shares, shrink=shrink, overdispersion=factor)
        leaves = tree.boxes.take(tree.leaves)
        intervals = [AxisIntervals.of(leaves, axis) for axis in range(len(self.density))]
        one_way = [marginal.tables for marginal in self.marginals]
        if self.mixture is not None and self.pairs is not None:
            one_way = [
                (*tables, *also)
                for tables, also in zip(one_way, self.pairs.one_way_of(self.mixture.mixture.total), strict=True)
            ]
            base = self.mixture.totals(leaves.lower, leaves.upper)
            histograms = Histograms(intervals, self.density, one_way)
            return self._correct_mixture(
                self.mixture, smoothed, PairRows(histograms, self.pairs.tables, self.mixture, base)
            )
        histograms = Histograms(intervals, self.density, one_way)
        if joint:
            values = above_zero(tree, smoothed.measured, smoothed.model, smoothed.scatter, histograms)[tree.leaves]
        else:
            values = smoothed.model.above_zero(smoothed.mean)[tree.leaves]
        density: Sequence[Floats] = self.density
        if refit:
            values, density = refitted(
                intervals,
                values,
                density,
                self.marginals,
                scatter_parameter=smoothed.overall_scatter,
                total_variance=self.total_variance,
                variance=smoothed.model.covariance.posterior[tree.leaves],
            )
        values = self._keep_zeros(values)
        if not shrink:
            return self._release(values, density, None)
        misfits = Histograms(intervals, density, one_way).misfits(values)
        return self._release(values, density, self._plain_error_model(smoothed, misfits, float(values.sum())))

    def _plain_error_model(self, smoothed: Smoothed, misfits: Sequence[float], rows: float) -> ErrorModel:
        """The error model without a mixture: only the blocks measured how attributes depend on each other."""
        model = _with_misfits(self._error_model(smoothed), misfits)
        return replace(
            model,
            scatter=min(model.scatter, MOST_SCATTER * max(rows, 1.0) ** (2 - model.power)),
            z=Z,
            margin_weight=MARGIN_WEIGHT,
            unmeasured_weight=UNMEASURED_WEIGHT,
            unmeasured_power=UNMEASURED_POWER,
            outside_weight=OUTSIDE_WEIGHT,
            note_share=NOTE_SHARE,
        )

    def _correct_mixture(self, mixture: MixtureIndex, smoothed: Smoothed, rows: PairRows) -> Decomposition:
        """The estimate with a mixture: values of the leaves, and their differences from the mixture."""
        values = self._join_pairs(smoothed, rows)
        values = self._keep_zeros(values + self._missing(smoothed, float(values.sum())))
        step = self._step(smoothed)
        corrections = round_running_sums(values - rows.base, step)
        values = np.rint((rows.base + corrections) / step) * step
        pairs = [
            MeasuredPair(table.axes, table.variance, mixture.mixture.dependence(*table.axes), misfit)
            for table, misfit in zip(rows.tables, rows.misfits(values), strict=True)
        ]
        model = replace(
            _with_misfits(self._error_model(smoothed), rows.histogram_misfits(values)),
            z=Z,
            sum_power=SUM_POWER,
            pair_scatter=PAIR_SCATTER,
            centering=CENTERING,
            least_noise=LEAST_NOISE,
            most_noise=MOST_NOISE,
            correction_weight=CORRECTION_WEIGHT,
            histogram_weight=HISTOGRAM_WEIGHT,
            dependence_weight=DEPENDENCE_WEIGHT,
            pairs=tuple(pairs),
        )
        found = self._release(values, self.density, model)
        return replace(found, mixture=mixture.mixture.scale(self.unit), corrections=corrections * self.unit)

    def _join_pairs(self, smoothed: Smoothed, rows: PairRows) -> Floats:
        """The values of the leaves given all measurements.

        With many rows leaves are known better than what is inside them, which decides their shares of the rows. Rows
        could then hardly move a leaf. So the rows move all leaves as if no leaf of several cells had a smaller
        variance than a part of that of its content.
        """
        leaves = self.tree.boxes.take(self.tree.leaves)
        several = (leaves.upper - leaves.lower > 1).any(axis=1)
        if self.impossible is not None:
            several &= ~np.isin(self.tree.leaves, self.impossible)
        doubt = LEAF_DOUBT * smoothed.content_variance
        return join(
            smoothed.model,
            smoothed.measured,
            BluntRows.at_least(rows, rows.variances, ROW_DOUBT * doubt),
            steps=STEPS_WITH_PAIRS,
            movable=smoothed.loosen(self.tree.leaves[several], doubt),
        )[self.tree.leaves]

    def _keep_zeros(self, values: Floats) -> Floats:
        """The values of the leaves with exactly 0 where all cells are impossible."""
        return values if self.impossible is None else np.where(np.isin(self.tree.leaves, self.impossible), 0.0, values)

    def _missing(self, smoothed: Smoothed, total: float) -> Floats:
        """What to add to the leaves so that they sum to the measured total, in proportion to their covariance with it.

        The total already uses the tables. Using them again through the densities would bias it.
        """
        along = smoothed.model.leaf_means(np.ones(len(self.tree.leaves)))
        found: Floats = along * ((smoothed.mean[0] - total) / along.sum())
        return found

    def _step(self, smoothed: Smoothed) -> float:
        """The power of two that values are rounded to. It is far below their noise, and makes the file smaller."""
        deviation = float(np.sqrt(np.median(smoothed.model.covariance.posterior[self.tree.leaves])))
        return float(2.0 ** math.floor(math.log2(min(deviation / FINENESS, max(smoothed.mean[0], 1.0) * CLOSE))))

    def _error_model(self, smoothed: Smoothed) -> ErrorModel:
        finest = [marginal.tables[0] for marginal in self.marginals]
        known = [table.variance if (np.diff(table.edges) == 1).all() else None for table in finest]
        return ErrorModel(smoothed.overall_scatter, tuple(known))

    def _release(self, values: Floats, density: Sequence[Floats], model: ErrorModel | None) -> Decomposition:
        with np.errstate(divide="ignore"):
            variances = self.unit**2 / self.measurements.pool(len(self.tree)).precision
        if self.impossible is not None:
            variances[self.impossible] = 0.0
        return Decomposition(
            self.tree,
            values * self.unit,
            variances,
            density=tuple(mass * self.unit for mass in density),
            error_model=None if model is None else model.in_units(self.unit),
        )


def _with_misfits(model: ErrorModel, misfits: Sequence[float]) -> ErrorModel:
    """The error model with the noise of each histogram multiplied by its misfit."""
    known = zip(model.histogram_variances, misfits, strict=True)
    return replace(model, histogram_variances=tuple(None if v is None else v * misfit for v, misfit in known))


def round_running_sums(values: Floats, step: float) -> Floats:
    """Multiples of a step whose running sums differ from those of the values by at most half a step."""
    sums = np.rint(np.cumsum(values) / step)
    found: Floats = np.diff(sums, prepend=0.0) * step
    return found
