"""What readers work out of a sequence of draws is what dp-accounting stated when it was paid for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ripost.peers.p3gm.method import P3GM
from ripost.peers.p3gm.statistics import GRADIENT
from ripost.privacy.gaussian_accounting import ROOM, DpEvent, compute_epsilon
from ripost.privacy.recount import recompute_epsilon
from ripost.statistics.totals import TOTAL

pytest.importorskip("dp_accounting")
DELTA = Fraction(1, 10**9)


@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 16), Fraction(1, 1000)])
@pytest.mark.parametrize("rho", ["1e-12", "1e-4", "0.125", "30"])
@pytest.mark.parametrize("delta", ["1e-3", "1e-9", "1e-90"])
def test_the_accountant_states_the_same(rho: str, rate: Fraction, delta: str) -> None:
    events = (DpEvent("total", TOTAL, Fraction(rho) / 7), DpEvent("all", GRADIENT, Fraction(rho), rate=rate, times=60))
    stated = compute_epsilon(events, Fraction(delta)) / ROOM
    assert recompute_epsilon(events, Fraction(delta)) == pytest.approx(stated, rel=2e-6, abs=1e-300)


@pytest.mark.parametrize("epsilon", ["1e-9", "1e-6", "0.01", "1", "50", "1000"])
def test_what_a_method_paid_for_is_accepted(epsilon: str) -> None:
    for rate in (0.0625, 1.0):
        events = P3GM(steps=3).events(Fraction(epsilon), rate)
        assert recompute_epsilon(events, DELTA) <= Fraction(epsilon)
        dearer = (*events[:-1], DpEvent("training", GRADIENT, events[-1].rho * 2, events[-1].rate, 3))
        assert recompute_epsilon(dearer, DELTA) > Fraction(epsilon)
