"""zCDP: conversion between rho and (epsilon, delta).

Any alpha above 1 gives a sound epsilon (Canonne, Kamath and Steinke 2020, Proposition 12; proofs/concentrated.md), so
the search for the best one affects accuracy only. OpenDP's accountant confirms the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from ripost.errors import BudgetExceeded, InputError
from ripost.privacy.budget import Number
from ripost.privacy.opendp_measurements import gaussian_measurement

LARGEST_DELTA = Fraction(1, 1000)
LEAST_DELTA = Fraction(1, 10**100)
LARGEST_RHO, LEAST_RHO = 10**6, 1e-100  # a larger rho protects nobody; a smaller one is raised to the least
DIGITS = 9  # of rho, rounded down
ROOM = 1e-12  # relative margin of each term of the bound, thousands of times the rounding of floats


def parse_delta(value: Number) -> Fraction:
    """Delta as the exact decimal that was written; 0 asks for pure differential privacy."""
    try:
        delta = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"delta must be a number, 0 or up to 0.001, got {value!r}") from None
    if not is_delta(delta):
        raise InputError(f"delta must be 0, or lie between 1e-100 and 0.001, got {value}")
    return delta


def is_delta(delta: Fraction) -> bool:
    """Whether a promise may have this delta."""
    return delta == 0 or LEAST_DELTA <= delta <= LARGEST_DELTA


def row_budget(epsilon: Fraction, delta: Fraction, rows: int) -> Fraction:
    """The budget of one row if a unit has `rows`: in epsilon, or in rho if there is a delta (proofs/unit.md)."""
    return epsilon / rows if delta == 0 else rho_for(epsilon, delta) / rows**2


def epsilon_of(rho: Fraction, delta: Fraction) -> float:
    """An epsilon, rounded up, such that rho-zCDP implies (epsilon, delta)-differential privacy."""
    if rho == 0 or rho > LARGEST_RHO:
        return math.inf if rho else 0.0
    size, likely = max(float(rho), LEAST_RHO), _log(delta)

    def bound(position: float) -> float:
        less = math.exp(position)  # alpha - 1
        terms = size * (1 + less), -(likely + math.log1p(less)) / less, -math.log1p(1 / less)
        return math.fsum(terms) + ROOM * math.fsum(map(abs, terms))

    best = math.log(-likely / size) / 2  # where the first two terms are about equal
    return max(0.0, bound(_least(bound, best - 8, best + 8)))


@lru_cache(maxsize=64)
def rho_for(epsilon: Fraction, delta: Fraction) -> Fraction:
    """The largest rho of nine digits that implies (epsilon, delta)-differential privacy."""
    low, high = -100.0, math.log(epsilon + 1)  # logarithms of a rho that is small enough, and of one that is not
    while high - low > 1e-12:
        middle = (low + high) / 2
        if epsilon_of(Fraction(math.exp(middle)), delta) <= epsilon:
            low = middle
        else:
            high = middle
    unit = Fraction(10) ** (math.floor(low / math.log(10)) - DIGITS + 1)
    rho = Fraction(math.exp(low)) // unit * unit
    stated = _opendp_epsilon(rho, delta)
    if epsilon_of(rho, delta) > epsilon or stated > epsilon:
        raise BudgetExceeded(f"OpenDP states epsilon {stated!r} for rho {float(rho)!r}, more than {float(epsilon)!r}")
    return rho


def _opendp_epsilon(rho: Fraction, delta: Fraction) -> float:
    """The epsilon that OpenDP's accountant states for noise of the price rho or slightly more."""
    scale = math.nextafter(math.sqrt(1 / (2 * float(rho))), 0)
    return float(gaussian_measurement(scale, approximate=True).map(1).epsilon(math.nextafter(float(delta), 0)))


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    """The minimum of a unimodal function, by golden-section search."""
    ratio = (math.sqrt(5) - 1) / 2
    inner = [high - ratio * (high - low), low + ratio * (high - low)]
    found = [function(x) for x in inner]
    for _ in range(60):
        if found[0] <= found[1]:
            high, inner[1], found[1] = inner[1], inner[0], found[0]
            inner[0] = high - ratio * (high - low)
            found[0] = function(inner[0])
        else:
            low, inner[0], found[0] = inner[0], inner[1], found[1]
            inner[1] = low + ratio * (high - low)
            found[1] = function(inner[1])
    return inner[found.index(min(found))]


def _log(number: Fraction) -> float:
    return math.log(number.numerator) - math.log(number.denominator)
