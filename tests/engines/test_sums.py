"""What executors compute, on partitions in this process: the same statistics and the same views as memory."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from ripost.answering.content.tree import TreeContent
from ripost.data.dataset import Dataset
from ripost.data.memory import MemoryBlockData
from ripost.data.spark.block_data import SparkCells
from ripost.data.spark.chunks import marks
from ripost.data.tensor import Tensor
from ripost.errors import InputError, PrivacyError, SourceError
from ripost.methods import METHODS, root_measurement
from ripost.privacy.noise import SystemNoise
from ripost.privacy.seeded_noise import SeededNoise
from ripost.privacy.subsampling import KeyedSampler, RowSampler
from ripost.publishing.publication import Publication
from ripost.publishing.publish import publish
from ripost.schema.schema import Schema
from ripost.space.blocks import Blocks
from ripost.view import View
from tests.data import plain
from tests.engines.parted import Parted, split_tensor
from tests.methods.dependent_tables import dependent
from tests.methods.silent import quick_fit
from tests.privacy.agreement import agrees
from tests.statistics_by_name import STATISTICS

WAYS: dict[str, dict[str, object]] = {
    "ripost": {},
    "ripost+": {"depths": 2},
    "privtree": {},
    "hdpview": {},
    "privbayes": {},
    "privsyn": {},
    "hdmm": {},
    "dawa": {},
}


def tensor_of(seed: int, shape: tuple[int, ...], records: int) -> Tensor:
    rng = np.random.default_rng(seed)
    coords = np.stack([np.minimum(rng.geometric(3 / n, records) - 1, n - 1) for n in shape], axis=1)
    return Tensor.from_arrays(shape, coords, np.ones(records, int))


def spread(tensor: Tensor, parts: int = 3) -> Parted:
    return split_tensor(tensor, np.random.default_rng(1).integers(0, parts, len(tensor.counts)), parts)


@pytest.mark.parametrize("seed", range(3))
def test_statistics_of_grown_blocks(seed: int) -> None:
    """Blocks are cut, parted and joined at random; cells follow them on the cluster as they do in memory."""
    rng = np.random.default_rng(seed)
    tensor = plain.random_tensor(rng, (6, 5, 3), 0.7)
    memory, cluster = MemoryBlockData.of(tensor), SparkCells.of(spread(tensor))
    for _ in range(5):
        mask = ~memory.blocks.is_cell & (rng.random(len(memory.blocks)) < 0.8)
        (cut, kept), (cut_there, kept_there) = memory.select(mask), cluster.select(mask)
        sizes = cut.blocks.sizes
        axis = np.array([rng.choice(np.flatnonzero(row > 1)) for row in sizes], np.int64)
        at = cut.blocks.lower[np.arange(len(axis)), axis] + 1
        memory = kept.merge([cut.split(axis, at)])
        cluster = kept_there.merge([cut_there.split(axis, at)])
        assert cluster.blocks.lower.tolist() == memory.blocks.lower.tolist()
        for name in [name for name, statistic in STATISTICS.items() if not statistic.in_memory_only]:
            for first, last in ((0, len(memory.blocks)), (len(memory.blocks) // 2, len(memory.blocks))):
                asked = plain.rows(plain.question(name, memory.blocks, rng), first, last)
                expected = memory.compute(STATISTICS[name], first, last, asked)
                assert cluster.compute(STATISTICS[name], first, last, asked).tolist() == expected.tolist(), name


def view(held: Tensor | Parted, method: str, **options: object) -> View:
    dataset = Dataset(held.domain, held.measure, held.unit, lambda: held)
    publication = Publication(dataset, METHODS[method].configure(dict(options)), Fraction(2), SeededNoise(5))
    data, facts = publication.find_domain(publication.read())
    return publication.release(*publication.run(data, facts), facts, {})


@pytest.mark.parametrize("method", WAYS)
def test_views_are_those_of_memory(method: str) -> None:
    tensor = tensor_of(3, (12, 9, 7), 4000)
    here, there = view(tensor, method, **WAYS[method]), view(spread(tensor), method, **WAYS[method])
    assert same(here, there)
    assert here.privacy.ledger == there.privacy.ledger


def same(one: View, other: View) -> bool:
    """Whether two views answer alike to the last digit."""
    if len(one.blocks) != len(other.blocks):
        return False
    rng = np.random.default_rng(0)
    shape = np.array(one.domain.shape)
    low = (rng.random((50, len(shape))) * shape).astype(int)
    high = low + 1 + (rng.random((50, len(shape))) * (shape - low)).astype(int)
    return np.array_equal(one.answer(low, high), other.answer(low, high))


def test_non_empty_cells_count_once() -> None:
    tensor = tensor_of(2, (12, 9, 7), 3000)
    assert same(view(tensor, "privbayes", reads="cells"), view(spread(tensor), "privbayes", reads="cells"))


def test_cells_that_were_read_again_and_differ_stop_everything() -> None:
    """Before anything of the changed cells is released."""
    tensor = tensor_of(3, (12, 9), 500)
    there = spread(tensor)
    moved = split_tensor(Tensor(tensor.domain, tensor.coords, tensor.counts + 1), np.zeros(len(tensor.counts)), 1)
    for changed in (there.chunks[:-1], [*there.chunks, there.chunks[0]], [*there.chunks[:-1], moved.chunks[0]]):
        with pytest.raises(SourceError, match="other rows when a part of it was read again"):
            view(replace(there, chunks=changed), "ripost")


def test_marks_tell_cells_apart() -> None:
    rng = np.random.default_rng(0)
    coords = np.stack([axis.ravel() for axis in np.meshgrid(*[np.arange(20)] * 3)]).astype(np.int32)
    counts = rng.integers(1, 9, coords.shape[1])
    found = marks(coords, counts)
    assert found.min() >= 0 and found.max() < 2**31
    assert len(np.unique(found)) > 0.99 * len(found)
    swapped = marks(coords[::-1], counts)
    assert (found != swapped).mean() > 0.9
    assert (found != marks(coords, counts + 1)).mean() > 0.99


def test_executors_compute_sums_alone() -> None:
    cluster = SparkCells.of(spread(tensor_of(0, (4, 3), 50)))
    for name in ("second moment", "responsibility", "gradient"):
        with pytest.raises(PrivacyError, match="no sum over cells"):
            cluster.compute(STATISTICS[name], 0, 1)


def test_samples_follow_from_a_key() -> None:
    """Whoever tosses the coins of a place again sees them fall alike; with another key they do not."""
    tensor, coins = tensor_of(0, (40, 30), 5000), KeyedSampler(Fraction(1, 4), b"k" * 32)
    there = spread(tensor)
    first, again, other = (there.subsample(c) for c in (coins, coins, replace(coins, key=b"l" * 32)))
    assert first.coords.tolist() == again.coords.tolist() and first.counts.tolist() == again.counts.tolist()
    assert first.coords.tolist() != other.coords.tolist()
    cells = dict(zip(map(tuple, tensor.coords.tolist()), tensor.counts.tolist(), strict=True))
    for at, count in zip(map(tuple, first.coords.tolist()), first.counts.tolist(), strict=True):
        assert 0 < count <= cells[at]
    assert agrees(np.array([5000 - first.counts.sum(), first.counts.sum()]), np.array([0.75, 0.25]))


def test_a_sample_counts_occupied_cells_once() -> None:
    there = spread(tensor_of(0, (6, 5), 500)).occupied()
    assert (there.subsample(KeyedSampler(Fraction(1, 2), b"k" * 32)).counts == 1).all()


def test_a_sample_of_cells_that_changed_is_refused() -> None:
    there = spread(tensor_of(0, (6, 5), 500))
    with pytest.raises(SourceError, match="other rows when a part of it was read again"):
        replace(there, chunks=there.chunks[1:]).subsample(KeyedSampler(Fraction(1, 2), b"k" * 32))


def test_samples_on_a_cluster_are_of_everything() -> None:
    """By coins on executors, or by seeded noise in the driver."""
    tensor = tensor_of(0, (6, 5), 500)
    for noise in (SystemNoise(), SeededNoise(1)):
        cluster = SparkCells.of(spread(tensor))
        sample = cluster.subsample(RowSampler(noise, Fraction(1, 2)))
        assert 150 < sample.compute(STATISTICS["total"], 0, 1)[0] < 350
        halves = cluster.split(np.array([0]), np.array([3]))
        with pytest.raises(PrivacyError, match="drawn of all of them"):
            halves.subsample(RowSampler(noise, Fraction(1, 2)))


def test_axes_by_a_sample_are_those_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(root_measurement, "ENOUGH_TO_CHOOSE", 4000)
    tensor = tensor_of(3, (12, 9, 7), 20_000)
    here, there = view(tensor, "ripost+"), view(spread(tensor), "ripost+")
    assert same(here, there)
    assert here.privacy.ledger == there.privacy.ledger
    assert any(entry.mechanism == "choices by a sample" for entry in here.privacy.ledger.entries)


@pytest.mark.parametrize("options", [{}, {"delta": 1e-9}], ids=str)
def test_mixtures_are_those_of_memory(options: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    quick_fit(monkeypatch)
    tensor = dependent()
    here, there = view(tensor, "ripost+", **options), view(spread(tensor), "ripost+", **options)
    assert isinstance(here.content, TreeContent) and here.content.mixture is not None
    assert same(here, there)
    assert here.privacy.ledger == there.privacy.ledger


def test_no_blocks_ask_nothing() -> None:
    tensor = tensor_of(0, (4, 3), 50)
    nobody = SparkCells.of(replace(spread(tensor), chunks=None))
    chosen, rest = nobody.select(np.array([False]))
    assert chosen.compute(STATISTICS["total"], 0, 0).tolist() == []
    assert len(rest.blocks) == 1
    assert isinstance(rest.blocks, Blocks)


def test_an_engine_that_does_not_fit_is_refused() -> None:
    schema = Schema.from_dict({"attributes": {"h": {"type": "boolean"}}})
    table = pa.table({"h": [True]})
    with pytest.raises(InputError, match="engine must be one of auto, memory, spark, got 'sparks'"):
        publish(table, schema, epsilon=1, engine="sparks")
    with pytest.raises(InputError, match="engine spark needs a Spark frame"):
        publish(table, schema, epsilon=1, engine="spark")
