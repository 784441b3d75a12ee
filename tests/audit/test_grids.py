"""Grids and trees of grids keep the promise, by exact probabilities, and faults in them are seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from ripost.arrays import Codes
from ripost.errors import BudgetExceeded
from ripost.methods import METHODS
from ripost.peers.adaptive_grid import method as adaptive_grid
from ripost.peers.adaptive_grid.method import AdaptiveGrid
from ripost.peers.hierarchy import method as hierarchy
from ripost.peers.quadtree import method as quadtree
from ripost.peers.uniform_grid.method import UniformGrid
from ripost.statistics.totals import TOTAL
from tests.audit.faults import (
    Fault,
    a_tenth_less_noise,
    an_account_without_limit,
    bound_forgotten,
    counted_twice,
    half_the_noise,
    halves_that_forget,
    leaves_drawn_twice,
    less_noise,
    omit_charges,
)

from .enumeration import TOLERANCE, Audit, audit
from .family import Family

SHAPES = [(1,), (2,), (3,), (4,), (2, 2), (2, 1, 2), (2, 3)]
TREES = ["quadtree", "hierarchy"]
GRIDS = ["uniform-grid", "adaptive-grid"]


def run(name: str, family: Family, epsilon: Fraction | int = 1, **options: Any) -> Audit:
    """The audit; all outputs were seen, as their probabilities add up to 1."""
    method, exact = METHODS[name](**options), Fraction(epsilon)

    @cache
    def cutpoints(purpose: str) -> Sequence[int]:
        if isinstance(method, UniformGrid) and purpose == "total":
            return turns(lambda n: method.widths(family.shape, exact, n / family.bound))
        if isinstance(method, AdaptiveGrid) and purpose == "total":
            return turns(lambda n: method.first(family.shape, exact, n / family.bound))
        if isinstance(method, AdaptiveGrid) and purpose == "first level":
            sizes = np.array(list(product(*(range(1, size + 1) for size in family.shape))))
            rest = exact * (1 - Fraction(str(method.total))) * (1 - Fraction(str(method.alpha)))
            return turns(lambda n: method.second(sizes, rest, np.full(len(sizes), n / family.bound)))
        return []

    result = audit(method, family, exact, cutpoints=cutpoints)
    np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


def turns(widths: Callable[[int], Codes], most: int = 400) -> list[int]:
    """Noisy totals above which widths are others."""
    return [n for n in range(-1, most) if not np.array_equal(widths(n), widths(n + 1))]


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
@pytest.mark.parametrize("name", TREES)
def test_trees_spend_all_and_no_more(name: str, epsilon: str) -> None:
    for shape in SHAPES:
        result = run(name, Family(shape), Fraction(epsilon))
        assert result.sound
        assert result.spent == Fraction(epsilon)
        assert result.loss == pytest.approx(float(Fraction(epsilon)))


@pytest.mark.parametrize("options", [{}, {"height": 1}, {"levels": 1}, {"levels": 2}], ids=str)
def test_options_of_trees(options: dict[str, int]) -> None:
    name = "hierarchy" if "levels" in options else "quadtree"
    for shape in SHAPES:
        assert run(name, Family(shape), **options).sound


@pytest.mark.parametrize("epsilon", ["1", "3"])
@pytest.mark.parametrize("square", [True, False])
@pytest.mark.parametrize("name", GRIDS)
def test_grids_spend_all_and_no_more(name: str, square: bool, epsilon: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Down every branch: the total decides the grid, and the first level the second."""
    monkeypatch.setattr(adaptive_grid, "LEAST", 1)  # or the first level of so small a domain would be its cells
    scripts = 0
    for shape in SHAPES:
        result = run(name, Family(shape), Fraction(epsilon), c=2.0, square=square)
        assert result.sound
        assert result.spent == Fraction(epsilon)
        assert result.loss == pytest.approx(float(Fraction(epsilon)))
        scripts += result.scripts
    assert scripts > 2 * len(SHAPES)


@pytest.mark.parametrize("name", GRIDS + TREES)
def test_sums_keep_the_promise(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive_grid, "LEAST", 1)
    for family in (Family((2,), most=4, bound=3), Family((3,), most=4, bound=2), Family((2, 2), most=3, bound=3)):
        assert run(name, family).sound


FAULTS: list[tuple[str, Fault]] = [
    *((name, fault) for name in GRIDS + TREES for fault in (half_the_noise, a_tenth_less_noise, leaves_drawn_twice)),
    *((name, counted_twice("total")) for name in GRIDS + TREES),
    *((name, less_noise(TOTAL, 2)) for name in GRIDS + TREES),
    *((name, halves_that_forget) for name in GRIDS + TREES[:1]),
    *(("uniform-grid", omit_charges(word)) for word in ("total", "grid")),
    *(("adaptive-grid", omit_charges(word)) for word in ("total", "first level", "second level")),
    *(("quadtree", omit_charges(word)) for word in ("level 0", "level 1", "level 2")),
    *(("hierarchy", omit_charges(word)) for word in ("level 0", "level 1")),
]


@pytest.mark.parametrize(("name", "fault"), FAULTS, ids=lambda part: getattr(part, "__name__", part))
def test_a_fault_is_seen(name: str, fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive_grid, "LEAST", 1)
    options = {"levels": 2} if name == "hierarchy" else {}
    assert run(name, Family((4,)), **options).sound
    fault(monkeypatch)
    assert not run(name, Family((4,)), **options).sound


@pytest.mark.parametrize("name", GRIDS + TREES)
def test_a_bound_that_is_forgotten_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bound_forgotten(monkeypatch)
    result = run(name, Family((2,), most=3, bound=2))
    assert not result.sound
    assert result.loss > result.epsilon


def test_levels_that_sum_to_more_than_epsilon_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when a budget for so many levels is spent on one more."""
    fair = quadtree.budgets
    monkeypatch.setattr(quadtree, "budgets", lambda *asked: [*fair(*asked), fair(*asked)[-1]])
    with pytest.raises(BudgetExceeded):
        run("quadtree", Family((4,)))
    an_account_without_limit(monkeypatch)
    result = run("quadtree", Family((4,)))
    assert result.loss > result.epsilon
    assert not result.sound


def test_the_audit_goes_down_more_than_one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hierarchy.best_levels((4,)) == 1
    monkeypatch.setattr(adaptive_grid, "LEAST", 1)
    assert set(run("adaptive-grid", Family((4,))).by_draw) == {"discrete Laplace of total"}
    assert run("adaptive-grid", Family((4,))).scripts > 10
