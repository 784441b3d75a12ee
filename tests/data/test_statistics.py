"""Fast statistics of blocks equal their slow twins, from one cell to 10^60 of them."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.space.blocks import Blocks
from ripost.statistics.cut_scores import above
from ripost.statistics.exact_sums import capped_volumes, sums_at
from tests.statistics_by_name import STATISTICS

from . import plain

BLOCKWISE = ["total", "deviation"]


def compare(tensor: Tensor, cells: MemoryBlockData, blocks: Blocks, names: list[str]) -> None:
    for name in names:
        question = plain.question(name, blocks, np.random.default_rng(len(blocks)))
        expected = [
            value
            for row, box in enumerate(plain.boxes(blocks))
            for value in plain.statistic(name, tensor, box, question, row)
        ]
        assert cells.compute(STATISTICS[name], 0, len(blocks), question).tolist() == expected, name


@pytest.mark.parametrize("rate", [0.05, 0.6, 3, 40])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 4])
def test_statistics_of_grown_blocks(dimensions: int, rate: float) -> None:
    rng = np.random.default_rng([dimensions, int(100 * rate)])
    longest = {1: 40, 2: 9, 3: 5, 4: 4}[dimensions]
    for _ in range(6):
        shape = tuple(rng.integers(1, longest + 1, dimensions).tolist())
        tensor = plain.random_tensor(rng, shape, rate)
        for cells, blocks in plain.grow_partitions(tensor, rng, levels=4):
            compare(tensor, cells, blocks, list(STATISTICS))


def test_statistics_of_very_unequal_counts() -> None:
    """Sums of money: most cells differ, and a few hold nearly all."""
    rng = np.random.default_rng(5)
    for shape in [(30,), (6, 7), (3, 4, 3)]:
        counts = np.round(np.exp(rng.normal(8, 6, shape))).astype(np.int64)
        where = np.argwhere(counts > 0)
        tensor = Tensor.from_arrays(shape, where, counts[tuple(where.T)])
        for cells, blocks in plain.grow_partitions(tensor, rng, levels=3):
            compare(tensor, cells, blocks, list(STATISTICS))


def test_some_blocks_of_a_partition() -> None:
    rng = np.random.default_rng(6)
    tensor = plain.random_tensor(rng, (7, 6), 1.0)
    for cells, blocks in plain.grow_partitions(tensor, rng, levels=3):
        for name in STATISTICS:
            asked = plain.question(name, blocks, np.random.default_rng(len(blocks)))
            alone = [cells.compute(STATISTICS[name], i, i + 1, plain.rows(asked, i, i + 1)) for i in range(len(blocks))]
            for first in (0, len(blocks) // 2):
                together = cells.compute(STATISTICS[name], first, len(blocks), plain.rows(asked, first, len(blocks)))
                assert together.tolist() == np.concatenate(alone[first:]).tolist()
                assert cells.compute(STATISTICS[name], first, first, plain.rows(asked, first, first)).tolist() == []


@pytest.mark.parametrize("largest", [1, 50, 10**9, 10**17])
@pytest.mark.parametrize(
    "shape", [(100,) * 30, (1150,) * 6, (1250,) * 6, (1300,) * 6, (2**12, 2**10, 2**8) * 2], ids=str
)
def test_huge_domains(shape: tuple[int, ...], largest: int) -> None:
    """Volumes below, at and far beyond what 64 bits hold; products of counts that need exact integers."""
    rng = np.random.default_rng([len(shape), shape[0], largest % 1000])
    where = np.stack([rng.integers(0, size, 12) for size in shape], axis=1)
    tensor = Tensor.from_arrays(shape, where, rng.integers(max(1, largest // 2), largest + 1, 12))
    for cells, blocks in plain.grow_partitions(tensor, rng, levels=5):
        compare(tensor, cells, blocks, BLOCKWISE)
    for corner in (where[0], where[0] - where[0] % 7):  # thin blocks, with room along the last axis
        upper = np.minimum(corner + rng.integers(1, 4, len(shape)), shape)
        lower, upper[-1] = np.append(corner[:-1], 0), shape[-1]
        compare(tensor, *carve_block(tensor, lower, upper), list(STATISTICS))


@pytest.mark.parametrize("largest", [1, 10**9, 10**15, 10**17])
def test_cuts_of_huge_domains(largest: int) -> None:
    """The whole domain, every cut: 3, 20 and 62 axes of few codes."""
    rng = np.random.default_rng(9)
    for shape in [(5, 4, 6), (8,) * 20, (9,) * 21, (4, 2) * 31, (1, *(2,) * 61), (1, *(2,) * 63)]:
        where = np.stack([rng.integers(0, size, 9) for size in shape], axis=1)
        tensor = Tensor.from_arrays(shape, where, rng.integers(max(1, largest // 3), largest + 1, 9))
        compare(tensor, MemoryBlockData.of(tensor), Blocks.whole(shape), list(STATISTICS))


@pytest.mark.parametrize("shape", [(2**31 - 3,), (2**31 - 3, 2**31 - 3), (1, 2**31 - 3, 2**31 - 3, 2**31 - 3)], ids=str)
def test_longest_axes(shape: tuple[int, ...]) -> None:
    where = np.array([[0] * len(shape), [size - 1 for size in shape], [size // 2 for size in shape]])
    for counts in ([1, 2, 3], [2**40, 2**50, 7], [2**59, 2**58, 2**57]):
        tensor = Tensor.from_arrays(shape, where, counts)
        compare(tensor, MemoryBlockData.of(tensor), Blocks.whole(shape), BLOCKWISE)
        axis = int(np.argmax(shape))
        cells = MemoryBlockData.of(tensor).split(np.array([axis]), np.array([shape[axis] // 2]))
        blocks = Blocks.whole(shape).split(np.array([axis]), np.array([shape[axis] // 2]))
        compare(tensor, cells, blocks, BLOCKWISE)


def carve_block(tensor: Tensor, lower: np.ndarray, upper: np.ndarray) -> tuple[MemoryBlockData, Blocks]:
    """The one block with this box, cut out of the whole."""
    cells, blocks = MemoryBlockData.of(tensor), Blocks.whole(tensor.domain.shape)
    for axis in range(len(lower)):
        for cut, keep_right in ((lower[axis], True), (upper[axis], False)):
            if not blocks.lower[0, axis] < cut < blocks.upper[0, axis]:
                continue
            where = np.array([axis]), np.array([cut])
            cells, _ = cells.split(*where).select(np.array([not keep_right, keep_right]))
            blocks = blocks.split(*where).take(np.array([not keep_right, keep_right]))
    return cells, blocks


@pytest.mark.parametrize(
    ("sizes", "capped", "exact"),
    [
        ((7,), 7, True),
        ((2**31 - 3, 2**29), (2**31 - 3) * 2**29, True),
        ((2**30, 2**30), 2**60, True),
        ((1, 2**31 - 3, 2**31 - 3), 2**60, False),
        ((2**20,) * 4, 2**60, False),
        ((5, 2**20, 2**20, 2**20), 2**60 // 5 * 5, False),
    ],
)
def test_volumes_are_capped_and_say_so(sizes: tuple[int, ...], capped: int, exact: bool) -> None:
    volume, is_exact = capped_volumes(Blocks.whole(sizes))
    assert (volume.tolist(), is_exact.tolist()) == ([capped], [exact])


def test_counts_above_the_mean_of_runs() -> None:
    rng = np.random.default_rng(3)
    for size, largest in [(1, 1), (40, 3), (200, 10**12), (64, 64)]:
        counts = rng.integers(1, largest + 1, size)
        first = rng.integers(0, size + 1, 300)
        last = first + (rng.random(300) * (size + 1 - first)).astype(int)
        mean = rng.integers(0, largest + 2, 300)
        high, number = above(counts, first, last, mean)
        for a, b, m, h, n in zip(first, last, mean, high, number, strict=True):
            assert (h, n) == (counts[a:b][counts[a:b] > m].sum(), (counts[a:b] > m).sum())


def test_sums_beyond_the_exact_range_of_floats() -> None:
    slot, counts = np.array([0, 2, 2, 0]), np.array([2**60, 1, 2**53, 1])
    assert sums_at(slot, counts, 4).tolist() == [2**60 + 1, 0, 2**53 + 1, 0]
    assert sums_at(slot, counts % 7, 4).tolist() == [(2**60) % 7 + 1, 0, 1 + 2**53 % 7, 0]
