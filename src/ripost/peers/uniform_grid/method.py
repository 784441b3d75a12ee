"""Uniform grid: one grid whose fineness follows from the number of rows and epsilon.

W. Qardaji, W. Yang and N. Li, Differentially Private Grids for Geospatial Data, 2013 (UG).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from ripost.arrays import Codes
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


@dataclass(frozen=True)
class UniformGrid(TreeMethod):
    """A noisy total determines the grid; its blocks get the rest of the budget."""

    name: ClassVar[str] = "uniform-grid"

    c: GridConstant = 10.0  # sqrt(N epsilon / c) pieces along each of two axes
    total: Share = 0.02  # share of epsilon for the total
    square: bool | None = None  # pieces of equal width along all axes; None: in up to two dimensions

    def measure(self, account: Account) -> MeasuredTree:
        builder = TreeBuilder(account)
        planning = account.epsilon * share(self.total, name="total")
        (rows,) = builder.measure("total", builder.root, planning) / account.bound
        widths = self.widths(account.shape, account.epsilon, rows)
        builder.measure("grid", builder.split_to_widths(builder.root, widths), account.epsilon - planning)
        return builder.finish()

    def widths(self, shape: Sequence[int], epsilon: Fraction, rows: float) -> Codes:
        """The width of blocks along each axis, (1, d)."""
        dimensions = true_dimensions(shape)
        number = pieces_per_axis(np.array([rows]), epsilon, self.c, dimensions) ** dimensions
        return widths_for(np.array([shape]), number, square=is_square(self.square, shape))
