"""The sentence of a promise, to the letter, and that no figure in it understates what may be learned."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.privacy.ledger import Ledger, Privacy, Step
from ripost.release.promise import plain_words, promise
from ripost.release.upward import belief, factor, number
from ripost.schema.measure import ROW, Unit

NOTHING = Ledger((), (Step(None, None, 1),))
PATIENT = Unit("patient", 4)
DELTA = Fraction(1, 10**9)


def privacy(
    epsilon: str, unit: Unit = ROW, delta: Fraction = Fraction(0), entropy: str = "operating system"
) -> Privacy:
    return Privacy(Fraction(epsilon), unit, entropy, NOTHING, delta)


ONE_ROW = (
    "Adding or removing any one row of the table changes the probability of any published result "
    "by a factor of at most "
)


@pytest.mark.parametrize(
    ("epsilon", "rest"),
    [
        ("1e-6", "1.00000101 (epsilon 1e-06, pure differential privacy)."),
        ("0.1", "1.11 (epsilon 0.1, pure differential privacy)."),
        ("1", "2.72 (epsilon 1, pure differential privacy)."),
        ("5", "149 (epsilon 5, pure differential privacy). This is weak protection."),
        ("20", "486 million (epsilon 20, pure differential privacy). This is weak protection."),
        ("1/3", "1.4 (epsilon 0.333334, pure differential privacy)."),
        ("10", "22,100 (epsilon 10, pure differential privacy). This is weak protection."),
        ("1000", "e^1000 (epsilon 1000, pure differential privacy). This is weak protection."),
    ],
)
def test_for_a_row(epsilon: str, rest: str) -> None:
    assert promise(privacy(epsilon)) == ONE_ROW + rest


def test_for_a_unit() -> None:
    assert promise(privacy("1", PATIENT)) == (
        "Adding or removing all rows of any one patient (of which at most 4 are used) changes the probability of any "
        "published result by a factor of at most 2.72 (epsilon 1, pure differential privacy)."
    )
    assert "all rows of any one patient (of which at most 1 is used)" in promise(privacy("1", Unit("patient", 1)))
    assert plain_words(privacy("1", PATIENT))[-1] == (
        "Only kept rows count, at most 4 of each patient and none where patient is missing, so totals can be lower "
        "than in the table."
    )


def test_with_a_delta() -> None:
    assert promise(privacy("1", delta=DELTA)) == (
        "Adding or removing any one row of the table multiplies the probability of any set of published results by at "
        "most 2.72 and adds at most 0.000000001 to it (epsilon 1 and delta 1e-09, "
        "(epsilon, delta)-differential privacy)."
    )
    assert promise(privacy("20", PATIENT, DELTA)) == (
        "Adding or removing all rows of any one patient (of which at most 4 are used) multiplies the probability of "
        "any set of published results by at most 486 million and adds at most 0.000000001 to it "
        "(epsilon 20 and delta 1e-09, (epsilon, delta)-differential privacy). This is weak protection."
    )
    words = " ".join(plain_words(privacy("1", delta=DELTA)))
    assert "says yes with probability at most 2.72 times p plus 0.000000001 when the row is there" in words
    assert "Delta is not the probability that more is learned than epsilon allows" in words and "50 %" not in words


def test_of_a_prior_probability() -> None:
    assert plain_words(privacy("1"))[1] == (
        "Example: a reader who, before seeing the release, gives a probability of 50 % to any one row being in the "
        "table gives it at least 26.8 % and at most 73.2 % afterwards."
    )
    assert "at least 0.000000206 % and at most 99.999999794 %" in plain_words(privacy("20"))[1]
    assert "a reader may become certain" in plain_words(privacy("100"))[1]


def test_a_seed_promises_nothing() -> None:
    for entropy in ("seed 7", "Seed 7", "dice"):
        seeded = privacy("1", entropy=entropy)
        assert promise(seeded) == f"NOT PRIVATE: the noise comes from {entropy}: this view protects nobody."
        assert plain_words(seeded) == ()


SIZES = {"million": 10**6, "billion": 10**9, "trillion": 10**12}


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=1000))
def test_no_figure_is_understated(epsilon: Fraction) -> None:
    """Rounded up, by at most about one in the third digit, and never to a false 1."""
    exact, text = math.exp(min(float(epsilon), 700)), factor(epsilon)
    assert Fraction(number(epsilon)) >= epsilon
    if found := re.fullmatch(r"([0-9.,]+)(?: (\w+))?", text):
        shown = Fraction(found[1].replace(",", "")) * SIZES.get(found[2] or "", 1)
        assert shown > 1 and float(shown) >= exact * (1 - 1e-15)
        excess = float(shown - 1) if exact < 1.1 else float(shown)
        assert excess <= (math.expm1(float(epsilon)) if exact < 1.1 else exact) * 1.0101
    else:
        assert text == f"e^{number(epsilon)}" and exact >= 1e15
    if known := belief(epsilon):
        least, most = map(Fraction, known)
        reached = 100 / (1 + exact)
        assert float(least) <= reached * (1 + 1e-12) and least + most == 100 and 50 < most < 100
