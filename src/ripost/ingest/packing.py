"""Packing: the codes of a cell as few whole numbers, and back. Executors use this, so it imports little."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

LARGEST_KEY = 2**62


def decode(cells: pa.Table, shape: Sequence[int]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Coordinates (n, d) in lexicographic order and positive amounts (n,) of the cells.

    Rows that the schema drops have no key. They are left out here: a filter in the query makes DuckDB work out every
    key twice.
    """
    cells = cells.drop_null()
    groups = packed(shape)
    keys = [cells[f"k{number}"].to_numpy() for number in range(len(groups))]
    amounts = cells["amount"].to_numpy()
    order = np.lexsort(keys[::-1]) if len(keys) > 1 else np.argsort(keys[0])
    order = order[amounts[order] > 0]
    coords = np.empty((len(order), len(shape)), np.int32)
    for key, axes in zip(keys, groups, strict=True):
        rest = key[order]
        for axis in reversed(axes):
            rest, coords[:, axis] = np.divmod(rest, shape[axis])
    return coords, amounts[order]


def packed(shape: Sequence[int]) -> list[range]:
    """Consecutive axes, together as many as one key can hold."""
    groups = []
    first, size = 0, 1
    for axis, length in enumerate(shape):
        if size * length > LARGEST_KEY:
            groups.append(range(first, axis))
            first, size = axis, 1
        size *= length
    return [*groups, range(first, len(shape))]
