"""Discovery: noise against its exact distribution, thresholds, what is found, and what is charged."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.errors import BudgetExceeded, PrivacyError, ReleaseError
from ripost.methods.discovery_budget import plan_discovery, split_delta
from ripost.privacy.discovery import DiscoveryAccount, PaidVotes
from ripost.privacy.discovery_ledger import DiscoveryCharge, DiscoveryLedger, tail_length
from ripost.privacy.noise import SystemNoise
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.discovery import MAX_ROWS
from ripost.schema.schema import Schema
from tests.privacy.distributions import laplace_above

EPSILONS = [Fraction(1, 100), Fraction(3, 10), Fraction(2), Fraction(40)]
DELTAS = [Fraction(1, 1000), Fraction(1, 10**9), Fraction(1, 10**100)]


def charge(what: str = "values", *, epsilon: Any = 1, delta: Any = None, cells: int = 10) -> DiscoveryCharge:
    delta = Fraction(1, 10**6) if delta is None and what == "values" else Fraction(delta or 0)
    return DiscoveryCharge(what, None if what == "max_rows" else "x", Fraction(epsilon), delta, cells)


def votes_for(entry: DiscoveryCharge, noise: Any) -> PaidVotes:
    return DiscoveryAccount(epsilon=entry.epsilon, delta=entry.delta, noise=noise).charge(entry)


class NoNoise:
    """Votes as they are: what is found by them."""

    entropy = "none"

    def laplace(self, values: Any, *_: Any) -> Any:
        return values


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("delta", DELTAS)
def test_a_value_of_one_unit_is_listed_with_probability_delta_and_hardly_less(
    epsilon: Fraction, delta: Fraction
) -> None:
    entry = charge(epsilon=epsilon, delta=delta)
    listed = float(laplace_above(np.array([entry.threshold - 2]), entry.scale)[0])  # log P(1 + noise >= threshold)
    lower = float(laplace_above(np.array([max(entry.threshold - 4, 0)]), entry.scale)[0])
    allowed = np.log(delta.numerator) - float(np.log(float(delta.denominator)))
    assert listed <= allowed + 1e-9
    assert lower > allowed or entry.threshold == 2  # two less would be too low


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_value_is_found_with_99_percent(epsilon: Fraction) -> None:
    entry = charge(epsilon=epsilon, delta=Fraction(1, 10**9))
    missed = 1 - np.exp(laplace_above(np.array([entry.threshold - entry.found_with - 1]), entry.scale))[0]
    assert missed <= 0.01


def test_frequent_values_are_found_at_the_usual_shares() -> None:
    """100 / epsilon units suffice for 99 % at delta 1e-9, also where the method itself takes half of delta."""
    parts = Schema.parse('[attributes.x]\ntype = "category"\nvalues = "discover"\n').open
    for epsilon in (Fraction(1, 10), Fraction(1), Fraction(3)):
        for gaussian in (False, True):
            delta = split_delta(Fraction(1, 10**9), method_has_delta=gaussian)[0]
            [entry] = plan_discovery(parts, epsilon=epsilon, delta=delta).charges
            assert entry.found_with <= 100 / epsilon


def test_the_noise_is_that_of_the_proof() -> None:
    """Votes of 1 reach a threshold of 2 as often as P(noise >= 1) says; false alarms below 1 in 10^9 (six sigma)."""
    entry = charge("bounds", epsilon=1, cells=20_000)
    noisy = votes_for(entry, SystemNoise())._measure(np.ones(20_000, np.int64), "bounds")
    share = float((noisy >= 2).mean())
    expected = float(np.exp(laplace_above(np.array([0]), entry.scale))[0])
    assert abs(share - expected) < 6.2 * np.sqrt(expected * (1 - expected) / 20_000)


def test_a_draw_is_charged_before_it_is_made_and_made_once() -> None:
    account = DiscoveryAccount(epsilon=Fraction(1), delta=Fraction(1, 10**6), noise=SeededNoise(1))
    paid = account.charge(charge())
    with pytest.raises(BudgetExceeded, match="more than discovery has left"):
        account.charge(charge("bounds", epsilon=Fraction(1, 10**9)))
    assert account.ledger.entries == (paid.entry,)
    paid.find_values(["a"], np.array([5]))
    with pytest.raises(BudgetExceeded, match="already made"):
        paid.find_values(["a"], np.array([5]))


@pytest.mark.parametrize(("what", "delta"), [("values", 0), ("bounds", Fraction(1, 10**6))])
def test_only_values_cost_delta(what: str, delta: Any) -> None:
    account = DiscoveryAccount(epsilon=Fraction(1), delta=Fraction(1, 1000), noise=SeededNoise(1))
    with pytest.raises(PrivacyError, match="values cost epsilon and delta"):
        account.charge(charge(what, delta=delta))
    assert account.ledger.entries == ()


def test_delta_cannot_be_overspent() -> None:
    account = DiscoveryAccount(epsilon=Fraction(3), delta=Fraction(1, 10**6), noise=SeededNoise(1))
    account.charge(charge())
    with pytest.raises(BudgetExceeded):
        account.charge(DiscoveryCharge("values", "y", Fraction(1), Fraction(1, 10**7), 3))


@pytest.mark.parametrize(
    ("entry", "find"),
    [
        (charge(), lambda paid: paid.find_bounds(np.zeros(10, np.int64))),
        (charge("bounds"), lambda paid: paid.find_values(["a"], np.array([9]))),
        (charge("bounds"), lambda paid: paid.find_bounds(np.zeros(9, np.int64))),
        (charge("max_rows"), lambda paid: paid.find_max_rows(np.zeros(9, np.int64), MAX_ROWS)),
    ],
)
def test_a_draw_is_of_what_was_charged(entry: DiscoveryCharge, find: Any) -> None:
    with pytest.raises(PrivacyError):
        find(votes_for(entry, SeededNoise(1)))


def test_the_most_voted_values_are_listed_in_the_order_of_their_bytes() -> None:
    entry = charge(cells=3)
    names = ["a", "Z", "é", "z", "b"]
    votes = np.array([90, 500, 300, 300, 20]) + entry.threshold
    assert votes_for(entry, NoNoise()).find_values(names, votes) == ("Z", "z", "é")
    below = np.array([1, 0, 2, 3, 4]) + entry.threshold - 5
    assert votes_for(entry, NoNoise()).find_values(names, below) == ()
    assert votes_for(entry, NoNoise()).find_values([], np.zeros(0, np.int64)) == ()


def test_the_order_of_the_table_does_not_show() -> None:
    """Ties are broken by bytes."""
    entry, votes = charge(cells=2), np.full(3, 1000)
    for names in (["a", "b", "c"], ["c", "b", "a"], ["b", "c", "a"]):
        assert votes_for(entry, NoNoise()).find_values(names, votes) == ("a", "b")


def test_bounds_reach_from_the_first_to_the_last_full_cell() -> None:
    entry = charge("bounds", cells=6)
    full = entry.threshold
    assert votes_for(entry, NoNoise()).find_bounds(np.array([full - 1, full, 0, 9, full, 1])) == (1, 4)
    assert votes_for(entry, NoNoise()).find_bounds(np.array([0, 1, 0, 3, 2, -5])) == (3, 3)


def test_empty_cells_are_seldom_taken_for_full_ones() -> None:
    entry = charge("bounds", epsilon=Fraction(1, 20), cells=133)
    any_full = 133 * np.exp(laplace_above(np.array([entry.threshold - 1]), entry.scale))[0]
    assert 0.0008 < any_full <= 0.001


def test_max_rows_is_exceeded_by_one_unit_in_twenty() -> None:
    entry, votes = charge("max_rows", cells=len(MAX_ROWS)), np.zeros(len(MAX_ROWS), np.int64)
    votes[[0, 1, 3]] = 500, 460, 40
    assert votes_for(entry, NoNoise()).find_max_rows(votes, MAX_ROWS) == 2
    votes[3] = 70
    assert votes_for(entry, NoNoise()).find_max_rows(votes, MAX_ROWS) == 10
    for odd in (np.zeros(len(MAX_ROWS), np.int64), np.full(len(MAX_ROWS), -7)):
        assert votes_for(entry, NoNoise()).find_max_rows(odd, MAX_ROWS) in MAX_ROWS


def test_seeded_noise_repeats() -> None:
    votes = np.arange(50) * 10
    names = [f"v{number:02}" for number in range(50)]
    first, again = (votes_for(charge(), SeededNoise(4)).find_values(names, votes) for _ in range(2))
    assert first == again and 0 < len(first) < 50


def test_shares_are_exact_and_public() -> None:
    text = 'unit = "p"\nmax_rows = "discover"\n'
    for name in "abc":
        text += f'[attributes.{name}]\ntype = "category"\nvalues = "discover"\n'
    text += '[attributes.n]\ntype = "integer"\nmin = 0\nmax = "discover"\n'
    parts = Schema.parse(text).open
    plan = plan_discovery(parts, epsilon=Fraction(1, 3), delta=Fraction(3, 10**9))
    assert plan.epsilon == plan.ledger.epsilon == Fraction(1, 6)  # never more than half, unless stated
    assert plan.delta == plan.ledger.delta == Fraction(3, 10**9)
    assert [entry.epsilon for entry in plan.charges] == [Fraction(1, 6) * w / 20 for w in (6, 6, 6, 1, 1)]
    stated = plan_discovery(parts, epsilon=Fraction(1), delta=Fraction(3, 10**9), epsilon_share="3/4")
    assert stated.ledger.epsilon == Fraction(3, 4)
    assert split_delta(Fraction(1, 10), method_has_delta=True, delta_share=1) == (Fraction(1, 10), 0)


def test_a_tail_is_as_long_as_it_must_be() -> None:
    for scale in (0.02, 1.0, 37.5, 1e9):
        for chance in (Fraction(1, 100), Fraction(1, 10**12)):
            length = tail_length(scale, chance)
            assert float(laplace_above(np.array([length - 1]), scale)[0]) <= np.log(float(chance)) + 1e-9


@pytest.mark.parametrize(
    "change",
    [
        {"scale": 1.0},
        {"threshold": 3},
        {"threshold": charge(epsilon=Fraction(1, 3)).threshold - 1},
        {"threshold": 10**6},
        {"epsilon": "0"},
        {"delta": "0"},
        {"delta": "1/100"},
        {"what": "bounds"},
        {"what": "max_rows"},
        {"attribute": None},
        {"cells": 0},
    ],
)
def test_contradictory_entries_are_refused(change: dict[str, Any]) -> None:
    ledger = DiscoveryLedger((charge(epsilon=Fraction(1, 3)),))
    row = ledger.to_json()[0]
    assert DiscoveryLedger.from_json([row]) == ledger
    with pytest.raises(ReleaseError, match="its discovery"):
        DiscoveryLedger.from_json([{**row, **change}])
    with pytest.raises(ReleaseError, match="twice"):
        DiscoveryLedger.from_json([row, row])
    with pytest.raises(ReleaseError, match="empty"):
        DiscoveryLedger.from_json([])
