"""Tables whose attributes follow each other."""

from __future__ import annotations

import numpy as np

from ripost.data.tensor import Tensor


def linked() -> Tensor:
    """Axes 0 and 2 say the same, axis 1 has nothing to do with either."""
    rng = np.random.default_rng(6)
    one, other = rng.integers(0, 4, 4000), rng.integers(0, 3, 4000)
    return Tensor.from_arrays((4, 3, 4), np.stack([one, other, one], axis=1), np.ones(4000, int))


def diagonal(size: int = 12, count: int = 500) -> Tensor:
    """Two axes that are one, and a third on its own."""
    where = [(code, code, other) for code in range(size) for other in range(3)]
    return Tensor.from_arrays((size, size, 3), where, [count] * len(where))
