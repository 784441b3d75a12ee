"""Family: all tensors of a tiny shape at once, and which of them are neighbors."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Codes, Mask
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.peers.hdmm.statistics import Products
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import (
    BinnedMargin,
    Couples,
    Distances,
    Grid,
    Margin,
    Pairs,
    QueryParameters,
    Slabs,
)
from ripost.space.runs import Runs
from ripost.space.spine import Spine
from ripost.statistics.statistic import Statistic

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Family:
    """Every tensor of a shape with counts up to `most`; a row adds up to `bound` to one cell."""

    shape: tuple[int, ...]
    most: int = 2
    bound: int = 1
    spine: Spine | None = field(default=None, compare=False)  # levels and impossible cells
    _known: dict[tuple[Hashable, ...], Ints] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def counts(self) -> Ints:
        """One row a tensor, one column a cell."""
        return np.array(list(itertools.product(range(self.most + 1), repeat=int(np.prod(self.shape)))))

    @cached_property
    def cells(self) -> Ints:
        """Coordinates of each column."""
        return np.array(list(np.ndindex(self.shape))).reshape(-1, len(self.shape))

    @cached_property
    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Two neighbors and the cell in which they differ, for every pair in both orders."""
        place = (self.most + 1) ** np.arange(len(self.cells))[::-1]
        found = []
        for cell, steps in itertools.product(range(len(self.cells)), range(1, self.bound + 1)):
            less = np.flatnonzero(self.counts[:, cell] + steps <= self.most)
            more, where = less + steps * place[cell], np.full(len(less), cell)
            found += [(less, more, where), (more, less, where)]
        one, other, where = (np.concatenate(part) for part in zip(*found, strict=True))
        return one, other, where

    def tensor(self, number: int) -> Tensor:
        return Tensor.from_arrays(self.shape, self.cells, self.counts[number])

    def inside(self, lower: Codes, upper: Codes) -> Mask:
        """Which cells lie in a box."""
        return ((self.cells >= lower) & (self.cells < upper)).all(axis=1)

    def statistic(
        self, statistic: Statistic, lower: Codes, upper: Codes, question: QueryParameters | None = None
    ) -> Ints:
        """A statistic of one box in every tensor, (values, tensors), by the code that a release runs.

        The tensors stand side by side along one axis more, which the engine then cuts into slices.
        """
        key = statistic.name, lower.tobytes(), upper.tobytes(), _key(question)
        if key not in self._known:
            inside, number = self.inside(lower, upper), len(self.counts)
            stacked = np.concatenate(
                [
                    np.repeat(np.arange(number), inside.sum())[:, None],
                    np.tile(self.cells[inside] - lower, (number, 1)),
                ],
                axis=1,
            )
            sizes = (number, *(upper - lower).tolist())
            engine = MemoryBlockData.of(Tensor.from_arrays(sizes, stacked, self.counts[:, inside].ravel()))
            engine, blocks = _slices(engine, Blocks.whole(sizes))
            asked = _for_slices(question, lower, number)
            found = engine.compute(statistic, 0, number, asked).reshape(number, -1)
            if isinstance(asked, Pairs):
                found = found[:, 1:]  # the axis that tells tensors apart
            self._known[key] = found[np.argsort(blocks.lower[:, 0])].T
        return self._known[key]


def _key(part: Any) -> Hashable:
    """What tells a question from others, and can be looked up."""
    if isinstance(part, np.ndarray):
        return part.shape, part.tobytes()
    if isinstance(part, tuple):
        return tuple(map(_key, part))
    return (type(part), *(_key(getattr(part, f.name)) for f in fields(part))) if is_dataclass(part) else part


def about(question: QueryParameters | None, row: int) -> QueryParameters | None:
    """A question about one of its blocks."""
    if not isinstance(question, Pairs):
        return question
    below = tuple(shares[[row]] for shares in question.below)
    return replace(question, cut=question.cut[[row]], left=question.left[[row]], below=below)


def _for_slices(question: QueryParameters | None, lower: Codes, number: int) -> QueryParameters | None:
    """A question about one box of the family, for as many slices, which have one axis more and start at 0."""
    if isinstance(question, Slabs):
        return Slabs(question.axis + 1, question.edges - lower[question.axis])
    if isinstance(question, Couples):
        return Couples(tuple(tuple(_for_slices(parts, lower, number) for parts in pair) for pair in question.couples))
    if isinstance(question, Margin | Grid | BinnedMargin | Runs):
        assert not lower.any(), "margins are asked of the whole"
        return replace(question, axes=tuple(axis + 1 for axis in question.axes))
    if isinstance(question, Products):
        assert not lower.any(), "products are asked of the whole"
        return Products(tuple(replace(term, axes=tuple(axis + 1 for axis in term.axes)) for term in question.terms))
    if isinstance(question, Distances):
        margins = tuple(replace(margin, axes=tuple(a + 1 for a in margin.axes)) for margin in question.margins)
        return replace(question, margins=margins)
    if isinstance(question, Pairs):
        no_looks, no_share = np.zeros(0, np.int64), np.zeros((number, 0))
        return Pairs(
            np.pad(np.repeat(question.cut - lower, number, axis=0), ((0, 0), (1, 0))),
            np.pad(np.repeat(question.left, number, axis=0), ((0, 0), (1, 0))),
            (no_looks, *(edges - start for edges, start in zip(question.edges, lower, strict=True))),
            (no_share, *(np.repeat(shares, number, axis=0) for shares in question.below)),
            ((), *(tuple(partner + 1 for partner in partners) for partners in question.partners)),
        )
    return None


def _slices(engine: MemoryBlockData, blocks: Blocks) -> tuple[MemoryBlockData, Blocks]:
    """Blocks one thick along the first axis."""
    done = []
    while len(blocks):
        thin = blocks.sizes[:, 0] == 1
        finished, engine = engine.select(thin)
        done.append((finished, blocks.take(thin)))
        blocks = blocks.take(~thin)
        cut = blocks.lower[:, 0] + blocks.sizes[:, 0] // 2
        engine, blocks = engine.split(np.zeros_like(cut), cut), blocks.split(np.zeros_like(cut), cut)
    engines, parts = zip(*done, strict=True)
    lower, upper = (np.concatenate([getattr(part, side) for part in parts]) for side in ("lower", "upper"))
    return engines[0].merge(engines[1:]), Blocks(lower, upper)
