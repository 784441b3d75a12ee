"""Contrasts: differences, sums and ratios of the totals of two regions, with the covariance of their errors.

Two regions A and B fall into three parts that share no cell: P in A alone, Q in B alone, and I in both. A contrast is a
weighted sum x P + y I + z Q, whose variance needs the covariances of the parts. The variance of a union tells them:
2 cov(P, Q) = V(P + Q) - V(P) - V(Q). Where two weights have opposite signs, a positive covariance would make the
interval shorter; it counts as 0, because variances of unions are stated with caution. No interval is longer than those
of A and B together allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ripost.answering.answer import Answers
from ripost.arrays import Codes, Floats, Mask
from ripost.space.region import Region, intersect, merge_selections, subtract

ROUNDING = 1e-12
"""Relative rounding error of a square: a half-width is often just the value, where a region may have no rows."""
Weight = Floats | float
Weights = Callable[[float], tuple[float, float, float]]  # of P, I and Q, by t


class LeveledAnswerer(Protocol):
    """A view: it answers regions with intervals of one level."""

    @property
    def level(self) -> float: ...

    @property
    def min_interval_width(self) -> float: ...

    def answer_regions(self, regions: Sequence[Region]) -> Answers: ...


@dataclass(frozen=True)
class RegionPair:
    """Two regions and their parts."""

    one: Region
    other: Region
    only_one: Region
    common: Region
    only_other: Region

    @classmethod
    def of(cls, one: Region, other: Region, shape: Sequence[int]) -> RegionPair:
        return cls(one, other, subtract(one, other, shape), intersect(one, other), subtract(other, one, shape))

    @property
    def regions(self) -> tuple[Region, ...]:
        """P, I, Q, and the unions A = P + I, B = I + Q and P + Q."""
        apart = merge_selections((*self.only_one, *self.only_other)) if self.only_one and self.only_other else ()
        return self.only_one, self.common, self.only_other, self.one, self.other, apart


def differences(view: LeveledAnswerer, pairs: Sequence[RegionPair]) -> Answers:
    """The total of the first region of each pair less that of the second."""
    parts = _PartAnswers.of(view, pairs)
    value = parts.value[0] - parts.value[2]
    stderr, reach = (
        np.minimum(np.sqrt(one.variance(1.0, 0.0, -1.0)), one.whole.sum(axis=0)) for one in (parts.stderr, parts.reach)
    )
    reach = np.where(parts.endless, np.inf, reach)
    return Answers(value, stderr, value - reach, value + reach, reach, parts.unmeasured, view.level)


def sums(view: LeveledAnswerer, pairs: Sequence[RegionPair]) -> Answers:
    """The totals of both regions of each pair together; what lies in both counts twice."""
    parts = _PartAnswers.of(view, pairs)
    value = parts.whole.sum(axis=0)
    stderr, reach = (
        np.minimum(np.sqrt(one.variance(1.0, 2.0, 1.0)), one.whole.sum(axis=0)) for one in (parts.stderr, parts.reach)
    )
    reach = np.where(parts.endless, np.inf, reach)
    low, high = np.maximum(value - reach, 0.0), np.maximum(value, 0.0) + reach
    return Answers(value, stderr, low, high, reach, parts.unmeasured, view.level)


def ratios(view: LeveledAnswerer, pairs: Sequence[RegionPair]) -> Answers:
    """The total of the first region of each pair over that of the second: Fieller's interval.

    It holds the ratios t at which the interval of A - t B holds 0. If B may be 0 it has no upper end; a part of B is at
    most all of it, so then the end is 1. Parts below 0 count as 0, so that the interval never collapses.
    """
    parts = _PartAnswers.of(view, pairs)
    one, other = parts.whole
    ratio = np.divide(one, other, out=np.full(len(one), np.nan), where=other > 0)
    stderr = np.sqrt(parts.stderr.variance(1.0, 1 - ratio, -ratio)) / np.abs(other)
    low, high = parts.accept(lambda t: (1.0, 1 - t, -t))  # A - t B, for ratios from 0 to 1
    least, most = parts.accept(lambda t: (t, t - 1, -1.0))  # t A - B, for ratios from 1 on: t is the inverse
    with np.errstate(divide="ignore"):
        low, high = np.fmin(low, 1 / most), np.fmax(high, 1 / least)
    low, high = parts.within_both(low, high)
    p, i, q = parts.empty
    low, high = np.where(parts.endless, 0.0, low), np.where(parts.endless, np.inf, high)
    low, high = np.where(q, np.fmax(low, 1.0), low), np.where(p, np.fmin(high, 1.0), high)
    nothing = parts.unknown | (i & q)  # the second region has no cell
    low, high = (np.where(nothing, np.nan, np.where(p & i, 0.0, end)) for end in (low, high))
    ratio = np.where(np.isnan(ratio), np.nan, np.fmin(np.fmax(ratio, low), high))  # an answer below 0 counts as 0
    return Answers(ratio, stderr, low, high, (high - low) / 2, parts.unmeasured, view.level)


@dataclass(frozen=True)
class _Errors:
    """Standard deviations, or half-widths of intervals, of the parts, and their covariances."""

    own: Floats  # (3, n): of P, I and Q
    whole: Floats  # (2, n): of A and B
    shared: Floats  # (3, n): of P and I, of I and Q, of P and Q

    @classmethod
    def of(cls, six: Floats) -> _Errors:
        p, i, q, a, b, apart = six
        unions = ((a, p, i), (b, i, q), (apart, p, q))
        shared = [np.clip((u**2 - x**2 - y**2) / 2, -x * y, x * y) for u, x, y in unions]
        return cls(six[:3], six[3:5], np.stack(shared))

    def variance(self, x: Weight, y: Weight, z: Weight) -> Floats:
        """The variance of x P + y I + z Q."""
        found: Floats = sum((w * own) ** 2 for w, own in zip((x, y, z), self.own, strict=True))
        for weight, shared in zip((x * y, y * z, x * z), self.shared, strict=True):
            found = found + 2 * weight * np.where(np.less(weight, 0), np.minimum(shared, 0.0), shared)
        return np.maximum(found, 0.0)


@dataclass(frozen=True)
class _PartAnswers:
    """What a view answers of the parts of many pairs."""

    value: Floats  # (3, n): of P, I and Q
    whole: Floats  # (2, n): of A and B
    stderr: _Errors
    reach: _Errors
    empty: Mask  # (3, n): whether P, I or Q has no cell
    unknown: Mask  # (n,): nothing is known of an error
    endless: Mask  # (n,): nothing that was measured tells of a region
    unmeasured: Mask  # (n,)

    @classmethod
    def of(cls, view: LeveledAnswerer, pairs: Sequence[RegionPair]) -> _PartAnswers:
        """All regions in one pass; a region that several pairs share is answered once."""
        every = [pair.regions for pair in pairs]
        distinct = {id(region): region for regions in every for region in regions}
        place = {key: number for number, key in enumerate(distinct)}
        at: Codes = np.array([[place[id(region)] for region in regions] for regions in every], int).reshape(-1, 6).T
        found = view.answer_regions([*distinct.values()])
        reach = np.maximum(found.reach, np.where(found.stderr > 0, view.min_interval_width / 2, 0.0))[at]
        finite = np.where(np.isinf(reach), 0.0, reach)
        return cls(
            found.value[at[:3]],
            found.value[at[3:5]],
            _Errors.of(np.where(np.isinf(found.stderr), 0.0, found.stderr)[at]),
            _Errors.of(finite),
            np.array([[not region for region in regions[:3]] for regions in every], bool).reshape(-1, 3).T,
            *(np.atleast_1d(each.any(axis=0)) for each in (np.isnan(reach), np.isinf(reach), found.unmeasured[at])),
        )

    def accept(self, weights: Weights) -> tuple[Floats, Floats]:
        """The least and the largest t from 0 to 1 at which the interval of a contrast holds 0; NaN if none does."""
        value = self.value.clip(min=0)
        found = []
        for t in (0.0, 0.5, 1.0):
            square = sum(w * v for w, v in zip(weights(t), value, strict=True)) ** 2
            above = square - self.reach.variance(*weights(t))
            found.append(np.where(abs(above) <= ROUNDING * square, 0.0, above))
        return _not_above_zero(*found)

    def within_both(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Bounds of ratios, no further apart than the intervals of A and B allow by themselves."""
        least, most = (self.whole - self.reach.whole).clip(min=0), self.whole.clip(min=0) + self.reach.whole
        bottom = np.divide(least[0], most[1], out=np.zeros(len(low)), where=most[1] > 0)
        top = np.divide(most[0], least[1], out=np.full(len(high), np.inf), where=least[1] > 0)
        meet = np.fmax(low, bottom) <= np.fmin(high, top)
        return np.where(meet, np.fmax(low, bottom), low), np.where(meet, np.fmin(high, top), high)


