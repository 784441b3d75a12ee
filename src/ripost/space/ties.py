"""Ties: numbers that differ by rounding alone count as equal, so that every processor makes the same choice."""

from __future__ import annotations

import numpy as np

from ripost.arrays import Floats, Ints

TIE = 1e-9  # far above the rounding of sums, far below what matters


def first_largest(values: Floats) -> Ints:
    """Return the index of the first value of each row, (n, k), that no other exceeds by more than TIE."""
    most = values.max(axis=1, keepdims=True)
    first: Ints = (values >= most - TIE * np.abs(most)).argmax(axis=1)
    return first
