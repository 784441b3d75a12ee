"""Slow twins: the statistics as plain loops over cells with exact fractions, and blocks grown at random."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.peers.hdmm.statistics import WEIGHT, Product, Products
from ripost.peers.p3gm.network import Encoding, Lesson, Places
from ripost.peers.residual_planner.statistics import LENGTH_OF_WEIGHTS
from ripost.space.blocks import Blocks
from ripost.space.cuts import Cuts
from ripost.space.query_parameters import (
    FULL,
    BinnedMargin,
    Couples,
    Distances,
    Grid,
    Margin,
    Pairs,
    Parts,
    QueryParameters,
    Slabs,
)
from ripost.space.runs import Runs

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


def statistic(name: str, tensor: Tensor, box: Box, question: QueryParameters | None = None, row: int = 0) -> list[int]:
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
            if isinstance(question, BinnedMargin):
                return _binned_margin(tensor, box, question)
            assert isinstance(question, Slabs)
            return [
                sum(counts_in(tensor, _meet(box, question.axis, low, high)))
                for low, high in pairwise(question.edges.tolist())
            ]
        case "discrepancy":
            assert isinstance(question, Pairs)
            return [_discrepancy(tensor, box, question, row, axis) for axis in range(len(box[0]))]
        case "weighted sum":
            assert isinstance(question, Products)
            return [value for term in question.terms for value in _sum_product(tensor, box, term)]
        case "signed sum":
            assert isinstance(question, Products)
            return [value for term in question.terms for value in _sum_product(tensor, box, term)]
        case "deviation of run":
            assert isinstance(question, Runs)
            return _runs(tensor, box, question)
        case "second moment" | "responsibility" | "gradient":
            assert isinstance(question, Encoding | Places | Lesson)
            return _vectors(tensor, box, question)
        case "dependence":
            assert isinstance(question, Couples)
            return [_dependence(tensor, box, *couple) for couple in question.couples]
        case "largest dependence":
            assert isinstance(question, Couples)
            return [max(_dependence(tensor, box, *couple) for couple in question.couples)]
        case "distance":
            assert isinstance(question, Distances)
            return [_distance(tensor, box, question, number) for number in range(len(question.margins))]
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


def _binned_margin(tensor: Tensor, box: Box, question: BinnedMargin) -> list[int]:
    found = []
    for bins in itertools.product(*(pairwise(edges.tolist()) for edges in question.edges)):
        inside = box
        for axis, (low, high) in zip(question.axes, bins, strict=True):
            inside = _meet(inside, axis, low, high)
        found.append(sum(counts_in(tensor, inside)))
    return found


def _sum_product(tensor: Tensor, box: Box, term: Product) -> list[int]:
    rows = itertools.product(*(range(len(factor)) for factor in term.factors))
    found = dict.fromkeys(rows, 0)
    for cell, count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True):
        if all(low <= code < high for code, low, high in zip(cell, *box, strict=True)):
            for row in found:
                weights = [int(f[r, cell[a]]) for f, r, a in zip(term.factors, row, term.axes, strict=True)]
                found[row] += term.weight * math.prod(weights) * count
    return [max(min(value, 2**62), -(2**62)) for value in found.values()]


def _runs(tensor: Tensor, box: Box, question: Runs) -> list[int]:
    """Deviations of the runs, found anew: all runs of 2^k places with cells in them, each set of cells once."""
    totals = _margin(tensor, box, Margin(question.axes, question.sizes))
    place = question.place.tolist()
    found: list[int] = []
    seen: set[tuple[int, ...]] = set()
    for bits in range(max(place).bit_length() + 1):
        for start in sorted({at >> bits for at in place}):
            inside = tuple(sorted(cell for cell, at in enumerate(place) if at >> bits == start))
            if inside not in seen:
                seen.add(inside)
                mean = Fraction(sum(totals[cell] for cell in inside), len(inside))
                found.append(math.floor(sum(abs(totals[cell] - mean) for cell in inside)))
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
            return plain_network.sum_vectors([(plain_network.moments(question, c), n) for c, n in inside], size)
        case Places():
            size = len(question.mixture.weights) * (1 + 2 * question.projection.latent)
            return plain_network.sum_vectors([(plain_network.moment_row(question, c), n) for c, n in inside], size)
    return plain_network.sum_vectors(
        [(plain_network.gradient(question, c), n) for c, n in inside], question.layers.size
    )


def _bin(code: int, size: int, bins: int) -> int:
    """The bin of a code: edges lie at the first whole code from i size / bins on."""
    edges = [math.ceil(Fraction(i * size, bins)) for i in range(bins + 1)]
    return next(i for i, (low, high) in enumerate(pairwise(edges)) if low <= code < high)


def _grid(tensor: Tensor, box: Box, question: Grid) -> list[int]:
    combinations = [*itertools.product(*map(range, question.bins))]
    found = [0] * len(combinations)
    for cell, count in zip(tensor.coords.tolist(), tensor.counts.tolist(), strict=True):
        if all(low <= code < high for code, low, high in zip(cell, *box, strict=True)):
            where = zip(question.axes, question.sizes, question.bins, strict=True)
            found[combinations.index(tuple(_bin(cell[a], n, m) for a, n, m in where))] += count
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


def _distance(tensor: Tensor, box: Box, question: Distances, number: int) -> int:
    found = _margin(tensor, box, question.margins[number])
    apart = sum(abs(n - t) for n, t in zip(found, question.tables[number].tolist(), strict=True))
    score = min(max(int(question.weight[number]), 0), FULL) * apart + int(question.offset[number])
    return min(max(score, -(2**61)), 2**61)


def question(name: str, blocks: Blocks, rng: np.random.Generator) -> QueryParameters | None:
    """A question at random for a statistic that takes one."""
    sizes, length = blocks.sizes, blocks.upper.max(axis=0, initial=1)
    axes = range(sizes.shape[1])
    if name in ("second moment", "responsibility", "gradient"):
        return plain_network.question(name, length.tolist(), rng)
    match name:
        case "dependence" | "largest dependence":
            couples = [(_some_grid(length.tolist(), rng), _some_grid(length.tolist(), rng)) for _ in range(3)]
            whole = [Grid((axis,), (size,), (min(size, 6),)) for axis, size in enumerate(length.tolist())]
            few = name == "largest dependence" and rng.random() < 0.5  # where one couple decides
            return Couples((couples[0],) if few else (*couples, (whole[0], whole[-1])))
        case "total of part" if rng.random() < 0.3:
            return _some_grid(length.tolist(), rng)
        case "total of part" if len(axes) > 1 and rng.random() < 0.3:
            several = tuple(rng.permutation(len(axes))[: rng.integers(2, 4)].tolist())
            return BinnedMargin(several, tuple(_some_edges(int(length[axis]), rng) for axis in several))
        case "total of part" if rng.random() < 0.5:
            some = tuple(rng.permutation(sizes.shape[1])[: rng.integers(1, 4)].tolist())
            lengths = tuple(length[list(some)].tolist())
            group = rng.integers(0, 4, math.prod(lengths)) if rng.random() < 0.5 else None
            return Margin(some, lengths, group, 4)
        case "total of part":
            axis = int(rng.integers(sizes.shape[1]))
            return Slabs(axis, _some_edges(int(length[axis]), rng))
        case "weighted sum":
            return Products(tuple(_product(rng, length.tolist(), WEIGHT // 2) for _ in range(2)))
        case "signed sum":
            return Products(tuple(_signed_product(rng, length.tolist()) for _ in range(2)))
        case "deviation of run":
            short = [a for a in axes if length[a] <= 64] or [int(length.argmin())]
            some = tuple(
                short[: 1 + int(rng.integers(2))] if math.prod(length[short[:2]].tolist()) <= 200 else short[:1]
            )
            cells = math.prod(length[list(some)].tolist())
            return Runs(some, tuple(length[list(some)].tolist()), rng.choice(2 * cells, cells, replace=False))
        case "discrepancy":
            edges = tuple(np.unique(rng.integers(0, length[a] + 1, 3)) for a in axes)
            return Pairs(
                blocks.lower + (rng.random(sizes.shape) * (sizes + 1)).astype(np.int64),
                rng.choice([0, 0.5, 1, *rng.random(3)], sizes.shape),
                edges,
                tuple(rng.choice([0, 1, *rng.random(3)], (len(blocks), len(edge))) for edge in edges),
                tuple(tuple(rng.choice(len(axes), min(3, len(axes)), replace=False).tolist()) for _ in axes),
            )
        case "distance":
            asked = [question("total of part", blocks, rng) for _ in range(4)]
            margins = tuple(one for one in asked if isinstance(one, Margin) and len(one) <= 100)
            return Distances(
                margins,
                tuple(rng.integers(0, 4, len(margin)) for margin in margins),
                rng.choice([0, 1, FULL, 3 * FULL], len(margins), p=[0.1, 0.1, 0.7, 0.1]),
                rng.integers(-1000, 1000, len(margins)),
            )
    return None


def _some_edges(size: int, rng: np.random.Generator) -> np.ndarray:
    inner = rng.integers(1, size, 3) if size > 1 else []
    return np.unique([0, *inner, size])


def _signed_product(rng: np.random.Generator, length: list[int]) -> Product:
    """Whole numbers of either sign; half of all squares, as nearly as whole numbers allow."""
    axes = tuple(np.flatnonzero(rng.random(len(length)) < 0.5)[:2].tolist())
    factors = tuple(rng.integers(-2, 3, (2, length[axis])) for axis in axes)
    for factor in factors:
        factor[0, np.flatnonzero(~factor.any(axis=0))] = 1
        factor[1] = np.where(factor[0] ** 2 < 4, factor[1], 0)
    most = math.prod(int((factor**2).sum(axis=0).max()) for factor in factors)
    return Product(axes, factors, math.isqrt(LENGTH_OF_WEIGHTS**2 // 2 // most))


def _product(rng: np.random.Generator, length: list[int], most: int) -> Product:
    """A product in which the weights of every cell add up to `most`, a power of 2."""
    axes = tuple(rng.permutation(len(length))[: rng.integers(0, 3)].tolist())
    if math.prod(length[axis] for axis in axes) > 3000:
        axes = axes[:1]
    levels = [2 ** int(rng.integers(0, 8)) for _ in axes]
    factors = tuple(
        rng.multinomial(level, rng.dirichlet(np.ones(rng.integers(1, 4))), length[axis]).T
        for axis, level in zip(axes, levels, strict=True)
    )
    return Product(axes, factors, most // math.prod(levels))


def rows(question: QueryParameters | None, first: int, last: int) -> QueryParameters | None:
    """The part of a question that is about some of its blocks."""
    if not isinstance(question, Pairs):
        return question
    below = tuple(shares[first:last] for shares in question.below)
    return replace(question, cut=question.cut[first:last], left=question.left[first:last], below=below)


def grow_partitions(tensor: Tensor, rng: np.random.Generator, levels: int) -> Iterator[tuple[MemoryBlockData, Blocks]]:
    """Partitions as a method makes them: blocks cut at random, some put by, and at last all joined."""
    live, blocks = MemoryBlockData.of(tensor), Blocks.whole(tensor.domain.shape)
    done: list[tuple[MemoryBlockData, Blocks]] = []
    yield live, blocks
    for _ in range(levels):
        stop = blocks.is_cell | (rng.random(len(blocks)) < 0.2)
        finished, live = live.select(stop)
        done.append((finished, blocks.take(stop)))
        blocks = blocks.take(~stop)
        cuts = Cuts.of(blocks)
        axis, cut = cuts.locate((rng.random(len(blocks)) * np.diff(cuts.start)).astype(np.int64))
        live, blocks = live.split(axis, cut), blocks.split(axis, cut)
        yield live, blocks
    (first, *others), parts = [cells for cells, _ in [*done, (live, blocks)]], [b for _, b in [*done, (live, blocks)]]
    lower, upper = (np.concatenate([getattr(part, side) for part in parts]) for side in ("lower", "upper"))
    yield first.merge(others), Blocks(lower, upper)


def random_tensor(rng: np.random.Generator, shape: tuple[int, ...], rate: float) -> Tensor:
    counts = rng.poisson(rate, shape)
    where = np.argwhere(counts > 0)
    return Tensor.from_arrays(shape, where, counts[tuple(where.T)])
