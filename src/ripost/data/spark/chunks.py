"""Chunks: many cells in one row of a frame, and what executors do with them.

These functions run on executors. They see cells and public facts, return sums of whole numbers or a sample of cells,
and draw no randomness of their own: random bits follow from a key. A task that Spark runs twice, on a spare executor
or after a fault, gives the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ripost.arrays import Ints
from ripost.data.memory import MOST_DRAWN
from ripost.data.spark.owners import Owners
from ripost.sources.encoding.cell_keys import count_rows, decode
from ripost.space.blocks import Blocks
from ripost.statistics.block_data import KeyedSubsampler
from ripost.statistics.layout import Layout
from ripost.statistics.map_reduce import Sums

CHUNK = 2**18  # cells in a row: some megabytes
CHUNKS = pa.schema(
    {
        "coords": pa.binary(),
        "counts": pa.binary(),
        "cells": pa.int64(),
        "amount": pa.float64(),
        "mark": pa.int64(),
        "rows": pa.int64(),  # of the table, that were counted
        "read": pa.int64(),  # rows that the table has
    }
)
CHUNK_COLUMNS = "coords binary, counts binary, cells long, amount double, mark long, rows long, read long"
PARTS = pa.schema({"coords": pa.binary(), "counts": pa.binary(), "mark": pa.int64()})
PART_COLUMNS = "coords binary, counts binary, mark long"
SUMS = pa.schema({"slot": pa.int64(), "value": pa.int64()})
SUM_COLUMNS = "slot long, value long"
MARK = -1  # the slot of the mark


@dataclass(frozen=True, slots=True)
class Pack:
    """Pack rows of keys and amounts into chunks."""

    shape: tuple[int, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held = list(batches)
        if not held:
            return
        cells = pa.Table.from_batches(held)
        rows, read = count_rows(cells)
        coords, counts, _ = decode(cells, self.shape)
        for first in range(0, max(len(counts), 1), CHUNK):  # a chunk without cells also states how many rows there were
            some = slice(first, first + CHUNK)
            across, amounts = np.ascontiguousarray(coords[some].T), counts[some]
            row = {
                "coords": across.tobytes(),
                "counts": amounts.tobytes(),
                "cells": len(amounts),
                "amount": float(amounts.sum(dtype=np.float64)),
                "mark": int(marks(across, amounts).sum()),
                "rows": rows if first == 0 else 0,
                "read": read,
            }
            yield pa.RecordBatch.from_pylist([row], schema=CHUNKS)


def marks(coords: NDArray[np.int32], counts: Ints) -> Ints:
    """A 31-bit hash of each cell. The sum of all shows whether cells that were read again are the same."""
    mixed = counts.astype(np.uint64)
    for at in (np.int32(0), *coords):
        mixed = (mixed ^ (mixed >> np.uint64(29)) ^ at.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return (mixed >> np.uint64(33)).astype(np.int64)


def unpack_chunks(rows: Sequence[tuple[bytes, bytes]], dimensions: int) -> tuple[NDArray[np.int32], Ints]:
    """Coordinates (d, n) and counts (n,) of chunks."""
    coords = [np.zeros((dimensions, 0), np.int32)]
    coords += [np.frombuffer(held, np.int32).reshape(dimensions, -1) for held, _ in rows]
    counts = [np.zeros(0, np.int64), *(np.frombuffer(held, np.int64) for _, held in rows)]
    return np.concatenate(coords, axis=1), np.concatenate(counts)


@dataclass(frozen=True, slots=True)
class SumUp:
    """Sum over the cells of some blocks in the chunks of a partition; sums of 0 are left out."""

    sums: Sums
    blocks: Blocks
    owners: Owners
    occupied: bool = False  # every non-empty cell counts once

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        rows: list[tuple[bytes, bytes]] = []
        mark = 0
        for batch in batches:
            rows += zip(batch["coords"].to_pylist(), batch["counts"].to_pylist(), strict=True)
            mark += sum(batch["mark"].to_pylist())
        found = self.sums(self.layout(rows))
        slot = np.flatnonzero(found)
        yield pa.RecordBatch.from_arrays(
            [pa.array(np.append(MARK, slot)), pa.array(np.append(mark, found[slot]))], schema=SUMS
        )

    def layout(self, rows: Sequence[tuple[bytes, bytes]]) -> Layout:
        """The cells of the chunks that lie in the blocks."""
        coords, counts = unpack_chunks(rows, self.blocks.lower.shape[1])
        owner = self.owners.find(coords)
        kept = np.flatnonzero(owner >= 0)
        counts = np.ones(len(kept), np.int64) if self.occupied else counts[kept]
        return Layout(self.blocks, coords[:, kept], counts, owner[kept])


@dataclass(frozen=True, slots=True)
class SubsampleChunks:
    """Sample the rows of the chunks of a partition; the chunks keep their marks."""

    sampler: KeyedSubsampler
    dimensions: int
    occupied: bool = False  # every non-empty cell counts once

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None, "runs on executors only"
        return self.subsample(task.partitionId(), batches)

    def subsample(self, partition: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Sample the chunks of this partition. The number of a chunk selects its random bits."""
        rows = (row for batch in batches for row in batch.to_pylist())
        for number, row in enumerate(rows):
            coords, counts = unpack_chunks([(row["coords"], row["counts"])], self.dimensions)
            counts = np.ones_like(counts) if self.occupied else np.minimum(counts, MOST_DRAWN)
            drawn = self.sampler(counts, f"{partition}/{number}")
            kept = np.flatnonzero(drawn)
            part = {"coords": coords[:, kept].tobytes(), "counts": drawn[kept].tobytes(), "mark": row["mark"]}
            yield pa.RecordBatch.from_pylist([part], schema=PARTS)
