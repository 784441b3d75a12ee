"""Quadtree: halve every block along all axes, level after level, with a budget that grows with depth.

G. Cormode, C. Procopiuc, D. Srivastava, E. Shen and T. Yu, Differentially Private Spatial Decompositions, 2012.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field

from ripost.errors import InputError
from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import PublicInputs
from ripost.methods.tree_builder import TreeBuilder
from ripost.methods.tree_method import TreeMethod
from ripost.peers.grid_levels import MOST_BLOCKS, measure_levels, true_dimensions
from ripost.privacy.account import Account
from ripost.schema.domain import format_count

ROUNDING = 1000  # budgets of depths are in ratios of whole numbers: this many for the root


@dataclass(frozen=True)
class Quadtree(TreeMethod):
    """A tree with 2^d children per node, down to cells; all levels are measured and fitted together."""

    name: ClassVar[str] = "quadtree"

    height: Annotated[int, Field(ge=0, le=64)] = 0  # levels below the root; 0 goes down to cells

    def check(self, inputs: PublicInputs) -> None:
        blocks = math.prod(min(size, 2 ** self._levels(inputs.shape)) for size in inputs.shape)
        if blocks > MOST_BLOCKS:
            raise InputError(
                f"quadtree needs a value for each of {format_count(blocks)} blocks and stops at {MOST_BLOCKS:,}; "
                "give a height or choose another method"
            )

    def measure(self, account: Account) -> MeasuredTree:
        builder = TreeBuilder(account)
        levels = budgets(account.epsilon, self._levels(account.shape), true_dimensions(account.shape))
        measure_levels(builder, levels, lambda sizes: -(-sizes // 2))
        return builder.finish()

    def _levels(self, shape: Sequence[int]) -> int:
        """Levels below the root: as many as reach cells, or fewer."""
        full = max(math.ceil(math.log2(size)) for size in shape)
        return min(self.height or full, full)


def budgets(epsilon: Fraction, height: int, dimensions: int) -> list[Fraction]:
    """Epsilon of each level, the root first.

    The faces of a box meet 2^(d - 1) times as many nodes at each level as at the one above. With n_i nodes at level i,
    the sum of n_i / epsilon_i^2 is least where epsilon_i is proportional to the cube root of n_i.
    """
    weights = [round(ROUNDING * 2 ** ((dimensions - 1) * depth / 3)) for depth in range(height + 1)]
    return [epsilon * Fraction(weight, sum(weights)) for weight in weights]
