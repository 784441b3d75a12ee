"""MemoryBlockData follow their blocks: cut, parted and joined, none is lost and none is had twice."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from ripost.data import split_history as paths
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import PrivacyError
from ripost.space.blocks import Blocks
from tests.statistics_by_name import STATISTICS

from . import plain

Content = list[tuple[tuple[int, ...], int]]


def contents(cells: MemoryBlockData) -> list[Content]:
    """The cells of each block, sorted."""
    layout = cells.layout
    found: list[Content] = [[] for _ in range(len(layout.blocks))]
    for at, count, owner in zip(layout.coords.T.tolist(), layout.counts.tolist(), layout.owner.tolist(), strict=True):
        found[owner].append((tuple(at), count))
    return [sorted(content) for content in found]


def expected_contents(tensor: Tensor, blocks: Blocks) -> list[Content]:
    return [
        [
            (at, count)
            for at, count in every(tensor)
            if all(map(operator.le, lower, at)) and all(map(operator.lt, at, upper))
        ]
        for lower, upper in plain.boxes(blocks)
    ]


def every(tensor: Tensor) -> Content:
    return sorted(zip(map(tuple, tensor.coords.tolist()), tensor.counts.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(8))
def test_cells_lie_in_their_blocks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 9, 1 + seed % 4).tolist())
    tensor = plain.random_tensor(rng, shape, 0.8)
    for cells, blocks in plain.grow_partitions(tensor, rng, levels=6):
        assert contents(cells) == expected_contents(tensor, blocks)
        assert cells.layout.blocks.lower.tolist() == blocks.lower.tolist()
        assert cells.layout.blocks.upper.tolist() == blocks.upper.tolist()


def test_all_blocks_together_hold_every_cell_once() -> None:
    rng = np.random.default_rng(2)
    tensor = plain.random_tensor(rng, (12, 11), 0.5)
    *_, (cells, blocks) = plain.grow_partitions(tensor, rng, levels=9)
    assert sum(plain.volume(box) for box in plain.boxes(blocks)) == 12 * 11
    assert sorted(cell for content in contents(cells) for cell in content) == every(tensor)


def test_parting_all_or_none() -> None:
    tensor = Tensor.from_arrays((4,), [[0], [3]], [5, 6])
    cells = MemoryBlockData.of(tensor).split(np.array([0]), np.array([2]))
    for mask in (np.array([True, True]), np.array([False, False])):
        chosen, rest = cells.select(mask)
        assert [len(contents(chosen)), len(contents(rest))] == [2 * mask[0], 2 * (not mask[0])]
        assert contents(chosen) + contents(rest) == contents(cells)


def test_parting_twice_before_asking() -> None:
    rng = np.random.default_rng(4)
    tensor = plain.random_tensor(rng, (16,), 2.0)
    cells, blocks = MemoryBlockData.of(tensor), Blocks.whole((16,))
    for _ in range(3):
        middle = (blocks.lower[:, 0] + blocks.upper[:, 0]) // 2
        cells, blocks = cells.split(0 * middle, middle), blocks.split(0 * middle, middle)
    for mask in (np.arange(8) % 3 != 0, np.arange(5) % 2 == 0):
        _, cells = cells.select(~mask)
        blocks = blocks.take(mask)
    assert contents(cells) == expected_contents(tensor, blocks)


def test_blocks_that_were_cut_can_still_be_asked_and_not_be_cut_again() -> None:
    """A draw that was paid for may be made after the cut, whether or not cells were looked for before."""
    tensor = Tensor.from_arrays((8,), np.arange(8)[:, None], np.arange(1, 9))
    for before in (False, True):
        whole = MemoryBlockData.of(tensor)
        halves = whole.split(np.array([0]), np.array([3]))
        if before:
            assert halves.compute(STATISTICS["total"], 0, 2).tolist() == [6, 30]
        quarters = halves.split(np.array([0, 0]), np.array([1, 6]))
        assert quarters.compute(STATISTICS["total"], 0, 4).tolist() == [1, 5, 15, 15]
        assert halves.compute(STATISTICS["total"], 0, 2).tolist() == [6, 30]
        assert whole.compute(STATISTICS["total"], 0, 1).tolist() == [36]
        with pytest.raises(PrivacyError, match="were cut before"):
            halves.split(np.array([0, 0]), np.array([2, 5]))


def test_blocks_of_different_tensors_do_not_join() -> None:
    one, other = (MemoryBlockData.of(Tensor.from_arrays((4,), [[1]], [5])) for _ in range(2))
    with pytest.raises(PrivacyError, match="different paths"):
        one.merge([other])


def test_many_cells_are_followed_on_several_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep, ragged paths, followed all at once and in parts, end where each cell lies."""
    monkeypatch.setattr(paths, "MANY", 10)
    monkeypatch.setattr(paths, "PIECE", 7)
    rng = np.random.default_rng(5)
    tensor = plain.random_tensor(rng, (40, 9), 0.6)
    live, blocks, done = MemoryBlockData.of(tensor), Blocks.whole((40, 9)), []
    while len(blocks):
        stop = blocks.is_cell | (rng.random(len(blocks)) < 0.1)
        finished, live = live.select(stop)
        done.append((finished, blocks.take(stop)))
        blocks = blocks.take(~stop)
        axis = (blocks.sizes[:, 1] > 1).astype(np.int64)
        cut = blocks.lower[np.arange(len(axis)), axis] + 1
        live, blocks = live.split(axis, cut), blocks.split(axis, cut)
    first, *others = [cells for cells, _ in done]
    assert len(done) > 15
    assert contents(first.merge(others)) == [content for _, part in done for content in expected_contents(tensor, part)]


def test_an_empty_tensor_has_blocks_all_the_same() -> None:
    tensor = Tensor.from_arrays((3, 3), [], [])
    cells = MemoryBlockData.of(tensor).split(np.array([1]), np.array([1]))
    assert contents(cells) == [[], []]
    assert cells.compute(STATISTICS["deviation of cut"], 0, 2).tolist() == [0] * 5
    assert cells.compute(STATISTICS["total"], 0, 2).tolist() == [0, 0]


def test_a_part_of_the_rows() -> None:
    """Cells that nothing was drawn from are gone, blocks stay, and no cell offers more than it may."""
    tensor = Tensor.from_arrays((4, 2), [[0, 0], [1, 1], [3, 0]], [5, 2, 2**30])
    offered: list[list[int]] = []

    def draw(counts: np.ndarray) -> np.ndarray:
        offered.append(counts.tolist())
        return np.array([3, 0, 7])

    cells = MemoryBlockData.of(tensor).split(np.array([0]), np.array([2])).subsample(draw)
    assert offered == [[5, 2, 2**24]]
    assert cells.compute(STATISTICS["total"], 0, 2).tolist() == [3, 7]
    assert cells.layout.coords.tolist() == [[0, 3], [0, 0]]
