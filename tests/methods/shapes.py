"""Shapes on which every method is examined."""

from __future__ import annotations

SHAPES = [(1,), (2,), (50,), (1, 1), (7, 1, 5), (12, 9), (3, 4, 5, 2)]
