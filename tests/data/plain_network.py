"""The vectors of a phased generative model one row at a time, in plain Python: slow twins."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from ripost.peers.p3gm.bounded_sums import EXPONENTIALS, LARGEST, LENGTH, STEPS
from ripost.peers.p3gm.gradients import DEVIATIONS
from ripost.peers.p3gm.network import UNIT, Encoding, GaussianMixture, Layers, Lesson, Places, Projection

Row = list[float]


def sum_vectors(vectors: Sequence[tuple[list[int], int]], size: int) -> list[int]:
    """Sum of vectors times counts, cut off."""
    totals = [sum(count * vector[i] for vector, count in vectors) for i in range(size)]
    return [min(max(total, -LARGEST), LARGEST) for total in totals]


def moments(question: Encoding, cell: Sequence[int]) -> list[int]:
    x = [int(v) for table, code in zip(question.tables, cell, strict=True) for v in table[code]]
    x = x if sum(v * v for v in x) <= UNIT**2 else [0] * len(x)
    return [x[i] * x[j] for i in range(len(x)) for j in range(i, len(x))]


def moment_row(question: Places, cell: Sequence[int]) -> list[int]:
    place = [v / UNIT for v in _place(question.projection, cell)]
    share = _shares(question.mixture, place, [0.0] * len(place))
    row = [v for s in share for v in (s, *(s * z for z in place), *(s * z**2 for z in place))]
    whole = [math.trunc(v * ((1 - 1e-9) / math.sqrt(3)) * LENGTH) for v in row]
    return whole if sum(v * v for v in whole) <= LENGTH**2 else [0] * len(whole)


def gradient(question: Lesson, cell: Sequence[int]) -> list[int]:
    pairs = [
        (error, [math.trunc(min(max(v, -64), 64) * UNIT) for v in entered])
        for error, entered in join_regions(question, cell)
    ]
    length = math.sqrt(sum(sum(e * e for e in error) * sum(a * a for a in entered) for error, entered in pairs)) / UNIT
    factor = LENGTH // UNIT * (1 - 1e-9) / max(question.clip, length)
    return [math.trunc(e * factor) * a for error, entered in pairs for e, a in itertools.product(error, entered)]


def join_regions(lesson: Lesson, cell: Sequence[int]) -> list[tuple[Row, Row]]:
    layers = [[[_truncate(w, UNIT, 8) for w in row] for row in layer.tolist()] for layer in lesson.layers]
    place = [_truncate(v / UNIT, UNIT, 16) for v in _place(lesson.projection, cell)]
    turn = sum(int(t) * c for t, c in zip(lesson.turns, cell, strict=True)) % len(lesson.jitter)
    jitter = [_truncate(v, UNIT, 8) for v in lesson.jitter[turn].tolist()]
    placed = [*place, 1.0]
    unsure = [*(_truncate(max(v, 0), UNIT, 64) for v in _times(layers[0], placed)), 1.0]
    level = [math.trunc(min(max(v, -8), 4) * STEPS) for v in _times(layers[1], unsure)]
    deviation = [float(DEVIATIONS[v + 8 * STEPS]) for v in level]
    drawn = [*(_truncate(z + s * j, UNIT, 32) for z, s, j in zip(place, deviation, jitter, strict=True)), 1.0]
    hidden = [*(_truncate(max(v, 0), UNIT, 64) for v in _times(layers[2], drawn)), 1.0]
    scores = _times(layers[3], hidden)
    missed: Row = []
    for part, code, number in zip(lesson.bins, cell, lesson.outputs, strict=True):
        found = _softmax(scores[len(missed) : len(missed) + number])
        found[int(part[code])] -= 1
        missed += [_truncate(v, LENGTH // UNIT, 1) for v in found]
    back = [_truncate(v * (h > 0), UNIT, 64) for v, h in zip(_back(layers[3], missed), hidden[:-1], strict=True)]
    moved = [_truncate(v, UNIT, 64) for v in _back(layers[2], back)]
    variance = [_truncate(s**2, UNIT, 64) for s in deviation]
    share = [_truncate(v, LENGTH // UNIT, 1) for v in _shares(lesson.mixture, place, variance)]
    wrong = []
    for j in range(len(place)):
        narrow = sum(
            s * _truncate(1 / v, 2**6, 2**12) for s, v in zip(share, lesson.mixture.variances[:, j], strict=True)
        )
        wrong.append(_truncate((moved[j] * deviation[j] * jitter[j] + variance[j] * narrow - 1) / 2, UNIT, 64))
    first = [_truncate(v * (u > 0), UNIT, 64) for v, u in zip(_back(layers[1], wrong), unsure[:-1], strict=True)]
    return [(first, placed), (wrong, unsure), (back, drawn), (missed, hidden)]


def _place(projection: Projection, cell: Sequence[int]) -> Row:
    return [
        float(sum(table[code, j] for table, code in zip(projection.tables, cell, strict=True)))
        for j in range(projection.latent)
    ]


def _shares(mixture: GaussianMixture, place: Row, variance: Row) -> Row:
    precision = [[_truncate(1 / v, 2**6, 2**12) for v in row] for row in mixture.variances.tolist()]
    pull = np.array(
        [
            [_truncate(m * p, 2**12, 2**14) for m, p in zip(*rows, strict=True)]
            for rows in zip(mixture.means.tolist(), precision, strict=True)
        ]
    )
    level = np.log(mixture.weights) - (mixture.means * pull + np.log(mixture.variances)).sum(axis=1) / 2
    square = [_truncate(z**2 + v, 2**12, 2**10) for z, v in zip(place, variance, strict=True)]
    near = [_truncate(z, 2**12, 2**5) for z in place]
    pairs = zip(level.tolist(), _times(pull.tolist(), near), _times(precision, square), strict=True)
    return _softmax([base + p - s / 2 for base, p, s in pairs])


def _softmax(scores: Row) -> Row:
    odds = [float(EXPONENTIALS[math.trunc(min((max(scores) - s) * STEPS, len(EXPONENTIALS) - 1))]) for s in scores]
    return [o / sum(odds) for o in odds]


def _truncate(value: float, unit: float, most: float) -> float:
    return math.trunc(min(max(value, -most), most) * unit) / unit


def _times(layer: list[Row], entered: Row) -> Row:
    return [sum(w * a for w, a in zip(row, entered, strict=True)) for row in layer]


def _back(layer: list[Row], errors: Row) -> Row:
    return [sum(row[j] * e for row, e in zip(layer, errors, strict=True)) for j in range(len(layer[0]) - 1)]


def question(name: str, shape: Sequence[int], rng: np.random.Generator) -> Encoding | Places | Lesson:
    """A question at random, small."""
    encoding = Encoding.of(tuple(shape), int(rng.integers(1, 5)))
    if name == "second moment":
        return encoding
    latent = int(min(2, encoding.width))
    directions = np.linalg.qr(rng.normal(size=(encoding.width, latent)))[0]
    mixture = GaussianMixture(
        rng.dirichlet([1, 1]) * 0.9 + 0.05, rng.uniform(-1, 1, (2, latent)), rng.choice([1e-3, 0.1, 1], (2, latent))
    )
    if name == "responsibility":
        return Places(encoding.project(directions, 1.0), mixture)
    bins = tuple(np.arange(size) * min(size, 3) // size for size in shape)
    outputs = sum(int(part.max()) + 1 for part in bins)
    layers = Layers(
        (rng.normal(0, 2, (2, latent + 1)), rng.normal(0, 1, (latent, 3))),
        (rng.normal(0, 2, (3, latent + 1)), rng.normal(0, 2, (outputs, 4))),
    )
    projection = encoding.project(3 * directions, 16.0)
    turns, clip = rng.integers(0, 4, len(shape)), float(rng.choice([0.01, 1, 50]))
    return Lesson(projection, bins, mixture, layers, rng.normal(size=(4, latent)), turns, clip)
