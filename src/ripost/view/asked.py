"""Asked: many regions made ready to be answered at once, as boxes whose lists of intervals are numbered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ripost.space.attribute import merge
from ripost.space.blocks import Codes, Mask
from ripost.space.region import Intervals, Region
from ripost.space.work import charge


@dataclass(frozen=True)
class Asked:
    """Regions, each the sum of its boxes; a box has one list of intervals on every axis that any box bounds."""

    count: int  # of regions
    owner: Codes  # (boxes,), rising: the region that each is part of
    axes: tuple[int, ...]
    lists: tuple[tuple[Intervals, ...], ...]  # of each of these axes; the first is the whole axis
    which: Codes  # (boxes, axes): the list of each box
    only: Codes  # (boxes,): the axis of a box that names one alone, -1 for others

    @classmethod
    def of(cls, regions: Sequence[Region], shape: Sequence[int]) -> Asked:
        """Lists that are the same object are looked at once, so that thousands of groups cost little."""
        boxes = [(number, selection) for number, region in enumerate(regions) for selection in _joined(region)]
        axes = tuple(sorted({axis for _, selection in boxes for axis in selection}))
        charge(sum(4 + len(selection) for _, selection in boxes) + len(boxes) * len(axes) / 4)
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
        only = np.array([next(iter(box)) if len(box) == 1 else -1 for _, box in boxes], np.int64)
        return cls(len(regions), owner, axes, tuple(tuple(lists) for lists in known), which, only)

    @property
    def bounded(self) -> Mask:
        """Which axes each box bounds: a list that is the whole axis bounds nothing, (boxes, axes)."""
        return self.which > 0

    @property
    def only_bounded(self) -> Codes:
        """The axis of a box that bounds one alone, -1 for others, (boxes,)."""
        alone = self.bounded.sum(axis=1) == 1
        return np.where(alone, self.bounded @ np.array(self.axes, np.int64), -1)

    @property
    def simple(self) -> Mask:
        """Which regions are one box that bounds at most one axis, or nothing, (regions,)."""
        boxes = np.bincount(self.owner, minlength=self.count)
        return (boxes <= 1) & (np.bincount(self.owner, self.bounded.sum(axis=1), self.count) <= 1)

    def part(self, first: int, last: int) -> Asked:
        """The regions from one number up to another, numbered from 0."""
        start, stop = np.searchsorted(self.owner, [first, last])
        some = slice(int(start), int(stop))
        which, owner = self.which[some], self.owner[some] - first
        return Asked(last - first, owner, self.axes, self.lists, which, self.only[some])


def _joined(region: Region) -> Region:
    """The same region, as one box where all of its boxes name the same single axis."""
    named = {axis for selection in region for axis in selection} if len(region) > 1 else set()
    if len(named) != 1 or not all(region):
        return region
    [axis] = named
    return ({axis: merge([span for selection in region for span in selection[axis]])},)
