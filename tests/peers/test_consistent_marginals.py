"""Marginal tables that agree."""

from __future__ import annotations

import numpy as np

from ripost.peers.consistent_marginals import NoisyMarginal, make_consistent


def noisy(truth: np.ndarray, axes: tuple[int, ...], variance: float, rng: np.random.Generator) -> NoisyMarginal:
    others = tuple(axis for axis in range(truth.ndim) if axis not in axes)
    values = truth.sum(axis=others)
    return NoisyMarginal(axes, values + rng.normal(0, np.sqrt(variance), values.shape), variance)


def test_tables_agree_on_what_they_share_and_have_no_negative_entry() -> None:
    rng = np.random.default_rng(1)
    truth = rng.poisson(200, (5, 4, 3)).astype(float)
    tables = [noisy(truth, axes, 25.0, rng) for axes in [(0,), (1,), (2,), (0, 1), (1, 2)]]
    found, total = make_consistent(tables)
    for table in found:
        assert (table.values >= 0).all()
        assert np.isclose(table.values.sum(), total)
    for axis, pairs in {0: [0, 3], 1: [1, 3, 4], 2: [2, 4]}.items():
        margins = [
            found[n].values.sum(axis=tuple(p for p, held in enumerate(found[n].axes) if held != axis)) for n in pairs
        ]
        for margin in margins[1:]:
            np.testing.assert_allclose(margin, margins[0], rtol=1e-6)


def test_agreement_brings_a_noisy_histogram_nearer() -> None:
    rng = np.random.default_rng(2)
    before, after = [], []
    for _ in range(50):
        truth = rng.poisson(1000, (6, 2)).astype(float)
        tables = [noisy(truth, (0,), 10_000.0, rng), noisy(truth, (0, 1), 100.0, rng)]
        found, _ = make_consistent(tables)
        errors = [np.square(table.values - truth.sum(axis=1)).mean() for table in (tables[0], found[0])]
        before.append(errors[0])
        after.append(errors[1])
    assert np.mean(after) < 0.05 * np.mean(before)


def test_exact_tables_stay_as_they_are() -> None:
    truth = np.arange(12.0).reshape(4, 3)
    tables = [noisy(truth, axes, 0.0, np.random.default_rng(0)) for axes in [(0,), (1,), (0, 1)]]
    found, total = make_consistent(tables)
    assert total == truth.sum()
    np.testing.assert_allclose(found[2].values, truth, atol=1e-9)


def test_nothing_at_all() -> None:
    found, total = make_consistent([NoisyMarginal((0,), np.array([-3.0, 1.0]), 4.0)])
    assert total == -2.0
    assert found[0].values.tolist() == [0.0, 0.0]
