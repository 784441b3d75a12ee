"""Clipped gradients of a phased generative model, row by row, and their exact sum.

The loss of a row is that of Takagi et al. 2021: minus the log probability of its codes at a place drawn around its
projection, plus the divergence of that draw from the mixture (by the bound of Hershey and Olsen 2007). The gradient of
a layer is the product of two vectors, the error that leaves the layer and the input that enters it. So the lengths of
gradients, and sums of clipped ones, need no full gradient (Goodfellow 2015). All of these are whole numbers.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Floats, Ints
from ripost.peers.p3gm.bounded_sums import (
    LARGEST,
    LENGTH,
    ROOM,
    STEPS,
    Whole,
    by_block,
    on_grid,
    places,
    shares,
    softmax,
    sum_products,
    to_python_integers,
)
from ripost.peers.p3gm.network import UNIT, Lesson
from ripost.statistics.layout import Layout

ROWS = 2048  # cells at a time
WEIGHT = 8.0  # weights are within -WEIGHT and WEIGHT
ACTIVE = 64.0  # and activations within -ACTIVE and ACTIVE
ERROR = LENGTH // UNIT  # errors are multiples of 1 / ERROR
DEVIATIONS = np.trunc(UNIT * np.exp(np.arange(-8 * STEPS, 4 * STEPS + 1) / (2 * STEPS))) / UNIT  # of log variances

Pair = tuple[Floats, Floats]  # the errors that leave a layer and what enters it, both (cells, …)


def gradients(layout: Layout, parameters: Lesson) -> Ints:
    """The sum of the clipped gradients of a block's rows, layer by layer, in parts of LENGTH."""

    def sum_gradients(coords: NDArray[np.int32], counts: Ints) -> Whole:
        total: Whole = np.zeros(parameters.layers.size, np.int64)
        if counts.sum(dtype=np.float64) * LENGTH > LARGEST:
            total = to_python_integers(total)
        for first in range(0, len(counts), ROWS):
            some = slice(first, first + ROWS)
            pairs = clip_pairs(layer_pairs(parameters, coords[:, some]), parameters.clip)
            sums = [sum_products(error, counts[some], entered).ravel() for error, entered in pairs]
            total = total + np.concatenate(sums)
        return total

    return by_block(layout, sum_gradients, parameters.layers.size)


def clip_pairs(pairs: list[Pair], clip: float) -> list[Pair]:
    """The pairs in whole numbers, clipped so that no row's gradient is longer than LENGTH, which represents `clip`.

    Errors are truncated towards 0 after clipping. The last test does not rely on that.
    """
    entered = [np.trunc(np.clip(np.nan_to_num(enter), -ACTIVE, ACTIVE) * UNIT) for _, enter in pairs]
    lengths = [(enter**2).sum(axis=1) for enter in entered]
    square = np.zeros(len(lengths[0]))
    for (error, _), length in zip(pairs, lengths, strict=True):
        square += (error**2).sum(axis=1) * length
    factor = ERROR * (1 - 1e-9) / np.maximum(clip, np.sqrt(square) / UNIT)
    errors = [np.trunc(np.nan_to_num(error * factor[:, None])) for error, _ in pairs]
    square = np.zeros(len(factor))
    for error, length in zip(errors, lengths, strict=True):
        square += (error**2).sum(axis=1) * length
    kept = square <= LENGTH**2 * ROOM
    return [(np.where(kept[:, None], error, 0.0), enter) for error, enter in zip(errors, entered, strict=True)]


def layer_pairs(lesson: Lesson, coords: NDArray[np.int32]) -> list[Pair]:
    """One forward and one backward pass through both networks; one pair for each layer."""
    layers = (on_grid(np.nan_to_num(layer), UNIT, WEIGHT) for layer in lesson.layers)
    hidden_spread, spread, hidden_decode, decode = layers
    place = on_grid(places(lesson.projection, coords) / UNIT, UNIT, 16.0)
    jitter = on_grid(lesson.jitter, UNIT, 8.0)[(lesson.turns @ coords) % len(lesson.jitter)]

    placed = _with_bias(place)
    unsure = _with_bias(_rectify(placed, hidden_spread))
    level = np.trunc(np.clip(unsure @ spread.T, -8, 4) * STEPS).astype(np.int64)
    deviation = DEVIATIONS[level + 8 * STEPS]
    drawn = _with_bias(on_grid(place + deviation * jitter, UNIT, 32.0))
    hidden = _with_bias(_rectify(drawn, hidden_decode))
    missed = on_grid(_output_errors(lesson, hidden @ decode.T, coords), ERROR, 1.0)

    back = on_grid((missed @ decode[:, :-1]) * (hidden[:, :-1] > 0), UNIT, ACTIVE)
    moved = on_grid(back @ hidden_decode[:, :-1], UNIT, ACTIVE)
    variance = on_grid(deviation**2, UNIT, 64.0)
    share = on_grid(shares(lesson.mixture, place, variance), ERROR, 1.0)
    narrow = share @ on_grid(1 / lesson.mixture.variances, 2**6, 2.0**12)
    wrong = on_grid((moved * deviation * jitter + variance * narrow - 1) / 2, UNIT, ACTIVE)
    back_spread = on_grid((wrong @ spread[:, :-1]) * (unsure[:, :-1] > 0), UNIT, ACTIVE)
    return [(back_spread, placed), (wrong, unsure), (back, drawn), (missed, hidden)]


def _output_errors(lesson: Lesson, scores: Floats, coords: NDArray[np.int32]) -> Floats:
    """The errors of the last layer: the probability of each output minus 1 if it is the true one."""
    found, row = np.zeros_like(scores), np.arange(len(scores))
    ends = np.cumsum([0, *lesson.outputs])
    for (first, last), part, at in zip(pairwise(ends.tolist()), lesson.bins, coords, strict=True):
        found[:, first:last] = softmax(scores[:, first:last])
        found[row, first + part[at]] -= 1
    return found


def _rectify(entered: Floats, layer: Floats) -> Floats:
    return on_grid(np.maximum(entered @ layer.T, 0), UNIT, ACTIVE)


def _with_bias(values: Floats) -> Floats:
    return np.concatenate([values, np.ones((len(values), 1))], axis=1)
