"""Slow twins: the statistics as plain loops over cells with exact fractions, and blocks grown at random."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ripost.space.blocks import Blocks
from ripost.space.cuts import Cuts
from ripost.space.network import Encoding, Lesson, Places
from ripost.space.question import Couples, Grid, Margin, Pairs, Parts, Question, Slabs
from ripost.tensor.cells import Cells
from ripost.tensor.tensor import Tensor

from . import plain_network

Box = tuple[list[int], list[int]]


def boxes(blocks: Blocks) -> list[Box]:
    return list(zip(blocks.lower.tolist(), blocks.upper.tolist(), strict=True))


def counts_in(tensor: Tensor, box: Box) -> list[int]:
    """Counts of the non-empty cells in a box."""
    lower, upper = box
    return [
        count
        for at, count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True)
        if all(low <= x < high for low, x, high in zip(lower, at, upper, strict=True))
    ]


def volume(box: Box) -> int:
    return math.prod(high - low for low, high in zip(*box, strict=True))


def deviation(tensor: Tensor, box: Box) -> Fraction:
    """The paper's AE: the sum of |cell - mean| over all cells, empty ones too."""
    counts, cells = counts_in(tensor, box), volume(box)
    mean = Fraction(sum(counts), cells)
    return sum(abs(count - mean) for count in counts) + (cells - len(counts)) * mean


def mixture(tensor: Tensor, box: Box) -> int:
    full = len(counts_in(tensor, box))
    return min(full, volume(box) - full)


def halves(box: Box) -> Iterator[tuple[Box, Box]]:
    """The two halves of every cut, axis by axis and position by position."""
    lower, upper = box
    for axis in range(len(lower)):
        for cut in range(lower[axis] + 1, upper[axis]):
            yield (
                (lower, [*upper[:axis], cut, *upper[axis + 1 :]]),
                ([*lower[:axis], cut, *lower[axis + 1 :]], upper),
            )


def statistic(name: str, tensor: Tensor, box: Box, question: Question | None = None, row: int = 0) -> list[int]:
    """A statistic of one box, which is block `row` of the question."""
    match name:
        case "total":
            return [sum(counts_in(tensor, box))]
        case "deviation":
            return [math.floor(deviation(tensor, box))]
        case "mixture of cut":
            return [-min(mixture(tensor, left), mixture(tensor, right)) for left, right in halves(box)]
        case "deviation of cut":
            return [-sum(math.floor(deviation(tensor, half)) for half in (left, right)) for left, right in halves(box)]
        case "total of part":
            if isinstance(question, Margin):
                return _margin(tensor, box, question)
            if isinstance(question, Grid):
                return _grid(tensor, box, question)
            assert isinstance(question, Slabs)
            return [
                sum(counts_in(tensor, _meet(box, question.axis, low, high)))
                for low, high in pairwise(question.edges.tolist())
            ]
        case "discrepancy":
            assert isinstance(question, Pairs)
            return [_discrepancy(tensor, box, question, row, axis) for axis in range(len(box[0]))]
        case "second moment" | "responsibility" | "gradient":
            assert isinstance(question, Encoding | Places | Lesson)
            return _vectors(tensor, box, question)
        case "dependence":
            assert isinstance(question, Couples)
            return [_dependence(tensor, box, *couple) for couple in question.couples]
    raise KeyError(name)


def _meet(box: Box, axis: int, low: int, high: int) -> Box:
    """The part of a box between two positions of an axis."""
    lower, upper = ([*end] for end in box)
    lower[axis], upper[axis] = max(lower[axis], low), min(upper[axis], high)
    return lower, upper


def _margin(tensor: Tensor, box: Box, question: Margin) -> list[int]:
    found = [0] * len(question)
    for cell, count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True):
        if all(low <= code < high for code, low, high in zip(cell, *box, strict=True)):
            combination = [*itertools.product(*map(range, question.sizes))].index(tuple(cell[a] for a in question.axes))
            found[combination if question.group is None else int(question.group[combination])] += count
    return found


def _vectors(tensor: Tensor, box: Box, question: Encoding | Places | Lesson) -> list[int]:
    inside = [
        (cell, count)
        for cell, count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True)
        if all(low <= code < high for code, low, high in zip(cell, *box, strict=True))
    ]
    match question:
        case Encoding():
            size = question.width * (question.width + 1) // 2
            return plain_network.summed([(plain_network.moments(question, c), n) for c, n in inside], size)
        case Places():
            size = len(question.mixture.weights) * (1 + 2 * question.projection.latent)
            return plain_network.summed([(plain_network.taken(question, c), n) for c, n in inside], size)
    return plain_network.summed([(plain_network.gradient(question, c), n) for c, n in inside], question.layers.size)


def _stretch(code: int, size: int, stretches: int) -> int:
    """The stretch of a code: edges lie at the first whole code from i size / stretches on."""
    edges = [math.ceil(Fraction(i * size, stretches)) for i in range(stretches + 1)]
    return next(i for i, (low, high) in enumerate(pairwise(edges)) if low <= code < high)


def _grid(tensor: Tensor, box: Box, question: Grid) -> list[int]:
    combinations = [*itertools.product(*map(range, question.stretches))]
    found = [0] * len(combinations)
    for cell, count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True):
        if all(low <= code < high for code, low, high in zip(cell, *box, strict=True)):
            where = zip(question.axes, question.sizes, question.stretches, strict=True)
            found[combinations.index(tuple(_stretch(cell[a], n, m) for a, n, m in where))] += count
    return found


