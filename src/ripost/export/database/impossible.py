"""Impossible cells in SQL: a group that lies in them alone is 0 without an error (answering/impossible.py).

The table ripost.impossible_i has what each impossible box leaves of an axis. For each key of an axis, `inside_i` is the
share of its cells in each box. The product over axes, added up over the disjoint boxes, is the share of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ripost.answering.content.content import Content
from ripost.answering.content.tree import TreeContent
from ripost.answering.impossible import ROUNDING
from ripost.arrays import Codes
from ripost.export.database.axis import SqlAxis


def make_tables(content: Content) -> dict[str, dict[str, Any]]:
    """The tables of the boxes, one for each axis that some box bounds."""
    found = {}
    if isinstance(content, TreeContent) and content.impossible is not None:
        boxes = content.impossible
        for axis in bounded_axes(content):
            low, high = (side[:, axis].astype(np.float64) for side in (boxes.lower, boxes.upper))
            found[f"impossible_{axis}"] = {"box": np.arange(len(boxes), dtype=np.int32), "low": low, "high": high}
    return found


def bounded_axes(content: Content) -> list[int]:
    """The axes that some impossible box bounds."""
    if not isinstance(content, TreeContent) or content.impossible is None:
        return []
    sizes: Codes = np.array(content.shape)
    bounded = (content.impossible.lower > 0) | (content.impossible.upper < sizes)
    return [int(axis) for axis in np.flatnonzero(bounded.any(axis=0))]


def write_steps(content: Content, axes: Sequence[SqlAxis]) -> list[str]:
    """The common table expressions inside_i and zeros; none if all cells are possible."""
    numbers = bounded_axes(content)
    if not numbers:
        return []
    part = "greatest(0.0, least(p.high, b.high) - greatest(p.low, b.low))"
    steps = [
        f"inside_{i} AS (SELECT p.rounding, p.key AS k{i}, b.box, sum({part}) / sum(p.high - p.low) AS inside "
        f"FROM pieces_{i} p CROSS JOIN ripost.impossible_{i} b GROUP BY ALL)"
        for i in (axis.number for axis in axes if axis.number in numbers)
    ]
    first, *others = numbers
    source = f"inside_{first} " + " ".join(f"JOIN inside_{i} USING (rounding, box)" for i in others)
    keys, share = ", ".join(f"k{i}" for i in numbers), " * ".join(f"inside_{i}.inside" for i in numbers)
    return [*steps, f"zeros AS (SELECT rounding, {keys}, sum({share}) AS covered FROM {source} GROUP BY ALL)"]


def write_join(content: Content, axes: Sequence[SqlAxis]) -> str:
    """The join of `zeros` to the groups."""
    keys = ", ".join(f"k{axis.number}" for axis in axes if axis.number in bounded_axes(content))
    return f"LEFT JOIN zeros USING (rounding, {keys})" if keys else ""


def keep_zero(content: Content, sql: str, *, zero: str = "0.0") -> str:
    """A figure that is 0 where all cells of a group are impossible."""
    if not bounded_axes(content):
        return sql
    return f"CASE WHEN coalesce(zeros.covered, 0.0) >= {1 - ROUNDING!r} THEN {zero} ELSE {sql} END"
