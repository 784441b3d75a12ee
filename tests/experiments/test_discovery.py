"""The table of how many values are found, small."""

from __future__ import annotations

from fractions import Fraction

from experiments.discovery import find_share


def test_values_above_the_bar_are_found_and_rare_ones_are_not() -> None:
    for epsilon in (Fraction(1, 10), Fraction(1)):
        assert find_share(epsilon, round(100 / epsilon)) >= 0.99  # seeded, so it never changes
        assert find_share(epsilon, round(40 / epsilon)) < 0.01
