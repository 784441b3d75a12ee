"""Clumps: what is unknown about how a block's content lies inside it, as a variance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ripost.estimate.error_model import ErrorModel
from ripost.estimate.least_squares import Floats
from ripost.estimate.weighted import sums_by
from ripost.space.blocks import Codes
from ripost.view.asked import Asked
from ripost.view.meetings import Line, Meetings

TABLE = 1 << 16


@dataclass(frozen=True)
class Parts:
    """Pairs of a region and a block, and which blocks a region cuts along the same stretches."""

    count: int  # of regions
    region: Codes  # (p,), rising
    row: Codes  # (p,), rising within a region
    share: Floats  # (p,): share of the block that lies in the region
    partly: Codes  # (k,): pairs whose block lies partly in the region
    group: Codes  # (k,): pairs of one region that are cut alike have one number

    @classmethod
    def of(cls, met: Meetings, asked: Asked, lines: Mapping[int, Line], rows: int) -> Parts:
        """From pairs of boxes and blocks: the boxes of a region share no cell, so that their shares add up."""
        if (np.diff(asked.owner) > 0).all():  # no region has two boxes
            owner = asked.owner[met.box]
            partly = np.flatnonzero(met.share < 1)
            return cls(asked.count, owner, met.row, met.share, partly, _cut_alike(met, partly, lines))
        key = asked.owner[met.box] * rows + met.row
        order = np.argsort(key, kind="stable")
        distinct, pair = np.unique(key[order], return_inverse=True)
        share = sums_by(pair, met.share[order], len(distinct))
        whole = share >= 1 - 1e-12  # whatever shares of boxes that fill a block round to
        share[whole] = 1.0
        partly = np.flatnonzero(~whole)
        mine = ~whole[pair]
        alike = _cut_alike(met, order[mine], lines)
        group = _all_alike(distinct[partly] // rows, np.searchsorted(partly, pair[mine]), alike)
        return cls(asked.count, distinct // rows, distinct % rows, share, partly, group)

    def sums(self, each: Floats) -> Floats:
        """The sum over each region of one figure a pair."""
        return sums_by(self.region, each, self.count)


def clumped(parts: Parts, values: Floats) -> Floats:
    """The variance of each region's total if content lies in clumps at random places.

    A question covers a share f of a block. If the block's content x is one clump, the covered part is x with
    probability f and else 0: variance x^2 f (1 - f). Blocks that the question cuts along the same stretch of the same
    axes are likely to be skewed alike (where one hour is busy, it is busy at every airport), so their contents count
    as one clump; different stretches are taken as independent.
    """
    some = values[parts.row[parts.partly]]
    inside, region = _of_groups(parts)
    together = sums_by(parts.group, some, len(inside)) ** 2
    apart = sums_by(parts.group, some**2, len(inside))
    return sums_by(region, np.maximum(together, apart) * inside * (1 - inside), parts.count)


def scattered(parts: Parts, records: Floats, *, model: ErrorModel) -> Floats:
    """The variance of each region's total if content is scattered inside blocks as it was seen to be between them.

    The splits of the tree showed how far content lies from its expected place, and the error model sums that up
    (estimate/smoother.py); a share f of a block is one more split. Blocks that are cut along the same stretch have
    part of their error in common: the share `together` of the variance is that of all of them as one block.
    """
    some, share = records[parts.row[parts.partly]], parts.share[parts.partly]
    apart = model.scattered(some) * share * (1 - share)
    inside, region = _of_groups(parts)
    together = model.scattered(sums_by(parts.group, some, len(inside))) * inside * (1 - inside)
    alone = sums_by(parts.region[parts.partly], apart, parts.count)
    found: Floats = (1 - model.together) * alone + model.together * sums_by(region, together, parts.count)
    return found


def _cut_alike(met: Meetings, some: Codes, lines: Mapping[int, Line]) -> Codes:
    """Of some pairs of a box and a block, which are of one box and cut along the same stretches."""
    group = _numbered(met.box[some])
    for axis, cut in met.cut.items():
        line = lines[axis]
        stretch = np.where(cut[some], line.which[met.row[some]] + 1, 0)
        group = _numbered(group * (len(line.stretches.lower) + 1) + stretch)
    return group


def _all_alike(region: Codes, pair: Codes, alike: Codes) -> Codes:
    """Which pairs of a region and a block are alike in all boxes of the region that meet the block; `pair` rises."""
    group = _numbered(region)
    rank = np.arange(len(pair)) - np.searchsorted(pair, pair)
    for turn in range(int(rank.max(initial=-1)) + 1):
        here = np.zeros(len(region), np.int64)
        here[pair[rank == turn]] = alike[rank == turn] + 1
        group = _numbered(group * (int(here.max(initial=0)) + 1) + here)
    return group


def _of_groups(parts: Parts) -> tuple[Floats, Codes]:
    """The share of each group, in which all are alike, and its region."""
    groups = int(parts.group.max(initial=-1)) + 1
    inside, region = np.zeros(groups), np.zeros(groups, np.int64)
    inside[parts.group] = parts.share[parts.partly]
    region[parts.group] = parts.region[parts.partly]
    return inside, region


def _numbered(keys: Codes) -> Codes:
    """Keys as 0, 1, 2, …, equal ones alike; by a table where that is not much larger than what it numbers."""
    largest = int(keys.max(initial=0))
    if largest <= TABLE + 4 * len(keys):
        there = np.zeros(largest + 1, np.int64)
        there[keys] = 1
        return (np.cumsum(there) - 1)[keys]
    number: Codes = np.unique(keys, return_inverse=True)[1].ravel()
    return number
