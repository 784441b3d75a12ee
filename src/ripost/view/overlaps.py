"""Overlaps: which stretches of an axis meet which lists of intervals, and how much of each stretch is covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.space.blocks import Codes, Mask
from ripost.space.region import Intervals
from ripost.space.work import charge
from ripost.view.density import EVEN, Ruler

ROUNDING = 1e-12  # of a share of a stretch; explore/assets/engine/rows.js has the same


@dataclass(frozen=True)
class Overlaps:
    """Pairs of a stretch and a list that meet, stretch by stretch."""

    start: Codes  # (stretches,): the first pair of each
    number: Codes  # (stretches,): how many pairs it has
    list: Codes  # (pairs,)
    part: Floats  # (pairs,): share of the stretch that the list covers, above 0


@dataclass(frozen=True)
class Stretches:
    """Stretches of one axis, on its ruler; those without mass there are measured in codes."""

    ruler: Ruler
    lower: Floats  # (n,), in codes
    upper: Floats
    flat: Mask

    @classmethod
    def codes(cls, codes: Codes) -> Stretches:
        """Codes, which rise, each by itself."""
        lower = codes.astype(np.float64)
        return cls(EVEN, lower, lower + 1, np.zeros(len(codes), bool))

    def meet(self, lists: Sequence[Intervals], used: Codes) -> Overlaps:
        """Where the used ones of these lists, by their numbers, meet the stretches."""
        charge(len(used) + 2 * sum(len(lists[number]) for number in used.tolist()))
        spans = [(low, high, number) for number in used.tolist() for low, high in lists[number]]
        low, high, number = np.array(sorted(spans), np.float64).reshape(-1, 3).T
        # Intervals that meet a stretch lie in one run of those sorted by their low ends, with few others.
        first = np.searchsorted(np.maximum.accumulate(high), self.lower, side="right")
        found = np.maximum(np.searchsorted(low, self.upper, side="left") - first, 0)
        charge(len(found) / 20 + int(found.sum()) / 2)
        stretch, interval = spread_out(found, first)
        meets = high[interval] > self.lower[stretch]
        stretch, interval = stretch[meets], interval[meets]
        begin, end = np.maximum(low[interval], self.lower[stretch]), np.minimum(high[interval], self.upper[stretch])
        whole = (begin == self.lower[stretch]) & (end == self.upper[stretch])
        mass = self._between(self.lower, self.upper, self.flat)
        part = np.where(whole, 1.0, self._between(begin, end, self.flat[stretch]) / mass[stretch])
        key = stretch * len(lists) + number[interval].astype(np.int64)
        if any(len(lists[one]) > 1 for one in used.tolist()):
            key, same = np.unique(key, return_inverse=True)
            part = np.bincount(same, part, len(key))
        else:
            order = np.argsort(key, kind="stable")
            key, part = key[order], part[order]
        part = np.where(part > 1 - ROUNDING, 1.0, part)  # whole and apart must not hang on how masses were summed
        key, part = key[part > ROUNDING], part[part > ROUNDING]
        count = np.bincount(key // len(lists), minlength=len(self.lower))
        return Overlaps(np.cumsum(count) - count, count, key % len(lists), part)

    def _between(self, begin: Floats, end: Floats, flat: Mask) -> Floats:
        """Mass between positions, or their distance in codes where a stretch is flat."""
        if self.ruler.marginal is None:
            return end - begin
        return np.where(flat, end - begin, self.ruler.at(end) - self.ruler.at(begin))


def spread_out(number: Codes, start: Codes) -> tuple[Codes, Codes]:
    """Rows that each have a run of entries, entry by entry: the row, and the entry."""
    row = np.repeat(np.arange(len(number)), number)
    before = np.cumsum(number) - number
    return row, np.arange(len(row)) - (before - start)[row]