def _dependence(tensor: Tensor, box: Box, one: Parts, other: Parts) -> int:
    """Half the sum of |joint - product of margins / n|, over all pairs of parts."""
    joint = [[0] * len(other) for _ in range(len(one))]
    for cell, count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True):
        if all(low <= code < high for code, low, high in zip(cell, *box, strict=True)):
            at = np.array([cell]).T
            joint[int(one.part(at)[0])][int(other.part(at)[0])] += count
    rows, columns = [sum(row) for row in joint], [sum(column) for column in zip(*joint, strict=True)]
    n = max(sum(rows), 1)
    gaps = [
        abs(c - Fraction(a * b, n))
        for a, row in zip(rows, joint, strict=True)
        for b, c in zip(columns, row, strict=True)
    ]
    return math.floor(sum(gaps) / 2)


def _some_grid(length: list[int], rng: np.random.Generator) -> Grid:
    some = rng.permutation(len(length))[: rng.integers(0, 3)].tolist()
    sizes = tuple(length[axis] for axis in some)
    return Grid(tuple(some), sizes, tuple(int(rng.integers(1, min(size, 4) + 1)) for size in sizes))


def _discrepancy(tensor: Tensor, box: Box, question: Pairs, row: int, axis: int) -> int:
    largest = Fraction(0)
    left = _meet(box, axis, 0, int(question.cut[row, axis]))
    for partner in set(question.partners[axis]) - {axis}:
        for look, position in enumerate(question.edges[partner].tolist()):
            share = float(question.left[row, axis]) * float(question.below[partner][row, look])
            expected = Fraction(min(max(round(2**20 * share), 0), 2**20), 2**20)
            found = sum(counts_in(tensor, _meet(left, partner, 0, position)))
            largest = max(largest, abs(found - sum(counts_in(tensor, box)) * expected))
    return math.floor(largest)


def question(name: str, blocks: Blocks, rng: np.random.Generator) -> Question | None:
    """A question at random for a statistic that takes one."""
    sizes, length = blocks.sizes, blocks.upper.max(axis=0, initial=1)
    axes = range(sizes.shape[1])
    if name in ("second moment", "responsibility", "gradient"):
        return plain_network.question(name, length.tolist(), rng)
    match name:
        case "dependence":
            couples = [(_some_grid(length.tolist(), rng), _some_grid(length.tolist(), rng)) for _ in range(3)]
            whole = [Grid((axis,), (size,), (min(size, 6),)) for axis, size in enumerate(length.tolist())]
            return Couples((*couples, (whole[0], whole[-1])))
        case "total of part" if rng.random() < 0.3:
            return _some_grid(length.tolist(), rng)
        case "total of part" if rng.random() < 0.5:
            some = tuple(rng.permutation(sizes.shape[1])[: rng.integers(1, 4)].tolist())
            lengths = tuple(length[list(some)].tolist())
            group = rng.integers(0, 4, math.prod(lengths)) if rng.random() < 0.5 else None
            return Margin(some, lengths, group, 4)
        case "total of part":
            axis = int(rng.integers(sizes.shape[1]))
            inner = rng.integers(1, length[axis], 3) if length[axis] > 1 else []
            return Slabs(axis, np.unique([0, *inner, length[axis]]))
        case "discrepancy":
            edges = tuple(np.unique(rng.integers(0, length[a] + 1, 3)) for a in axes)
            return Pairs(
                blocks.lower + (rng.random(sizes.shape) * (sizes + 1)).astype(np.int64),
                rng.choice([0, 0.5, 1, *rng.random(3)], sizes.shape),
                edges,
                tuple(rng.choice([0, 1, *rng.random(3)], (len(blocks), len(edge))) for edge in edges),
                tuple(tuple(rng.choice(len(axes), min(3, len(axes)), replace=False).tolist()) for _ in axes),
            )
    return None


def rows(question: Question | None, first: int, last: int) -> Question | None:
    """The part of a question that is about some of its blocks."""
    if not isinstance(question, Pairs):
        return question
    below = tuple(shares[first:last] for shares in question.below)
    return replace(question, cut=question.cut[first:last], left=question.left[first:last], below=below)


def grown(tensor: Tensor, rng: np.random.Generator, levels: int) -> Iterator[tuple[Cells, Blocks]]:
    """Frontiers as a method makes them: blocks cut at random, some put by, and at last all joined."""
    live, blocks = Cells.of(tensor), Blocks.whole(tensor.domain.shape)
    done: list[tuple[Cells, Blocks]] = []
    yield live, blocks
    for _ in range(levels):
        stop = blocks.is_cell | (rng.random(len(blocks)) < 0.2)
        finished, live = live.part(stop)
        done.append((finished, blocks.take(stop)))
        blocks = blocks.take(~stop)
        cuts = Cuts.of(blocks)
        axis, cut = cuts.locate((rng.random(len(blocks)) * np.diff(cuts.start)).astype(np.int64))
        live, blocks = live.split(axis, cut), blocks.split(axis, cut)
        yield live, blocks
    (first, *others), parts = [cells for cells, _ in [*done, (live, blocks)]], [b for _, b in [*done, (live, blocks)]]
    lower, upper = (np.concatenate([getattr(part, side) for part in parts]) for side in ("lower", "upper"))
    yield first.join(others), Blocks(lower, upper)


def random_tensor(rng: np.random.Generator, shape: tuple[int, ...], rate: float) -> Tensor:
    counts = rng.poisson(rate, shape)
    where = np.argwhere(counts > 0)
    return Tensor.from_arrays(shape, where, counts[tuple(where.T)])
