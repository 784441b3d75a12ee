"""Variances of answers of a view with a mixture, from the measured pairs of attributes or from its blocks.

S are the attributes that a box bounds, s the share of an attribute's density inside the box (docs/format.md). Each
measured pair inside S gives a variance; the smallest counts. Whatever the pairs do not show of their dependence, and
the noise of the histograms inside bins, come on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.answering.density_mixture import PRODUCTS, AxisCover, DensityMixture
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Codes, Floats, Mask
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.mixture import AT_ONCE
from ripost.estimate.weighted import sums_by
from ripost.space.work_limit import charge


@dataclass(frozen=True)
class PairErrors:
    """Variances of regions beside those of their blocks, (regions,) each."""

    fitted: Floats  # from the measured pairs; infinite for a box without one
    beyond: Floats  # to add: dependence that the bins hide, and noise of the histograms
    unmeasured: Mask  # a box of the region bounds several attributes, no two of which were measured together
    by_pair: Mask  # each box of the region bounds two attributes, which were measured together

    def with_blocks(self, blocks: Floats) -> Floats:
        """The variance of each region, from that of its blocks."""
        known: Floats = np.where(self.by_pair, self.fitted, np.minimum(blocks, self.fitted))
        found: Floats = known + self.beyond
        return found


@dataclass(frozen=True)
class Covers:
    """What boxes hold along each bounded axis, with the lists of all axes one after the other."""

    place: Codes  # (boxes, axes): the list of each box
    mass: Floats  # (lists, k)
    share: Floats  # (lists,), as the others
    cells: Floats
    mean: Floats
    uneven: Floats

    @classmethod
    def of(cls, sides: Sequence[AxisCover]) -> Covers:
        before = np.cumsum([0, *(len(side.share) for side in sides)])
        place = np.stack([side.place + start for side, start in zip(sides, before[:-1], strict=True)], axis=1)
        fields = ("mass", "share", "cells", "mean", "uneven")
        return cls(place, *(np.concatenate([getattr(side, name) for side in sides]) for name in fields))


@dataclass(frozen=True)
class Shares:
    """Shares of densities inside boxes, (boxes, axes), for products that leave out some axes."""

    share: Floats
    log: Floats  # 0 where the share is 0
    whole: Floats  # (boxes,): the sum of the logarithms
    zeros: Codes  # (boxes,): how many shares are 0

    @classmethod
    def of(cls, share: Floats) -> Shares:
        log = np.log(np.where(share > 0, share, 1.0))
        return cls(share, log, log.sum(axis=1), (share <= 0).sum(axis=1))

    def without(self, boxes: Codes, *axes: Codes) -> Floats:
        """The product of all shares of each box but those of one axis each from every list of axes."""
        log, zeros = self.whole[boxes], self.zeros[boxes]
        for axis in axes:
            log, zeros = log - self.log[boxes, axis], zeros - (self.share[boxes, axis] <= 0)
        return np.where(zeros > 0, 0.0, np.exp(np.minimum(log, 0.0)))


@dataclass(frozen=True)
class PairModel:
    """An error model with the mixture that it is about."""

    density_mixture: DensityMixture
    model: ErrorModel
    row_bound: float  # the most that one row adds
    shape: tuple[int, ...]

    @cached_property
    def _axes(self) -> Codes:
        """The axes of each measured pair, (pairs, 2)."""
        return np.array([pair.axes for pair in self.model.pairs], np.int64).reshape(-1, 2)

    @cached_property
    def _figures(self) -> Floats:
        """The noise of a cell, with its misfit, and the dependence of each measured pair, (2, pairs)."""
        pairs = self.model.pairs
        return np.array([[pair.misfit * pair.variance for pair in pairs], [pair.dependence for pair in pairs]])

    def errors(self, batch: QueryBatch, sides: Sequence[AxisCover]) -> PairErrors:
        """The pair errors of regions; a union of boxes has the sum of the standard deviations of its boxes."""
        bounded = batch.bounded
        fitted, beyond = np.full(len(bounded), np.inf), np.zeros(len(bounded))
        if len(sides):
            covers = Covers.of(sides)
            shares = Shares.of(np.where(bounded, covers.share[covers.place], 1.0))
            fitted, hidden = self._of_pairs(batch, covers, shares)
            beyond = hidden + self.model.histogram_weight * self._histograms(batch, sides, shares)
        number = bounded.sum(axis=1)
        two = (number == 2) & np.isfinite(fitted)
        return PairErrors(
            sums_by(batch.owner, np.sqrt(fitted), batch.count) ** 2,
            sums_by(batch.owner, np.sqrt(beyond), batch.count) ** 2,
            np.bincount(batch.owner, (number > 1) & np.isinf(fitted), batch.count) > 0,
            np.bincount(batch.owner, ~two, batch.count) == 0,
        )

    def _of_pairs(self, batch: QueryBatch, covers: Covers, shares: Shares) -> tuple[Floats, Floats]:
        """Of each box the smallest variance that a measured pair tells, and the most that bins may hide."""
        bounded = batch.bounded.T
        fitted, hidden = np.full(bounded.shape[1], np.inf), np.zeros(bounded.shape[1])
        column = np.full(len(self.shape), -1)
        column[list(batch.axes)] = np.arange(len(batch.axes))
        columns = column[self._axes]
        pairs = np.flatnonzero((columns >= 0).all(axis=1))
        charge((len(columns) + len(pairs) * len(fitted)) / PRODUCTS)
        step = max(1, AT_ONCE // max(1, len(fitted)))
        for first in range(0, len(pairs), step):
            some = pairs[first : first + step]
            one, other = columns[some].T
            which, boxes = np.nonzero(bounded[one] & bounded[other])
            found = self._of_pair(some[which], one[which], other[which], boxes, covers, shares)
            np.minimum.at(fitted, boxes, found[0])
            np.maximum.at(hidden, boxes, found[1])
        return fitted, hidden

    def _of_pair(
        self, pair: Codes, one: Codes, other: Codes, boxes: Codes, covers: Covers, shares: Shares
    ) -> tuple[Floats, Floats]:
        """Of boxes that bound a measured pair each, the variance that it tells and what its bins may hide."""
        total, weights = self.density_mixture.mixture.total, self.density_mixture.mixture.weights
        charge(len(boxes) * (1 + len(weights) / PRODUCTS))
        i, j = covers.place[boxes, one], covers.place[boxes, other]
        fitted, step = np.zeros(len(boxes)), max(1, (1 << 21) // len(weights))
        for first in range(0, len(boxes), step):
            some = slice(first, first + step)
            fitted[some] = (covers.mass[i[some]] * covers.mass[j[some]]) @ weights
        s, t, u, v = covers.share[i], covers.share[j], covers.uneven[i], covers.uneven[j]
        rest, (noises, dependence) = shares.without(boxes, one, other), self._figures[:, pair]
        centered = (covers.cells - self.model.centering * covers.mean).clip(min=0)
        noise = noises * (centered[i] * centered[j]) ** self.model.sum_power
        noise = self._far_from_independent(noise, abs(total * (fitted - s * t)))
        noise += self._scatter_variance(total * (u * t + v * s))
        variance = rest**2 * noise + self._scatter_variance(total * fitted) * rest * (1 - rest)
        cut = np.minimum(1.0, _ratio(u, s) + _ratio(v, t)) ** 2 * s * t * (1 - s).clip(min=0) * (1 - t).clip(min=0)
        hidden = rest**2 * self.model.dependence_weight * dependence * total**2 * cut
        return variance, hidden

    def _far_from_independent(self, noise: Floats, distance: Floats) -> Floats:
        """Noise variances, from the least to the most of them by the mixture's distance from independent axes."""
        least, most = self.model.least_noise, self.model.most_noise
        found: Floats = noise * (least + (most - least) * _ratio(distance, distance + np.sqrt(noise)))
        return found

    def _histograms(self, batch: QueryBatch, sides: Sequence[AxisCover], shares: Shares) -> Floats:
        """The noise of the histograms of each box, times the squared shares of the other attributes."""
        found = np.zeros(len(shares.whole))
        for i, (axis, side) in enumerate(zip(batch.axes, sides, strict=True)):
            variance, here = self.model.histogram_variances[axis], np.flatnonzero(batch.bounded[:, i])
            if variance is not None:
                codes = np.minimum(side.codes, self.shape[axis] - side.codes).clip(min=0)[side.place[here]]
                found[here] += variance * codes * shares.without(here, np.full(len(here), i)) ** 2
        return found

    def _scatter_variance(self, amount: Floats) -> Floats:
        return self.model.pair_scatter * self.model.split_variance_factor(amount / self.row_bound) * self.row_bound**2


def check_error_model(model: ErrorModel, dimensions: int, most: float) -> None:
    """ValueError unless an error model fits a domain and its numbers are at most so large."""
    known = [variance for variance in model.histogram_variances if variance is not None]
    weights = [model.histogram_weight, model.dependence_weight, model.pair_scatter]
    weights += [
        model.least_noise,
        model.most_noise,
        model.margin_weight,
        model.unmeasured_weight,
        model.outside_weight or 0.0,
        model.correction_weight,
    ]
    figures = [model.scatter, model.z, *weights, *known]
    figures += [figure for pair in model.pairs for figure in (pair.variance, pair.dependence, pair.misfit - 1)]
    if not all(0 <= figure <= most for figure in figures):
        raise ValueError("scatter, weights and variances must be finite numbers from 0 up")
    if not 1 <= model.power <= 2 or not 0 <= model.together <= 1 or not 0 <= model.sum_power <= 1:
        raise ValueError("the power of the error model must be 1 to 2, its share together and its power of sums 0 to 1")
    if not 0 <= model.centering <= 1:
        raise ValueError("the centering of the error model must be 0 to 1")
    if not 0 <= (model.note_share or 0.0) <= 1:
        raise ValueError("the share of an answer above which it has a note must be 0 to 1")
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
