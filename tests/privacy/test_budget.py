"""Budgets are exact, and a series spends one share over any depth."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.errors import InputError
from ripost.privacy.budget import parse_epsilon, share, weight


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        (0.1, Fraction(1, 10)),
        ("0.1", Fraction(1, 10)),
        (1, Fraction(1)),
        ("1/3", Fraction(1, 3)),
        (Fraction(2, 7), Fraction(2, 7)),
        ("1e-9", Fraction(1, 10**9)),
        (1000, Fraction(1000)),
    ],
)
def test_epsilon_is_what_was_written(written: object, exact: Fraction) -> None:
    assert parse_epsilon(written) == exact


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (0, "epsilon must be positive, got 0"),
        (-1, "epsilon must be positive, got -1"),
        ("nan", "epsilon must be a positive number, got 'nan'"),
        (float("inf"), "epsilon must be a positive number, got inf"),
        ("1/0", "epsilon must be a positive number, got '1/0'"),
        ("much", "epsilon must be a positive number, got 'much'"),
        (None, "epsilon must be a positive number, got None"),
        (True, "epsilon must be a positive number, got True"),
        (1001, "protects nobody"),
        ("1e-10", "leaves only noise"),
    ],
)
def test_epsilon_that_cannot_be_used(written: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_epsilon(written)


def test_share() -> None:
    assert share(0.3, name="alpha") == Fraction(3, 10)
    for wrong in (0, 1, -0.1, 2):
        with pytest.raises(InputError, match=f"alpha must lie strictly between 0 and 1, got {wrong}"):
            share(wrong, name="alpha")
    for wrong in ("half", "1/0", float("nan"), None):
        with pytest.raises(InputError, match="beta must be a number between 0 and 1"):
            share(wrong, name="beta")


@given(st.integers(1, 1000), st.integers(1, 200))
def test_weights_sum_to_one_and_never_more(k: int, depth: int) -> None:
    """What depths 1 to h have spent is 1 - k / (h + k): below 1 at any depth, and 1 in the limit."""
    spent = sum(weight(i, k=k) for i in range(1, depth + 1))
    assert spent == 1 - Fraction(k, depth + k)


def test_weights_fall() -> None:
    assert weight(1, k=1) == Fraction(1, 2)
    assert weight(1, k=5) == Fraction(1, 6)
    for k in (1, 5, 50):
        weights = [weight(i, k=k) for i in range(1, 30)]
        assert weights == sorted(weights, reverse=True)
