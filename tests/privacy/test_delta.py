"""What delta means, and what it does not: the figures of docs/explanation/guarantee.md, by enumeration.

A count of n, and one of n + 1, get the discrete Gaussian noise that ripost adds at (epsilon, delta). All outputs with a
probability above 1e-300 are listed, so the sums are exact up to rounding.
"""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from ripost.privacy.mechanisms import Gaussian
from ripost.privacy.zcdp import rho_for
from ripost.statistics.totals import TOTAL
from tests.privacy import distributions

GUARANTEE = (Path(__file__).parents[2] / "docs" / "explanation" / "guarantee.md").read_text("utf-8")


def outputs(epsilon: str, delta: str) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of all outputs for the count 0 and for the count 1."""
    scale = Gaussian(TOTAL, rho_for(Fraction(epsilon), Fraction(delta))).scale(1)
    places = np.arange(-int(37 * scale), int(37 * scale) + 1)
    return np.exp(distributions.gaussian(places, scale)), np.exp(distributions.gaussian(places - 1, scale))


def chance_of_a_larger_loss(epsilon: str, delta: str) -> float:
    """P[loss > epsilon], where the loss of an output is the logarithm of the ratio of its probabilities."""
    without, with_row = outputs(epsilon, delta)
    larger = without > math.exp(float(Fraction(epsilon))) * with_row
    return float(without[larger].sum())


def least_delta(epsilon: str, delta: str) -> float:
    """The largest excess P[M(T) in S] - e^epsilon P[M(T') in S] over all sets S: that of all outputs with any."""
    without, with_row = outputs(epsilon, delta)
    return float(np.maximum(without - math.exp(float(Fraction(epsilon))) * with_row, 0).sum())


def continuous_chance_of_a_larger_loss(epsilon: str, delta: str) -> float:
    """The same for Gaussian noise that is not rounded: its loss is normal, with mean 1 / (2 scale^2)."""
    scale = Gaussian(TOTAL, rho_for(Fraction(epsilon), Fraction(delta))).scale(1)
    return NormalDist().cdf(1 / (2 * scale) - float(Fraction(epsilon)) * scale)


def test_delta_is_not_the_probability_of_a_larger_loss() -> None:
    assert f"{100 * continuous_chance_of_a_larger_loss('1/10', '1/1000'):.1f} %" == "2.1 %"
    assert f"{100 * chance_of_a_larger_loss('1/10', '1/1000'):.1f} %" == "2.2 %"
    assert f"{continuous_chance_of_a_larger_loss('1/10', '1e-9'):.1e}" == "5.7e-08"
    for words in ("probability 2.1 %", "2.2 % for the discrete noise", "5.7e-8 at epsilon 0.1"):
        assert words in " ".join(GUARANTEE.split())


@pytest.mark.parametrize(("epsilon", "delta"), [("1/10", "1/1000"), ("1/10", "1e-9"), ("1", "1e-9"), ("3", "1e-5")])
def test_no_set_of_outputs_exceeds_delta(epsilon: str, delta: str) -> None:
    """What (epsilon, delta) does say; in the same sum the loss exceeds epsilon more often than delta."""
    assert 0 < least_delta(epsilon, delta) <= float(Fraction(delta))
    assert chance_of_a_larger_loss(epsilon, delta) > least_delta(epsilon, delta)


def test_a_test_for_a_row_is_limited_as_stated() -> None:
    """Every threshold test: its true positive rate is at most e^epsilon times its false positive rate, plus delta."""
    with_row, without = outputs("1/10", "1/1000")
    true, false = np.cumsum(with_row), np.cumsum(without)
    assert (true <= math.exp(0.1) * false + 0.001 + 1e-12).all()
    assert (true > math.exp(0.1) * false).any(), "without delta the limit does not hold"
