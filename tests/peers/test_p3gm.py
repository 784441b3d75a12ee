"""P3GM: its options, its sequence of draws, what it learns, and what it refuses."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ripost
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import BudgetExceeded, InputError, PrivacyError, ReleaseError
from ripost.peers.p3gm.method import P3GM
from ripost.peers.p3gm.model import decode_latent, directions, maximize_mixture, normals, sample_latent
from ripost.peers.p3gm.network import UNIT, Encoding, GaussianMixture, Layers
from ripost.privacy.account import Account
from ripost.privacy.gaussian_accounting import DpEvent, compute_epsilon
from ripost.privacy.ledger import Currency, Privacy
from ripost.privacy.mechanisms import ComposedMechanism, Gaussian, Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import ROW, Unit
from ripost.statistics.totals import TOTAL
from tests.methods.silent import poisson, run

pytest.importorskip("dp_accounting", reason="dp-accounting is not installed; pip install 'ripost[p3gm]'")

DELTA = Fraction(1, 10**9)
QUICK = {"steps": 12, "iterations": 2, "components": 3, "hidden": 8}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"steps": 0}, "steps must be a whole number from 1 to 1,000,000, got 0"),
        ({"latent": 9}, "latent must be a whole number from 1 to 8, got 9"),
        ({"hidden": True}, "hidden must be a whole number from 1 to 1024, got True"),
        ({"rate": 0}, "rate must be a number from"),
        ({"rate": 1.5}, "rate must be a number from"),
        ({"clip": "1"}, "clip must be a number from"),
        ({"prior": "gamma"}, "prior must be 'mixture' or 'normal', got 'gamma'"),
        ({"for_total": 0}, "for_total must lie strictly between 0 and 1"),
        ({"for_mixture": 0.9}, "must leave something for training"),
        ({"delta": 0}, "delta must be above 0 for Gaussian noise"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        P3GM.configure(options)


def test_what_to_install_is_said_before_anything_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    with pytest.raises(InputError, match=r"method p3gm needs dp_accounting; run: pip install 'ripost\[p3gm\]'"):
        run("p3gm", poisson((5, 4)))


@pytest.mark.parametrize("epsilon", ["1/1000000000", "1/10", "1", "1000"])
@pytest.mark.parametrize("rate", [0.01, 1.0])
def test_the_sequence_uses_up_the_budget(epsilon: str, rate: float) -> None:
    asked = Fraction(epsilon)
    stated = compute_epsilon(P3GM().events(asked, rate), DELTA)
    assert 0.995 * asked <= stated <= asked


def test_units_of_several_rows_are_refused() -> None:
    tensor = Tensor.from_arrays((3, 3), [[0, 0]], [5], unit=Unit("person", 2))
    with pytest.raises(InputError, match="p3gm protects single rows"):
        ripost.publish(tensor, epsilon=1, method="p3gm", seed=1)


def test_domains_that_are_too_wide_are_refused() -> None:
    tensor = Tensor.from_arrays((100,) * 60, np.zeros((1, 60), int), [1])
    with pytest.raises(InputError, match="choose another method, or lower one_hot and bins"):
        run("p3gm", tensor)
    found, _ = run("p3gm", tensor, bins=4, **QUICK)
    assert found.coords.shape[1] == 60


def test_the_ledger_tells_every_event() -> None:
    _, account = run("p3gm", poisson((6, 5)), **QUICK)
    (entry,) = account.ledger.entries
    assert entry.epsilon == 1
    assert entry.mechanism == "Gaussian course, accounted"
    for words in ("total 1 x rho", "directions 1 x rho", "mixture 2 x rho", "of a part of 1/", "delta 1e-09"):
        assert words in entry.terms
    privacy = Privacy(Fraction(1), ROW, "seed 7", account.ledger, DELTA, accounted=True)
    privacy.check(blocks=1)
    assert privacy.definition.startswith("(epsilon, delta)-differential privacy by a Renyi accountant")
    assert privacy.epsilon_spent == 1
    assert Privacy.from_json(privacy.to_json()) == privacy


def test_a_promise_at_a_delta_is_checked() -> None:
    _, account = run("p3gm", poisson((6, 5)), **QUICK)
    ledger = account.ledger
    for wrong in (
        Privacy(Fraction(1), ROW, "seed 7", ledger, Fraction(0), accounted=True),
        Privacy(Fraction(1), Unit("person", 2), "seed 7", ledger, DELTA, accounted=True),
        Privacy(Fraction(1, 2), ROW, "seed 7", ledger, DELTA, accounted=True),
    ):
        with pytest.raises(ReleaseError):
            wrong.check(blocks=1)


def sequence_account(epsilon: Fraction = Fraction(1), bound: int = 1) -> Account:
    tensor = poisson((4, 3))
    return Account(
        MemoryBlockData.of(tensor),
        shape=(4, 3),
        epsilon=epsilon,
        noise=SeededNoise(3),
        bound=bound,
        currency=Currency.ACCOUNTED,
        delta=DELTA,
    )


EVENTS = (DpEvent("total", TOTAL, Fraction(1, 500)), DpEvent("again", TOTAL, Fraction(1, 500), Fraction(1, 4), 2))


def test_a_sequence_hands_out_its_draws_and_no_more() -> None:
    account = sequence_account()
    sequence = account.charge_query(
        "x", ComposedMechanism.of(EVENTS, Fraction(1), DELTA), account.root
    ).start_sequence()
    assert [len(sequence.measure()) for _ in range(3)] == [1, 1, 1]
    with pytest.raises(BudgetExceeded, match="this sequence of draws is over"):
        sequence.measure()


def test_every_event_of_a_sequence_has_a_proved_statistic() -> None:
    wishful = replace(EVENTS[0], statistic=replace(TOTAL, per_count=0, per_cell=1))
    account = sequence_account()
    with pytest.raises(PrivacyError, match="no proof of the sensitivity of 'total'"):
        account.charge_query("x", ComposedMechanism.of((wishful, EVENTS[1]), Fraction(1), DELTA), account.root)


def test_a_sequence_is_opened_once_and_by_itself() -> None:
    account = sequence_account()
    mechanism = ComposedMechanism.of(EVENTS, Fraction(1), DELTA)
    term = account.charge_query("x", mechanism, account.root)
    term.start_sequence()
    with pytest.raises(BudgetExceeded):
        term.start_sequence()
    with pytest.raises(BudgetExceeded):
        account.charge_query("x", mechanism, account.root)


@pytest.mark.parametrize(
    "mechanism",
    [
        Laplace(TOTAL, Fraction(1)),
        Gaussian(TOTAL, Fraction(1)),
        ComposedMechanism.of(EVENTS, Fraction(1, 2), DELTA),
        ComposedMechanism.of(EVENTS, Fraction(1), DELTA * 2),
    ],
    ids=lambda mechanism: type(mechanism).__name__,
)
def test_such_an_account_pays_for_nothing_else(mechanism: Any) -> None:
    account = sequence_account()
    with pytest.raises(PrivacyError, match="one composed mechanism at that delta"):
        account.charge_query("x", mechanism, account.root)


def test_a_sequence_that_costs_more_is_refused() -> None:
    account = sequence_account()
    dear = (DpEvent("total", TOTAL, Fraction(1, 2)),)
    with pytest.raises(BudgetExceeded, match="the accountant states"):
        account.charge_query("x", ComposedMechanism.of(dear, Fraction(1), DELTA), account.root)
    other = Account(account.root._cells, shape=(4, 3), epsilon=Fraction(1), noise=SeededNoise(3))
    with pytest.raises(PrivacyError, match="counts epsilon at a delta"):
        other.charge_query("x", ComposedMechanism.of(EVENTS, Fraction(1), DELTA), other.root)


def test_sums_are_not_sampled() -> None:
    account = sequence_account(bound=3)
    with pytest.raises(PrivacyError, match="cannot be sampled by row"):
        account.charge_query("x", ComposedMechanism.of(EVENTS, Fraction(1), DELTA), account.root).start_sequence()


def test_correlated_axes_stay_so() -> None:
    """Two numbers on a diagonal: most synthetic rows lie near it, and their histogram is that of the table."""
    rng = np.random.default_rng(1)
    first = rng.normal(30, 8, 50_000).round().clip(0, 59).astype(int)
    second = (first + rng.integers(-2, 3, 50_000)).clip(0, 59)
    tensor = Tensor.from_arrays((60, 60), np.stack([first, second], axis=1), np.ones(50_000, int))
    found, _ = run("p3gm", tensor, 5)
    share = found.weights / found.weights.sum()
    assert share[abs(found.coords[:, 0] - found.coords[:, 1]) <= 10].sum() > 0.7
    for axis, data in enumerate((first, second)):
        histogram = np.bincount(found.coords[:, axis], share, 60)
        assert abs(histogram - np.bincount(data, minlength=60) / 50_000).sum() / 2 < 0.15


def test_the_published_flaw_is_worse() -> None:
    """Samples of N(0, I) in place of the mixture: two clusters of rows become a cloud."""
    clusters = np.array([[2, 2], [3, 2], [27, 26], [28, 27]])
    tensor = Tensor.from_arrays((32, 32), clusters, [20_000, 10_000, 5_000, 5_000])
    near = []
    for prior in ("mixture", "normal"):
        found, _ = run("p3gm", tensor, 5, prior=prior)
        close = abs(found.coords[:, None] - clusters).max(axis=2).min(axis=1) <= 2
        near.append(found.weights[close].sum() / found.weights.sum())
    assert near[0] > 0.8
    assert near[0] > near[1]


class TestPublicSide:
    def test_encoded_rows_are_not_too_long(self) -> None:
        for shape in [(1,), (5,), (17, 3), (100, 2, 16, 40), (7,) * 30]:
            encoding = Encoding.of(shape, 16)
            longest = sum(int((table**2).sum(axis=1).max()) for table in encoding.tables)
            assert 0.9 * UNIT**2 <= longest <= UNIT**2 or shape == (1,)

    def test_directions_are_orthogonal_and_sorted(self) -> None:
        rng = np.random.default_rng(2)
        matrix = rng.normal(size=(6, 6))
        vectors, sizes = directions(matrix + matrix.T, 3)
        np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-12)
        assert (np.diff(sizes) <= 0).all()

    def test_a_mixture_from_exact_sums(self) -> None:
        sums = np.array([[10, 5, -2, 4, 1.0], [-3, 0, 0, 0, 0]])
        mixture = maximize_mixture(sums, 2)
        np.testing.assert_allclose(mixture.means[0], [0.5, -0.2])
        np.testing.assert_allclose(mixture.variances[0], [0.15, 0.06])
        assert mixture.weights.sum() == pytest.approx(1)
        assert (mixture.weights > 0).all()

    def test_samples_of_a_mixture(self) -> None:
        uniforms = np.random.default_rng(3).random
        mixture = GaussianMixture(np.array([0.25, 0.75]), np.array([[-5.0], [5.0]]), np.array([[1.0], [4.0]]))
        place = sample_latent(uniforms, mixture, 20_000)[:, 0]
        assert (place < 0).mean() == pytest.approx(0.25, abs=0.03)
        assert place[place > 0].std() == pytest.approx(2, abs=0.1)
        assert len(normals(uniforms, 7)) == 7

    def test_decoded_outputs_follow_their_scores(self) -> None:
        layers = Layers((np.zeros((1, 2)), np.zeros((1, 2))), (np.zeros((1, 2)), np.zeros((5, 2))))
        layers.decode[1][:, -1] = np.log([1, 2, 1, 1, 3])
        found = decode_latent(np.random.default_rng(4).random, layers, np.zeros((20_000, 1)), (3, 2))
        np.testing.assert_allclose(np.bincount(found[:, 0]) / 20_000, [0.25, 0.5, 0.25], atol=0.03)
        np.testing.assert_allclose(np.bincount(found[:, 1]) / 20_000, [0.25, 0.75], atol=0.03)
