"""Rounds: a statistic as sums over cells, and what is made of the sums.

A statistic asks, round by round, for whole numbers each of which is a sum over cells. So the cells may lie in parts, on
other machines even: each part is summed where it lies, the sums are added up, and what follows from them is worked out
once. Whole numbers add up to the same in any order, so the statistic is the same however the cells lie.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ripost.arrays import Ints

if TYPE_CHECKING:
    from ripost.data.statistics import Layout

Sums = Callable[["Layout"], Ints]  # as many numbers for any cells of the same blocks
Rounds = Generator[Sums, Ints, Ints]

MOST = 2**22  # sums asked for at a time, where they are asked for one table after the other


def run_steps(rounds: Rounds, sum_up: Callable[[Sums], Ints]) -> Ints:
    """The statistic, with `sum_up` to work out what each round asks for."""
    try:
        asked = next(rounds)
        while True:
            asked = rounds.send(sum_up(asked))
    except StopIteration as end:
        found: Ints = end.value
        return found


def run_steps_on(rounds: Rounds, layout: Layout) -> Ints:
    """The statistic of cells that lie in one place."""
    return run_steps(rounds, lambda sums: sums(layout))


def stretches(sizes: Sequence[int], most: int = MOST) -> Iterator[tuple[int, int]]:
    """Stretches of tables, first to last, that have about `most` entries together or are one table."""
    first, held = 0, 0
    for last, size in enumerate(sizes):
        if held and held + size > most:
            yield first, last
            first, held = last, 0
        held += size
    if len(sizes):
        yield first, len(sizes)


def tables(sums: Ints, sizes: Sequence[int]) -> list[Ints]:
    """Tables of these sizes that were laid end to end."""
    return np.split(sums, np.cumsum(sizes)[:-1])
