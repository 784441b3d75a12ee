"""Runs: every aligned stretch once; the cheapest cover equals the best of all covers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ripost.space.runs import Offer, Runs


def covers(runs: Runs, run: int) -> Iterator[tuple[int, ...]]:
    """All covers of a run, in the order in which equal ones are preferred."""
    yield (run,)
    for parents, lefts, rights in runs.joins:
        for parent, left, right in zip(parents.tolist(), lefts.tolist(), rights.tolist(), strict=True):
            if parent == run:
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


@pytest.mark.parametrize("shape", [(1,), (2,), (5,), (3, 2)], ids=str)
def test_the_cheapest_cover_is_the_best_of_all(shape: tuple[int, ...]) -> None:
    """Few different costs, so that ties abound; the first of equal covers is taken."""
    runs, rng = Runs.along(shape, "auto"), np.random.default_rng(4)
    everyone = list(covers(runs, len(runs) - 1))
    for _ in range(200):
        costs = rng.integers(-2, 3, len(runs))
        sums = [costs[list(cover)].sum() for cover in everyone]
        total, chosen = runs.cheapest(costs)
        assert total == min(sums)
        assert tuple(chosen.tolist()) == everyone[int(np.argmin(sums))]


def test_the_best_offer_decides() -> None:
    runs, rng = Runs.along((5,), "auto"), np.random.default_rng(5)
    for _ in range(100):
        costs = rng.integers(-9, 9, len(runs))
        offers = [Offer(rng.integers(0, 9, len(runs)), int(rng.integers(0, 20))) for _ in range(3)]
        sums = [
            (offer.fee + int((costs + offer.price)[list(cover)].sum()), number)
            for number, offer in enumerate(offers)
            for cover in covers(runs, len(runs) - 1)
        ]
        least, number = min(sums)
        chosen = runs.best(costs, offers)
        assert chosen.tolist() == runs.cheapest(costs + offers[number].price)[1].tolist()
        assert least == offers[number].fee + (costs + offers[number].price)[chosen].sum()
