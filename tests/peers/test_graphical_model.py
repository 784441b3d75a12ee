"""Graphical models: a tree and one table agree, independent axes are exact, and rows follow their model."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.peers import graphical_model as graphical
from ripost.peers.graphical_model import MarginalMeasurement, Network, fit, guess_total, model_cells, on_simplex
from ripost.peers.junction_tree import JunctionTree

SIZES = (3, 4, 2, 5)


def joint(seed: int = 0) -> np.ndarray:
    """A table of a tree: axis 0 goes with 1, 1 with 3; 2 stands alone."""
    rng = np.random.default_rng(seed)
    first, second, alone = rng.random((3, 4)) + 0.1, rng.random((4, 5)) + 0.1, rng.random(2) + 0.5
    table = np.einsum("ab,bd,c->abcd", first, second, alone)
    return 1000 * table / table.sum()


def marginal(table: np.ndarray, axes: tuple[int, ...], precision: float = 1.0) -> MarginalMeasurement:
    values = table.sum(axis=tuple(a for a in range(table.ndim) if a not in axes))
    return MarginalMeasurement(axes, values, np.full(values.shape, precision))


def measured(noise: float = 0.0) -> list[MarginalMeasurement]:
    rng = np.random.default_rng(5)
    found = [marginal(joint(), axes) for axes in [(0,), (1,), (2,), (3,), (0, 1), (1, 3)]]
    return [MarginalMeasurement(m.axes, m.values + noise * rng.normal(size=m.values.shape), m.precision) for m in found]


def test_it_finds_what_was_measured() -> None:
    model = fit(SIZES, measured(), rounds=5000)
    assert len(model.cliques) == 3
    np.testing.assert_allclose(model.table((0, 1, 2, 3)), joint(), atol=1.0)


def one_table(which: list[MarginalMeasurement]) -> Network:
    """The slow twin: the same fit with the whole domain as one clique."""
    tree = JunctionTree(SIZES, ((0, 1, 2, 3),), (-1,))
    return graphical._by_tree(which, tree, guess_total(which), None, 5000)


def test_a_tree_agrees_with_one_table() -> None:
    plain, network = one_table(measured(noise=4)), fit(SIZES, measured(noise=4), rounds=5000)
    for axes in [(0,), (0, 1), (3, 1), (0, 3), (2, 0), (3, 0, 2)]:
        np.testing.assert_allclose(network.table(axes), plain.table(axes), atol=1.5)


def test_a_loop_of_pairs() -> None:
    network = fit(SIZES, measured(noise=4), rounds=1000)
    wanted = [*measured(noise=4), marginal(joint(), (0, 3))]
    again = fit(SIZES, wanted, network, rounds=3000)
    assert model_cells(SIZES, [one.axes for one in measured()]) == 12 + 20 + 2
    assert max(map(len, again.cliques)) == 3  # a loop of three pairs
    np.testing.assert_allclose(again.table((0, 3)), one_table(wanted).table((0, 3)), atol=1.5)


def test_a_fit_continues() -> None:
    """One iteration from the potentials of a fit stays where the fit was."""
    model = fit(SIZES, measured(noise=4), rounds=5000)
    np.testing.assert_allclose(
        fit(SIZES, measured(noise=4), model, rounds=1).table((0, 1)), model.table((0, 1)), atol=0.5
    )


def test_entries_of_different_weight() -> None:
    uneven = [*measured(noise=4), MarginalMeasurement((2,), np.array([300.0, 900.0]), np.array([1.0, 0.01]))]
    uneven[2] = uneven.pop()
    np.testing.assert_allclose(fit(SIZES, uneven, rounds=5000).table((2,)), one_table(uneven).table((2,)), rtol=0.02)


@pytest.mark.parametrize("seed", range(20))
def test_on_simplex_is_nearest(seed: int) -> None:
    """Against any other point: the way back leads uphill."""
    rng = np.random.default_rng(seed)
    values, precision = rng.normal(2, 5, 6), rng.choice([1.0, 0.25], 6)
    found = on_simplex(values, precision, 10.0)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(10)
    for _ in range(50):
        other = rng.dirichlet(np.ones(6)) * 10
        assert ((values - found) * precision * (other - found)).sum() <= 1e-9


def test_axes_on_their_own() -> None:
    alone = measured()[:4]
    model = fit(SIZES, alone, rounds=10)
    np.testing.assert_allclose(model.table((1, 3)), np.outer(alone[1].values, alone[3].values) / 1000)
    np.testing.assert_allclose(model.table((3, 1)), model.table((1, 3)).T)


def test_the_total_is_weighed() -> None:
    one = MarginalMeasurement((0,), np.array([4.0, 6.0]), np.array([1.0, 1.0]))
    other = MarginalMeasurement((1,), np.array([20.0]), np.array([0.5]))
    assert guess_total([one, other]) == pytest.approx(15)
    assert one.and_also(MarginalMeasurement((0,), np.array([10.0, 0.0]), np.array([1.0, 0.5]))).values.tolist() == [
        7,
        4,
    ]


def test_rows_follow_the_model() -> None:
    """Dealt out evenly: with 20,000 rows no pair of the tree is off by more than a few rows."""
    model, number = network(), 20_000
    uniforms = np.random.default_rng(3).random((4, 2, number))
    records = model.draw_rows(number, uniforms)
    for axes in [(0,), (1,), (2,), (0, 1), (1, 3)]:
        counts = np.zeros([SIZES[a] for a in axes])
        np.add.at(counts, tuple(records[:, axes].T), 1)
        assert np.abs(counts - model.table(axes) * number / model.total).max() < 60
    assert model.draw_rows(0, np.zeros((4, 2, 0))).shape == (0, 4)


def network() -> Network:
    table = joint()
    pair, other, alone = table.sum(axis=(2, 3)), table.sum(axis=(0, 2)), table.sum(axis=(0, 1, 3))
    return Network(SIZES, 1000.0, ((0, 1), (1, 3), (2,)), (-1, 0, -1), (pair, other, alone))


def test_tables_between_cliques() -> None:
    for axes in [(0, 3), (3, 0), (0, 2), (2, 3), (0, 1, 2, 3), (3,)]:
        others = tuple(a for a in range(4) if a not in axes)
        order = sorted(axes)
        expected = joint().sum(axis=others).transpose([order.index(a) for a in axes])
        np.testing.assert_allclose(network().table(axes), expected)
