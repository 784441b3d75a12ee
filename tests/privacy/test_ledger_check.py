"""A sequence of draws, and the first file that was kept; tests/release/test_contradictions.py has the other draws."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from ripost.errors import ReleaseError
from ripost.peers.p3gm.method import P3GM
from ripost.privacy.ledger import Charge, Ledger, Privacy, Step
from ripost.privacy.ledger_check import BY_HAND, check_entries, part_variances, variance_range
from ripost.privacy.mechanisms import ComposedMechanism, Laplace
from ripost.schema.measure import ROW
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART

DELTA = Fraction(1, 10**9)


def sequence() -> Privacy:
    """The promise of a sequence of draws, as `p3gm` makes it."""
    pytest.importorskip("dp_accounting")
    sequence = ComposedMechanism.of(P3GM(steps=3).events(Fraction(1), 0.0625), Fraction(1), DELTA)
    sensitivity = sequence.statistic.sensitivity(1)
    entry = Charge("training", sequence.title, sequence.statistic.name, sensitivity, Fraction(1), sequence.scale(1), 1)
    ledger = Ledger((replace(entry, terms=sequence.terms),), (Step(None, None, 0), Step(0, 0, 1)))
    return Privacy(Fraction(1), ROW, "operating system", ledger, DELTA, accounted=True)


def with_terms(privacy: Privacy, terms: str) -> Privacy:
    (entry,) = privacy.ledger.entries
    return replace(privacy, ledger=Ledger((replace(entry, terms=terms),), privacy.ledger.steps))


def test_a_sequence_must_cost_what_it_says() -> None:
    honest = sequence()
    check_entries(honest, bound=1)
    terms = honest.ledger.entries[0].terms
    for forged, sentence in (
        (terms.replace("training 3 x", "training 300 x"), "costs more than epsilon at delta"),
        (terms.replace("total 1 x", "total 0 x"), "costs nothing"),
        (terms.replace("delta 1e-09", "delta 1e-08"), "not at the epsilon and delta"),
        (terms.replace("rho", "rhо"), "as ripost states them"),
    ):
        assert forged != terms
        with pytest.raises(ReleaseError, match=sentence):
            check_entries(with_terms(honest, forged), bound=1)


def test_the_variances_of_the_first_file_were_made_by_hand() -> None:
    entry = Charge("leaf", BY_HAND, "total", 1, Fraction(1), 1.0, 1)
    privacy = Privacy(Fraction(1), ROW, "seed 7", Ledger((entry,), (Step(None, None, 0), Step(0, 0, 1))))
    assert variance_range(privacy) == (0.0, math.inf)


def test_variances_of_parts_are_those_of_tables_alone() -> None:
    """Not of totals: a table whose stated noise is that of no table in the ledger is refused."""
    half = Fraction(1, 2)
    entries = [
        Charge(m.statistic.name, m.title, m.statistic.name, 1, half, m.scale(1), 1)
        for m in (Laplace(TOTAL, half), Laplace(TOTAL_OF_PART, half))
    ]
    steps = Step(None, None, 0), Step(0, 0, 0), Step(1, 1, 1)
    privacy = Privacy(Fraction(1), ROW, "seed 7", Ledger(tuple(entries), steps))
    assert part_variances(privacy) == [Laplace(TOTAL_OF_PART, half).variance(1)]
