"""Adaptive grid: a coarse grid, and a second grid in each block, as fine as the noisy total of the block allows.

W. Qardaji, W. Yang and N. Li, Differentially Private Grids for Geospatial Data, 2013 (AG).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ripost.arrays import Codes, Floats
from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.parameters import Share
from ripost.methods.tree_builder import TreeBuilder
from ripost.methods.tree_method import TreeMethod
from ripost.peers.grid_levels import (
    GridConstant,
    is_square,
    pieces_per_axis,
    true_dimensions,
    widths_for,
)
from ripost.privacy.account import Account
from ripost.privacy.budget import share

LEAST = 100  # blocks of the first level
COARSER = 4  # times fewer pieces along each axis at the first level than in a uniform grid


@dataclass(frozen=True)
class AdaptiveGrid(TreeMethod):
    """Two levels, fitted together by least squares."""

    name: ClassVar[str] = "adaptive-grid"

    c: GridConstant = 10.0  # as for uniform-grid; half as large at the second level
    alpha: Share = 0.5  # share of the first level in the budget that the total leaves
    total: Share = 0.02  # share of epsilon for the total
    square: bool | None = None  # pieces of equal width along all axes; None: in up to two dimensions

    def measure(self, account: Account) -> MeasuredTree:
        builder = TreeBuilder(account)
        planning = account.epsilon * share(self.total, name="total")
        (rows,) = builder.measure("total", builder.root, planning) / account.bound
        branch = builder.split_to_widths(builder.root, self.first(account.shape, account.epsilon, rows))
        rest = account.epsilon - planning
        cells, branch = branch.select(branch.blocks.is_cell)
        if len(cells):  # these cannot be split
            builder.measure("cells of the first level", cells, rest)
        if len(branch):
            part = rest * share(self.alpha, name="alpha")
            noisy = builder.measure("first level", branch, part) / account.bound
            widths = self.second(branch.blocks.sizes, rest - part, noisy)
            builder.measure("second level", builder.split_to_widths(branch, widths), rest - part)
        return builder.finish()

    def first(self, shape: Sequence[int], epsilon: Fraction, rows: float) -> Codes:
        """The width of the blocks of the first level along each axis, (1, d)."""
        dimensions = true_dimensions(shape)
        along = pieces_per_axis(np.array([rows]), epsilon, self.c, dimensions) / COARSER
        number = np.maximum(LEAST, (np.floor(along) if dimensions <= 2 else along) ** dimensions)
        return widths_for(np.array([shape]), number, square=is_square(self.square, shape))

    def second(self, sizes: Codes, epsilon: Fraction, rows: Floats) -> Codes:
        """The width of the pieces of blocks with these numbers of rows, (n, d)."""
        widest = sizes.max(axis=0).tolist()
        dimensions = true_dimensions(widest)
        along = pieces_per_axis(rows, epsilon, self.c / 2, dimensions)
        number = (np.ceil(along) if dimensions <= 2 else along) ** dimensions
        return widths_for(sizes, number, square=is_square(self.square, widest))
