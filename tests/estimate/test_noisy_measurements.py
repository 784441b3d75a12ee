"""Noisy measurements: many as one, and Laplace noise for what it is."""

from __future__ import annotations

import numpy as np
import pytest

from ripost.estimate.noisy_measurements import LEAST_WEIGHT, WIDE, NoisyMeasurements, laplace_factor


def test_measurements_of_one_node_become_one() -> None:
    node = np.array([1])
    measurements = NoisyMeasurements.nothing().also(node, np.array([10.0]), 4.0).also(node, np.array([16.0]), 2.0)
    measured = measurements.pool(4)
    assert measured.precision.tolist() == [0, 0.75, 0, 0]
    assert measured.value.tolist() == pytest.approx([0, 14, 0, 0])
    more = measured.also(np.array([1, 2]), np.array([20.0, 5.0]), 0.25)
    assert more.precision.tolist() == [0, 1, 0.25, 0] and more.value.tolist() == pytest.approx([0, 15.5, 5, 0])


@pytest.mark.parametrize("gap", [-60.0, -8.0, -1.0, 0.0, 0.5, 3.0, 25.0])
@pytest.mark.parametrize("variance", [0.01, 0.3, 1.0, 10.0, WIDE])
@pytest.mark.parametrize("scale", [0.5, 40.0])
def test_the_factor_has_the_moments_of_the_true_posterior(gap: float, variance: float, scale: float) -> None:
    """Against sums over a fine grid; variance and gap in scales."""
    variance, gap = variance * scale**2, gap * scale
    reading, mean = 100.0, 100.0 + gap
    reach = 12 * np.sqrt(variance) + 1.5 * abs(gap) + 20 * scale
    x = np.linspace(mean - reach, mean + reach, 400_001)
    log = -((x - mean) ** 2) / (2 * variance) - abs(x - reading) / scale
    density = np.exp(log - log.max())
    density /= density.sum()
    true_mean = float(density @ x)
    true_variance = float(density @ (x - true_mean) ** 2)
    weight, value = laplace_factor(*(np.array([number]) for number in (mean, variance, reading, scale)))
    precision = 1 / variance + weight[0]
    found = (mean / variance + weight[0] * value[0]) / precision
    assert found == pytest.approx(true_mean, abs=2e-3 * np.sqrt(variance))
    if weight[0] > 1.01 * LEAST_WEIGHT / (2 * scale**2):
        assert 1 / precision == pytest.approx(true_variance, rel=5e-3)


def test_a_freak_reading_counts_for_little() -> None:
    """Ten measurements of one node, one of them thirty scales off: far less of it is believed than by averaging."""
    values = np.array([*np.linspace(-1, 1, 9), 30.0])
    measurements = NoisyMeasurements.nothing()
    for value in values:
        measurements = measurements.also(np.array([0]), np.array([value]), 2.0)
    sites = measurements.normal()
    for _ in range(30):
        pooled = sites.pool(1)
        sites = sites.update(pooled.value, 1 / pooled.precision)
    assert measurements.pool(1).value[0] == pytest.approx(3)
    assert abs(sites.pool(1).value[0]) < 1


def test_exact_and_normal_measurements_are_left_alone() -> None:
    measurements = NoisyMeasurements.nothing().also(np.array([0]), np.array([5.0]), 1e-9)
    measurements = measurements.also(np.array([0]), np.array([9.0]), 2.0, is_laplace=False)
    sites = measurements.normal().update(np.array([5.0]), np.array([1e-9]))
    assert sites.weight.tolist() == pytest.approx([1e9, 0.5]) and sites.value.tolist() == [5, 9]
