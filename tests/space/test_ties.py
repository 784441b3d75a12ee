"""Ties are broken by place, whatever the last bits are."""

from __future__ import annotations

import numpy as np

from ripost.space.ties import TIE, first_largest


def test_equal_but_for_rounding_is_equal() -> None:
    rng = np.random.default_rng(0)
    for scale in (1e-12, 1.0, 1e12):
        values = np.tile([0.5, 1.0, 1.0, 0.9, 1.0], (50, 1)) * scale
        assert (first_largest(values * (1 + rng.integers(-9, 10, values.shape) * 2.0**-52)) == 1).all()


def test_what_is_clearly_larger_wins() -> None:
    values = np.array([[1.0, 1 + 3 * TIE, 1.0], [-1.0, -1.0, 0.0], [-1.0, -1.0, -1.0], [0.0, 1e-300, 0.0]])
    assert first_largest(values).tolist() == [1, 2, 0, 1]
