"""PrivBayes: which network, which tables, at what price."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.peers.privbayes import method as privbayes
from ripost.peers.privbayes.method import MOST_CANDIDATES, Parents, _parent_sets
from tests.methods.silent import Silent, poisson, run
from tests.peers.linked_tables import linked


def purposes(*asked: Any, **options: Any) -> list[tuple[str, Fraction]]:
    _, account = run("privbayes", *asked, **options)
    return [(entry.purpose, entry.epsilon) for entry in account.ledger.entries]


def test_what_it_pays_for() -> None:
    paid = purposes(linked(), 1, theta=40)
    assert paid[0] == ("number of records", Fraction(1, 20))
    network = Fraction(95, 100) * Fraction(3, 10) / 2
    assert paid[1:3] == [("parents, round 1", network), ("parents, round 2", network)]
    assert paid[3:] == [("conditionals", Fraction(95, 100) * Fraction(7, 10) / 3)] * 3


def test_choices_that_are_none_are_free() -> None:
    """One last axis with one set of parents, too few rows for any, one axis alone: the conditionals get it."""
    assert [purpose for purpose, _ in purposes(linked(), 1)].count("parents, round 2") == 0
    paid = purposes(poisson((9, 7), rate=0.1), 1)
    assert paid[1:] == [("conditionals", Fraction(95, 200))] * 2
    assert purposes(poisson((9,)), 1)[1:] == [("conditionals", Fraction(95, 100))]


def test_axes_that_depend_on_each_other_are_joined() -> None:
    found, _ = run("privbayes", linked(), 1, noise=Silent())
    assert (found.coords[:, 0] == found.coords[:, 2]).all()
    assert found.weights.sum() == 4000
    middle = np.bincount(found.coords[:, 1], weights=found.weights)
    np.testing.assert_allclose(middle, 4000 / 3, rtol=0.1)


def test_blocks_see_bins_and_spread_evenly() -> None:
    tensor = Tensor.from_arrays((40,), [[3]], [40_000])
    found, _ = run("privbayes", tensor, 10, blocks=4)
    shares = np.bincount(found.coords[:, 0], weights=found.weights, minlength=40) / found.weights.sum()
    np.testing.assert_allclose(shares[:10], 0.1, atol=0.01)
    assert shares[10:].sum() < 0.01


def plain_parent_sets(levels: list[tuple[int, list[int]]], most: float, degree: int) -> set[Parents]:
    """Every set within the limits that no other of them refines."""
    every = []
    for bins in itertools.product(*([1, *ladder] for _, ladder in levels)):
        if math.prod(bins) <= most and sum(n > 1 for n in bins) <= degree:
            every.append(bins)
    maximal = [s for s in every if not any(o != s and all(a >= b for a, b in zip(o, s, strict=True)) for o in every)]
    axes = [axis for axis, _ in levels]
    return {tuple((axis, n) for axis, n in zip(axes, s, strict=True) if n > 1) for s in maximal}


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("most", [0.5, 1, 3.9, 8, 12, 30, 1000])
def test_the_largest_parent_sets(most: float, degree: int) -> None:
    levels = [(4, [9, 5, 3, 2]), (0, [2]), (7, [4, 2]), (2, [])]
    found = _parent_sets(levels, most, degree)
    assert found is not None
    assert len(found) == len(set(found))
    if most >= 1:
        assert set(found) == plain_parent_sets(levels, most, degree)
    else:
        assert found == [()]


def test_fewer_parents_where_there_would_be_too_many_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    plain = privbayes.Couples
    monkeypatch.setattr(privbayes, "Couples", lambda couples: asked.append(len(couples)) or plain(couples))
    run("privbayes", poisson((8,) * 6, rate=0.002), 1000)
    assert max(asked) > 20
    assert max(asked) <= MOST_CANDIDATES


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beta": 1.0}, "beta must lie strictly between 0 and 1"),
        ({"total": 0}, "total must lie strictly between 0 and 1"),
        ({"theta": 0}, "theta must be a number above 0"),
        ({"blocks": 0}, "blocks must be a whole number from 1"),
        ({"blocks": True}, "blocks must be a whole number from 1"),
        ({"generalise": 1}, "generalise must be true or false"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        METHODS["privbayes"].configure(options)


def test_an_axis_too_long_is_refused_before_anything_is_spent() -> None:
    with pytest.raises(InputError, match="choose another method"):
        run("privbayes", Tensor.from_arrays((2**21,), [[5]], [1]))
    run("privbayes", Tensor.from_arrays((2**21,), [[5]], [1]), blocks=16)
