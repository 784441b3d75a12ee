"""Adaptive grid: a coarse grid, and in each of its blocks another, as fine as the noisy total of the block suggests.

W. Qardaji, W. Yang and N. Li, Differentially Private Grids for Geospatial Data, 2013 (AG).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ripost.methods.grid import (
    Branch,
    Grid,
    check_constant,
    check_square,
    parted,
    pieces_per_axis,
    true_dimensions,
    widths_for,
)
from ripost.methods.method import Decomposition, Floats, Method
from ripost.privacy.account import Account
from ripost.privacy.budget import share

LEAST = 100  # blocks of the first level
COARSER = 4  # times fewer pieces along each axis at the first level than in a uniform grid


@dataclass(frozen=True)
class AdaptiveGrid(Method):
    """Two levels, fitted together by least squares."""

    name: ClassVar[str] = "adaptive-grid"

    c: float = 10.0  # as for uniform-grid; half of it at the second level
    alpha: float = 0.5  # share of the first level, of what the total leaves
    total: float = 0.02  # share of epsilon for the total
    square: bool | None = None  # pieces as wide along every axis; None: in up to two dimensions

    def __post_init__(self) -> None:
        share(self.alpha, name="alpha")
        share(self.total, name="total")
        check_constant(self.c)
        check_square(self.square)

    def run(self, account: Account) -> Decomposition:
        grid, dimensions = Grid(account), true_dimensions(account.shape)
        square = dimensions <= 2 if self.square is None else self.square
        planning = account.epsilon * share(self.total, name="total")
        records = grid.measure("total", grid.whole, planning) / account.bound
        along = pieces_per_axis(records, account.epsilon, self.c, dimensions) / COARSER
        widths = widths_for(np.array([account.shape]), np.maximum(LEAST, along**dimensions), square=square)
        self._levels(grid, grid.cut(grid.whole, widths), account.epsilon - planning, square=square)
        return grid.decomposition()

    def _levels(self, grid: Grid, branch: Branch, epsilon: Fraction, *, square: bool) -> None:
        """Measure the blocks of the first level, cut them, and measure what came of it."""
        cells, branch = parted(branch, branch[0].blocks.is_cell)
        if len(cells[0]):  # nothing to adapt
            grid.measure("cells of the first level", cells, epsilon)
        if not len(branch[0]):
            return
        part = epsilon * share(self.alpha, name="alpha")
        noisy = grid.measure("first level", branch, part) / grid.account.bound
        number = self._pieces(noisy, epsilon - part, true_dimensions(grid.account.shape))
        widths = widths_for(branch[0].blocks.sizes, number, square=square)
        grid.measure("second level", grid.cut(branch, widths), epsilon - part)

    def _pieces(self, records: Floats, epsilon: Fraction, dimensions: int) -> Floats:
        along = pieces_per_axis(records, epsilon, self.c / 2, dimensions)
        return np.asarray(np.ceil(along) if dimensions <= 2 else along, np.float64) ** dimensions
