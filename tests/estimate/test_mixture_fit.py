"""The fit of a mixture: its gradient, and dependence that it finds again."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from ripost.estimate.mixture_fit import MixtureData, PairTable, _Objective, fit_mixture, rake

SIZES = (4, 3, 5)


def noisy(table: np.ndarray, deviation: float, seed: int = 0) -> MixtureData:
    """Pair tables and sums of a table of cells, with normal noise."""
    rng = np.random.default_rng(seed)
    tables = []
    for one, other in combinations(range(table.ndim), 2):
        rest = tuple(axis for axis in range(table.ndim) if axis not in (one, other))
        exact = table.sum(axis=rest)
        tables.append(PairTable((one, other), exact + rng.normal(0, deviation, exact.shape), deviation**2))
    sums = []
    for axis in range(table.ndim):
        exact = table.sum(axis=tuple(other for other in range(table.ndim) if other != axis))
        sums.append(exact + rng.normal(0, deviation, exact.shape))
    return MixtureData(float(table.sum()), tables, sums, [np.full(len(s), deviation**2) for s in sums])


def dependent(seed: int = 1) -> np.ndarray:
    """Cells of three groups of rows, each with its own distributions."""
    rng = np.random.default_rng(seed)
    table = np.zeros(SIZES)
    for rows in (50_000, 30_000, 20_000):
        a, b, c = (rng.dirichlet(np.full(size, 0.4)) for size in SIZES)
        table += rows * a[:, None, None] * b[None, :, None] * c[None, None, :]
    return table


def test_the_gradient_is_that_of_the_value() -> None:
    objective = _Objective(noisy(dependent(), 50.0), strength=30.0)
    rng = np.random.default_rng(2)
    point = rng.normal(0, 1, (6, 1 + sum(SIZES)))
    _, slope = objective(point)
    for _ in range(20):
        step = rng.normal(0, 1, point.shape)
        high, low = objective(point + 1e-6 * step)[0], objective(point - 1e-6 * step)[0]
        assert (high - low) / 2e-6 == pytest.approx(float((slope * step).sum()), rel=1e-5)


def test_dependence_is_found_again() -> None:
    table = dependent()
    data = noisy(table, 100.0)
    weights, shares = fit_mixture(data, components=20, strength=20.0)
    assert weights.sum() == pytest.approx(1)
    assert all(np.allclose(share.sum(axis=1), 1) for share in shares)
    for pair in data.tables:
        one, other = pair.axes
        rest = tuple(axis for axis in range(3) if axis not in pair.axes)
        exact = table.sum(axis=rest)
        model = data.total * (shares[one].T * weights) @ shares[other]
        alone = np.outer(exact.sum(axis=1), exact.sum(axis=0)) / exact.sum()
        assert np.abs(model - exact).sum() < np.abs(pair.values - exact).sum()  # better than the noisy table itself
        assert np.abs(model - exact).sum() < 0.2 * np.abs(alone - exact).sum()


def test_tables_of_noise_alone_leave_attributes_independent() -> None:
    a, b, c = (np.full(size, 1 / size) for size in SIZES)
    table = 10_000 * a[:, None, None] * b[None, :, None] * c[None, None, :]
    data = noisy(table, 200.0)
    weights, shares = fit_mixture(data, components=20, strength=0.4 * 10_000 / 200 * 10)
    for pair in data.tables:
        one, other = pair.axes
        model = data.total * (shares[one].T * weights) @ shares[other]
        exact = table.sum(axis=tuple(axis for axis in range(3) if axis not in pair.axes))
        assert np.abs(model - exact).sum() < 0.5 * np.abs(pair.values - exact).sum()


def test_a_raked_mixture_has_the_one_way_sums_and_keeps_its_dependence() -> None:
    data = noisy(dependent(), 100.0)
    weights, shares = fit_mixture(data, components=20, strength=2000.0)
    goals = np.split(data.one_way, data.ends[1:-1])
    assert max(np.abs(weights @ share - goal).max() for share, goal in zip(shares, goals, strict=True)) > 1e-3
    raked_weights, raked = rake(data, weights, shares)
    assert raked_weights.sum() == pytest.approx(1)
    for share, goal in zip(raked, goals, strict=True):
        assert np.allclose(share.sum(axis=1), 1)
        assert np.allclose(raked_weights @ share, goal, atol=1e-5)
    before, after = np.einsum("k,ka,kb->ab", weights, *shares[:2]), np.einsum("k,ka,kb->ab", raked_weights, *raked[:2])
    ratios = [table[:-1, :-1] * table[1:, 1:] / (table[:-1, 1:] * table[1:, :-1]) for table in (before, after)]
    assert np.allclose(np.log(ratios[0]), np.log(ratios[1]), atol=0.05)  # odds ratios, which raking of a table keeps


def test_raking_leaves_impossible_bins_empty() -> None:
    data = noisy(dependent(), 100.0)
    support = np.ones((20, sum(SIZES)), bool)
    support[:10, 0] = False
    data = MixtureData(data.total, data.tables, data.sums, data.variances, support)
    weights, shares = rake(data, *fit_mixture(data, components=20, strength=20.0))
    assert (shares[0][:10, 0] == 0).all() and np.isfinite(weights).all()
