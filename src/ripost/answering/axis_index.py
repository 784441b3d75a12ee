"""AxisIndex: the distinct intervals of one axis that the entries of a view cover, and how much of each a list covers.

An entry is a block, a node of a tree, or a cell of a sample. On each axis it covers one of few distinct intervals.
Inside an interval, rows are distributed as the released marginal of the axis says, or uniformly if there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ripost.answering.query_batch import IntervalLists
from ripost.arrays import Codes, Floats, Mask
from ripost.space.work_limit import charge

Marginals = tuple[Floats | None, ...]  # per axis, mass of each code; None spreads evenly

ROUNDING = 1e-12  # of a share of an interval; explore/assets/engine/rows.js has the same
TABLE = 1 << 16
CELLS = 400  # of a table of shares that are computed in one step of work


@dataclass(frozen=True)
class Ruler:
    """One axis measured by released mass. Inside a code mass lies evenly."""

    marginal: Floats | None  # (n,), non-negative

    @cached_property
    def prefix(self) -> Floats:
        """Mass before each code, (n + 1,)."""
        assert self.marginal is not None
        return np.concatenate([[0.0], np.cumsum(self.marginal)])

    def at(self, position: Floats) -> Floats:
        """Mass before positions on the code axis."""
        if self.marginal is None:
            return position
        code = np.minimum(position.astype(np.int64), len(self.marginal) - 1)
        return self.prefix[code] + (position - code) * self.marginal[code]


EVEN = Ruler(None)


@dataclass(frozen=True)
class AxisIndex:
    """Intervals of one axis. One without mass is measured in codes."""

    ruler: Ruler
    lower: Floats  # (intervals,), in codes
    upper: Floats
    which: Codes  # (rows,): the interval of each row

    @classmethod
    def of(cls, marginal: Floats | None, lower: Codes, upper: Codes) -> AxisIndex:
        """The index of rows from the ends of each in codes."""
        last = int(upper.max(initial=0)) + 1
        key, which = number_keys(lower * last + upper)
        return cls(Ruler(marginal), (key // last).astype(np.float64), (key % last).astype(np.float64), which)

    def __len__(self) -> int:
        return len(self.lower)

    @cached_property
    def flat(self) -> Mask:
        """Which intervals have no mass."""
        return self.ruler.at(self.upper) <= self.ruler.at(self.lower)

    @cached_property
    def start(self) -> Floats:
        """Mass before each interval; codes if it has no mass."""
        return np.where(self.flat, self.lower, self.ruler.at(self.lower))

    @cached_property
    def stop(self) -> Floats:
        return np.where(self.flat, self.upper, self.ruler.at(self.upper))

    @cached_property
    def inverse(self) -> Floats:
        """One over the length of each interval."""
        found: Floats = 1 / (self.stop - self.start)
        return found

    def shares(self, lists: IntervalLists) -> Floats:
        """The share of each interval that each list covers, (intervals, lists)."""
        charge(len(lists) + len(lists.low) + len(self) * len(lists) / CELLS)
        single = np.flatnonzero(lists.number == 1)
        first = lists.start[single]
        found = self.between(slice(None), lists.low[first, None], lists.high[first, None])
        if len(single) < len(lists):
            table = np.zeros((len(lists), len(self)))
            table[single] = found
            for number in np.flatnonzero(lists.number > 1).tolist():
                some = slice(lists.start[number], lists.start[number + 1])
                table[number] = self._cover_intervals(lists.low[some], lists.high[some])
            found = table
        return np.ascontiguousarray(found.T)

    def between(self, interval: Codes | slice, low: Floats, high: Floats) -> Floats:
        """The share of intervals between two positions."""
        found = np.minimum(self.stop[interval], self.ruler.at(high))
        found -= np.maximum(self.start[interval], self.ruler.at(low))
        if self.ruler.marginal is not None and self.flat.any():
            codes = np.minimum(self.upper[interval], high) - np.maximum(self.lower[interval], low)
            found = np.where(self.flat[interval], codes, found)
        found *= self.inverse[interval]
        return np.maximum(found, 0.0, out=found)

    def _cover_intervals(self, low: Floats, high: Floats) -> Floats:
        """The share of each interval that one list of several ranges covers."""
        first, last = np.searchsorted(high, self.lower, side="right"), np.searchsorted(low, self.upper, side="left")
        charge(len(self) / 10)
        found = np.zeros(len(self))
        for ruler, here in ((self.ruler, ~self.flat), (EVEN, self.flat)):
            some = np.flatnonzero(here & (first < last))
            begin, end = ruler.at(low), ruler.at(high)
            before = np.concatenate([[0.0], np.cumsum(end - begin)])
            one, other = first[some], last[some] - 1
            inside = np.minimum(end[one], self.stop[some]) - np.maximum(begin[one], self.start[some])
            inside += np.where(one < other, np.minimum(end[other], self.stop[some]) - begin[other], 0.0)
            inside += np.where(one < other, before[other] - before[np.minimum(one + 1, other)], 0.0)
            found[some] = inside * self.inverse[some]
        return found


def number_keys(keys: Codes) -> tuple[Codes, Codes]:
    """Distinct keys, rising, and the place of each key among them; by a table where that is not much larger."""
    largest = int(keys.max(initial=0))
    if largest <= TABLE + 4 * len(keys):
        there = np.zeros(largest + 1, np.int64)
        there[keys] = 1
        return np.flatnonzero(there), (np.cumsum(there) - 1)[keys]
    distinct, place = np.unique(keys, return_inverse=True)
    return distinct, place.ravel()


def round_shares(shares: Floats) -> Floats:
    """The same, whole or nothing where rounding may tell: that must not depend on how masses were summed."""
    shares[shares > 1 - ROUNDING] = 1.0
    shares[shares < ROUNDING] = 0.0
    return shares
