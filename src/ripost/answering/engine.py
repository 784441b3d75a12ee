"""Engine: sums over the rows of a view of a value times the share of the row inside a box, for many boxes at once.

The share is a product of one factor an axis. Regions that bound the same axes are answered together. One table an axis
says how much of each interval each box covers, and each row takes its factors from the tables. Cost grows with boxes
times the rows that any of them meets. A box that meets few blocks of a tree is followed from the root on instead. Both
ways give the same pairs of a box and a row; `_choose_traversal` estimates which one costs less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ripost.answering.axis_index import AxisIndex, round_shares
from ripost.answering.query_batch import QueryBatch
from ripost.answering.tree_index import TreeIndex
from ripost.arrays import Codes, Floats, Mask
from ripost.estimate.weighted import sums_by
from ripost.space.work_limit import charge

BOXES = 52  # answered together: one bit each of a float
FEW = 12  # boxes of regions that bound different axes and whose pairs are found together
MOST_BOXES = 1 << 16  # boxes of regions that bound the same axes, whose sums are found together
AT_ONCE = 1 << 15  # shares multiplied at a time, to stay in the processor's cache
MOST_SHARES = 1 << 22  # rows times boxes answered together
VISITS = 500_000  # pairs of a box and a node that are followed together, about
# Approximate costs in nanoseconds. They choose the way of computation and do not affect answers.
FOLLOWED = 600  # following a box to a block that lies partly in it
MULTIPLIED = 0.3  # multiplying the share of a row by that on one axis
TABLED = 3  # one share of a table
GATHERED = 4  # finding the interval of a row on one axis
PAIRED = 2.5  # how many times as much a scan costs that finds pairs, not sums alone
CALLS = 250_000  # what regions that bound the same axes need however few rows there are


class RowIndex(Protocol):
    """The rows of a view with their intervals."""

    def index(self, axis: int) -> AxisIndex: ...

    def rows(self, axes: Sequence[int]) -> Codes:
        """Numbers of rows that stand for all others on these axes, rising."""
        ...


@dataclass(frozen=True)
class JoinPairs:
    """Pairs of a box and a row that share something, by box and then by row."""

    box: Codes  # (p,)
    row: Codes  # (p,)
    share: Floats  # (p,): share of the row that lies in the box, above 0
    cut: dict[int, Mask]  # by axis, (p,): whether the box leaves out some of the row there


def sum_regions(rows: RowIndex, values: Floats, batch: QueryBatch) -> Floats:
    """The sum of each region; `values` has one for each row."""
    found, left = np.zeros(batch.count), np.arange(batch.count)
    if isinstance(rows, TreeIndex):
        narrow, left = _choose_traversal(rows, batch, pairs=False)
        for numbers in narrow:
            some = batch.take(numbers)
            box, row, share, _ = _descend_tree(rows, some)
            found[numbers] = sums_by(some.owner[box], values[row] * share, some.count)
    batch, merged = batch.take(left), None
    for some, numbers in batch.batches(BOXES, MOST_BOXES):
        if 2 * len(some.axes) <= len(batch.axes):
            places, weights = _merge_rows(rows, values, some.axes)
        else:  # rows of all axes do as well, and are found once
            merged = merged or _merge_rows(rows, values, batch.axes)
            places, weights = [merged[0][batch.axes.index(axis)] for axis in some.axes], merged[1]
        each = np.zeros(len(some.owner))
        for boxes, kept, share in _multiply_shares(rows, some, places):
            each[boxes] += weights[kept] @ share
        found[left[numbers]] = sums_by(some.owner, each, some.count)
    return found


def join_regions(rows: TreeIndex, batch: QueryBatch) -> Iterator[tuple[Codes, QueryBatch, JoinPairs]]:
    """Pairs of boxes and nodes, for some regions at a time: their numbers, the regions, and the pairs."""
    narrow, left = _choose_traversal(rows, batch, pairs=True)
    for numbers in narrow:
        yield numbers, (some := batch.take(numbers)), _join_by_traversal(rows, some)
    for some, numbers in batch.take(left).batches(FEW, BOXES):
        yield left[numbers], some, _join_by_scan(rows, some)


def _choose_traversal(rows: TreeIndex, batch: QueryBatch, *, pairs: bool) -> tuple[list[Codes], Codes]:
    """Regions whose boxes meet few blocks in part, so that it pays to follow them through the tree; and the others.

    Those that are followed come in batches.
    """
    blocks = len(rows.node) / 2
    met, inside, cells, intervals = np.ones((4, len(batch.owner)))
    plain, bounded = np.ones(len(batch.owner), bool), batch.bounded.sum(axis=1)
    for axis, lists, which in zip(batch.axes, batch.lists, batch.which.T, strict=True):
        plain &= (lists.number <= 1)[which]
        some = rows.met_and_inside(axis, *lists.hulls())
        met, inside = met * some[0][which], inside * some[1][which]
        number = np.where(which > 0, len(rows.index(axis)), 1)
        cells, intervals = cells * number, intervals + number
    scan = MULTIPLIED * bounded * np.minimum(cells, blocks) + TABLED * intervals
    if pairs:
        scan = PAIRED * (MULTIPLIED * bounded * blocks + TABLED * intervals)
    scan += (CALLS + GATHERED * bounded * blocks) / min(max(batch.count, 1), BOXES)
    partial = (met - inside) * blocks
    wide = np.bincount(batch.owner, ~plain | (FOLLOWED * partial > scan), batch.count) > 0
    narrow = np.flatnonzero(~wide)
    visits = np.cumsum(sums_by(batch.owner, 3 * partial + VISITS / 1000, batch.count)[narrow])
    return np.split(narrow, np.flatnonzero(np.diff(visits // VISITS)) + 1), np.flatnonzero(wide)


def _descend_tree(rows: TreeIndex, batch: QueryBatch, *, exact: bool = False) -> tuple[Codes, Codes, Floats, Mask]:
    """Pairs of boxes of single intervals and nodes, from the root of the tree on, and the share of each.

    With `exact` a share is 0 or 1 wherever rounding may tell, and the last array says on which axes a node is cut.
    """
    lower = np.zeros((len(batch.owner), len(rows.tree.shape)))
    upper = np.tile(np.array(rows.tree.shape, np.float64), (len(batch.owner), 1))
    for axis, lists, which in zip(batch.axes, batch.lists, batch.which.T, strict=True):
        low, high = lists.hulls()
        lower[:, axis], upper[:, axis] = low[which], high[which]
    box, row, whole = rows.descend(lower, upper)
    charge(len(box))
    partly = np.flatnonzero(~whole)
    share, cut = np.ones(len(box)), np.zeros((len(batch.axes) if exact else 0, len(box)), bool)
    for first in range(0, len(partly), AT_ONCE):
        some = partly[first : first + AT_ONCE]
        one, other, product = box[some], row[some], np.ones(len(some))
        for i, axis in enumerate(batch.axes):
            index = rows.index(axis)
            part = index.between(index.which.take(other), lower[:, axis].take(one), upper[:, axis].take(one))
            if exact:
                cut[i, some] = round_shares(part) < 1
            product *= part
        share[some] = product
    return box, row, share, cut


def _join_by_traversal(rows: TreeIndex, batch: QueryBatch) -> JoinPairs:
    """Pairs that are followed, in order."""
    box, row, share, cut = _descend_tree(rows, batch, exact=True)
    kept = np.flatnonzero(share > 0)
    kept = kept[np.argsort(box[kept] * len(rows.node) + row[kept])]
    cuts = {axis: each[kept] for axis, each in zip(batch.axes, cut, strict=True)}
    return JoinPairs(box[kept], row[kept], share[kept], cuts)


def _join_by_scan(rows: TreeIndex, batch: QueryBatch) -> JoinPairs:
    """The pairs of boxes and the nodes that stand for all blocks."""
    nodes = rows.rows(batch.axes)
    places = [rows.index(axis).which[nodes] for axis in batch.axes]
    found = []
    for boxes, kept, share in _multiply_shares(rows, batch, places, exact=True):
        flat = np.flatnonzero(share > 0)
        found.append((boxes[flat % len(boxes)], kept[flat // len(boxes)], share.ravel()[flat]))
    box, place, share = (np.concatenate(each) for each in zip(*found, strict=True)) if found else _none()
    order = np.argsort(box.astype(np.uint16) if len(batch.owner) < 1 << 16 else box, kind="stable")  # radix, if short
    box, place, share = box[order], place[order], share[order]
    charge(2 * len(box))
    cut = {}
    for at, axis, lists, which in zip(places, batch.axes, batch.lists, batch.which.T, strict=True):
        used, number = np.unique(which, return_inverse=True)
        table = round_shares(rows.index(axis).shares(lists.take(used))) < 1
        cut[axis] = table.ravel()[at[place] * len(used) + number.ravel()[box]]
    return JoinPairs(box, nodes[place], share, cut)


def _none() -> tuple[Codes, Codes, Floats]:
    return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)


def _multiply_shares(
    rows: RowIndex, batch: QueryBatch, places: Sequence[Codes], *, exact: bool = False
) -> Iterator[tuple[Codes, Codes, Floats]]:
    """Shares of rows inside boxes that bound the same axes, piece by piece: the boxes, the rows, (rows, boxes) shares.

    `places` has for each axis the interval of each row. Rows that no box of a piece meets are left out. With `exact` a
    share is 0 or 1 wherever rounding may tell.
    """
    count = len(places[0]) if places else 1
    step = max(1, min(BOXES, MOST_SHARES // max(count, 1)))
    kind = batch.kind[batch.owner]
    for first in range(0, len(batch.owner), step):
        some = slice(first, first + step)
        bits = 2.0 ** np.arange(len(kind[some]))
        tables, columns, words = [], [], np.full(count, -1)
        for axis, lists, which, place in zip(batch.axes, batch.lists, batch.which[some].T, places, strict=True):
            used, column = np.unique(which, return_inverse=True)
            table = rows.index(axis).shares(lists.take(used))
            tables.append(round_shares(table) if exact else table)
            columns.append(column.ravel())
            # Which boxes meet an interval: one bit per box, which a float represents exactly.
            met = (table > 0) @ np.bincount(columns[-1], bits)
            words &= met.astype(np.int64).take(place)
        for alike in np.unique(kind[some]).tolist():
            boxes = np.flatnonzero(kind[some] == alike)
            axes = np.flatnonzero(batch.which[some][boxes].any(axis=0)).tolist()
            kept = np.flatnonzero((words & int(bits[boxes].sum())) != 0)
            charge(count * (1 + len(axes)) / 200 + len(kept) * len(boxes) / 1000)
            factors = [(tables[i].take(columns[i][boxes], axis=1), places[i].take(kept)) for i in axes]
            size = max(1, AT_ONCE // len(boxes))
            for start in range(0, len(kept), size):
                piece = slice(start, min(start + size, len(kept)))
                parts = (table.take(place[piece], axis=0) for table, place in factors)
                share = next(parts) if factors else np.ones((piece.stop - start, len(boxes)))
                for part in parts:
                    share *= part
                yield boxes + first, kept[piece], share


def _merge_rows(rows: RowIndex, values: Floats, axes: Sequence[int]) -> tuple[list[Codes], Floats]:
    """The intervals of rows on some axes, and their values; rows on the same intervals are one if these are few."""
    some = rows.rows(axes)
    indexes = [rows.index(axis) for axis in axes]
    places = [index.which.take(some) for index in indexes]
    cells = float(np.prod([float(len(index)) for index in indexes]))
    if cells > 4 * len(some):
        return places, values[some]
    key = np.zeros(len(some), np.int64)
    for index, place in zip(indexes, places, strict=True):
        key = key * len(index) + place
    weights = sums_by(key, values[some], int(cells))
    kept = np.flatnonzero(np.bincount(key, minlength=int(cells)))
    found = np.unravel_index(kept, [len(index) for index in indexes]) if indexes else ()
    return [np.asarray(place, np.int64) for place in found], weights[kept]
