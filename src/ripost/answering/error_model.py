"""Variances of answers of a view with a mixture: what the measured pairs of attributes tell, or its blocks.

S are the attributes that a box bounds, s the share of an attribute's density inside the box (docs/format.md). Each
measured pair inside S gives a variance; the smallest counts. Whatever the pairs do not show of their dependence, and
the noise of the histograms inside bins, come on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.answering.density_mixture import PRODUCTS, AxisCover, DensityMixture
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Codes, Floats, Mask
from ripost.estimate.error_model import ErrorModel, MeasuredPair
from ripost.estimate.weighted import sums_by
from ripost.space.work_limit import charge


@dataclass(frozen=True)
class PairErrors:
    """Variances of regions beside those of their blocks, (regions,) each."""

    fitted: Floats  # as the measured pairs tell it; infinite where a box has none
    beyond: Floats  # what comes on top: dependence that the bins hide, and noise of the histograms
    unmeasured: Mask  # a box of the region bounds several attributes, no two of which were measured together
    by_pair: Mask  # each box of the region bounds two attributes, which were measured together

    def with_blocks(self, blocks: Floats) -> Floats:
        """The variance of each region, from that of its blocks."""
        known: Floats = np.where(self.by_pair, self.fitted, np.minimum(blocks, self.fitted))
        found: Floats = known + self.beyond
        return found


@dataclass(frozen=True)
class PairModel:
    """An error model with the mixture that it is about."""

    density_mixture: DensityMixture
    model: ErrorModel
    record: float  # the most that one record adds
    shape: tuple[int, ...]

    def errors(self, batch: QueryBatch, sides: Sequence[AxisCover]) -> PairErrors:
        """The pair errors of regions; a union of boxes has the sum of the standard deviations of its boxes."""
        bounded = batch.bounded
        share = np.ones(bounded.shape)
        for i, side in enumerate(sides):
            share[:, i] = np.where(bounded[:, i], side.share[side.place], 1.0)
        fitted, hidden = np.full(len(share), np.inf), np.zeros(len(share))
        place = {axis: i for i, axis in enumerate(batch.axes)}
        for pair in self.model.pairs:
            if not all(axis in place for axis in pair.axes):
                continue
            i, j = (place[axis] for axis in pair.axes)
            here = np.flatnonzero(bounded[:, i] & bounded[:, j])
            rest = np.delete(share[here], [i, j], axis=1).prod(axis=1)
            found = self._of_pair(pair, sides[i], sides[j], here, rest)
            fitted[here], hidden[here] = np.minimum(fitted[here], found[0]), np.maximum(hidden[here], found[1])
        number = bounded.sum(axis=1)
        two = (number == 2) & np.isfinite(fitted)
        beyond = hidden + self.model.histogram_weight * self._histograms(batch, sides, share)
        return PairErrors(
            sums_by(batch.owner, np.sqrt(fitted), batch.count) ** 2,
            sums_by(batch.owner, np.sqrt(beyond), batch.count) ** 2,
            np.bincount(batch.owner, (number > 1) & np.isinf(fitted), batch.count) > 0,
            np.bincount(batch.owner, ~two, batch.count) == 0,
        )

    def _of_pair(
        self, pair: MeasuredPair, one: AxisCover, other: AxisCover, boxes: Codes, rest: Floats
    ) -> tuple[Floats, Floats]:
        """Of boxes that bound a measured pair, the variance that it tells and what its bins may hide."""
        total, weights = self.density_mixture.mixture.total, self.density_mixture.mixture.weights
        charge(len(boxes) * len(weights) / PRODUCTS)
        i, j = one.place[boxes], other.place[boxes]
        fitted, step = np.zeros(len(boxes)), max(1, (1 << 21) // len(weights))
        for first in range(0, len(boxes), step):
            some = slice(first, first + step)
            fitted[some] = (one.mass[i[some]] * other.mass[j[some]]) @ weights
        s, t, u, v = one.share[i], other.share[j], one.uneven[i], other.uneven[j]
        cells = (one.cells[i] * other.cells[j]) ** self.model.sum_power
        noise = pair.misfit * pair.variance * cells + self._scatter_variance(total * (u * t + v * s))
        variance = rest**2 * noise + self._scatter_variance(total * fitted) * rest * (1 - rest).clip(min=0)
        cut = np.minimum(1.0, _ratio(u, s) + _ratio(v, t)) ** 2 * s * t * (1 - s).clip(min=0) * (1 - t).clip(min=0)
        hidden = rest**2 * self.model.dependence_weight * pair.dependence * total**2 * cut
        return variance, hidden

    def _histograms(self, batch: QueryBatch, sides: Sequence[AxisCover], share: Floats) -> Floats:
        """The noise of the histograms of each box, times the squared shares of the other attributes."""
        found = np.zeros(len(share))
        for i, (axis, side) in enumerate(zip(batch.axes, sides, strict=True)):
            variance = self.model.histogram_variances[axis]
            if variance is not None:
                codes = np.minimum(side.codes, self.shape[axis] - side.codes).clip(min=0)[side.place]
                rest = np.delete(share, i, axis=1).prod(axis=1)
                found += np.where(batch.bounded[:, i], variance * codes * rest**2, 0.0)
        return found

    def _scatter_variance(self, amount: Floats) -> Floats:
        return self.model.pair_scatter * self.model.scattered(amount / self.record) * self.record**2


def check_error_model(model: ErrorModel, dimensions: int, most: float) -> None:
    """ValueError unless an error model fits a domain and its numbers are at most so large."""
    known = [variance for variance in model.histogram_variances if variance is not None]
    weights = [model.histogram_weight, model.dependence_weight, model.pair_scatter]
    weights += [model.margin_weight, model.unmeasured_weight]
    figures = [model.scatter, model.z, *weights, *known]
    figures += [figure for pair in model.pairs for figure in (pair.variance, pair.dependence, pair.misfit - 1)]
    if not all(0 <= figure <= most for figure in figures):
        raise ValueError("scatter, weights and variances must be finite numbers from 0 up")
    if not 1 <= model.power <= 2 or not 0 <= model.together <= 1 or not 0 <= model.sum_power <= 1:
        raise ValueError("the power of the error model must be 1 to 2, its share together and its power of sums 0 to 1")
    if not 0 <= model.unmeasured_power <= 2:
        raise ValueError("the power of what was not measured must be 0 to 2")
    if len(model.histogram_variances) != dimensions:
        raise ValueError(f"the error model needs one histogram variance per axis ({dimensions})")
    axes = [pair.axes for pair in model.pairs]
    if len(set(axes)) != len(axes) or not all(0 <= one < other < dimensions for one, other in axes):
        raise ValueError("a measured pair must be two different axes, the smaller first, and listed once")


def _ratio(part: Floats, whole: Floats) -> Floats:
    """part / whole, 0 where the whole is 0."""
    found: Floats = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return found