def shares(answers: Answers, parts: Codes, wholes: Codes, least: float) -> tuple[Floats, Floats]:
    """Bounds of parts of wholes, from 0 to 1, by the numbers of their answers; NaN if nothing is known.

    Fieller's interval, with errors that are not negatively correlated: what adds to a part adds to its whole. That
    needs no further question; `ratios` does. `least` is the least half-width of an answer with any noise.
    """
    value = answers.value.clip(min=0)
    reach = np.maximum(answers.reach, np.where(answers.stderr > 0, least, 0.0))
    part, whole, near, far = value[parts], value[wholes], reach[parts], reach[wholes]
    finite = np.isfinite(near) & np.isfinite(far)
    start, middle, stop = (
        np.where(finite, (part - t * whole) ** 2 - near**2 - (t * far) ** 2, -1.0) for t in (0.0, 0.5, 1.0)
    )
    low, high = _not_above_zero(start, middle, stop)
    unknown = np.isnan(near) | np.isnan(far)
    low, high = np.where(np.isnan(low), 1.0, low), np.where(np.isnan(high), 1.0, high)  # the part seems larger than all
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def _not_above_zero(start: Floats, middle: Floats, stop: Floats) -> tuple[Floats, Floats]:
    """The least and the largest t from 0 to 1 at which polynomials of degree two are at most 0; NaN if there is none.

    Each is given by its values at 0, 1/2 and 1.
    """
    square, slope = 2 * (start - 2 * middle + stop), 4 * middle - 3 * start - stop
    root = np.sqrt(np.maximum(slope**2 - 4 * square * start, 0.0))
    far = -(slope + np.copysign(root, slope)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        crossed = np.stack([far / square, start / far])
    crossed = np.where((crossed >= 0) & (crossed <= 1), crossed, np.nan)
    low = np.where(start <= 0, 0.0, np.fmin(*crossed))
    return low, np.where(stop <= 0, 1.0, np.fmax(*crossed))
