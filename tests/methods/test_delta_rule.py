"""The rule of when delta helps states the noise that releases really have."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.data.tensor import Tensor
from ripost.methods.delta_rule import DeltaRule, delta_rule
from tests.methods.silent import quick_fit, run

DELTA = Fraction(1, 10**9)


def alike(attributes: int, rows: int) -> Tensor:
    """A table whose attributes mostly repeat the first one; rows lie thin enough for pair tables."""
    rng = np.random.default_rng(1)
    first, other = rng.integers(0, 8, (rows, 1)), rng.integers(0, 8, (rows, attributes))
    return Tensor.from_arrays(
        (8,) * attributes, np.where(rng.random(other.shape) < 0.8, first, other), np.ones(rows, int)
    )


def rule(tensor: Tensor, epsilon: str, *, pairs: bool = True) -> DeltaRule:
    rows = float(tensor.counts.sum())
    return delta_rule(tensor.domain.shape, rows, epsilon=Fraction(epsilon), delta=DELTA, pairs=pairs)


def noise(tensor: Tensor, delta: float, *, pairs: bool = True) -> tuple[list[float], list[float]]:
    """Standard deviations of the cells of pair tables and histograms that a release measured."""
    release, _ = run("ripost+", tensor, delta=delta, pairs=pairs)
    model = release.error_model
    return [math.sqrt(pair.variance) for pair in model.pairs], [math.sqrt(one) for one in model.histogram_variances]


def test_the_rule_states_the_noise_of_pair_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    quick_fit(monkeypatch)
    tensor = alike(6, 6000)
    pure, other = noise(tensor, 0)[0], noise(tensor, 1e-9)[0]
    found = rule(tensor, "1")
    assert len(pure) == 15 and found.measured == "a range of two attributes"
    assert found.ratio == pytest.approx(np.mean(pure) / np.mean(other), rel=0.1)


def test_the_rule_states_the_noise_of_histograms() -> None:
    """With rows enough that both promises give histograms the same share."""
    tensor = alike(5, 60_000)
    pure, other = (noise(tensor, delta, pairs=False)[1] for delta in (0, 1e-9))
    found = rule(tensor, "1", pairs=False)
    assert found.measured == "each of the 5 histograms"
    assert found.ratio == pytest.approx(pure[0] / other[0], rel=0.01)


@pytest.mark.parametrize(("epsilon", "attributes"), [("1", 2), ("1", 4), ("0.1", 3)])
def test_the_rule_is_about_right_of_blocks(epsilon: str, attributes: int) -> None:
    """The number of depths, which is not public, changes their share."""
    tensor = alike(attributes, 20_000)
    releases = [run("ripost+", tensor, Fraction(epsilon), delta=delta)[0] for delta in (0, 1e-9)]
    pure, other = (math.sqrt(np.median(release.variances[release.tree.leaves])) for release in releases)
    found = rule(tensor, epsilon)
    assert found.measured == "the count of a block" and pure / other / 1.5 < found.ratio < pure / other * 1.5


def test_one_count_is_always_better_at_pure_epsilon() -> None:
    found = rule(alike(6, 40), "1")
    assert found == DeltaRule("the total", found.ratio) and found.ratio < 0.5
    assert found.verdict == "pure epsilon is expected to give the smaller errors"


def test_delta_helps_from_six_attributes_on() -> None:
    """At epsilon 1 and 100,000 rows: what docs/how-to/choose-epsilon.md says."""
    by_number = {
        number: delta_rule((20,) * number, 1e5, epsilon=Fraction(1), delta=DELTA) for number in (2, 3, 4, 5, 6, 8, 14)
    }
    assert [number for number, found in by_number.items() if found.ratio < 1] == [2, 3, 4]
    assert by_number[5].verdict == "both are expected to give about the same errors"
    assert "a little" in by_number[6].verdict and "clearly" in by_number[8].verdict
    without = delta_rule((20,) * 8, 1e5, epsilon=Fraction(1), delta=DELTA, pairs=False)
    assert without.measured == "each of the 8 histograms" and without.ratio < by_number[8].ratio


@given(
    st.integers(1, 14),
    st.floats(1e3, 1e9),
    st.sampled_from(["0.01", "0.1", "1", "5"]),
    st.sampled_from([2, 10]),
    st.sampled_from(["1e-6", "1e-12"]),
)
def test_laws_of_the_rule(attributes: int, rows: float, epsilon: str, max_rows: int, delta: str) -> None:
    """A unit of m rows is as a table of fewer rows; a smaller delta never helps more."""
    shape, given_epsilon = (12,) * attributes, Fraction(epsilon)
    unit = delta_rule(shape, rows * max_rows, epsilon=given_epsilon, delta=Fraction(delta), max_rows=max_rows)
    row = delta_rule(shape, rows, epsilon=given_epsilon, delta=Fraction(delta))
    assert unit.measured == row.measured and unit.ratio == pytest.approx(row.ratio)
    smaller = delta_rule(shape, rows, epsilon=given_epsilon, delta=Fraction(delta) / 1000)
    assert smaller.ratio <= row.ratio or smaller.measured != row.measured
