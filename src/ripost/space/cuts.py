"""Cuts: every way to cut each block in two, numbered axis by axis and position by position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.arrays import Codes
from ripost.space.blocks import Blocks


@dataclass(frozen=True, slots=True)
class Cuts:
    """The candidate cuts of n blocks as one flat list; block i owns start[i] to start[i + 1]."""

    blocks: Blocks
    offset: Codes  # (n, d): number of a block's first cut along each axis, within the block
    start: Codes  # (n + 1,)

    @classmethod
    def of(cls, blocks: Blocks) -> Cuts:
        ways = blocks.sizes - 1
        ends = np.cumsum(ways, axis=1)
        return cls(blocks, ends - ways, np.concatenate([[0], np.cumsum(ends[:, -1])]))

    def __len__(self) -> int:
        return int(self.start[-1])

    def locate(self, choice: Codes) -> tuple[Codes, Codes]:
        """Axis and position of one chosen cut per block; `choice` counts within the block."""
        axis = (self.offset <= choice[:, None]).sum(axis=1) - 1
        # An axis of length one has no cut and shares its offset with the next; the last of equals has the cuts.
        rows = np.arange(len(axis))
        return axis, self.blocks.lower[rows, axis] + 1 + choice - self.offset[rows, axis]
