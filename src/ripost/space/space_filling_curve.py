"""Curves: public one-dimensional orders of all cells of a domain.

A curve gives every cell its own place, a whole number. Sides are extended to the next power of two, and places outside
the domain stay empty. Runs of 2^k places that begin at a multiple of 2^k are therefore boxes, cut off at the domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ripost.arrays import Codes
from ripost.errors import InputError

CellOrder = Literal["auto", "hilbert", "z", "row-major"]


def order_cells(shape: Sequence[int], order: CellOrder) -> Codes:
    """The place of every cell, cells in row-major order; `auto` is Hilbert's curve in two dimensions, else z."""
    wide = sum(size > 1 for size in shape)
    if order == "hilbert" and wide != 2:
        raise InputError(f"the order hilbert is for two dimensions, and this domain has {wide}; choose z or row-major")
    if order == "hilbert" or (order == "auto" and wide == 2):
        return _hilbert([size for size in shape if size > 1])
    return _row_major(shape) if order == "row-major" else _z(shape)


def _row_major(shape: Sequence[int]) -> Codes:
    place = np.zeros(1, np.int64)
    for size in shape:
        place = ((place[:, None] << _bits(size)) + np.arange(size)).ravel()
    return place


def _z(shape: Sequence[int]) -> Codes:
    """Interleave the bits of all codes, the highest first."""
    place = np.zeros(tuple(shape), np.int64)
    at = 0
    for bit in range(max(map(_bits, shape), default=0)):
        for axis in reversed([axis for axis, size in enumerate(shape) if bit < _bits(size)]):
            along = [1] * len(shape)
            along[axis] = shape[axis]
            place += (((np.arange(shape[axis]) >> bit) & 1) << at).reshape(along)
            at += 1
    return place.ravel()


def _hilbert(shape: Sequence[int]) -> Codes:
    """Hilbert 1891: each quarter of a square has the same curve, turned to begin where the last one ends."""
    x, y = (code.ravel() for code in np.indices(tuple(shape), np.int64))
    place = np.zeros(len(x), np.int64)
    for bit in reversed(range(max(map(_bits, shape)))):
        right, up = (x >> bit) & 1, (y >> bit) & 1
        place = 4 * place + (3 * right ^ up)
        x, y = x & (1 << bit) - 1, y & (1 << bit) - 1
        turned = (up == 0) & (right == 1)
        x, y = np.where(turned, (1 << bit) - 1 - x, x), np.where(turned, (1 << bit) - 1 - y, y)
        x, y = np.where(up == 0, y, x), np.where(up == 0, x, y)
    return place


def _bits(size: int) -> int:
    return (size - 1).bit_length()
