"""Spark without Spark: chunks in partitions, and tasks that travel to them as bytes."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ripost.data.spark.chunks import CHUNKS, SUMS, Pack, SubsampleChunks, SumUp
from ripost.data.spark.distributed_cells import DistributedCells
from ripost.data.tensor import Tensor
from ripost.sources.encoding.cell_keys import group_axes


@dataclass(frozen=True)
class Parted(DistributedCells):
    """Partitions in a list; each runs what executors run, after the task was taken apart and put together."""

    def collect(self, task: SumUp, slots: int) -> pa.Table:
        sent = pickle.dumps(task)
        found = [list(pickle.loads(sent)(partition)) for partition in self.chunks]
        return pa.Table.from_batches([batch for some in found for batch in some], schema=SUMS)

    def rows(self, task: SubsampleChunks | None) -> list[dict[str, Any]]:
        if task is None:
            return [row for partition in self.chunks for batch in partition for row in batch.to_pylist()]
        sent = pickle.dumps(task)
        found = [pickle.loads(sent).subsample(number, partition) for number, partition in enumerate(self.chunks)]
        return [row for some in found for batch in some for row in batch.to_pylist()]


def split_tensor(tensor: Tensor, places: Sequence[int] | np.ndarray, parts: int) -> Parted:
    """A tensor whose cells lie in partitions, `places` says which."""
    shape = tensor.domain.shape
    chunks = []
    for number in range(parts):
        inside = np.asarray(places) == number
        rows = key_table(tensor.coords[inside], tensor.counts[inside], shape)
        chunks.append(list(Pack(shape)(rows.to_batches(max_chunksize=7))))
    facts = pa.Table.from_batches([batch for some in chunks for batch in some], schema=CHUNKS)
    mark = sum(facts["mark"].to_pylist())
    return Parted(tensor.domain, tensor.measure, tensor.unit, chunks, parts, len(tensor.counts), mark)


def key_table(coords: Any, counts: Any, shape: Sequence[int]) -> pa.Table:
    """Cells as the encoder gives them."""
    columns = {}
    for number, axes in enumerate(group_axes(shape)):
        key = np.zeros(len(counts), np.int64)
        for axis in axes:
            key = key * shape[axis] + coords[:, axis]
        columns[f"k{number}"] = key
    return pa.table({**columns, "amount": counts, "rows": counts, "read": np.full(len(counts), sum(counts))})
