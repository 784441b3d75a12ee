"""Cells: what contents share that hold a value for every cell of a domain, in row-major order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from ripost.estimate.least_squares import Floats
from ripost.space.blocks import Blocks, Codes
from ripost.space.region import Intervals
from ripost.space.work import charge
from ripost.view.asked import Asked
from ripost.view.content.content import Content, ValuedBlocks
from ripost.view.meetings import MOST_PAIRS, TooManyPairs
from ripost.view.overlaps import Stretches, spread_out

MOST_CELLS = 2**22  # of a domain that has a value for each


@dataclass(frozen=True)
class Covered:
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

    def _covered(self, asked: Asked, axes: Sequence[int]) -> Covered:
        """The cells that each box covers, numbered row-major along some axes, among them all that a box bounds."""
        box, cell, weight = np.arange(len(asked.owner)), np.zeros(len(asked.owner), np.int64), np.ones(len(asked.owner))
        for axis in axes:
            size = self.shape[axis]
            if axis in asked.axes:
                i = asked.axes.index(axis)
                found = Stretches.codes(np.arange(size)).meet(asked.lists[i], np.unique(asked.which[:, i]))
                order = np.argsort(found.list, kind="stable")
                codes, parts = np.repeat(np.arange(size), found.number)[order], found.part[order]
                number = np.bincount(found.list, minlength=len(asked.lists[i]))
                which = asked.which[box, i]
            else:
                number, codes, parts = np.array([size]), np.arange(size), np.ones(size)
                which = np.zeros(len(box), np.int64)
            if int(number[which].sum()) > MOST_PAIRS and asked.count > 1:
                raise TooManyPairs
            charge(int(number[which].sum()) / 4)
            pair, entry = spread_out(number[which], (np.cumsum(number) - number)[which])
            box, cell, weight = box[pair], cell[pair] * size + codes[entry], weight[pair] * parts[entry]
        charge(len(box))
        return Covered(asked.owner[box], cell, weight)


def box_shares(lists: Sequence[Intervals], size: int) -> Floats:
    """The share of each code that each list covers, (lists, size)."""
    return np.stack([covered_codes(intervals, size) for intervals in lists])


def box_weights(lower: Floats, upper: Floats, shape: Sequence[int]) -> list[Floats]:
    """Of each axis, the share of each code that lies in one box."""
    return [covered_codes([(low, high)], size) for low, high, size in zip(lower, upper, shape, strict=True)]


def covered_codes(intervals: Intervals, size: int) -> Floats:
    """The share of each code of an axis that disjoint intervals cover."""
    share = np.zeros(size)
    for low, high in intervals:
        share += np.clip(np.minimum(np.arange(size) + 1, high) - np.maximum(np.arange(size), low), 0, 1)
    return share


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
