"""Exact sums of the vectors of rows: second moments, and the responsibilities of a mixture.

A row's vector consists of whole numbers. The last step of its computation leaves it out if it is longer than the
sensitivity of its statistic. It depends on the row and the parameters alone: matrix products are of whole numbers that
floats represent exactly, so the order of summation cannot make one row's vector depend on the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Floats, Ints
from ripost.peers.p3gm.network import UNIT, Encoding, GaussianMixture, Places, Projection
from ripost.statistics.layout import Layout

Whole = NDArray[Any]  # int64, or Python integers where those do not suffice

EXACT = 2.0**53  # floats represent all whole numbers up to this
LARGEST = 2**61  # larger sums are capped, which leaves room for noise
LENGTH = UNIT * 2**16  # of a row's vector
ROOM = 1 - 1e-12  # margin for the rounding of floats
STEPS = 256  # steps of 1 in the argument of an exponential
LEAST = 24 * STEPS  # exp(-24) is negligible
EXPONENTIALS = np.trunc(2.0**36 * np.exp(-np.arange(LEAST + 1) / STEPS))  # whole: their sums are exact


def second_moments(layout: Layout, parameters: Encoding) -> Ints:
    """The second moments of a block's rows, summed: the upper triangle of the matrix, row by row."""
    upper = np.triu_indices(parameters.width)

    def moments(coords: NDArray[np.int32], counts: Ints) -> Whole:
        rows = np.concatenate([table[at] for table, at in zip(parameters.tables, coords, strict=True)], axis=1)
        rows = np.where(((rows.astype(np.float64) ** 2).sum(axis=1) <= UNIT**2)[:, None], rows, 0)
        return sum_products(rows.astype(np.float64), counts, rows.astype(np.float64))[upper]

    return by_block(layout, moments, len(upper[0]))


def responsibilities(layout: Layout, parameters: Places) -> Ints:
    """Sums over a block's rows for each component: responsibilities, places times these, and squares times these."""
    size = len(parameters.mixture.weights) * (1 + 2 * parameters.projection.latent)

    def assign(coords: NDArray[np.int32], counts: Ints) -> Whole:
        place = places(parameters.projection, coords) / UNIT
        share = shares(parameters.mixture, place, np.zeros_like(place))
        parts = [share[:, :, None], share[:, :, None] * place[:, None], share[:, :, None] * place[:, None] ** 2]
        rows = np.concatenate(parts, axis=2).reshape(len(counts), size) * ((1 - 1e-9) / np.sqrt(3))
        return sum_products(clip_rows(rows), counts, np.ones((len(counts), 1))).ravel()

    return by_block(layout, assign, size)


def by_block(layout: Layout, function: Callable[[NDArray[np.int32], Ints], Whole], size: int) -> Ints:
    """A function of the cells of each block, concatenated, capped at LARGEST."""
    found = [np.zeros(0, np.int64)]
    for block in range(len(layout.blocks)):
        inside = layout.owner == block
        coords, counts = layout.coords[:, inside], layout.counts[inside]
        value = function(coords, counts) if len(counts) else np.zeros(size, np.int64)
        found.append(np.clip(value, -LARGEST, LARGEST).astype(np.int64))
    return np.concatenate(found)


def places(projection: Projection, coords: NDArray[np.int32]) -> Floats:
    """Where cells lie in the latent space, (cells, latent), in whole parts of UNIT."""
    total = np.zeros((coords.shape[1], projection.latent))
    for table, at in zip(projection.tables, coords, strict=True):
        total += table[at]
    return total


def shares(mixture: GaussianMixture, place: Floats, variance: Floats) -> Floats:
    """The responsibilities of each component for Gaussians at these places, by exp(-KL) times its weight.

    For points without variance these are the usual responsibilities. (cells, components)
    """
    precision = on_grid(1 / mixture.variances, 2**6, 2.0**12)
    pull = on_grid(mixture.means * precision, 2**12, 2.0**14)
    level = np.log(mixture.weights) - (mixture.means * pull + np.log(mixture.variances)).sum(axis=1) / 2
    square = on_grid(place**2 + variance, 2**12, 2.0**10)
    score = level + on_grid(place, 2**12, 2.0**5) @ pull.T - square @ precision.T / 2
    return softmax(score)


def softmax(score: Floats) -> Floats:
    """Softmax of scores along the last axis; scores are rounded to multiples of 1 / STEPS."""
    gap = np.trunc(np.clip((score.max(axis=-1, keepdims=True) - score) * STEPS, 0, LEAST)).astype(np.int64)
    odds = EXPONENTIALS[gap]
    found: Floats = odds / odds.sum(axis=-1, keepdims=True)
    return found


def on_grid(values: Floats, unit: float, most: float) -> Floats:
    """Values clipped to -most and most, truncated to multiples of 1 / unit."""
    return np.trunc(np.clip(values, -most, most) * unit) / unit


def clip_rows(rows: Floats) -> Floats:
    """Vectors of length up to 1 in whole parts of LENGTH, truncated towards 0; longer ones become 0."""
    whole = np.trunc(np.nan_to_num(rows, nan=0.0, posinf=2.0, neginf=-2.0).clip(-2, 2) * LENGTH)
    kept = (whole**2).sum(axis=1) <= LENGTH**2 * ROOM
    return np.where(kept[:, None], whole, 0.0)


def sum_products(left: Floats, counts: Ints, right: Floats) -> Whole:
    """The exact sum over rows of count * left * right, all whole numbers; in Python integers if necessary."""
    peak = np.abs(left).max(initial=0.0) * np.abs(right).max(initial=0.0)
    if counts.sum(dtype=np.float64) * peak < EXACT:  # then every partial sum is exact
        return ((left * counts[:, None]).T @ right).astype(np.int64)
    product: Whole = (to_python_integers(left) * to_python_integers(counts)[:, None]).T @ to_python_integers(right)
    return product


def to_python_integers(values: Floats | Ints) -> Whole:
    """Whole numbers as Python integers."""
    return values.astype(np.int64).astype(object)
