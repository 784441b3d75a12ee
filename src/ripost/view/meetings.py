"""Meetings: pairs of a box and a row of a view that share something, for many boxes at once.

A row is a block, or a record; on each axis it lies on one of few stretches. Starting from all rows, each axis in turn
multiplies a row by the lists of intervals that its stretch meets, and keeps the combinations that begin a box. So work
follows the pairs that there are, not boxes times rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ripost.estimate.least_squares import Floats
from ripost.space.blocks import Codes, Mask
from ripost.space.work import charge
from ripost.view.answer import Answers
from ripost.view.asked import Asked
from ripost.view.overlaps import Stretches, spread_out

USUAL_PAIRS = 500_000  # aimed at for one batch of regions
MOST_PAIRS = 8_000_000  # held at a time
LARGEST_TABLE = 1 << 22


@dataclass(frozen=True)
class Line:
    """One axis of the rows of a view."""

    stretches: Stretches
    which: Codes  # (rows,): the stretch of each


@dataclass(frozen=True)
class Meetings:
    """Pairs, ordered by the region of their box and then by row."""

    box: Codes  # (p,)
    row: Codes  # (p,)
    share: Floats  # (p,): share of the row that lies in the box, above 0
    cut: Mapping[int, Mask]  # by axis, (p,): whether the box leaves out some of the row there

    def __len__(self) -> int:
        return len(self.box)


class TooManyPairs(Exception):
    """A batch of regions met more pairs than may be held."""


def meet(asked: Asked, lines: Mapping[int, Line], rows: int) -> Meetings:
    """All pairs of the boxes and of so many rows; `lines` has every axis that a box bounds."""
    charge(rows / 20)
    row, begun, share = np.arange(rows), np.zeros(rows, np.int64), np.ones(rows)
    cut: dict[int, Mask] = {}
    boxes = np.zeros(len(asked.owner), np.int64)  # which different combination each box begins with
    overlaps = [
        lines[axis].stretches.meet(lists, np.unique(asked.which[:, i]))
        for i, (axis, lists) in enumerate(zip(asked.axes, asked.lists, strict=True))
    ]
    pairs = [int(found.number[lines[axis].which].sum()) for axis, found in zip(asked.axes, overlaps, strict=True)]
    for i in np.argsort(pairs).tolist():  # the axis that keeps fewest goes first
        axis, found, count = asked.axes[i], overlaps[i], len(asked.lists[i])
        stretch = lines[axis].which[row]
        number = found.number[stretch]
        if int(number.sum()) > MOST_PAIRS and asked.count > 1:
            raise TooManyPairs
        charge(int(number.sum()) / 4 + len(asked.owner) / 4)
        pair, entry = spread_out(number, found.start[stretch])
        known, boxes = np.unique(boxes * count + asked.which[:, i], return_inverse=True)
        place = _places(known, begun[pair] * count + found.list[entry])
        kept = np.flatnonzero(place >= 0)
        pair, part = pair[kept], found.part[entry[kept]]
        row, begun, share = row[pair], place[kept], share[pair] * part
        cut = {other: mask[pair] for other, mask in cut.items()} | {axis: part < 1}
    # Boxes that are alike in all axes meet the same rows.
    order = np.argsort(boxes, kind="stable")
    alike = np.bincount(boxes, minlength=1 + int(begun.max(initial=0)))
    charge(int(alike[begun].sum()))
    pair, entry = spread_out(alike[begun], (np.cumsum(alike) - alike)[begun])
    box = order[entry]
    owner = asked.owner[box]
    sort = np.argsort(owner.astype(np.uint16) if asked.count <= 1 << 16 else owner, kind="stable")  # radix, if short
    box, pair = box[sort], pair[sort]
    return Meetings(box, row[pair], share[pair], {axis: mask[pair] for axis, mask in cut.items()})


def in_batches(asked: Asked, answer: Callable[[Asked], tuple[Answers, int]]) -> Answers:
    """What `answer` makes of the regions, batch by batch; it tells how many pairs it met, or raises TooManyPairs."""
    answers = Answers.of(np.zeros(asked.count), noise=np.zeros(asked.count), model=np.zeros(asked.count))
    first, size = 0, 64
    while first < asked.count:
        last = min(first + size, asked.count)
        try:
            found, pairs = answer(asked.part(first, last))
        except TooManyPairs:
            size = max(1, size // 2)
            continue
        answers.put(first, found)
        first = last
        size = min(16 * size, max(1, USUAL_PAIRS * size // max(pairs, 1)))
    return answers


def _places(known: Codes, wanted: Codes) -> Codes:
    """Where each wanted key stands among the known ones, which are sorted; -1 if nowhere."""
    if not len(known):
        return np.full(len(wanted), -1)
    largest = int(known[-1])
    if largest < LARGEST_TABLE:
        table = np.full(largest + 2, -1)
        table[known] = np.arange(len(known))
        return table[np.minimum(wanted, largest + 1)]
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[place] == wanted, place, -1)
