"""A statistic is the same however the cells lie: sums over parts add up to it."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.arrays import Ints
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Sums, group_tables, run_steps, split_tables
from tests.statistics_by_name import STATISTICS

from . import plain


@pytest.mark.parametrize("name", [name for name, statistic in STATISTICS.items() if not statistic.in_memory_only])
@pytest.mark.parametrize("largest", [1, 9, 10**15])
def test_sums_over_parts_give_the_same(name: str, largest: int) -> None:
    rng = np.random.default_rng([largest % 1000, len(name)])
    tensor = plain.random_tensor(rng, (5, 7, 4), 0.6)
    tensor = type(tensor)(tensor.domain, tensor.coords, rng.integers(1, largest + 1, len(tensor.counts)))
    for cells, blocks in plain.grow_partitions(tensor, rng, levels=4):
        layout = cells.layout
        place = rng.integers(0, 3, len(layout.counts))

        def sum_up(sums: Sums, layout: Layout = layout, place: Ints = place) -> Ints:
            return np.sum([sums(_part(layout, place == number)) for number in range(4)], axis=0)  # the last is empty

        asked = plain.question(name, blocks, rng)
        rounds = STATISTICS[name].steps(blocks) if asked is None else STATISTICS[name].steps(blocks, asked)
        assert run_steps(rounds, sum_up).tolist() == cells.compute(STATISTICS[name], 0, len(blocks), asked).tolist()


def _part(layout: Layout, mask: np.ndarray) -> Layout:
    return Layout(layout.blocks, layout.coords[:, mask], layout.counts[mask], layout.owner[mask])


@pytest.mark.parametrize("sizes", [[], [3], [3, 3, 3], [9, 1, 1], [1, 9, 1], [4, 4, 0, 0, 5, 20]])
def test_tables_are_asked_for_a_few_at_a_time(sizes: list[int]) -> None:
    runs = list(group_tables(sizes, 8))
    assert [number for first, last in runs for number in range(first, last)] == list(range(len(sizes)))
    assert all(sum(sizes[first:last]) <= 8 or last - first == 1 for first, last in runs)
    for first, last in runs:
        held = [np.full(size, number) for number, size in enumerate(sizes[first:last])]
        assert [len(table) for table in split_tables(np.concatenate(held), sizes[first:last])] == sizes[first:last]
