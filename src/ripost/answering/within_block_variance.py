"""Within-block variance: the error from not knowing where the rows of a block lie inside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.answering.axis_index import number_keys
from ripost.answering.engine import JoinPairs
from ripost.answering.query_batch import QueryBatch
from ripost.answering.tree_index import TreeIndex
from ripost.arrays import Codes, Floats
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.weighted import sums_by


@dataclass(frozen=True)
class Overlaps:
    """Pairs of a region and a node, of which none lies below another, and which a region cuts along the same intervals.

    A region covers the same share of all blocks below such a node.
    """

    count: int  # of regions
    region: Codes  # (p,), rising
    row: Codes  # (p,), rising within a region
    share: Floats  # (p,): share of the node that lies in the region
    partly: Codes  # (k,): pairs whose node lies partly in the region
    group: Codes  # (k,): pairs of one region that are cut alike have one number

    @classmethod
    def of(cls, met: JoinPairs, batch: QueryBatch, index: TreeIndex) -> Overlaps:
        """From pairs of boxes and nodes: the boxes of a region share no cell, so that their shares add up."""
        if (np.diff(batch.owner) > 0).all():  # no region has two boxes
            owner = batch.owner[met.box]
            partly = np.flatnonzero(met.share < 1)
            return cls(batch.count, owner, met.row, met.share, partly, _cut_alike(met, partly, index))
        rows = len(index.node)
        key = batch.owner[met.box] * rows + met.row
        order = np.argsort(key, kind="stable")
        distinct, pair = np.unique(key[order], return_inverse=True)
        share = sums_by(pair, met.share[order], len(distinct))
        whole = share >= 1 - 1e-12  # whatever shares of boxes that fill a block round to
        share[whole] = 1.0
        partly = np.flatnonzero(~whole)
        mine = ~whole[pair]
        alike = _cut_alike(met, order[mine], index)
        group = _all_alike(distinct[partly] // rows, np.searchsorted(partly, pair[mine]), alike)
        return cls(batch.count, distinct // rows, distinct % rows, share, partly, group)

    def sums(self, each: Floats) -> Floats:
        """The sum over each region of one figure a pair."""
        return sums_by(self.region, each, self.count)


def clustered_variance(overlaps: Overlaps, values: Floats, squares: Floats) -> Floats:
    """The variance of each region's total if the rows of a block form one cluster at a random place.

    `values` and `squares` are sums of both over the blocks below each node.

    A query covers a share f of a block. If its content x is one cluster, the covered part is x with
    probability f and else 0: variance x^2 f (1 - f). Blocks that the question cuts along the same interval of the same
    axes are likely to be skewed alike (where one hour is busy, it is busy at every airport), so their contents count
    as one cluster. Different intervals are taken as independent.
    """
    some = overlaps.row[overlaps.partly]
    inside, region = _of_groups(overlaps)
    together = sums_by(overlaps.group, values[some], len(inside)) ** 2
    apart = sums_by(overlaps.group, squares[some], len(inside))
    return sums_by(region, np.maximum(together, apart) * inside * (1 - inside), overlaps.count)


def scattered_variance(overlaps: Overlaps, rows: Floats, each: Floats, *, model: ErrorModel) -> Floats:
    """The variance of each region's total if content is scattered inside blocks as it was seen to be between them.

    `rows`, and `each` of `model.split_variance_factor`, are sums over the blocks below each node.

    The splits of the tree showed how far content lies from its expected place, and the error model sums that up
    (estimate/smoother.py); a share f of a block is one more split. Blocks that are cut along the same interval have
    part of their error in common: the share `together` of the variance is that of all of them as one block.
    """
    some, share = overlaps.row[overlaps.partly], overlaps.share[overlaps.partly]
    apart = each[some] * share * (1 - share)
    inside, region = _of_groups(overlaps)
    together = model.split_variance_factor(sums_by(overlaps.group, rows[some], len(inside))) * inside * (1 - inside)
    alone = sums_by(overlaps.region[overlaps.partly], apart, overlaps.count)
    found: Floats = (1 - model.together) * alone + model.together * sums_by(region, together, overlaps.count)
    return found


def _cut_alike(met: JoinPairs, some: Codes, index: TreeIndex) -> Codes:
    """Of some pairs of a box and a node, which are of one box and cut along the same intervals."""
    group = number_keys(met.box[some])[1]
    for axis, cut in met.cut.items():
        line = index.index(axis)
        interval = np.where(cut[some], line.which[met.row[some]] + 1, 0)
        group = number_keys(group * (len(line) + 1) + interval)[1]
    return group


def _all_alike(region: Codes, pair: Codes, alike: Codes) -> Codes:
    """Which pairs of a region and a node are alike in all boxes of the region that meet the node; `pair` rises."""
    group = number_keys(region)[1]
    rank = np.arange(len(pair)) - np.searchsorted(pair, pair)
    for turn in range(int(rank.max(initial=-1)) + 1):
        here = np.zeros(len(region), np.int64)
        here[pair[rank == turn]] = alike[rank == turn] + 1
        group = number_keys(group * (int(here.max(initial=0)) + 1) + here)[1]
    return group


def _of_groups(overlaps: Overlaps) -> tuple[Floats, Codes]:
    """The share of each group, in which all are alike, and its region."""
    groups = int(overlaps.group.max(initial=-1)) + 1
    inside, region = np.zeros(groups), np.zeros(groups, np.int64)
    inside[overlaps.group] = overlaps.share[overlaps.partly]
    region[overlaps.group] = overlaps.region[overlaps.partly]
    return inside, region
