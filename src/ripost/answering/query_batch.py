"""QueryBatch: many regions prepared to be answered at once, as boxes with numbered lists of intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ripost.arrays import Codes, Floats, Mask
from ripost.space.interval import merge
from ripost.space.region import Intervals, Region
from ripost.space.work_limit import charge

AXIS = 200  # steps of work that an axis takes, however few boxes bound it
WHOLE = 1e-9  # an end this close to a whole code counts as one: positions are quotients of floats


@dataclass(frozen=True)
class IntervalLists:
    """Lists of intervals of one axis: sorted, disjoint, and one list after the other."""

    low: Floats  # (intervals,)
    high: Floats  # (intervals,)
    start: Codes  # (lists + 1,): the first interval of each list

    @classmethod
    def of(cls, lists: Sequence[Intervals]) -> IntervalLists:
        low, high = np.array([end for spans in lists for end in spans], np.float64).reshape(-1, 2).T
        return cls(low, high, np.cumsum([0, *map(len, lists)]))

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def number(self) -> Codes:
        """How many intervals each list has."""
        return np.diff(self.start)

    @property
    def owner(self) -> Codes:
        """The list of each interval."""
        return np.repeat(np.arange(len(self)), self.number)

    def hulls(self) -> tuple[Floats, Floats]:
        """Where each list begins and ends; an empty one is [0, 0)."""
        first, last = (np.minimum(place, len(self.low) - 1) for place in (self.start[:-1], self.start[1:] - 1))
        return np.where(self.number > 0, self.low[first], 0.0), np.where(self.number > 0, self.high[last], 0.0)

    def take(self, some: Codes) -> IntervalLists:
        """The lists of these numbers."""
        number = self.number[some]
        _, interval = spread_out(number, self.start[some])
        return IntervalLists(self.low[interval], self.high[interval], np.concatenate([[0], np.cumsum(number)]))

    @property
    def fractional(self) -> Mask:
        """Which lists have an end inside a code, (lists,)."""
        inside = (abs(self.low - np.rint(self.low)) > WHOLE) | (abs(self.high - np.rint(self.high)) > WHOLE)
        return np.bincount(self.owner[inside], minlength=len(self)) > 0

    def round_ends(self, *, outward: bool) -> IntervalLists:
        """The lists with all ends moved inward, or outward, to whole codes.

        Intervals that become empty are left out, and those that come to touch are merged.
        """
        low = np.floor(self.low + WHOLE) if outward else np.ceil(self.low - WHOLE)
        high = np.ceil(self.high - WHOLE) if outward else np.floor(self.high + WHOLE)
        some = low < high
        low, high, owner = low[some], high[some], self.owner[some]
        apart = (owner[1:] != owner[:-1]) | (low[1:] > high[:-1])  # both ends rise inside a list
        first, last = np.append(True, apart)[: len(low)], np.append(apart, True)[: len(low)]
        number = np.bincount(owner[first], minlength=len(self))
        return IntervalLists(low[first], high[last], np.concatenate([[0], np.cumsum(number)]))


@dataclass(frozen=True)
class QueryBatch:
    """Regions, each the sum of its boxes; a box has one list of intervals on every axis that any box bounds."""

    count: int  # of regions
    owner: Codes  # (boxes,), rising: the region that each is part of
    axes: tuple[int, ...]
    lists: tuple[IntervalLists, ...]  # of each of these axes; the first is the whole axis
    which: Codes  # (boxes, axes): the list of each box

    @classmethod
    def of(cls, regions: Sequence[Region], shape: Sequence[int]) -> QueryBatch:
        """Build a batch. Lists that are the same object are looked at once, so that thousands of groups cost little."""
        boxes = [(number, selection) for number, region in enumerate(regions) for selection in _merge_boxes(region)]
        axes = tuple(sorted({axis for _, selection in boxes for axis in selection}))
        charge(sum(4 + len(selection) for _, selection in boxes) + len(boxes) * len(axes) / 4 + AXIS * len(axes))
        column = {axis: i for i, axis in enumerate(axes)}
        known: list[dict[Intervals, int]] = [{((0.0, float(shape[axis])),): 0} for axis in axes]
        seen: list[dict[int, int]] = [{} for _ in axes]
        which = np.zeros((len(boxes), len(axes)), np.int64)
        for row, (_, selection) in enumerate(boxes):
            for axis, intervals in selection.items():
                i = column[axis]
                if id(intervals) not in seen[i]:
                    charge(2 * len(intervals))
                    spans = tuple((float(low), float(high)) for low, high in merge(intervals) if low < high)
                    seen[i][id(intervals)] = known[i].setdefault(spans, len(known[i]))
                which[row, i] = seen[i][id(intervals)]
        owner = np.array([number for number, _ in boxes], np.int64)
        return cls(len(regions), owner, axes, tuple(IntervalLists.of([*lists]) for lists in known), which)

    @classmethod
    def of_boxes(cls, lower: Floats, upper: Floats, shape: Sequence[int]) -> QueryBatch:
        """Boxes of positions (n, d), each a region by itself."""
        bounded = (lower > 0) | (upper < np.array(shape))
        axes = np.flatnonzero(bounded.any(axis=0))
        lists, which = [], np.zeros((len(lower), len(axes)), np.int64)
        for i, axis in enumerate(axes.tolist()):
            here = np.flatnonzero(bounded[:, axis])
            ends, place = np.unique(lower[here, axis] + 1j * upper[here, axis], return_inverse=True)
            which[here, i] = place.ravel() + 1
            some = ends.real < ends.imag
            low, high = (np.append(end, ends[some].view(np.float64)[k::2]) for k, end in enumerate((0.0, shape[axis])))
            lists.append(IntervalLists(low, high, np.concatenate([[0, 1], 1 + np.cumsum(some)])))
        return cls(len(lower), np.arange(len(lower)), tuple(axes.tolist()), tuple(lists), which)

    @property
    def bounded(self) -> Mask:
        """Which axes each box bounds: a list that is the whole axis bounds nothing, (boxes, axes)."""
        return self.which > 0

    @property
    def only(self) -> Codes:
        """The axis of a box that bounds one alone, -1 for others, (boxes,).

        So a box that names a whole axis has the errors of the same box without it.
        """
        alone = self.bounded.sum(axis=1) == 1
        return np.where(alone, self.bounded @ np.array(self.axes, np.int64), -1)

    @property
    def simple(self) -> Mask:
        """Which regions are one box that bounds at most one axis, or nothing, (regions,)."""
        boxes = np.bincount(self.owner, minlength=self.count)
        return (boxes <= 1) & (np.bincount(self.owner, self.bounded.sum(axis=1), self.count) <= 1)

    @cached_property
    def kind(self) -> Codes:
        """A number for each region, the same for regions that bound the same axes; they are alike if close."""
        bounded = np.zeros((self.count, len(self.axes) + 1), bool)
        for i in range(len(self.axes)):
            bounded[self.owner[self.which[:, i] > 0], i] = True
        order = np.lexsort(bounded.T[::-1])
        kind = np.zeros(self.count, np.int64)
        kind[order[1:]] = np.cumsum((bounded[order[1:]] != bounded[order[:-1]]).any(axis=1))
        return kind

    @cached_property
    def _start(self) -> Codes:
        """The first box of each region, and one more, (regions + 1,)."""
        return np.searchsorted(self.owner, np.arange(self.count + 1))

    def batches(self, together: int, most: int) -> Iterator[tuple[QueryBatch, Codes]]:
        """Regions of the same kind, with their numbers, in batches of at most `most` boxes or one region.

        Kinds of few boxes share a batch of at most `together` boxes.
        """
        order = np.argsort(self.kind, kind="stable")
        upto = np.cumsum(np.diff(self._start)[order])
        ends = np.append(np.flatnonzero(np.diff(self.kind[order])) + 1, self.count)  # of kinds
        first = 0
        while first < self.count:
            before = upto[first - 1] if first else 0
            small, large = np.searchsorted(upto, [before + together, before + most], side="right").tolist()
            here = ends[np.searchsorted(ends, first, side="right") :]
            fitting = int(np.searchsorted(here, small, side="right"))
            last = int(here[fitting - 1]) if fitting else max(first + 1, min(large, int(here[0])))
            some = self.take(order[first:last])
            kept = np.flatnonzero(some.bounded.any(axis=0)).tolist()
            axes, lists = tuple(some.axes[i] for i in kept), tuple(some.lists[i] for i in kept)
            yield replace(some, axes=axes, lists=lists, which=some.which[:, kept]), order[first:last]
            first = last

    def take(self, regions: Codes) -> QueryBatch:
        """Regions of these numbers, numbered from 0."""
        start = self._start
        owner, box = spread_out(start[regions + 1] - start[regions], start[regions])
        return QueryBatch(len(regions), owner, self.axes, self.lists, self.which[box])

    @property
    def fractional(self) -> Codes:
        """Numbers of regions with an end inside a code, rising."""
        boxes = np.zeros(len(self.owner), bool)
        for lists, which in zip(self.lists, self.which.T, strict=True):
            if (fractional := lists.fractional).any():
                boxes |= fractional[which]
        return np.unique(self.owner[boxes])

    def round_ends(self, *, outward: bool) -> QueryBatch:
        """The regions with all ends moved to whole codes; a box that becomes empty is left out.

        Boxes of a region that are rounded outward may overlap.
        """
        rounded = tuple(lists.round_ends(outward=outward) for lists in self.lists)
        which, some = self.which.copy(), np.ones(len(self.owner), bool)
        for i, lists in enumerate(rounded):
            low, high = lists.hulls()
            whole = (lists.number == 1) & (low == 0) & (high == high[0])  # the first list is the whole axis
            some &= (lists.number > 0)[which[:, i]]
            which[whole[which[:, i]], i] = 0
        return replace(self, owner=self.owner[some], lists=rounded, which=which[some])

    def split_boxes(self) -> QueryBatch:
        """Each box as a region by itself."""
        return replace(self, count=len(self.owner), owner=np.arange(len(self.owner)))


def spread_out(number: Codes, start: Codes) -> tuple[Codes, Codes]:
    """Rows that each have a run of entries, entry by entry: the row, and the entry."""
    row = np.repeat(np.arange(len(number)), number)
    before = np.cumsum(number) - number
    return row, np.arange(len(row)) - (before - start)[row]


def _merge_boxes(region: Region) -> Region:
    """The same region, as one box where all of its boxes name the same single axis."""
    named = {axis for selection in region for axis in selection} if len(region) > 1 else set()
    if len(named) != 1 or not all(region):
        return region
    [axis] = named
    return ({axis: merge([span for selection in region for span in selection[axis]])},)
