"""Accounts that count rho: prices, Gaussian noise, and the way to epsilon and delta, against OpenDP."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import BudgetExceeded, InputError, PrivacyError, ReleaseError
from ripost.privacy import zcdp as concentrated
from ripost.privacy.account import Account
from ripost.privacy.budget import gaussian_scale_for, root
from ripost.privacy.ledger import Charge, Currency, Ledger, Privacy, Step
from ripost.privacy.mechanisms import Exponential, Gaussian, Laplace, PermuteAndFlip, gaussian_variance
from ripost.privacy.noise import Noise, SystemNoise
from ripost.privacy.opendp_measurements import gaussian_measurement, noisy_max_measurement
from ripost.privacy.seeded_noise import SeededNoise
from ripost.privacy.zcdp import epsilon_of, parse_delta, rho_for, row_budget
from ripost.release.verify import verify_view
from ripost.schema.measure import ROW, Unit
from ripost.statistics.cut_scores import DEVIATION_OF_CUT, MIXTURE_OF_CUT
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.totals import TOTAL
from ripost.view import open_view
from tests.answering.making import make_view
from tests.privacy.folding import fold_tails

from . import distributions
from .agreement import agrees, count_outcomes

both = pytest.mark.parametrize("noise", [SystemNoise(), SeededNoise(11)], ids=lambda noise: noise.entropy)
EPSILONS = ["1e-9", "1e-4", "0.1", "1", "20", "1000"]
DELTAS = ["1e-3", "1e-9", "1e-100"]
SMALL = Fraction(1, 10**9)


def profile(rho: float, delta: float) -> float:
    """Epsilon by OpenDP."""
    scale = math.sqrt(1 / (2 * rho))
    return float(gaussian_measurement(scale, approximate=True).map(1).epsilon(delta))


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("rho", [1e-15, 1e-6, 1e-3, 0.1, 3.0, 700.0])
def test_the_bound_is_opendps(rho: float, delta: str) -> None:
    found, stated = epsilon_of(Fraction(rho), Fraction(delta)), profile(rho, float(delta))
    assert stated * (1 - 1e-12) <= found <= stated * (1 + 1e-8) + 1e-12


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_rho_fits_the_promise_and_hardly_more_would(epsilon: str, delta: str) -> None:
    rho = rho_for(Fraction(epsilon), Fraction(delta))
    assert epsilon_of(rho, Fraction(delta)) <= Fraction(epsilon)
    assert epsilon_of(rho * (1 + Fraction(1, 10**7)), Fraction(delta)) > Fraction(epsilon)
    assert len(str(rho)) < 50


def test_opendp_must_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concentrated, "epsilon_of", lambda rho, delta: epsilon_of(rho, delta) / 2)
    with pytest.raises(BudgetExceeded, match="OpenDP states epsilon"):
        rho_for(Fraction(17, 10), SMALL)


def test_the_bound_at_the_ends() -> None:
    assert epsilon_of(Fraction(0), SMALL) == 0
    assert epsilon_of(Fraction(10) ** 1000, SMALL) == math.inf
    assert 0 <= epsilon_of(Fraction(1, 10**1000), SMALL) < 1e-9


@pytest.mark.parametrize("delta", ["x", "-1e-9", "0.01", "1", "1e-200", None, "nan"])
def test_delta_is_small(delta: object) -> None:
    with pytest.raises(InputError, match="delta must be"):
        parse_delta(delta)


def test_delta_is_what_was_written() -> None:
    assert parse_delta(1e-9) == SMALL
    assert parse_delta(0) == 0


def test_a_row_gets_its_part() -> None:
    assert row_budget(Fraction(1), Fraction(0), 3) == Fraction(1, 3)
    assert row_budget(Fraction(1), SMALL, 3) == rho_for(Fraction(1), SMALL) / 9


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.fractions(min_value=0, max_value=10**6))
def test_a_root_is_never_above(number: Fraction) -> None:
    found = root(number)
    assert found**2 <= number
    assert number < Fraction(1, 10**20) or found**2 >= number * (1 - SMALL)


def test_prices() -> None:
    half = Fraction(1, 2)
    for kind, rho in ((Laplace, Fraction(1, 8)), (PermuteAndFlip, Fraction(1, 8)), (Exponential, Fraction(1, 32))):
        assert kind(MIXTURE_OF_CUT, half).price(Currency.EPSILON) == half
        assert kind(MIXTURE_OF_CUT, half).price(Currency.RHO) == rho
    assert Gaussian(TOTAL, half).price(Currency.RHO) == half


def account(currency: Currency) -> Account:
    cells = MemoryBlockData.of(Tensor.from_arrays((4,), [[0], [2]], [5, 7]))
    return Account(cells, shape=(4,), epsilon=Fraction(1), noise=SeededNoise(1), currency=currency)


def test_gaussian_noise_is_not_pure() -> None:
    pure = account(Currency.EPSILON)
    with pytest.raises(PrivacyError, match="Gaussian noise is not pure"):
        pure.charge_query("all", Gaussian(TOTAL, Fraction(1)), pure.root)
    assert pure.ledger.spent == 0


def test_an_account_counts_rho() -> None:
    counts = account(Currency.RHO)
    counts.charge_query("one", Laplace(TOTAL, Fraction(1)), counts.root).measure()
    counts.charge_query("two", Gaussian(TOTAL, Fraction(3, 8)), counts.root).measure()
    counts.charge_query("cut", Exponential(MIXTURE_OF_CUT, Fraction(1)), counts.root).choose_cuts()
    assert [entry.epsilon for entry in counts.ledger.entries] == [Fraction(1, 2), Fraction(3, 8), Fraction(1, 8)]
    assert counts.ledger.spent == 1
    with pytest.raises(BudgetExceeded):
        counts.charge_query("more", Gaussian(TOTAL, SMALL), counts.root)
    with pytest.raises(PrivacyError, match="a draw must cost something"):
        counts.charge_query("free", Gaussian(TOTAL, Fraction(0)), counts.root)


@both
@pytest.mark.parametrize(("rho", "bound"), [("1/2", 1), ("1/100", 1), ("8", 1), ("1/8", 3)])
def test_gaussian(noise: Noise, rho: str, bound: int) -> None:
    mechanism = Gaussian(TOTAL, Fraction(rho))
    drawn = noise.gaussian(np.full(20_000, 1000), mechanism, bound) - 1000
    scale = mechanism.scale(bound)
    far = max(1, int(2.5 * scale))
    expected = fold_tails(distributions.gaussian(np.arange(-far, far + 1), scale))
    assert agrees(count_outcomes(drawn + far, 2 * far + 1), expected)
    assert len(noise.gaussian(np.zeros(0, np.int64), mechanism, bound)) == 0


@both
def test_uniforms(noise: Noise) -> None:
    drawn = noise.uniforms(20_000)
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert agrees(count_outcomes((drawn * 10).astype(np.int64), 10), np.full(10, 0.1))
    assert len(noise.uniforms(0)) == 0


def test_opendp_must_agree_with_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gaussian, "scale", lambda self, bound: 0.999)
    with pytest.raises(BudgetExceeded, match="OpenDP states a loss of"):
        SystemNoise().gaussian(np.zeros(2, np.int64), Gaussian(TOTAL, Fraction(1, 2)), 1)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.fractions(min_value=Fraction(1, 10**22), max_value=1000), st.integers(1, 2**53 - 1))
def test_opendp_never_states_more_than_was_paid(cost: Fraction, bound: int) -> None:
    for statistic in (TOTAL, DEVIATION):
        mechanism = Gaussian(statistic, cost)
        loss = Fraction(gaussian_measurement(mechanism.scale(bound)).map(statistic.sensitivity(bound)))
        assert cost * (1 - Fraction(1, 10**12)) < loss <= cost
    choice = Exponential(DEVIATION_OF_CUT, cost)
    law = noisy_max_measurement(choice.scale(bound), is_exponential=True)
    assert Fraction(law.map(DEVIATION_OF_CUT.sensitivity(bound))) <= choice.price(Currency.RHO)


@pytest.mark.parametrize("scale", [0.2, 0.7, 1.5, 2.9, 3.1, 12.0])
def test_variance_is_that_of_the_distribution(scale: float) -> None:
    far = np.arange(1, int(40 * scale) + 60)
    found = 2 * (far**2 * np.exp(distributions.gaussian(far, scale))).sum()
    assert gaussian_variance(scale) == pytest.approx(found)
    mechanism = Gaussian(TOTAL, Fraction(1, 2))
    assert mechanism.variance(1) == gaussian_variance(mechanism.scale(1))


def promise(rho: Fraction, *, unit: Unit = ROW, blocks: int = 1) -> Privacy:
    of_row = rho / unit.max_rows**2
    entry = Charge("all", "discrete Gaussian", "total", 1, of_row, gaussian_scale_for(1, of_row), blocks)
    ledger = Ledger((entry,), (Step(None, None, 0), Step(0, 0, blocks)))
    return Privacy(Fraction(1), unit, "operating system", ledger, SMALL)


def test_the_promise_says_what_it_is() -> None:
    rho = rho_for(Fraction(1), SMALL)
    for unit in (ROW, Unit("person", 3)):
        privacy = promise(rho, unit=unit)
        privacy.check(blocks=1)
        assert privacy.definition.startswith("(epsilon, delta)-differential privacy")
        assert privacy.spent == rho
        assert privacy.epsilon_spent == pytest.approx(1, abs=1e-7)
        text = json.dumps(privacy.to_json())
        assert Privacy.from_json(json.loads(text)) == privacy
        assert (json.loads(text)["delta"], json.loads(text)["currency"]) == ("1/1000000000", "rho")


def test_a_promise_that_is_broken_is_seen() -> None:
    rho = rho_for(Fraction(1), SMALL)
    with pytest.raises(ReleaseError, match="more than epsilon 1"):
        promise(rho * Fraction(1001, 1000)).check(blocks=1)
    with pytest.raises(ReleaseError, match="the ledger spends inf"):
        promise(Fraction(10) ** 400).check(blocks=1)
    for delta in (Fraction(1, 2), Fraction(-1), Fraction(1, 10**200)):
        with pytest.raises(ReleaseError, match="delta is too large"):
            replace(promise(rho), delta=delta).check(blocks=1)


def test_a_file_keeps_the_promise(tmp_path: Path) -> None:
    view = make_view((12, 7), leaves=5, privacy=promise(rho_for(Fraction(1), SMALL), blocks=5))
    view.save(tmp_path / "v.parquet")
    again = open_view(tmp_path / "v.parquet")
    assert again.privacy == view.privacy
    assert "epsilon 1, delta 1e-09" in repr(again)
    assert "(1, 1e-09)" in again._repr_html_()
    checks = {check.name: check for check in verify_view(tmp_path / "v.parquet")}
    assert all(check.ok for check in checks.values())
    assert "of epsilon 1 at delta 1e-09 for one row" in checks["ledger"].detail


def test_a_file_cannot_claim_to_be_pure(tmp_path: Path) -> None:
    """A ledger of rho under the definition of pure privacy, and the other way round."""
    from ripost.privacy.ledger import APPROXIMATE, PURE

    for definition, delta in ((PURE, SMALL), (APPROXIMATE, Fraction(0))):

        class Liar(Privacy):
            def to_json(self, definition: str = definition) -> dict[str, object]:
                return {**super().to_json(), "definition": definition}

        honest = promise(Fraction(1, 100), blocks=5)
        liar = Liar(honest.epsilon, honest.unit, honest.entropy, honest.ledger, delta)
        with pytest.raises(ReleaseError, match="the privacy definition does not match its delta"):
            make_view((12, 7), leaves=5, privacy=liar).save(tmp_path / "liar.parquet")
