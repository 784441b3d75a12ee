"""Blocks of a view as boxes that tests can compare."""

from __future__ import annotations

from typing import Any

Box = tuple[tuple[int, int], ...]  # half-open sides


def boxes(found: Any) -> set[Box]:
    leaves = found.tree.boxes.take(found.tree.leaves)
    return {
        tuple(zip(low, high, strict=True))
        for low, high in zip(leaves.lower.tolist(), leaves.upper.tolist(), strict=True)
    }
