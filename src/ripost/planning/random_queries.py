"""Random queries to a stand-in: boxes that hold about a wanted share of the total, with their true answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ripost.arrays import Floats, Ints
from ripost.data.tensor import Tensor
from ripost.space.public_randomness import Generator, public_generator

QUESTIONS = 60  # of each size
PROPOSED = 150  # boxes of each size, of which those are kept that fit
MOST_BOUNDED = 3  # attributes that a question restricts
WITHIN = 2.0  # a box fits if it holds the wanted share within this factor
FEWEST = 10  # questions of a size that tell something


@dataclass(frozen=True)
class QuerySet:
    """Boxes of one size, with their true answers."""

    share: float
    lower: Ints  # (n, d)
    upper: Ints  # (n, d), exclusive
    truth: Floats  # (n,), in units of the measure

    def __len__(self) -> int:
        return len(self.truth)


def draw_queries(
    tensor: Tensor, shares: Sequence[float], rng: Generator, *, proposed: int = PROPOSED
) -> tuple[QuerySet, ...]:
    """Draw questions of each size, where random boxes reach it: ranges of one to three attributes, as people filter."""
    if not len(tensor.counts):
        return ()
    axes = [_Axis.of(tensor.coords[:, axis], tensor.counts) for axis in range(len(tensor.domain))]
    each = [_whole(tensor) if share >= 1 else _of_share(tensor, axes, share, rng, proposed) for share in shares]
    return tuple(found for found in each if found.share == 1 or len(found) >= FEWEST)


def draw_pair_queries(tensor: Tensor, pair: tuple[int, int], share: float, seed: int) -> QuerySet:
    """Draw random ranges of two attributes, each with about this share of all rows; none if no range fits."""
    axes = [_Axis.of(tensor.coords[:, axis], tensor.counts) for axis in range(len(tensor.domain))]
    return _of_share(tensor, axes, share, public_generator(seed, *pair), PROPOSED, pair)


def _whole(tensor: Tensor) -> QuerySet:
    """The question for the total."""
    upper = np.array([tensor.domain.shape], np.int64)
    total = float(tensor.counts.sum()) * tensor.measure.step
    return QuerySet(1.0, np.zeros_like(upper), upper, np.array([total]))


def _of_share(
    tensor: Tensor, axes: list[_Axis], share: float, rng: Generator, proposed: int, bounded: Sequence[int] = ()
) -> QuerySet:
    """Questions of one size. They restrict the given attributes, or random ones."""
    shape, total = np.array(tensor.domain.shape, np.int64), float(tensor.counts.sum())
    lower, upper, inside = [], [], []
    for _ in range(proposed):
        low, high = _box(axes, shape, share, rng, bounded)
        held = _count_inside(tensor, shape, low, high)
        if share / WITHIN <= held / total <= share * WITHIN:
            lower.append(low)
            upper.append(high)
            inside.append(held)
        if len(inside) == QUESTIONS:
            break
    low, high = (np.array(ends, np.int64).reshape(-1, len(shape)) for ends in (lower, upper))
    return QuerySet(share, low, high, np.array(inside, np.float64) * tensor.measure.step)


@dataclass(frozen=True)
class _Axis:
    """The codes of an axis that occur, and the share of the total up to each."""

    codes: Ints
    reached: Floats

    @classmethod
    def of(cls, codes: NDArray[np.int32], counts: Ints) -> _Axis:
        distinct, place = np.unique(codes, return_inverse=True)
        mass = np.bincount(place, counts)
        return cls(distinct.astype(np.int64), np.cumsum(mass) / mass.sum())

    def range(self, share: float, rng: Generator) -> tuple[int, int]:
        """A range of codes from a random one on, with about this share of the total."""
        start = rng.uniform(0, max(0.0, 1 - share))
        first, last = np.searchsorted(self.reached, [start, min(start + share, 1 - 1e-12)])
        return int(self.codes[first]), int(self.codes[max(first, last - (last > first and rng.uniform() < 0.5))]) + 1


def _box(axes: list[_Axis], shape: Ints, share: float, rng: Generator, bounded: Sequence[int]) -> tuple[Ints, Ints]:
    number = len(bounded) or rng.integers(1, min(MOST_BOUNDED, len(axes)), endpoint=True)
    low, high = np.zeros_like(shape), shape.copy()
    for axis in bounded or rng.choice(len(axes), number, replace=False):
        part = min(1.0, share ** (1 / number) * np.exp(rng.uniform(-0.7, 0.7)))
        low[axis], high[axis] = axes[axis].range(part, rng)
    return low, high


def _count_inside(tensor: Tensor, shape: Ints, low: Ints, high: Ints) -> int:
    """The sum in a box, in steps of the measure; only the axes that it restricts are read."""
    inside = np.ones(len(tensor.counts), bool)
    for axis in np.flatnonzero((low > 0) | (high < shape)):
        at = tensor.coords[:, axis]
        inside &= (at >= low[axis]) & (at < high[axis])
    return int(tensor.counts[inside].sum())
