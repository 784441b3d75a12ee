"""Consistent marginals: make noisy marginal tables agree with each other, without negative entries.

Qardaji, Yang and Li 2014 (agreement of tables that share axes) and Zhang et al. 2021 (alternating with clipping at 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ripost.arrays import Floats

ROUNDS = 20
LEAST_VARIANCE = 1e-200  # its inverse stays finite


@dataclass(frozen=True)
class NoisyMarginal:
    """The noisy total of each combination of codes of some axes, and the variance of its noise."""

    axes: tuple[int, ...]
    values: Floats  # one dimension per axis
    variance: float


def onto_total(values: Floats, total: float) -> Floats:
    """The nearest nonnegative table (least squares) with this sum, or zeros if the sum is not positive.

    The same number is subtracted from all entries, and negative results become 0.
    """
    if total <= 0:
        return np.zeros_like(values)
    falling = -np.sort(-values.ravel())
    taken = (np.cumsum(falling) - total) / np.arange(1, falling.size + 1)
    last = np.flatnonzero(falling > taken)
    nearest: Floats = np.maximum(values - taken[last[-1] if len(last) else 0], 0)
    return nearest


def make_consistent(tables: Sequence[NoisyMarginal], rounds: int = ROUNDS) -> tuple[list[NoisyMarginal], float]:
    """Make the tables agree on their total and on every axis that they share; return them and the total.

    Shared sums are averaged, weighted by the inverse of their variances.
    """
    sums = [np.array([table.values.sum()]) for table in tables]
    total = float(_average(sums, [table.variance * table.values.size for table in tables])[0])
    found = [replace(t, values=t.values + (total - t.values.sum()) / t.values.size) for t in tables]
    axes = sorted({axis for table in tables for axis in table.axes})
    for _ in range(rounds if len(tables) > 1 else 1):
        for axis in axes:
            found = _agree(found, axis)
        found = [replace(table, values=onto_total(table.values, total)) for table in found]
    return found, total


def _agree(tables: Sequence[NoisyMarginal], axis: int) -> list[NoisyMarginal]:
    """The tables with the same margin along an axis."""
    holding = [number for number, table in enumerate(tables) if axis in table.axes]
    margins = [_margin(tables[number], axis) for number in holding]
    found = list(tables)
    if len(holding) < 2:
        return found
    mean = _average([margin for margin, _ in margins], [spread for _, spread in margins])
    for number, (margin, _) in zip(holding, margins, strict=True):
        table = tables[number]
        shape = [1] * table.values.ndim
        shape[table.axes.index(axis)] = -1
        behind = table.values.size // len(margin)  # entries summed in each entry of the margin
        found[number] = replace(table, values=table.values + ((mean - margin) / behind).reshape(shape))
    return found


def _margin(table: NoisyMarginal, axis: int) -> tuple[Floats, float]:
    """The margin along an axis and the variance of each of its entries."""
    others = tuple(place for place, held in enumerate(table.axes) if held != axis)
    margin: Floats = table.values.sum(axis=others)
    return margin, table.variance * table.values.size / margin.size


def _average(values: Sequence[Floats], variances: Sequence[float]) -> Floats:
    """The mean, weighted by the inverse of the variances."""
    mean: Floats = np.average(values, axis=0, weights=1 / np.maximum(variances, LEAST_VARIANCE))
    return mean
