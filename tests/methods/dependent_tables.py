"""Tables whose attributes depend on each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ripost.arrays import Ints
from ripost.data.tensor import Tensor
from ripost.view import View

WIDE = (12,) * 6


def codes_of(shape: tuple[int, ...], rows: int, *, groups: int, seed: int = 0) -> Ints:
    """Rows of some groups, each with its own interval of every attribute; one group makes attributes independent."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, groups, rows)
    return np.stack([((group + rng.random(rows)) / groups * size).astype(np.int64) for size in shape], axis=1)


def tensor_of(codes: Ints, shape: tuple[int, ...], *, times: int = 1, **others: Any) -> Tensor:
    cells, counts = np.unique(codes, axis=0, return_counts=True)
    return Tensor.from_arrays(shape, cells, counts * times, **others)


def dependent(shape: tuple[int, ...] = WIDE, rows: int = 20_000, *, times: int = 1, **others: Any) -> Tensor:
    return tensor_of(codes_of(shape, rows, groups=4), shape, times=times, **others)


def has_mixture(view: View) -> bool:
    return view.content.mixture is not None
