"""Map/reduce steps: a statistic as sums over cells, and what is computed from the sums.

Each step maps cells to whole numbers that add up over any split of the cells, on other machines too. The reduced sums
decide the next step. Whole numbers add up to the same in any order, so the statistic does not depend on where the
cells are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

import numpy as np

from ripost.arrays import Ints
from ripost.statistics.layout import Layout

Sums = Callable[[Layout], Ints]  # returns as many numbers for any cells of the same blocks
Steps = Generator[Sums, Ints, Ints]

MOST = 2**22  # sums per step, where a statistic needs many tables


def run_steps(steps: Steps, sum_up: Callable[[Sums], Ints]) -> Ints:
    """Return the statistic, with `sum_up` to map and reduce each step."""
    try:
        sums = next(steps)
        while True:
            sums = steps.send(sum_up(sums))
    except StopIteration as end:
        found: Ints = end.value
        return found


def group_tables(sizes: Sequence[int], most: int = MOST) -> Iterator[tuple[int, int]]:
    """Yield ranges of tables, first to last, that have at most `most` entries together or are one table."""
    first, held = 0, 0
    for last, size in enumerate(sizes):
        if held and held + size > most:
            yield first, last
            first, held = last, 0
        held += size
    if len(sizes):
        yield first, len(sizes)


def split_tables(sums: Ints, sizes: Sequence[int]) -> list[Ints]:
    """Split concatenated tables of these sizes."""
    return np.split(sums, np.cumsum(sizes)[:-1])
