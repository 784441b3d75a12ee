"""Grids: blocks cut to a public width, and the tree of noisy totals that comes of it. Not a method itself.

privacy/proofs/grids.md says why the methods made of it spend epsilon on every path and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ripost.arrays import Codes, Floats, Ints
from ripost.errors import InputError
from ripost.estimate.least_squares import least_squares
from ripost.methods.branch import Branch, Measured, joined, parted, weighed
from ripost.methods.method import Decomposition
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.sensitivity import TOTAL
from ripost.space.tree import Growth

MOST_BLOCKS = 2**22
ROUNDING = 1e-9  # more than floats lose of a width that is a whole number


class Grid:
    """A tree that grows by cuts which look at no raw count, and the noisy totals of its blocks."""

    def __init__(self, account: Account) -> None:
        self.account = account
        self.whole: Branch = (account.root, np.array([0]))
        self._growth = Growth(account.shape)
        self._kept: list[Measured] = []

    def cut(self, branch: Branch, widths: Codes) -> Branch:
        """The blocks cut along every axis into pieces of a width, (n, d) or (d,), the last of each row narrower.

        The cuts are binary: each round halves the pieces of every block that still has some, along the axis with the
        most.
        """
        blocks, nodes = branch
        done: list[Branch] = []
        widths = np.broadcast_to(widths, blocks.blocks.lower.shape)
        while len(blocks):
            pieces = -(-blocks.blocks.sizes // widths)
            axis = pieces.argmax(axis=1)
            rows = np.arange(len(blocks))
            number = pieces[rows, axis]
            more = number > 1
            if not more.all():
                (finished, blocks), (whole, nodes) = blocks.select(~more), (nodes[~more], nodes[more])
                done.append((finished, whole))
                axis, number, widths, rows = axis[more], number[more], widths[more], rows[: len(blocks)]
                if not len(blocks):
                    break
            cut = blocks.blocks.lower[rows, axis] + number // 2 * widths[rows, axis]
            blocks, nodes = blocks.split(axis, cut), self._growth.split(nodes, axis, cut)
            widths = np.repeat(widths, 2, axis=0)
        return joined([*done, (blocks, nodes)] if len(blocks) else done)

    def measure(self, purpose: str, branch: Branch, epsilon: Fraction) -> Ints:
        """The noisy totals of the blocks, which the tree keeps."""
        blocks, nodes = branch
        mechanism = Laplace(TOTAL, epsilon)
        noisy = self.account.charge_query(purpose, mechanism, blocks).measure()
        self._kept.append((nodes, noisy, mechanism.variance(self.account.bound)))
        return noisy

    def decomposition(self) -> Decomposition:
        """The tree with the values that fit all measurements best."""
        tree = self._growth.tree()
        values, variances = weighed(tree, self._kept)
        if np.isfinite(variances[~tree.is_leaf]).any():
            values = least_squares(tree, values, variances)
        return Decomposition(tree, values[tree.leaves], variances)


def measure_levels(
    grid: Grid, budgets: Sequence[Fraction], narrower: Callable[[Codes], Codes], *, root: bool = True
) -> None:
    """Measure level after level, each block of the one above cut to the widths that its sizes get.

    Where a block is a single cell it spends at once what is left for the levels below.
    """
    branch = grid.whole
    for level, epsilon in enumerate(budgets):
        if level or not root:
            branch = grid.cut(branch, narrower(branch[0].blocks.sizes))
        cells = branch[0].blocks.is_cell
        if cells.any():
            finished, branch = parted(branch, cells)
            grid.measure(f"cells, level {level}", finished, sum(budgets[level:], Fraction(0)))
        if not len(branch[0]):
            break
        grid.measure(f"level {level}", branch, epsilon)


def pieces_per_axis(records: Floats, epsilon: Fraction, c: float, dimensions: int) -> Floats:
    """The guideline of Qardaji et al., sqrt(N epsilon / c) in two dimensions, for any number of them.

    A range over m^d pieces has noise that goes with m^(d/2) / epsilon, and the pieces that its faces cross hold N / m
    records: the sum of both is least where m^(1 + d/2) goes with N epsilon.
    """
    return (np.maximum(records, 0) * (float(epsilon) / c)) ** (2 / (dimensions + 2))


def true_dimensions(shape: Sequence[int]) -> int:
    """Axes that can be cut, at least 1."""
    return max(1, sum(size > 1 for size in shape))


def is_square(asked: bool | None, shape: Sequence[int]) -> bool:
    """Whether pieces are as wide along every axis: what was asked for, or in up to two dimensions, as on a map."""
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
    """Widths that cut blocks of these sizes, (n, d), into about a number, (n,), of pieces, alike many along each axis.

    Short axes come first: what rounding and the end of their codes change is made up for along the others.
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
    """Whole widths, so that there are rather more pieces than fewer."""
    whole: Codes = np.maximum(np.floor(width * (1 + ROUNDING)), 1).astype(np.int64)
    return whole


def check_constant(c: float) -> None:
    """InputError unless a constant of the guideline is a sensible number."""
    if isinstance(c, bool) or not isinstance(c, int | float) or not 0.001 <= c <= 1_000_000:
        raise InputError(f"c must be a number from 0.001 to 1,000,000, got {c!r}")


def check_square(square: bool | None) -> None:
    if square is not None and not isinstance(square, bool):
        raise InputError(f"square must be true or false, got {square!r}")
