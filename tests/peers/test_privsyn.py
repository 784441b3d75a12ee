"""PrivSyn: which marginals, at what price, and rows that fit them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import InputError, PrivacyError
from ripost.methods import METHODS
from ripost.peers.consistent_marginals import NoisyMarginal
from ripost.peers.privsyn.gum import fit_rows
from ripost.peers.privsyn.method import worth_their_noise
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import Gaussian, Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.space.query_parameters import Couples, Grid
from ripost.statistics.dependence import DEPENDENCE
from tests.methods.silent import Silent, poisson, run
from tests.peers.linked_tables import linked


def purposes(account: Account) -> list[tuple[str, Fraction]]:
    return [(entry.purpose, entry.epsilon / account.epsilon) for entry in account.ledger.entries]


def test_what_it_pays_for() -> None:
    _, account = run("privsyn", linked(), Fraction(1, 5), noise=Silent())
    assert account.currency is Currency.RHO
    paid = purposes(account)
    assert paid[:3] == [("dependence of a pair", Fraction(1, 30))] * 3
    assert [purpose for purpose, _ in paid[3:]] == ["histogram"] * 3 + ["marginal of a pair"]
    assert sum(share for _, share in paid[3:6]) == Fraction(1, 10)
    assert paid[6][1] == Fraction(8, 10)


def test_without_pairs_the_histograms_get_all() -> None:
    for shape in [(9,), (1, 1), (300, 300)]:  # no pairs; one cell; a table that is not worth its noise
        _, account = run("privsyn", poisson(shape, rate=0.01), Fraction(1, 10), noise=Silent())
        assert {purpose for purpose, _ in purposes(account)} <= {"histogram", "dependence of a pair"}
        assert account.ledger.spent == account.epsilon


def test_axes_that_depend_on_each_other_are_kept_together() -> None:
    found, _ = run("privsyn", linked(), 10)
    together = found.coords[:, 0] == found.coords[:, 2]
    assert found.weights[together].sum() > 0.97 * found.weights.sum()
    middle = np.bincount(found.coords[:, 1], weights=found.weights)
    np.testing.assert_allclose(middle, 4000 / 3, rtol=0.1)


def error(scores: np.ndarray, cells: np.ndarray, rho: float, chosen: tuple[int, ...]) -> float:
    """The sum of errors, term by term."""
    size = sum(cells[n] ** (2 / 3) for n in chosen)
    noise = sum(cells[n] / math.sqrt(math.pi * rho * cells[n] ** (2 / 3) / size) for n in chosen)
    return float(sum(scores[n] for n in range(len(scores)) if n not in chosen) + noise)


def test_greedy_choice_of_marginals() -> None:
    """No single marginal more or less would do better, and none is taken for nothing."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        scores, cells = rng.normal(2000, 2000, 6), rng.integers(4, 5000, 6).astype(float)
        rho = float(10 ** rng.uniform(-4, 1))
        chosen = tuple(worth_their_noise(scores, cells, rho))
        here = error(scores, cells, rho, chosen)
        assert here <= error(scores, cells, rho, ()) + 1e-6
        for other in set(range(6)) - set(chosen):
            assert here <= error(scores, cells, rho, (*chosen, other)) + 1e-6
    assert worth_their_noise(np.zeros(0), np.zeros(0), 1.0) == []


def test_greedy_choice_is_near_the_best() -> None:
    rng = np.random.default_rng(4)
    for _ in range(30):
        scores, cells = rng.uniform(0, 5000, 5), rng.integers(4, 500, 5).astype(float)
        every = [sub for size in range(6) for sub in itertools.combinations(range(5), size)]
        best = min(error(scores, cells, 0.01, sub) for sub in every)
        assert error(scores, cells, 0.01, tuple(worth_their_noise(scores, cells, 0.01))) < 1.3 * best


def test_rows_are_bent_to_fit() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 6, (20_000,))
    rows = np.stack([truth, (truth + rng.integers(0, 2, 20_000)) % 6, rng.integers(0, 3, 20_000)])
    goals = []
    for axes in [(0, 1), (1, 2)]:
        values = np.zeros((6, 6 if axes[1] == 1 else 3))
        np.add.at(values, tuple(rows[list(axes)]), 1.0)
        goals.append(NoisyMarginal(axes, values, 1.0))
    noise = SeededNoise(1)
    start = np.stack([rng.integers(0, size, 20_000) for size in (6, 6, 3)])
    found = fit_rows(noise, start, goals, 30)
    for goal in goals:
        have = np.zeros_like(goal.values)
        np.add.at(have, tuple(found[list(goal.axes)]), 1.0)
        assert np.abs(have - goal.values).sum() < 0.02 * 20_000


def test_scores_get_noise_one_by_one() -> None:
    """One row can move all scores: their vector has another length than one of them."""
    tensor = poisson((3, 3, 3))
    grids = [Grid((axis,), (3,), (3,)) for axis in range(3)]
    couples = Couples(((grids[0], grids[1]), (grids[0], grids[2])))
    for mechanism, currency in [
        (Laplace(DEPENDENCE, Fraction(1)), Currency.EPSILON),
        (Gaussian(DEPENDENCE, Fraction(1)), Currency.RHO),
    ]:
        account = Account(
            MemoryBlockData.of(tensor), shape=(3, 3, 3), epsilon=Fraction(1), noise=SeededNoise(0), currency=currency
        )
        with pytest.raises(PrivacyError, match="one by one"):
            account.charge_query("scores", mechanism, account.root).measure(couples)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"choosing": 0}, "choosing must lie strictly between 0 and 1"),
        ({"choosing": 0.6, "single": 0.5}, "must leave a share"),
        ({"rounds": -1}, "rounds must be a whole number"),
        ({"delta": 0}, "delta must be above 0"),
        ({"delta": 0.5}, "delta must be 0, or lie between"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        METHODS["privsyn"].configure(options)


def test_an_axis_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="choose another method"):
        run("privsyn", Tensor.from_arrays((2**21,), [[5]], [1]))
