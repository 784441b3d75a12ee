"""Distribution: how an ordered dimension is spread inside a region, as far as a view can tell.

The estimate is the view's total of each bin, none below 0, with values spread evenly inside a bin. Its band comes of
intervals: at an edge between bins, let S lie on the side that has less, of N in all. Whenever both of their intervals
hold, the share S / N lies between S_low / N_high and S_high / N_low. Inside a bin nothing is known, so bounds of
quantiles take its ends. Bounds of means take the average of a bin's values to be anywhere in the bin, in each bin
independently of the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ripost.answering.answer import reach_factor
from ripost.arrays import Codes, Floats
from ripost.errors import QueryError
from ripost.schema.attribute import OrderedAttribute
from ripost.schema.domain import Domain
from ripost.space.interval import Interval, merge
from ripost.space.region import Region, intersect, intersect_intervals
from ripost.space.work_limit import charge
from ripost.view import View

MOST_BINS = 200_000  # of all groups together
READING = 200  # steps that reading a quantile or a mean off a distribution takes, whatever its bins
AT_ONCE = 50  # bins that are read in one step
MOST_EDGES = 50  # at which the band of a mean is worked out
NEAR = (0.0, 0.003, 0.01, 0.03, 0.1)  # how far from a wanted quantile edges are looked at
TAILS = (0.8, 0.6, 0.4, 0.2, 0.1)  # and at which parts of what lies below it, and above
IN_BIN = 1.96 / math.sqrt(12)  # 95 % half-width of a mean that is uniform over each of many bins, over their width

Bounded = tuple[float, float, float]  # value, low, high; NaN where nothing is known


@dataclass(frozen=True)
class Distribution:
    """One dimension inside one region, in ticks."""

    first: Floats  # (b,): smallest value of each bin
    last: Floats  # (b,): largest
    mass: Floats  # (b,): estimated total, none negative
    low: Floats  # (b + 1,): at least this share lies below each edge
    high: Floats  # (b + 1,): at most
    total: Bounded
    level: float  # of the intervals that the band comes of

    def quantile(self, p: float) -> Bounded:
        """The value below which the share p lies; bounds are where the band crosses p, out to the ends of bins."""
        whole = float(self.mass.sum())
        if not len(self.mass) or whole <= 0:
            return (np.nan,) * 3
        upto = np.cumsum(self.mass)
        at = int(np.argmax((upto >= p * whole * (1 - 1e-12)) & (self.mass > 0)))
        inside = (p * whole - (upto[at] - self.mass[at])) / self.mass[at]
        value = float(self.first[at] + np.clip(inside, 0, 1) * (self.last[at] - self.first[at]))
        if np.isnan(self.low).any():
            return value, np.nan, np.nan
        below = np.flatnonzero(self.high[1:] >= p)
        above = np.flatnonzero(self.low[:-1] < p)
        low = self.first[below[0]] if len(below) else self.first[0]
        high = self.last[above[-1]] if len(above) else self.last[0]
        return value, min(value, float(low)), max(value, float(high))

    def mean(self) -> Bounded:
        """The mean by the middles of bins. Its bounds allow for the band and for unknown values inside bins at once."""
        if np.isnan(self.center) or np.isnan(self.low).any():
            return self.center, np.nan, np.nan
        (low, high), (lowest, highest) = self.mean_of_middles(), self.outermost_mean()
        inside = self._mean_inside_bins()
        low = self.center - math.hypot(self.center - low, inside)
        high = self.center + math.hypot(high - self.center, inside)
        return self.center, max(lowest, low), min(highest, high)

    @cached_property
    def center(self) -> float:
        """The mean by the middles of bins; NaN if there is nothing."""
        whole = float(self.mass.sum())
        return float(self.mass @ self.middle) / whole if whole > 0 else math.nan

    @property
    def middle(self) -> Floats:
        """(b,): the middle of each bin."""
        return (self.first + self.last) / 2

    def mean_of_middles(self) -> Interval:
        """How far down and up the band allows the mean to be if each bin's values average to its middle."""
        return self._bound_mean(self.middle, self.middle)

    def outermost_mean(self) -> Interval:
        """The same if all values lie at the lower ends of their bins, or all at the upper ends."""
        return self._bound_mean(self.first, self.last)

    def _bound_mean(self, lowest: Floats, highest: Floats) -> Interval:
        """The mean with all content as far down, and as far up, as the band allows at all edges at once."""
        down, up = np.maximum.accumulate(self.high), np.minimum.accumulate(self.low[::-1])[::-1]
        low, high = float(lowest @ np.diff(down)), float(highest @ np.diff(up))
        return min(self.center, low), max(self.center, high)

    def _mean_inside_bins(self) -> float:
        """Half-width of the mean's interval due to values inside bins, if bins are independent of each other."""
        weighted = self.mass * (self.last - self.first) / self.mass.sum()
        return IN_BIN * reach_factor(self.level) * float(np.sqrt(weighted @ weighted))

    def sum(self) -> Bounded:
        """The sum of values by the middles of bins; bounds hold whenever those of the mean and of the total do."""
        mean, count = self.mean(), self.total
        if np.isnan(mean[0]):
            return mean
        value = float(self.mass @ self.middle)
        corners = [m * n for m in mean[1:] for n in count[1:]]
        if np.isnan(corners).any():
            return value, np.nan, np.nan
        return value, min(value, *corners), max(value, *corners)


