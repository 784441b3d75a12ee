"""One row moves each statistic by its sensitivity at most, over every partition, and can move it that far."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.space.blocks import Blocks
from ripost.space.cuts import Cuts
from ripost.space.query_parameters import Pairs
from ripost.statistics.statistic import LARGEST, LENGTH, RUN, SUM, Statistic
from tests.data import plain
from tests.statistics_by_name import STATISTICS


def length(changes: np.ndarray, initial: int = 0) -> int:
    """Of a vector, in whole numbers, rounded up."""
    square = sum(value**2 for value in changes.tolist())
    return math.isqrt(square) + (math.isqrt(square) ** 2 < square)


# How a vector of statistics changes: noisy values by the sum of all changes, or by their length where the noise is
# Gaussian, scores of a choice by the largest one.
DISTANCE = {
    "total": np.sum,
    "deviation": np.sum,
    "mixture of cut": np.max,
    "deviation of cut": np.max,
    "total of part": np.sum,
    "discrepancy": np.max,
    "weighted sum": np.sum,
    "signed sum": length,
    "deviation of run": np.max,
    "second moment": length,
    "responsibility": length,
    "gradient": length,
    "dependence": np.max,
    "largest dependence": np.sum,
    "distance": np.max,
}

statistics = pytest.mark.parametrize("statistic", STATISTICS.values(), ids=lambda statistic: statistic.name)


@dataclass(frozen=True)
class Neighbours:
    """Two tensors that differ by one row, and cuts that grow a partition of both."""

    one: np.ndarray
    other: np.ndarray
    bound: int
    picks: tuple[float, ...] = ()  # where the largest block is cut, as a share of its cuts

    def change(self, statistic: Statistic) -> int:
        """How far apart the statistics of the whole partition are."""
        found = []
        for dense in (self.one, self.other):
            cells, blocks = (
                MemoryBlockData.of(Tensor.from_arrays(dense.shape, *_sparse(dense))),
                Blocks.whole(dense.shape),
            )
            for pick in self.picks:
                cells, blocks = _cut_all(cells, blocks, pick)
            question = plain.question(statistic.name, blocks, np.random.default_rng(self.one.ravel()))
            found.append(cells.compute(statistic, 0, len(blocks), question))
        return int(DISTANCE[statistic.name](np.abs(found[0] - found[1]), initial=0))


def _sparse(dense: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    where = np.argwhere(dense > 0)
    return where.reshape(-1, dense.ndim), dense[tuple(where.T)]


def _cut_all(cells: MemoryBlockData, blocks: Blocks, pick: float) -> tuple[MemoryBlockData, Blocks]:
    """Cut every block that can be cut; the others are kept."""
    single = blocks.is_cell
    done, live = cells.select(single)
    left = blocks.take(~single)
    cuts = Cuts.of(left)
    axis, cut = cuts.locate((pick * np.diff(cuts.start)).astype(np.int64))
    halves, kept = left.split(axis, cut), blocks.take(single)
    lower, upper = (np.concatenate([getattr(b, side) for b in (halves, kept)]) for side in ("lower", "upper"))
    return live.split(axis, cut).merge([done]), Blocks(lower, upper)


@st.composite
def neighbours(draw: st.DrawFn) -> Neighbours:
    shape = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    size = int(np.prod(shape))
    largest = draw(st.sampled_from([1, 2, 5, 1000]))
    one = np.array(draw(st.lists(st.integers(0, largest), min_size=size, max_size=size)), np.int64).reshape(shape)
    bound = draw(st.sampled_from([1, 2, 7, 1000]))
    other = one.copy()
    other[tuple(draw(st.integers(0, n - 1)) for n in shape)] += draw(st.integers(1, bound))
    if draw(st.booleans()):
        one, other = other, one
    picks = draw(st.lists(st.floats(0, 1, exclude_max=True), max_size=4))
    return Neighbours(one, other, bound, tuple(picks))


@pytest.mark.no_cover  # counting lines would double its time, and it runs none of the core
@settings(max_examples=400, deadline=None, derandomize=True)
@given(pair=neighbours())
def test_one_row_moves_no_statistic_further(pair: Neighbours) -> None:
    """Of each pair all statistics are computed: to draw a pair takes longer than that."""
    for statistic in STATISTICS.values():
        assert pair.change(statistic) <= statistic.sensitivity(pair.bound), statistic.name


def small_neighbours(bound: int) -> Iterator[Neighbours]:
    """Every tensor of six cells in a row, or two by three, with few rows, and one more row."""
    levels = (0, 1, 2) if bound == 1 else (0, bound, 2 * bound)
    for counts in itertools.product(levels, repeat=6):
        for shape, cell in [((6,), 0), ((6,), 3), ((2, 3), 1)]:
            one = np.array(counts).reshape(shape)
            other = one.copy()
            other.flat[cell] += bound
            yield Neighbours(one, other, bound)


@statistics
@pytest.mark.parametrize("bound", [1, 3])
def test_one_row_can_move_it_that_far(statistic: Statistic, bound: int) -> None:
    """Or nearly: of the deviation one row moves 2 (N - 1) / N a step, and vectors are a little shorter on a grid."""
    cells = 6
    within = Fraction(cells - 1, cells) if statistic.per_count == 2 or statistic.norm == LENGTH else 1
    goal = statistic.sensitivity(bound) * within
    assert any(pair.change(statistic) >= goal for pair in small_neighbours(bound))


@statistics
def test_half_the_figure_is_seen(statistic: Statistic) -> None:
    """The check above fails for a figure that is too small."""
    half = replace(statistic, per_count=Fraction(statistic.per_count, 2), per_cell=Fraction(statistic.per_cell, 2))
    assert any(pair.change(statistic) > half.sensitivity(1) for pair in small_neighbours(1))


@pytest.mark.parametrize("share", [np.nan, np.inf, -np.inf, -3.0, 7.0])
def test_no_question_can_move_a_discrepancy_further(share: float) -> None:
    """Expected shares that are no shares, as a fault upstream might make them: one row still moves a score by 1."""
    with np.errstate(invalid="ignore"):
        for counts in itertools.product((0, 1, 5), repeat=4):
            found = []
            for more in (0, 1):
                dense = np.array(counts).reshape(2, 2)
                dense[0, 0] += more
                cells = MemoryBlockData.of(Tensor.from_arrays((2, 2), *_sparse(dense)))
                looks, below = (np.array([1]),) * 2, (np.array([[share]]),) * 2
                question = Pairs(np.array([[1, 1]]), np.array([[share, 1.0]]), looks, below, ((1,), (0,)))
                found.append(cells.compute(STATISTICS["discrepancy"], 0, 1, question))
            assert np.abs(found[0] - found[1]).max() <= 1


def test_every_statistic_is_checked_here_and_can_be_computed() -> None:
    alike = {RUN: LARGEST}  # the largest change of a run
    norms = {np.sum: SUM, length: LENGTH, np.max: LARGEST}
    assert {s.name: alike.get(s.norm, s.norm) for s in STATISTICS.values()} == {
        name: norms[far] for name, far in DISTANCE.items()
    }


@statistics
def test_sensitivities_are_whole_and_positive(statistic: Statistic) -> None:
    for bound in (1, 2, 2**53 - 1):
        assert isinstance(statistic.sensitivity(bound), int)
        assert statistic.sensitivity(bound) >= 1


def test_the_figures() -> None:
    """The paper's Theorem 1 for counts; one row lies in one half of a cut, so a cut costs no more than a block."""
    assert {s.name: (s.sensitivity(1), s.sensitivity(5)) for s in STATISTICS.values()} == {
        "total": (1, 5),
        "deviation": (2, 10),
        "mixture of cut": (1, 1),
        "deviation of cut": (2, 10),
        "total of part": (1, 5),
        "discrepancy": (1, 5),
        "weighted sum": (2**20, 5 * 2**20),
        "signed sum": (2**26, 5 * 2**26),
        "deviation of run": (2, 10),
        "second moment": (2**24, 5 * 2**24),
        "responsibility": (2**28, 5 * 2**28),
        "gradient": (2**28, 5 * 2**28),
        "dependence": (2, 10),
        "largest dependence": (2, 10),
        "distance": (1024, 5120),
    }
