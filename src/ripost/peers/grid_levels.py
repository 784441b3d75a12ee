"""Grid levels: widths of blocks by public rules, and measurement level by level, for grids and trees of grids.

privacy/proofs/grids.md proves that these methods spend exactly epsilon on every path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated

import numpy as np
from pydantic import Field

from ripost.arrays import Codes, Floats
from ripost.methods.tree_builder import TreeBuilder

GridConstant = Annotated[float, Field(ge=0.001, le=1_000_000)]  # of the guideline for the number of pieces
MOST_BLOCKS = 2**22
ROUNDING = 1e-9  # above the rounding error of a whole width


def measure_levels(
    builder: TreeBuilder, budgets: Sequence[Fraction], narrow: Callable[[Codes], Codes], *, root: bool = True
) -> None:
    """Measure level after level, each block of the one above cut to the widths that its sizes get.

    A block that is a single cell spends the budget of all levels below at once.
    """
    branch = builder.root
    for level, epsilon in enumerate(budgets):
        if level or not root:
            branch = builder.split_to_widths(branch, narrow(branch.blocks.sizes))
        cells = branch.blocks.is_cell
        if cells.any():
            finished, branch = branch.select(cells)
            builder.measure(f"cells, level {level}", finished, sum(budgets[level:], Fraction(0)))
        if not len(branch):
            break
        builder.measure(f"level {level}", branch, epsilon)


def pieces_per_axis(rows: Floats, epsilon: Fraction, c: float, dimensions: int) -> Floats:
    """The guideline of Qardaji et al., sqrt(N epsilon / c) in two dimensions, for any number of them.

    A range over m^d pieces has noise that goes with m^(d/2) / epsilon, and the pieces that its faces cross hold N / m
    rows: the sum of both is least where m^(1 + d/2) goes with N epsilon.
    """
    return (np.maximum(rows, 0) * (float(epsilon) / c)) ** (2 / (dimensions + 2))


def true_dimensions(shape: Sequence[int]) -> int:
    """The number of axes that can be cut, at least 1."""
    return max(1, sum(size > 1 for size in shape))


def is_square(asked: bool | None, shape: Sequence[int]) -> bool:
    """Whether pieces have equal widths along all axes: as requested, or else in up to two dimensions, as on a map."""
    return true_dimensions(shape) <= 2 if asked is None else asked


def widths_for(sizes: Codes, number: Floats, *, square: bool) -> Codes:
    """Widths that cut blocks of these sizes, (n, d), into about a number of pieces each, (n,), not too many in all."""
    while True:
        widths = (square_widths if square else even_widths)(sizes, number)
        if (-(-sizes // widths)).prod(axis=1, dtype=np.float64).sum() <= MOST_BLOCKS:
            return widths
        number = number / 2


def square_widths(sizes: Codes, number: Floats) -> Codes:
    """Widths of cubes of which about a number, (n,), fill blocks of these sizes, (n, d).

    An axis shorter than the cubes stays whole.
    """
    logs, target = np.log(sizes), np.log(np.maximum(number, 1))
    free = sizes > 1
    while True:
        side = ((logs * free).sum(axis=1) - target) / np.maximum(free.sum(axis=1), 1)
        short = free & (logs < side[:, None])
        if not short.any():
            return np.where(free, _rounded_down(np.exp(side))[:, None], sizes)
        free &= ~short


def even_widths(sizes: Codes, number: Floats) -> Codes:
    """Widths that cut blocks of these sizes, (n, d), into about `number` pieces, (n,), equally many along each axis.

    Short axes come first: longer ones make up for rounding and for axes that run out of codes.
    """
    widths = np.ones_like(sizes)
    left, rows = np.maximum(number, 1).astype(np.float64), np.arange(len(sizes))
    order = sizes.argsort(axis=1, kind="stable")
    for place in range(sizes.shape[1]):
        axis = order[:, place]
        size = sizes[rows, axis]
        width = _rounded_down(size / left ** (1 / (sizes.shape[1] - place)))
        widths[rows, axis] = width
        left = np.maximum(left / -(-size // width), 1)
    return widths


def _rounded_down(width: Floats) -> Codes:
    """Widths rounded down, so that there are more pieces rather than fewer."""
    whole: Codes = np.maximum(np.floor(width * (1 + ROUNDING)), 1).astype(np.int64)
    return whole