class BinTotals:
    """The total of every bin of a dimension in each of some regions.

    Bands are worked out at the edges that a quantile or a mean needs; an edge is asked of the view once.
    """

    def __init__(self, view: View, name: str, regions: Sequence[Region]) -> None:
        self.view, self.regions = view, regions
        self.axis, self.attribute = view.domain.axis(name), require_ordered(view.domain, name)
        spans_of = [_spans(self.attribute, self.axis, region) for region in regions]
        counts = [sum(math.ceil(high) - int(low) for low, high in spans) for spans in spans_of]
        if sum(counts) > MOST_BINS:
            raise QueryError(
                f"{name} has {sum(counts):,} bins in all groups together, at most {MOST_BINS:,}; ask for fewer groups"
            )
        charge(4 * sum(counts))
        self.bins = [_bins(self.attribute, spans) for spans in spans_of]
        spans = {code: [(float(code), code + 1.0)] for codes, _, _ in self.bins for code in codes.tolist()}
        asked = [
            intersect(region, ({self.axis: spans[code]},))
            for region, (codes, _, _) in zip(regions, self.bins, strict=True)
            for code in codes.tolist()
        ]
        answers = view.answer_regions(asked)
        found = answers.value
        mass = found.clip(min=0)
        is_most = 2 * mass[answers.unmeasured].sum() >= mass.sum()  # a few bins without rows are no reason for a note
        self.note = view.describe_limits(answers if is_most else None)
        ends = np.cumsum([0, *(len(codes) for codes, _, _ in self.bins)]).tolist()  # spans may share a bin
        self.masses = [np.maximum(found[a:b], 0.0) for a, b in pairwise(ends)]
        self.bands = [np.full((2, len(mass)), np.inf) for mass in self.masses]  # low and high share below each edge

    def distributions(self, levels: Sequence[float] = ()) -> list[Distribution]:
        """The distribution in each region; the band is finest near the wanted quantiles."""
        charge(len(self.masses) * READING + sum(map(len, self.masses)) / AT_ONCE)
        edges = [_edges(mass, levels) for mass in self.masses]
        self._ask(edges)
        made = []
        for (_, first, last), mass, chosen, band, total in zip(
            self.bins, self.masses, edges, self.bands, self.totals, strict=True
        ):
            low, high = _fill_band(len(mass), chosen, *band[:, chosen])
            made.append(Distribution(first, last, mass, low, high, total, self.view.level))
        return made

    @cached_property
    def totals(self) -> list[Bounded]:
        """The total of each region over all bins."""
        whole = {self.axis: [(0.0, float(self.attribute.count))]}
        found = self.view.answer_regions([intersect(region, (whole,)) for region in self.regions])
        return list(zip(found.value.tolist(), found.low.tolist(), found.high.tolist(), strict=True))

    def _ask(self, edges: Sequence[Codes]) -> None:
        """Work out the bands at these edges of each region, where they are not known."""
        unknown = [chosen[np.isposinf(band[0, chosen])] for chosen, band in zip(edges, self.bands, strict=True)]
        lower = [np.cumsum(m)[new - 1] <= m.sum() / 2 for m, new in zip(self.masses, unknown, strict=True)]
        last, asked = float(self.attribute.count), []
        for region, (codes, _, _), new, is_lower in zip(self.regions, self.bins, unknown, lower, strict=True):
            for code, below in zip(codes[new].tolist(), is_lower.tolist(), strict=True):
                asked.append(intersect(region, ({self.axis: [(0.0, float(code)) if below else (float(code), last)]},)))
        if not asked:
            return
        answers, at = self.view.answer_regions(asked), 0
        for band, new, is_lower, total in zip(self.bands, unknown, lower, self.totals, strict=True):
            side = slice(at, at + len(new))
            low, high = share_bounds(answers.low[side], answers.high[side], *total[1:])
            band[:, new] = np.where(is_lower, low, 1 - high), np.where(is_lower, high, 1 - low)
            at += len(new)


