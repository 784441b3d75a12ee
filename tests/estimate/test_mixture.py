"""The mixture of products answers boxes as its table of cells does."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.estimate.mixture import Mixture, before_codes, within_bins

SHAPE = (6, 4, 3)
EDGES = (np.array([0, 1, 4, 6]), np.array([0, 1, 2, 3, 4]), np.array([0, 3]))


def mixture(seed: int = 0) -> Mixture:
    rng = np.random.default_rng(seed)
    shares = [rng.dirichlet(np.full(len(edges) - 1, 0.5), size=5) for edges in EDGES]
    return Mixture.quantize(1000.0, rng.random(5), EDGES, shares)


def density(seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.random(size) * (rng.random(size) < 0.7) for size in SHAPE]


def cells(found: Mixture, mass: list[np.ndarray]) -> np.ndarray:
    """The slow twin: every cell of the domain."""
    table = np.zeros(SHAPE)
    for k, weight in enumerate(found.weights):
        a, b, c = (found.over_codes(attribute, mass[attribute])[k] for attribute in range(3))
        table += weight * a[:, None, None] * b[None, :, None] * c[None, None, :]
    return found.total * table


def test_boxes_are_sums_of_cells() -> None:
    found, mass = mixture(), density()
    table = cells(found, mass)
    assert table.sum() == pytest.approx(1000)
    spans = [list(itertools.combinations(range(size + 1), 2)) for size in SHAPE]
    boxes = np.array(list(itertools.product(*spans)))
    wanted = [table[a:b, c:d, e:f].sum() for (a, b), (c, d), (e, f) in boxes]
    assert np.allclose(found.on(mass).totals(boxes[:, :, 0], boxes[:, :, 1]), wanted, rtol=1e-12)


def test_content_lies_evenly_inside_a_code() -> None:
    index = mixture().on(density())
    whole, half = index.mass(0, np.array([2.0]), np.array([3.0])), index.mass(0, np.array([2.25]), np.array([2.75]))
    assert np.allclose(half, whole / 2)


def test_a_share_keeps_its_relative_precision() -> None:
    shares = np.array([[0.9, 0.0891, 0.0099, 0.001, 0.0]])
    edges = np.arange(6)
    kept = Mixture.quantize(1.0, np.ones(1), [edges], [shares]).shares(0)
    assert kept.sum() == pytest.approx(1)
    assert np.allclose(kept[0, :4], shares[0, :4], rtol=0.12)
    assert kept[0, 4] == 0


def test_a_bin_without_mass_is_even() -> None:
    inside = within_bins(np.array([0, 2, 4]), np.array([0.0, 0.0, 1.0, 3.0]))
    assert inside.tolist() == [0.5, 0.5, 0.25, 0.75]


@given(st.integers(0, 10**6))
def test_codes_without_mass_take_up_none_of_their_bin(seed: int) -> None:
    """Exactly none, so that whether an interval has a width does not hang on how masses were summed."""
    rng = np.random.default_rng(seed)
    density = rng.exponential(5.0, 40) * (rng.random(40) > 0.4)
    edges = np.array([0, *np.flatnonzero(rng.random(39) < 0.2) + 1, 40])
    before = before_codes(edges, density)
    for start, stop in itertools.pairwise(edges.tolist()):
        upto, mass = np.append(before[start:stop], 1.0), density[start:stop]
        expected = mass / mass.sum() if mass.any() else np.full(stop - start, 1 / (stop - start))
        assert np.diff(upto) == pytest.approx(expected, abs=1e-12)
        assert not mass.any() or (np.diff(upto)[mass == 0] == 0).all()


@pytest.mark.parametrize("seed", range(3))
def test_rounding_keeps_one_way_sums(seed: int) -> None:
    """Each share is rounded to a byte, but what that takes from a component another one gets."""
    rng = np.random.default_rng(seed)
    weights, shares = rng.dirichlet(np.ones(200)), rng.dirichlet(np.full(30, 0.3), size=200)
    kept = Mixture.quantize(1.0, weights, [np.arange(31)], [shares]).shares(0)
    np.testing.assert_allclose(weights @ kept, weights @ shares, atol=1e-5)
    np.testing.assert_allclose(kept, shares, atol=0.02)
