"""Packing: the codes of a cell as few whole numbers, and back. Executors use this, so it imports little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ripost.arrays import Ints
from ripost.errors import SourceError

LARGEST_KEY = 2**62
NOT_KEPT = -1  # the key of rows that the schema drops, or the bound on contributions


def count_rows(cells: pa.Table) -> tuple[int, int]:
    """How many rows were counted, those that are not kept among them, and how many were read."""
    return pc.sum(cells["rows"]).as_py() or 0, pc.max(cells["read"]).as_py() or 0


def check_rows(counted: int, read: int, *, name: str) -> None:
    """SourceError unless each row that was read was counted once (privacy/proofs/encoding.md)."""
    if counted != read:
        raise SourceError(
            f"{name}: the engine did not count each row exactly once; the table may have changed while it was read, so "
            "write it to a file and publish that file"
        )


def decode(cells: pa.Table, shape: Sequence[int], sums: Sequence[str] = ()) -> tuple[NDArray[np.int32], Ints, Ints]:
    """Coordinates (n, d) in lexicographic order, positive amounts (n,) and sums of measures (m, n) of the cells.

    Rows that are not kept are left out here: a filter in the query makes DuckDB work out every key twice.
    """
    groups = group_axes(shape)
    keys = [cells[f"k{number}"].to_numpy() for number in range(len(groups))]
    amounts = cells["amount"].to_numpy()
    order = np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0])
    kept = (amounts > 0) & np.all([key != NOT_KEPT for key in keys], axis=0)
    order = order[kept[order]]
    coords = np.empty((len(order), len(shape)), np.int32)
    for key, axes in zip(keys, groups, strict=True):
        rest = key[order]
        for axis in reversed(axes):
            rest, coords[:, axis] = np.divmod(rest, shape[axis])
    added = [cells[name].to_numpy()[order] for name in sums]
    return coords, amounts[order], np.array(added, np.int64).reshape(len(sums), len(order))


def group_axes(shape: Sequence[int]) -> list[range]:
    """Consecutive axes, together as many as one key can hold."""
    groups = []
    first, size = 0, 1
    for axis, length in enumerate(shape):
        if size * length > LARGEST_KEY:
            groups.append(range(first, axis))
            first, size = axis, 1
        size *= length
    return [*groups, range(first, len(shape))]
