"""Exact budgets and the series that spreads one over unlimited depth."""

from __future__ import annotations

import math
from fractions import Fraction

from ripost.errors import InputError

LARGEST_EPSILON = 1000

Number = int | float | str | Fraction


def parse_epsilon(value: Number) -> Fraction:
    """Epsilon as the exact decimal that was written: 0.1 is one tenth."""
    try:
        epsilon = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"epsilon must be a positive number, got {value!r}") from None
    if epsilon <= 0:
        raise InputError(f"epsilon must be positive, got {value}")
    if epsilon > LARGEST_EPSILON:
        raise InputError(f"epsilon {value} protects nobody; give at most {LARGEST_EPSILON}, usually 0.1 to 3")
    if epsilon < Fraction(1, 10**9):
        raise InputError(f"epsilon {value} leaves only noise; give at least 1e-9")
    return epsilon


def share(value: Number, *, name: str) -> Fraction:
    """A share of a budget: a fraction strictly between 0 and 1."""
    try:
        part = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{name} must be a number between 0 and 1, got {value!r}") from None
    if not 0 < part < 1:
        raise InputError(f"{name} must lie strictly between 0 and 1, got {value}")
    return part


def weight(depth: int, *, k: int) -> Fraction:
    """omega_i of the series S^k with offset k - 1: k / ((i + k - 1)(i + k)).

    The sum over i >= 1 telescopes to exactly 1 (proofs/series.md).
    """
    shifted = depth + k - 1
    return Fraction(k, shifted * (shifted + 1))


def scale_for(sensitivity: int, epsilon: Fraction) -> float:
    """A float above sensitivity / epsilon: the nearest one plus a margin of four units in the last place.

    The margin keeps OpenDP's own privacy map, which rounds up, at or below epsilon.
    """
    scale = float(Fraction(sensitivity) / epsilon)
    for _ in range(4):
        scale = math.nextafter(scale, math.inf)
    return scale


def gaussian_scale_for(sensitivity: int, rho: Fraction) -> float:
    """A float above sensitivity / sqrt(2 rho), with the same margin."""
    scale = math.sqrt(Fraction(sensitivity) ** 2 / (2 * rho))
    for _ in range(4):
        scale = math.nextafter(scale, math.inf)
    return scale


def root(number: Fraction) -> Fraction:
    """The square root of a fraction, rounded down to about twelve digits: its square never exceeds the fraction."""
    if number <= 0:
        return Fraction(0)
    unit = 10 ** max(0, 12 - math.floor(math.log10(number)) // 2)
    return Fraction(math.isqrt(math.floor(number * unit**2)), unit)


def exact_root(number: Fraction) -> Fraction:
    """The exact square root if the fraction is a square, else a root that is too small."""
    return Fraction(math.isqrt(number.numerator), math.isqrt(number.denominator))
