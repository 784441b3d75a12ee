"""One axis: its tree, and what its histograms tell together."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.estimate.marginal import Marginal, dyadic
from ripost.estimate.noisy_measurements import NoisyMeasurements
from ripost.estimate.smoother import smooth
from tests.estimate.tables import edges, tables


def measurements_of(marginal: Marginal) -> NoisyMeasurements:
    """What was measured of each node, as one reading."""
    nodes = np.flatnonzero(marginal.measured.precision)
    variance = 1 / marginal.measured.precision[nodes]
    return NoisyMeasurements(nodes, marginal.measured.value[nodes], variance, np.ones(len(nodes), bool))


@pytest.mark.parametrize("size", [1, 2, 3, 17, 64, 100, 1000])
@pytest.mark.parametrize("finest", [1, 4])
def test_the_tree_cuts_at_powers_of_two(size: int, finest: int) -> None:
    tree = dyadic(size, finest=finest)
    leaves = tree.boxes.take(tree.leaves)
    assert leaves.lower[:, 0].tolist() == edges(size, finest)[:-1].tolist()
    assert leaves.upper[:, 0].tolist() == edges(size, finest)[1:].tolist()


@pytest.mark.parametrize(("size", "widths"), [(1, [1]), (5, [1]), (100, [1, 16]), (1000, [1, 16, 128]), (300, [4, 64])])
def test_without_noise_it_is_the_truth(size: int, widths: list[int]) -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat(rng.poisson(50, -(-size // widths[0])), widths[0])[:size].astype(float)
    found = Marginal.of(tables(truth, widths, 1e-9, rng))
    np.testing.assert_allclose(found.mass, truth, atol=0.01)
    assert found.total == pytest.approx(truth.sum(), abs=0.01)
    np.testing.assert_allclose(found.of_nodes(truth)[0], truth.sum())


def test_smoothing_pays_where_there_is_little_to_see() -> None:
    """An even axis under much noise: shrinking halves the error at least, and more widths tell the total better."""
    rng = np.random.default_rng(1)
    truth = np.full(256, 20.0)
    errors = {True: [], False: []}
    for _ in range(20):
        noisy = tables(truth, [1, 16], 800.0, rng)
        for shrink, found in errors.items():
            found.append(((Marginal.of(noisy, shrink=shrink).mass - truth) ** 2).mean())
    assert np.mean(errors[True]) < 0.5 * np.mean(errors[False])
    both, fine = (Marginal.of(tables(truth, widths, 800.0, rng)) for widths in ([1, 16], [1]))
    assert both.total_variance < 0.1 * fine.total_variance


def test_a_spike_survives() -> None:
    """Heavy tails: one code holds nearly all, and is not smoothed away."""
    rng = np.random.default_rng(2)
    truth = np.zeros(256)
    truth[100] = 5000
    found = Marginal.of(tables(truth, [1, 16], 200.0, rng))
    assert found.mass[100] == pytest.approx(5000, rel=0.05)
    assert np.delete(found.mass, 100).sum() < 500


def test_roughness_is_learned() -> None:
    """Halves that deviate as far as the model says, at every level: the figure comes back."""
    rng = np.random.default_rng(4)
    for rough in (0.0, 0.5, 5.0):
        learned = []
        for _ in range(6):
            mass = np.array([1e6])
            for _ in range(9):
                deviation = np.sqrt(0.25 * (mass + rough * mass**1.7))
                left = np.clip(mass / 2 + deviation * rng.normal(size=len(mass)), 0, mass)
                mass = np.stack([left, mass - left], axis=1).ravel()
            found = Marginal.of(tables(mass, [1, 16], 10.0, rng))
            learned.append(smooth(found.tree, measurements_of(found), found.share).scatter_parameter[-2])
        assert np.median(learned) == pytest.approx(rough, rel=0.6, abs=0.05)
