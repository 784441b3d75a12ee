"""Statistics that only readings of the paper use; their proofs are in the folder beside."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ripost.arrays import Ints
from ripost.space.blocks import Blocks
from ripost.statistics.cut_scores import Cutting, cells_and_counts_on_lines
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Steps
from ripost.statistics.statistic import LARGEST, Statistic

PROOFS = Path(__file__).parent / "proofs"


def occupied_cells(layout: Layout) -> Ints:
    """Return the number of non-empty cells of each block."""
    return np.bincount(layout.owner, minlength=len(layout.blocks))


def occupied_cells_steps(_: Blocks) -> Steps:
    return (yield occupied_cells)


def total_of_cut_steps(blocks: Blocks) -> Steps:
    """Compute the score Sum of every cut: minus the lesser of the totals of both halves."""
    cutting = Cutting.of(blocks)
    _, counts = np.split((yield cells_and_counts_on_lines), 2)
    left, right = cutting.halves(counts)
    scores: Ints = -np.minimum(left, right)
    return scores


OCCUPIED_CELLS = Statistic(
    "occupied cells", occupied_cells_steps, PROOFS / "occupied_cells.md", per_count=1, extra_tests=0
)
TOTAL_OF_CUT = Statistic("total of cut", total_of_cut_steps, PROOFS / "total_of_cut.md", per_count=1, norm=LARGEST)
