"""The accountant's figures: known ones, never below what is sound, near to what was asked."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import numpy as np
import pytest

from ripost.errors import InputError
from ripost.peers.p3gm.statistics import GRADIENT
from ripost.privacy.gaussian_accounting import DpEvent, compute_epsilon, import_dp_accounting
from ripost.statistics.totals import TOTAL

DELTA = Fraction(1, 10**9)


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    with pytest.raises(InputError, match=r"pip install 'ripost\[p3gm\]'"):
        import_dp_accounting()


class TestAccounted:
    @pytest.fixture(autouse=True)
    def needs(self) -> None:
        pytest.importorskip("dp_accounting", reason="dp-accounting is not installed; pip install 'ripost[p3gm]'")

    @pytest.mark.parametrize("rho", ["1/1000000000000", "1/2000", "1/50", "3"])
    def test_one_gaussian_is_not_below_the_exact_figure(self, rho: str) -> None:
        """Balle and Wang 2018 give delta of Gaussian noise exactly; Renyi's way is somewhat above, never below."""
        price = Fraction(rho)
        epsilon, scale = compute_epsilon((DpEvent("x", TOTAL, price),), DELTA), 1 / math.sqrt(2 * price)
        normal = lambda x: math.erfc(-x / math.sqrt(2)) / 2  # noqa: E731
        half, ratio = 1 / (2 * scale), epsilon * scale
        assert normal(half - ratio) - math.exp(epsilon) * normal(-half - ratio) <= float(DELTA)
        assert epsilon <= float(price) + 2 * math.sqrt(float(price) * math.log(1 / DELTA))

    def test_composition_is_the_sum_of_prices_where_nothing_is_sampled(self) -> None:
        parts = (DpEvent("x", TOTAL, Fraction(1, 100)), DpEvent("y", GRADIENT, Fraction(1, 1000), times=20))
        whole = (DpEvent("z", TOTAL, Fraction(3, 100)),)
        assert compute_epsilon(parts, DELTA) == pytest.approx(compute_epsilon(whole, DELTA), rel=1e-9)

    def test_sampling_gains_and_never_costs(self) -> None:
        for rate in (Fraction(1, 64), Fraction(1, 2)):
            for rho in ("1/1000000", "1/100", "2"):
                sampled = compute_epsilon((DpEvent("x", GRADIENT, Fraction(rho), rate, 50),), DELTA)
                assert 0 < sampled <= compute_epsilon((DpEvent("x", GRADIENT, Fraction(rho), times=50),), DELTA)

    def test_rounding_does_not_make_large_noise_free(self, caplog: pytest.LogCaptureFixture) -> None:
        """Asked about so large a noise on a sample, the accountant would find a negative divergence and say 0."""
        events = (DpEvent("x", GRADIENT, Fraction(1, 10**9), Fraction(1, 1000), 10**6),)
        assert events[0].is_faint
        assert compute_epsilon(events, DELTA) == pytest.approx(
            compute_epsilon((DpEvent("x", TOTAL, Fraction(1, 1000)),), DELTA)
        )
        assert not caplog.records

    def test_moments_of_discrete_noise_are_the_accountants_at_whole_orders(self) -> None:
        """By summation over the lattice, in two dimensions: the figure behind every order that is used."""
        rate, scale, shift = 0.25, 1.5, np.array([1, 1])
        points = np.stack(np.meshgrid(*[np.arange(-40, 41)] * 2), axis=-1).reshape(-1, 2)
        law = np.exp(-(points**2).sum(axis=1) / (2 * scale**2))
        moved = np.exp(-((points - shift) ** 2).sum(axis=1) / (2 * scale**2))
        law, moved = law / law.sum(), moved / moved.sum()
        mixed = (1 - rate) * law + rate * moved
        package = import_dp_accounting()
        noise = package.GaussianDpEvent(scale / math.sqrt(2))  # the shift is sqrt(2) long
        for order in (2, 3, 8):
            accountant = package.rdp.RdpAccountant([order])
            accountant.compose(package.PoissonSampledDpEvent(rate, noise))
            stated = accountant._rdp[0]
            added = math.log((mixed * (mixed / law) ** (order - 1)).sum()) / (order - 1)
            removed = math.log((law * (law / mixed) ** (order - 1)).sum()) / (order - 1)
            assert added == pytest.approx(stated, rel=1e-9)
            assert removed <= stated
