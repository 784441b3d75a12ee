"""Numbers of a promise for print. None understates what may be learned: factors are rounded up."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

WIDE = Context(prec=50, Emax=10**17, Emin=-(10**17))
DIGITS = 3
CLOSE = Decimal("1.1")  # below this factor, digits of its distance from 1 are shown
LARGE, HUGE = Decimal(10**6), Decimal(10**15)
GROUPS = {Decimal(10**12): "trillion", Decimal(10**9): "billion", Decimal(10**6): "million"}
TINY = Decimal("1e-9")  # percent below which a probability is not spelled out


def number(value: Fraction) -> str:
    """Epsilon or delta: exactly if six digits do, else rounded up."""
    return f"{float(_up(_decimal(value), 6)):g}"


def spell_out(value: Fraction) -> str:
    """Delta without an exponent, if that takes no more than 12 places."""
    short = _up(_decimal(value), 3)
    return f"{short:f}" if short >= Decimal("1e-12") else number(value)


def factor(epsilon: Fraction) -> str:
    """e^epsilon, rounded up: 1.00000101, 2.72, 486 million, or e^50."""
    exact = _exp(epsilon)
    if exact < CLOSE:
        return f"{1 + _up(exact - 1, DIGITS):f}"
    if exact < LARGE:
        return f"{_up(exact, DIGITS):,f}"
    if exact >= HUGE:
        return f"e^{number(epsilon)}"
    size, name = next((size, name) for size, name in GROUPS.items() if exact >= size)
    return f"{_up(exact, DIGITS) / size:f} {name}"


def belief(epsilon: Fraction) -> tuple[str, str] | None:
    """The least and the largest probability, in percent, that a prior probability of one half can become.

    None if they are too close to 0 and 100 to be spelled out.
    """
    least = 100 / WIDE.add(_exp(epsilon), 1)
    if least < TINY:
        return None
    shown = _round(least, DIGITS, ROUND_FLOOR)
    return f"{shown:f}", f"{100 - shown:f}"


def _exp(epsilon: Fraction) -> Decimal:
    """A little more than e^epsilon."""
    return WIDE.next_plus(WIDE.exp(_decimal(epsilon)))


def _decimal(value: Fraction) -> Decimal:
    """The value, or a little more."""
    up = Context(prec=WIDE.prec, rounding=ROUND_CEILING, Emax=WIDE.Emax, Emin=WIDE.Emin)
    return up.divide(Decimal(value.numerator), Decimal(value.denominator))


def _up(value: Decimal, digits: int) -> Decimal:
    return _round(value, digits, ROUND_CEILING)


def _round(value: Decimal, digits: int, how: str) -> Decimal:
    """The value with this many significant digits, without trailing zeros."""
    found = Context(prec=digits, rounding=how, Emax=WIDE.Emax, Emin=WIDE.Emin).plus(value)
    short = found.normalize(WIDE)
    return short if short.as_tuple().exponent <= 0 else short.quantize(Decimal(1), context=WIDE)  # type: ignore[operator]
