"""Runs: every aligned run once; the cheapest cover equals the best of all covers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ripost.space.runs import Runs


def joined_runs(runs: Runs) -> dict[int, tuple[int, int, int]]:
    """Each larger run: the level that joined it, and its halves."""
    return {
        parent: (level, left, right)
        for level, joined in enumerate(runs.joins, 1)
        for parent, left, right in zip(*(part.tolist() for part in joined), strict=True)
    }


def evenly(runs: Runs, run: int, level: int) -> tuple[int, ...]:
    """The runs inside a run as a level left them."""
    joined, left, right = joined_runs(runs).get(run, (0, 0, 0))
    return (run,) if joined <= level else (*evenly(runs, left, level), *evenly(runs, right, level))


def pieces(runs: Runs) -> list[tuple[int, ...]]:
    """All pieces in the order of their numbers."""
    found = [(cell,) for cell in range(len(runs.order))]
    for number, (parents, _, _) in enumerate(runs.joins, 1):
        found += [evenly(runs, parent, level) for level in reversed(range(number + 1)) for parent in parents.tolist()]
    return found


def covers(runs: Runs, run: int) -> Iterator[tuple[int, ...]]:
    """All covers of a run by pieces, by number, in the order in which equal ones are preferred."""
    level, left, right = joined_runs(runs).get(run, (0, 0, 0))
    start = len(runs.order) + sum((number + 1) * len(runs.joins[number - 1][0]) for number in range(1, level))
    if level == 0:
        yield (run,)
        return
    parents = runs.joins[level - 1][0].tolist()
    for cut in range(level + 1):
        yield (start + cut * len(parents) + parents.index(run),)
    for one in covers(runs, left):
        yield from ((*one, *other) for other in covers(runs, right))


@pytest.mark.parametrize("shape", [(1,), (2,), (5,), (6,), (3, 2), (2, 2, 2)], ids=str)
@pytest.mark.parametrize("order", ["auto", "row-major"])
def test_runs_are_nested_and_distinct(shape: tuple[int, ...], order: str) -> None:
    runs = Runs.along(shape, order)
    cells = len(runs.order)
    assert len(runs) == 2 * cells - 1 == len(set(zip(runs.first.tolist(), runs.last.tolist(), strict=True)))
    assert (runs.first[-1], runs.last[-1]) == (0, cells)
    assert runs.lengths[:cells].tolist() == [1] * cells
    np.testing.assert_array_equal(runs.order[runs.rank], np.arange(cells))
    np.testing.assert_array_equal(runs.rank, runs.at(np.indices(shape).reshape(len(shape), -1)))
    for parent, left, right in runs.joins:
        np.testing.assert_array_equal(runs.first[parent], runs.first[left])
        np.testing.assert_array_equal(runs.last[left], runs.first[right])
        np.testing.assert_array_equal(runs.last[parent], runs.last[right])


@pytest.mark.parametrize("shape", [(1,), (2,), (5,), (7,), (3, 2), (4, 4)], ids=str)
def test_pieces_are_runs_cut_evenly(shape: tuple[int, ...]) -> None:
    runs = Runs.along(shape, "auto")
    all_pieces = pieces(runs)
    costs = np.random.default_rng(3).integers(0, 100, len(runs))
    assert runs.pieces(costs).tolist() == [costs[list(piece)].sum() for piece in all_pieces]
    assert runs.buckets.tolist() == [len(piece) for piece in all_pieces]
    assert runs.longest.tolist() == [runs.lengths[list(piece)].max() for piece in all_pieces]


@pytest.mark.parametrize("shape", [(1,), (2,), (5,), (3, 2)], ids=str)
def test_the_cheapest_cover_is_the_best_of_all(shape: tuple[int, ...]) -> None:
    """Few different costs, so that ties abound; the first of equal covers is taken."""
    runs, rng = Runs.along(shape, "auto"), np.random.default_rng(4)
    everyone, told = list(covers(runs, len(runs) - 1)), pieces(runs)
    for _ in range(100):
        costs = rng.integers(-2, 3, len(told))
        sums = [costs[list(cover)].sum() for cover in everyone]
        total, chosen = runs.cheapest(costs)
        assert total == min(sums)
        assert chosen.tolist() == [run for piece in everyone[int(np.argmin(sums))] for run in told[piece]]
