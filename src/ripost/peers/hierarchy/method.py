"""Hierarchy: a tree of few levels with many children per node, as many as minimize the error.

W. Qardaji, W. Yang and N. Li, Understanding Hierarchical Methods for Differentially Private Histograms, 2013 (Hb).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import PublicInputs, check_cells
from ripost.methods.tree_builder import TreeBuilder
from ripost.methods.tree_method import TreeMethod
from ripost.peers.grid_levels import MOST_BLOCKS, measure_levels
from ripost.privacy.account import Account


@dataclass(frozen=True)
class Hierarchy(TreeMethod):
    """Nested grids down to cells; each level has the same share of the budget."""

    name: ClassVar[str] = "hierarchy"

    levels: Annotated[int, Field(ge=0, le=64)] = 0  # below the root, which is not measured; 0 chooses the best number

    def check(self, inputs: PublicInputs) -> None:
        check_cells(self.name, inputs.shape, MOST_BLOCKS)

    def measure(self, account: Account) -> MeasuredTree:
        most = most_levels(account.shape)
        levels = min(self.levels or best_levels(account.shape), most)
        children = np.array([branching(size, levels) for size in account.shape])
        builder = TreeBuilder(account)
        budgets = [account.epsilon / levels] * levels
        measure_levels(builder, budgets, lambda sizes: -(-sizes // children), root=False)
        return builder.finish()


def most_levels(shape: Sequence[int]) -> int:
    """Levels of a tree that halves; 1 for a single cell."""
    return max(1, *(math.ceil(math.log2(size)) for size in shape))


def branching(size: int, levels: int) -> int:
    """The least number of children along an axis with which this many levels reach single codes."""
    least = max(1, round(size ** (1 / levels)) - 1)
    return next(children for children in range(least, size + 1) if int(children**levels) >= size)


def best_levels(shape: Sequence[int]) -> int:
    """The number of levels with the least error of a random range."""
    return min(range(1, most_levels(shape) + 1), key=lambda levels: average_error(shape, levels))


def average_error(shape: Sequence[int], levels: int) -> float:
    """The variance of a random range over a tree before the fit, up to factors that do not depend on the levels.

    One axis: equation 3 of the paper. More: a face of the range lies in a row of blocks of each level above the last
    and takes on average half of their b children across, all of them along; that is b (n - 1) levels^2, as in section
    5.1, for two axes of b^levels = n codes.
    """
    sizes = [size for size in shape if size > 1]
    children = [branching(size, levels) for size in sizes]
    if len(sizes) == 1:
        (b,) = children
        return levels**2 * ((b - 1) * levels - 2 * (b + 1) / 3)
    nodes = 0
    for level in range(1, levels + 1):
        across = [min(size, b**level) for size, b in zip(sizes, children, strict=True)]
        nodes += sum((b - 1) * math.prod(across) // along for b, along in zip(children, across, strict=True))
    return float(levels**2 * nodes)
