"""Questions: the public parameters of a statistic. They come from what was released, never from the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ripost.space.blocks import Codes


@dataclass(frozen=True, slots=True)
class Slabs:
    """A cut of one axis into stretches; asked of a block, the total of each stretch."""

    axis: int
    edges: Codes  # rising from 0 to the length of the axis

    def __len__(self) -> int:
        return len(self.edges) - 1


@dataclass(frozen=True, slots=True)
class Pairs:
    """One possible cut of each block along every axis, and where its content would lie if axes did not matter to
    each other; asked of a block, how far it is from that, for each axis.
    """

    cut: Codes  # (n, d)
    left: NDArray[np.float64]  # (n, d): share expected to the left of each cut
    edges: tuple[Codes, ...]  # of each axis, positions to look at
    below: tuple[NDArray[np.float64], ...]  # of each axis, (n, edges): share expected below each position
    partners: tuple[tuple[int, ...], ...]  # of each axis, those that it is held against


Question = Slabs | Pairs
