"""Extremes: the least and the largest value of an ordered dimension, as far as a view can tell.

A single row at the end of the range cannot be told from noise, so nothing bounds a maximum from above but the range. A
bin whose interval excludes 0 holds a row: then the maximum is at least where that bin begins. The intervals of all bins
of a group hold simultaneously.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ripost.arrays import Floats, Ints
from ripost.query.distribution import Bounded
from ripost.query.measures import Asking, Figures, calendar_type
from ripost.space.region import EVERYTHING, Region, intersect


@dataclass(frozen=True)
class Extreme:
    """The end of the outermost bin that certainly holds a row; its bounds are the other end of that bin and of the
    range that the question asks about.
    """

    name: str
    largest: bool
    condition: Region = EVERYTHING

    def figures(self, asking: Asking) -> Figures:
        totals = asking.bin_totals(self.name, self.condition)
        regions = [
            intersect(region, ({totals.axis: [(float(code), code + 1.0)]},))
            for region, (codes, _, _) in zip(totals.regions, totals.bins, strict=True)
            for code in codes.tolist()
        ]
        counts = [len(codes) for codes, _, _ in totals.bins]
        together, low = np.repeat(counts, counts), np.zeros(len(regions))
        for count in set(counts) - {0}:
            some = np.flatnonzero(together == count)
            low[some] = asking.view.jointly(count).answer_regions([regions[number] for number in some]).low
        ends = np.cumsum([0, *counts]).tolist()
        rows = [
            self._bounds(first, last, np.flatnonzero(low[a:b] > 0), known=not np.isnan(low[a:b]).any())
            for (_, first, last), (a, b) in zip(totals.bins, pairwise(ends), strict=True)
        ]
        return Figures(rows, calendar_type(totals.attribute, whole=True), totals.note)

    def _bounds(self, first: Floats, last: Floats, held: Ints, *, known: bool) -> Bounded:
        if not known or not len(first):
            return (np.nan,) * 3
        if not len(held):  # no bin is known to hold a row
            return np.nan, float(first[0]), float(last[-1])
        at = int(held[-1] if self.largest else held[0])
        if self.largest:
            return float(last[at]), float(first[at]), float(last[-1])
        return float(first[at]), float(first[0]), float(last[at])
