"""Intervals of positions on one axis, half-open."""

from __future__ import annotations

from collections.abc import Collection

Interval = tuple[float, float]  # positions on the code axis, half-open


def merge(intervals: Collection[Interval]) -> list[Interval]:
    """The same positions as disjoint intervals in order."""
    merged: list[Interval] = []
    for low, high in sorted(intervals):
        if merged and low <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged
