"""Layout: the non-empty cells of some blocks, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Ints
from ripost.space.blocks import Blocks
from ripost.statistics.exact_sums import Counts, addable, sums_at


@dataclass(frozen=True)
class Layout:
    """The non-empty cells of some blocks, in any order."""

    blocks: Blocks
    coords: NDArray[np.int32]  # (d, cells)
    counts: Ints  # (cells,)
    owner: Ints  # (cells,): block of each cell
    _along: dict[int, Ints] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def weights(self) -> Counts:
        """The counts, ready to be added up."""
        return addable(self.counts)

    @cached_property
    def totals(self) -> Ints:
        """Sum of counts of each block."""
        return sums_at(self.owner, self.counts, len(self.blocks))

    def along(self, axis: int) -> Ints:
        """Sums of counts of each block by code of one axis, (blocks, codes)."""
        if axis not in self._along:
            codes = int(self.blocks.upper[:, axis].max(initial=1))
            slot = self.coords[axis] if len(self.blocks) == 1 else self.owner * codes + self.coords[axis]
            self._along[axis] = sums_at(slot, self.counts, len(self.blocks) * codes).reshape(-1, codes)
        return self._along[axis]
