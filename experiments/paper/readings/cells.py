"""PrivTree as an earlier public program of the paper's authors runs it: its tests count non-empty cells, not rows.

https://github.com/AlaEddineLaouir/SLIM-View, src/algorithms/privtree.py at commit 254fc1fb5c18: the test calls
get_count_of_non_empty_cells where HDPView's program, from which the file comes, calls run_query. Leaves hold the sums
of counts in both. It keeps epsilon (proofs/occupied_cells.md), but it is not PrivTree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from experiments.paper.readings.statistics import OCCUPIED_CELLS
from ripost.peers.privtree.method import PrivTree
from ripost.statistics.statistic import Statistic


@dataclass(frozen=True)
class CellPrivTree(PrivTree):
    """PrivTree that cuts a block while the noisy number of its non-empty cells is above the threshold."""

    name: ClassVar[str] = "privtree (cells)"
    tested: ClassVar[Statistic] = OCCUPIED_CELLS
