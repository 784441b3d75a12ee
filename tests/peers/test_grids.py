"""Grids and trees of grids: how fine they are, where the budget goes, and what the fit does."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.estimate.least_squares import TreeCovariance
from ripost.methods import METHODS
from ripost.methods.tree_builder import TreeBuilder
from ripost.peers import grid_levels
from ripost.peers.adaptive_grid import method as adaptive_grid
from ripost.peers.adaptive_grid.method import AdaptiveGrid
from ripost.peers.grid_levels import even_widths, pieces_per_axis, square_widths, widths_for
from ripost.peers.hierarchy.method import average_error, best_levels, branching
from ripost.peers.quadtree.method import budgets
from ripost.peers.uniform_grid.method import UniformGrid
from ripost.privacy.account import Account
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import Measure
from tests.methods.silent import Silent, poisson, run

NAMES = ["identity", "uniform-grid", "adaptive-grid", "quadtree", "hierarchy"]


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("uniform-grid", {"c": 0}, "c must be a number from 0.001 to 1,000,000, got 0"),
        ("uniform-grid", {"c": True}, "c must be a number"),
        ("uniform-grid", {"total": 1}, "total must lie strictly between 0 and 1, got 1"),
        ("uniform-grid", {"square": 1}, "square must be true or false, or None, got 1"),
        ("adaptive-grid", {"c": "x"}, "c must be a number"),
        ("adaptive-grid", {"alpha": 0}, "alpha must lie strictly between 0 and 1, got 0"),
        ("adaptive-grid", {"total": "x"}, "total must be a number between 0 and 1, got 'x'"),
        ("adaptive-grid", {"square": "no"}, "square must be true or false, or None, got 'no'"),
        ("quadtree", {"height": -1}, "height must be a whole number from 0 to 64, got -1"),
        ("quadtree", {"height": True}, "height must be a whole number"),
        ("hierarchy", {"levels": 1.5}, "levels must be a whole number from 0 to 64, got 1.5"),
        ("hierarchy", {"levels": False}, "levels must be a whole number"),
    ],
)
def test_options_are_checked(name: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        METHODS[name].configure(options)


def whole(shape: tuple[int, ...]) -> tuple[TreeBuilder, Account]:
    tensor = poisson(shape)
    account = Account(MemoryBlockData.of(tensor), shape=shape, epsilon=Fraction(1), noise=Silent())
    return TreeBuilder(account), account


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 13)), min_size=1, max_size=3))
def test_pieces_are_those_of_a_plain_loop(axes: list[tuple[int, int]]) -> None:
    shape, widths = zip(*axes, strict=True)
    builder, _ = whole(shape)
    pieces = builder.split_to_widths(builder.root, np.array(widths))
    found = sorted(zip(pieces.blocks.lower.tolist(), pieces.blocks.upper.tolist(), strict=True))
    starts = [range(0, size, width) for size, width in axes]
    plain = [
        ([*map(int, low)], [min(low[a] + widths[a], shape[a]) for a in range(len(shape))])
        for low in np.array(np.meshgrid(*starts, indexing="ij")).reshape(len(shape), -1).T.tolist()
    ]
    assert found == sorted(plain)
    builder.measure("pieces", pieces, Fraction(1))
    tree = builder.tree
    np.testing.assert_array_equal(tree.boxes.lower[pieces.nodes], pieces.blocks.lower)


def test_blocks_may_have_widths_of_their_own() -> None:
    builder, _ = whole((8, 4))
    halves = builder.split_to_widths(builder.root, np.array([4, 4]))
    assert len(builder.split_to_widths(halves, np.array([[4, 4], [1, 2]]))) == 1 + 4 * 2


sizes_and_numbers = st.tuples(st.lists(st.integers(1, 10**6), min_size=1, max_size=6), st.floats(0, 1e9), st.booleans())


@given(sizes_and_numbers)
def test_widths_are_sensible(asked: tuple[list[int], float, bool]) -> None:
    sizes, number, square = np.array([asked[0]]), np.array([asked[1]]), asked[2]
    widths = widths_for(sizes, number, square=square)
    pieces = -(-sizes // widths)
    assert (widths >= 1).all()
    assert (widths <= sizes).all()
    assert 1 <= pieces.prod(dtype=float) <= grid_levels.MOST_BLOCKS
    if not square and number[0] < 1e5:  # rounding is made up for, but for the last axis
        assert pieces.prod(dtype=float) <= 2 * max(number[0], 1) + 1


def test_squares_are_those_of_the_public_code() -> None:
    """Blocks that the runs of the reference report for these domains: 850, 2,500 and 84 x 84."""
    for shape, records, expected in [((74, 100), 48842, (3, 3)), ((100, 100), 175296, (2, 2))]:
        found = UniformGrid().widths(shape, Fraction(1, 10), records)
        assert tuple(found[0].tolist()) == expected
    assert UniformGrid().widths((1000, 1000), Fraction(1, 10), 620683).tolist() == [[12, 12]]


def test_short_axes_stay_whole_or_are_cut_first() -> None:
    sizes, number = np.array([[1000, 2]]), np.array([100.0])
    assert square_widths(sizes, number).tolist() == [[10, 2]]
    assert even_widths(sizes, number).tolist() == [[20, 1]]
    assert square_widths(np.array([[9, 1, 9]]), np.array([9.0])).tolist() == [[3, 1, 3]]


def test_the_guideline_is_the_papers_in_two_dimensions() -> None:
    assert pieces_per_axis(np.array([4000.0]), Fraction(1, 10), 10, 2)[0] == pytest.approx(math.sqrt(40))
    assert pieces_per_axis(np.array([-5.0]), Fraction(1), 10, 3)[0] == 0


@pytest.mark.parametrize("dimensions", [1, 2, 3, 6])
def test_the_guideline_balances_noise_and_the_inside_of_blocks(dimensions: int) -> None:
    """It is the minimum of A m^(d/2) / epsilon + B N / m, with constants that do not depend on N epsilon."""
    found = []
    for dose in (1e4, 1e6):
        m = np.geomspace(1, 1e5, 200_001)
        best = m[np.argmin(m ** (dimensions / 2) + dose / m)]
        found.append(best / pieces_per_axis(np.array([dose]), Fraction(1), 10, dimensions)[0])
    assert found[0] == pytest.approx(found[1], rel=1e-3)


def test_the_total_steers_the_grid_and_nothing_else_does() -> None:
    tensor = poisson((40, 40), rate=50)
    found, account = run("uniform-grid", tensor, Fraction(1, 100), noise=Silent())
    side = -(-40 // int(UniformGrid().widths((40, 40), Fraction(1, 100), tensor.counts.sum())[0, 0]))
    assert len(found.values) == side**2
    assert [entry.purpose for entry in account.ledger.entries] == ["total", "grid"]
    assert account.ledger.entries[0].epsilon == Fraction(1, 100) * Fraction(2, 100)


@pytest.mark.parametrize("name", ["uniform-grid", "adaptive-grid"])
def test_steps_of_a_sum_are_not_rows(name: str) -> None:
    """A measure with rows of at most 100 steps each gets the grid of so many fewer rows."""
    counts = np.random.default_rng(0).poisson(3000, (30, 30))
    where = np.argwhere(counts >= 0)
    money = Tensor.from_arrays((30, 30), where, counts.ravel() * 100, measure=Measure("price", step=1, bound=100))
    plain = Tensor.from_arrays((30, 30), where, counts.ravel())
    found = [run(name, tensor, Fraction(1, 1000), noise=Silent())[0] for tensor in (money, plain)]
    assert len(found[0].values) == len(found[1].values) > 1
    np.testing.assert_allclose(found[0].values, found[1].values * 100)


def test_the_second_level_is_finer_where_there_is_more() -> None:
    counts = np.zeros((64, 64), int)
    counts[:32] = 10
    tensor = Tensor.from_arrays((64, 64), np.argwhere(counts >= 0), counts.ravel())
    found, account = run("adaptive-grid", tensor, Fraction(1, 4), noise=Silent())
    leaves = found.tree.boxes.take(found.tree.leaves)
    full = leaves.upper[:, 0] <= 32
    assert full.sum() > 2 * (~full).sum()
    np.testing.assert_allclose(found.values[full], 10 * leaves.sizes[full].prod(axis=1))
    prices = {entry.purpose: entry.epsilon for entry in account.ledger.entries}
    assert prices["first level"] == prices["second level"] == Fraction(1, 4) * Fraction(49, 100)


def test_a_first_level_of_cells_has_nothing_to_adapt() -> None:
    _, account = run("adaptive-grid", poisson((8, 8)))
    assert [entry.purpose for entry in account.ledger.entries] == ["total", "cells of the first level"]


def test_first_and_second_level_of_the_paper() -> None:
    method = AdaptiveGrid()
    assert method.first((1000, 1000), Fraction(1, 10), 620683).tolist() == [[52, 52]]  # 19, a quarter of 78.8, an axis
    assert method.first((1000, 1000), Fraction(1, 10), 100).tolist() == [[100, 100]]  # at least 10 an axis
    sizes = np.array([[100, 100]] * 3)
    widths = method.second(sizes, Fraction(1, 20), np.array([-3.0, 150.0, 900.0]))
    assert widths.tolist() == [[100, 100], [50, 50], [33, 33]]  # ceil of sqrt(1.5) and of 3 pieces an axis


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_budgets_of_a_quadtree_grow_with_the_cube_root_of_faces(dimensions: int) -> None:
    found = budgets(Fraction(1), 6, dimensions)
    assert sum(found) == 1
    for above, below in pairwise(found):
        assert float(below / above) == pytest.approx(2 ** ((dimensions - 1) / 3), rel=1e-3)


def test_levels_of_a_quadtree() -> None:
    found, account = run("quadtree", poisson((8, 8)))
    assert [entry.blocks for entry in account.ledger.entries] == [1, 4, 16, 64]
    assert len(found.values) == 64
    found, account = run("quadtree", poisson((8, 8)), height=2)
    assert [entry.blocks for entry in account.ledger.entries] == [1, 4, 16]
    assert np.isinf(found.variances).sum() == 2 + 2 * 4  # between 1, 4 and 16 there is a cut that is not measured


def test_a_quadtree_of_a_huge_domain_may_be_low() -> None:
    tensor = Tensor.from_arrays((10**9, 10**9), [[5, 7]], [100])
    with pytest.raises(InputError, match="give a height or choose another method"):
        run("quadtree", tensor)
    found, _ = run("quadtree", tensor, height=5)
    assert len(found.values) == 4**5


@pytest.mark.parametrize(
    ("shape", "levels", "children"),
    [
        ((256, 256), 2, 16),
        ((100, 100), 2, 10),
        ((1024,), 2, 32),
        ((16,), 1, 16),
        ((1,), 1, 1),
        ((1, 100, 1, 100), 2, 10),
    ],
)
def test_the_best_hierarchy(shape: tuple[int, ...], levels: int, children: int) -> None:
    assert best_levels(shape) == levels
    assert branching(max(shape), levels) == children


def test_the_error_of_a_hierarchy_is_the_papers_in_two_dimensions() -> None:
    for n, levels in [(256, 2), (256, 4), (81, 2), (81, 4)]:
        b = branching(n, levels)
        assert average_error((n, n), levels) == pytest.approx(2 * b * (n - 1) * levels**2)


def test_levels_of_a_hierarchy_share_alike() -> None:
    found, account = run("hierarchy", poisson((100, 10)), levels=2)
    assert {entry.epsilon for entry in account.ledger.entries} == {Fraction(1, 2)}
    assert len(found.values) == 1000
    assert np.isinf(found.variances[0])
    _, account = run("hierarchy", poisson((3,)), levels=64)  # no more than halving takes
    assert [entry.epsilon for entry in account.ledger.entries] == [1, Fraction(1, 2), Fraction(1, 2)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", [(1,), (7,), (9, 5), (4, 1, 6), (2, 3, 2, 3)], ids=str)
def test_without_noise_blocks_are_exact(name: str, shape: tuple[int, ...]) -> None:
    tensor = poisson(shape)
    found, _ = run(name, tensor, 20, noise=Silent())
    leaves = found.tree.boxes.take(found.tree.leaves)
    np.testing.assert_allclose(found.values, tensor.answer(leaves.lower, leaves.upper), atol=1e-9)


@pytest.mark.parametrize("name", ["adaptive-grid", "quadtree", "hierarchy"])
def test_errors_are_those_of_the_fit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mean square error of the whole over 300 seeds is the variance that the fit states, within 6 of its
    standard errors, which a kurtosis of up to 6 makes sqrt(5 / 300) at most."""
    monkeypatch.setattr(adaptive_grid, "LEAST", 16)
    tensor = poisson((12, 12), rate=0)
    errors, stated = [], []
    for seed in range(300):
        found, _ = run(name, tensor, noise=SeededNoise(seed))
        stated.append(TreeCovariance.of(found.tree, found.variances).root)
        errors.append(found.values.sum() ** 2)
    assert np.mean(errors) / np.mean(stated) == pytest.approx(1, abs=6 * math.sqrt(5 / 300))
