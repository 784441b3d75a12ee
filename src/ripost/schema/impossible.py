"""Impossible cells: the cells where a condition of the schema holds that holds in no row.

They are public, and 0 in every answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ripost.space.region import Region

if TYPE_CHECKING:
    from ripost.space.blocks import Blocks

Box = tuple[tuple[int, int], ...]  # of each attribute the first code and the one after the last


@dataclass(frozen=True)
class ImpossibleCells:
    """Cells that no row can lie in."""

    conditions: tuple[str, ...]
    boxes: tuple[Box, ...]  # disjoint

    @property
    def blocks(self) -> Blocks:
        import numpy as np  # reading a schema starts without it

        from ripost.space.blocks import Blocks

        ends = np.array(self.boxes, np.int64)
        return Blocks(ends[:, :, 0].copy(), ends[:, :, 1].copy())

    def region(self, shape: Sequence[int]) -> Region:
        """The same cells as a region."""
        return tuple(
            {
                axis: [(float(low), float(high))]
                for axis, (low, high) in enumerate(box)
                if (low, high) != (0, shape[axis])
            }
            for box in self.boxes
        )
