"""Statistic: what a mechanism measures of blocks, with its sensitivity, its proof and the steps that compute it.

One row adds between 0 and `bound` counts to one cell (bound is 1 for COUNT). A statistic is computed for blocks that
share no cell, so its sensitivity holds for the whole vector of a level.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ripost.statistics.map_reduce import Steps

SUM, LENGTH, LARGEST, RUN = "sum", "length", "largest", "largest of runs"
"""What the sensitivity bounds, of the changes that one row makes in the values of all blocks: their sum, which Laplace
noise needs; their length (L2), enough for Gaussian noise; the largest alone (L infinity), enough for choices; or the
largest among runs along a curve, for choices of partitions.
"""
PROOFS = Path(__file__).parents[1] / "privacy" / "proofs"


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of blocks. `steps` takes the blocks, and the query parameters if the statistic needs any."""

    name: str
    steps: Callable[..., Steps]
    proof: Path  # must name this object: see is_proved
    per_count: int  # change per count that the row adds
    per_cell: int = 0  # change when a cell becomes empty or non-empty
    norm: str = SUM
    extra_tests: int | None = None  # of a threshold sequence, if it never grows when a block is split
    is_measurement: bool = False  # whether the variances that a view states are those of its noise
    in_memory_only: bool = False  # whether executors cannot compute it, because it is not a sum over cells

    def __post_init__(self) -> None:
        KNOWN.setdefault(self.name, self)

    def sensitivity(self, bound: int) -> int:
        """Return the most that one row can change it."""
        return self.per_count * bound + self.per_cell


KNOWN: dict[str, Statistic] = {}  # by name, those of every module that was imported


@cache
def is_proved(statistic: Statistic) -> bool:
    """Whether the proof that the statistic names is about this very object."""
    try:
        _, head, _ = statistic.proof.read_text("utf-8").split("---\n", 2)
    except (OSError, ValueError):
        return False
    code = (line.split()[0].partition(":") for line in head.splitlines() if line.startswith("  "))
    return any(getattr(sys.modules.get(module), name, None) is statistic for module, _, name in code)
