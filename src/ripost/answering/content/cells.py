"""Cells: what contents share that hold a value for every cell of a domain, in row-major order."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import Answers
from ripost.answering.content.content import Content, ValuedBlocks
from ripost.answering.query_batch import IntervalLists, QueryBatch, spread_out
from ripost.arrays import Codes, Floats
from ripost.estimate.weighted import sums_by
from ripost.space.blocks import Blocks
from ripost.space.work_limit import charge

MOST_CELLS = 2**22  # of a domain that has a value for each
USUAL_PAIRS = 500_000  # of a region and a cell, aimed at for one batch of regions
MOST_PAIRS = 8_000_000  # held at a time


class TooManyPairs(Exception):
    """A batch of regions met more pairs than may be held."""


@dataclass(frozen=True)
class CoveredCells:
    """Pairs of a region and a cell."""

    region: Codes  # (p,), rising
    cell: Codes  # (p,)
    weight: Floats  # (p,): share of the cell that lies in one box of the region


class CellsContent(Content):
    """A value for every cell; inside a cell content lies evenly."""

    noun = "cells"
    cell_variance: Floats  # (cells,)

    def __init__(self, shape: Sequence[int], values: ArrayLike) -> None:
        super().__init__(shape, values)
        if len(self.values) != math.prod(self.shape):
            raise ValueError("there must be a value for every cell")

    @cached_property
    def _sums(self) -> Floats:
        """The total of all cells up to and with each."""
        sums = self.values.reshape(self.shape)
        for axis in range(len(self.shape)):
            sums = sums.cumsum(axis=axis)
        return sums

    def answers(self, lower: Floats, upper: Floats) -> Floats:
        """Sums of corners with signs, by the axes that any box bounds; ends between codes take their share."""
        free = (lower == 0).all(axis=0) & (upper == np.array(self.shape)).all(axis=0)
        bound = np.flatnonzero(~free).tolist()
        last = tuple(slice(None) if axis in bound else -1 for axis in range(len(self.shape)))
        sums, shape = self._sums[last], [self.shape[axis] for axis in bound]
        ends = [_corners(lower[:, axis], upper[:, axis], self.shape[axis]) for axis in bound]
        answers = np.zeros(len(lower))
        for corner in product(*ends):
            weight, place = np.ones(len(lower)), np.zeros(len(lower), np.int64)
            for (code, factor), size in zip(corner, shape, strict=True):
                weight *= factor
                place = place * size + code
            answers += weight * sums.ravel()[place]
        return answers

    @property
    def blocks(self) -> ValuedBlocks:
        cells = unit_cells(self.shape)
        return ValuedBlocks(cells.lower, cells.upper, self.values, self.cell_variance)

    def _cover_cells(self, batch: QueryBatch, axes: Sequence[int]) -> CoveredCells:
        """The cells that each box covers, numbered row-major along some axes, among them all that a box bounds."""
        box, cell, weight = np.arange(len(batch.owner)), np.zeros(len(batch.owner), np.int64), np.ones(len(batch.owner))
        for axis in axes:
            size = self.shape[axis]
            if axis in batch.axes:
                i = batch.axes.index(axis)
                used, place = np.unique(batch.which[:, i], return_inverse=True)
                number, codes, parts = _codes_of(batch.lists[i].take(used))
                which = place.ravel()[box]
            else:
                number, codes, parts = np.array([size]), np.arange(size), np.ones(size)
                which = np.zeros(len(box), np.int64)
            if int(number[which].sum()) > MOST_PAIRS and batch.count > 1:
                raise TooManyPairs
            charge(int(number[which].sum()) / 4)
            pair, entry = spread_out(number[which], (np.cumsum(number) - number)[which])
            box, cell, weight = box[pair], cell[pair] * size + codes[entry], weight[pair] * parts[entry]
        charge(len(box))
        return CoveredCells(batch.owner[box], cell, weight)


def in_batches(batch: QueryBatch, answer: Callable[[QueryBatch], tuple[Answers, int]]) -> Answers:
    """What `answer` makes of the regions, batch by batch; it tells how many pairs it met, or raises TooManyPairs."""
    answers = Answers.of(np.zeros(batch.count), noise=np.zeros(batch.count), model=np.zeros(batch.count))
    first, size = 0, 64
    while first < batch.count:
        some = np.arange(first, min(first + size, batch.count))
        try:
            found, pairs = answer(batch.take(some))
        except TooManyPairs:
            size = max(1, size // 2)
            continue
        answers.put(some, found)
        first += len(some)
        size = min(16 * size, max(1, USUAL_PAIRS * size // max(pairs, 1)))
    return answers


def _codes_of(lists: IntervalLists) -> tuple[Codes, Codes, Floats]:
    """How many codes each list covers, which ones, list by list, and the share of each; one may come in parts."""
    charge(2 * len(lists.low))
    first = np.floor(lists.low).astype(np.int64)
    number = np.ceil(lists.high).astype(np.int64) - first
    interval, codes = spread_out(number, first)
    parts = np.minimum(lists.high[interval], codes + 1) - np.maximum(lists.low[interval], codes)
    return sums_by(lists.owner, number.astype(np.float64), len(lists)).astype(np.int64), codes, parts


def box_shares(lists: IntervalLists, size: int) -> Floats:
    """The share of each code that each list covers, (lists, size)."""
    number, codes, parts = _codes_of(lists)
    place = np.repeat(np.arange(len(lists)), number) * size + codes
    return sums_by(place, parts, len(lists) * size).reshape(len(lists), size)


def box_weights(lower: Floats, upper: Floats, shape: Sequence[int]) -> list[Floats]:
    """Of each axis, the share of each code that lies in one box."""
    ends = zip(lower.tolist(), upper.tolist(), shape, strict=True)
    return [box_shares(IntervalLists.of([[(low, high)]]), size)[0] for low, high, size in ends]


def unit_cells(shape: Sequence[int]) -> Blocks:
    """Every cell as a box, in row-major order."""
    lower: Codes = np.indices(tuple(shape)).reshape(len(shape), -1).T.astype(np.int64)
    return Blocks(lower, lower + 1)


def _corners(low: Floats, high: Floats, size: int) -> list[tuple[Codes, Floats]]:
    """Codes and signed factors whose running sums add up to what lies between two positions of an axis.

    The sum before a position p is that up to code floor(p) - 1, and the share p - floor(p) of the step to the next.
    """
    found = []
    for position, sign in ((high, 1.0), (low, -1.0)):
        code = np.floor(position).astype(np.int64)
        part = position - code
        found.append((np.maximum(code - 1, 0), np.where(code > 0, sign * (1 - part), 0.0)))
        if part.any():
            found.append((np.minimum(code, size - 1), sign * part))
    return [(code, factor) for code, factor in found if factor.any()] or [(found[0][0], np.zeros(len(low)))]