def share_bounds(low: Floats, high: Floats, whole_low: float, whole_high: float) -> tuple[Floats, Floats]:
    """Bounds of parts over their whole, from 0 to 1, that hold whenever those of both do; NaN if nothing is known."""
    least = low / whole_high if whole_high > 0 else np.zeros(len(low))
    most = high / whole_low if whole_low > 0 else np.ones(len(high))
    known = ~(np.isnan(low) | np.isnan(whole_high))
    return np.where(known, np.minimum(least, 1.0), np.nan), np.where(known, np.minimum(most, 1.0), np.nan)


def require_ordered(domain: Domain, name: str) -> OrderedAttribute:
    """The attribute of that name, if it has an order."""
    domain.axis(name)
    attribute = domain.attributes[name]
    if not isinstance(attribute, OrderedAttribute):
        raise QueryError(f"{name} has no order, so it has no mean and no quantiles; ask COUNT(*) and group by {name}")
    return attribute


def _spans(attribute: OrderedAttribute, axis: int, region: Region) -> list[Interval]:
    """Positions on the axis, up to its last bin, that a region meets."""
    whole = [(0.0, float(attribute.count))]
    charge(sum(1 + len(box.get(axis, whole)) for box in region))
    return intersect_intervals(merge([span for box in region for span in box.get(axis, whole)]), whole)


def _bins(attribute: OrderedAttribute, spans: Sequence[Interval]) -> tuple[Codes, Floats, Floats]:
    """The bins of these spans: their codes, and the smallest and largest value of the region in each."""
    codes: list[int] = []
    first: list[float] = []
    last: list[float] = []
    for low, high in spans:
        for code in range(int(low), math.ceil(high)):
            start, stop = attribute.bins.edge(code), attribute.bins.edge(code + 1)
            begin = start + (max(low, code) - code) * (stop - start)
            end = start + (min(high, code + 1) - code) * (stop - start) - attribute.step
            if codes and codes[-1] == code:
                last[-1] = end
            else:
                codes.append(code)
                first.append(begin)
                last.append(max(begin, end))
    return np.array(codes, np.int64), np.array(first), np.array(last)


def _edges(mass: Floats, levels: Sequence[float]) -> Codes:
    """Inner edges at which to work out the band: those near wanted quantiles, else some by estimated mass."""
    if (not levels and len(mass) <= MOST_EDGES) or mass.sum() <= 0:
        return np.arange(1, min(len(mass), MOST_EDGES))
    near = [p + sign * d for p in levels for d in NEAR for sign in (-1, 1)]
    tails = [share for p in levels for part in TAILS for share in (p * part, 1 - (1 - p) * part)]
    wanted = np.array(near + tails if levels else np.linspace(0, 1, MOST_EDGES))
    at = np.searchsorted(np.cumsum(mass) / mass.sum(), wanted)
    both_ends = np.concatenate([at, at + 1])
    return np.unique(both_ends[(both_ends > 0) & (both_ends < len(mass))])


def _fill_band(bins: int, chosen: Codes, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The band at every edge: shares rise, so the last bound below and the next above hold in between."""
    every = np.arange(bins + 1)
    at_least = np.concatenate([[0.0], low])[np.searchsorted(chosen, every, side="right")]
    at_most = np.concatenate([high, [1.0]])[np.searchsorted(chosen, every, side="left")]
    at_least[-1:], at_most[:1] = 1.0, 0.0
    return at_least, at_most
