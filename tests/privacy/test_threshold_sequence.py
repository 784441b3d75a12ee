"""Threshold sequences: charged once, counted by the partition, over when a test fails, alike from both noises."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import BudgetExceeded, InputError, PrivacyError
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import BiasedThresholdTest, Exponential, Laplace, OneThresholdTest
from ripost.privacy.noise import Noise, SystemNoise
from ripost.privacy.paid_queries import MOST_SHIFT
from ripost.privacy.seeded_noise import SeededNoise
from ripost.statistics.cut_scores import DEVIATION_OF_CUT, MIXTURE_OF_CUT
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.totals import TOTAL
from tests.privacy.accounts import halve, open_account, unspent_of
from tests.statistics_by_name import STATISTICS

from .agreement import agrees
from .distributions import laplace_above

HALF = Fraction(1, 2)
YES, NO = 2**50, -(2**50)  # thresholds that every test fails, or passes


def test_tests_at_every_depth_are_paid_for_once() -> None:
    account = open_account()
    sequence = account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, HALF, NO), account.root)
    live = account.root
    for axis in (0, 1, 0):
        assert not sequence.at_most(live).any()
        live = halve(live, axis)
    assert account.ledger.spent == HALF
    assert unspent_of(live) == [HALF] * 8
    (entry,) = account.ledger.entries
    assert (entry.epsilon, entry.blocks, entry.mechanism, entry.statistic) == (HALF, 1, "biased test", "total")
    assert entry.scale == pytest.approx(6)
    account.charge_query("leaves", Laplace(TOTAL, HALF), live).measure()
    assert account.ledger.spent == 1
    assert account.ledger.blocks == 8


def test_a_descent_must_be_affordable() -> None:
    account = open_account()
    with pytest.raises(BudgetExceeded, match="tests: costs 2"):
        account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, Fraction(2)), account.root)
    assert account.ledger.entries == ()


@pytest.mark.parametrize("currency", [Currency.RHO, Currency.ACCOUNTED])
def test_a_descent_is_paid_in_pure_epsilon_only(currency: Currency) -> None:
    account = open_account(currency=currency)
    with pytest.raises(PrivacyError):
        account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, HALF), account.root)
    assert account.ledger.entries == ()
    with pytest.raises(PrivacyError, match="proved for pure epsilon only"):
        BiasedThresholdTest(TOTAL, HALF).price(currency)


def test_a_failed_test_ends_the_descent_for_a_block_and_its_parts() -> None:
    account = open_account()
    sequence = account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, HALF, YES), account.root)
    assert sequence.at_most(account.root).all()
    with pytest.raises(PrivacyError, match="its sequence is over"):
        sequence.at_most(account.root)
    parts = halve(account.root)
    with pytest.raises(PrivacyError, match="its sequence is over"):
        sequence.at_most(parts)


def test_blocks_that_did_not_pay_are_not_tested() -> None:
    account = open_account()
    one, other = halve(account.root).select(np.array([True, False]))
    sequence = account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, HALF, NO), one)
    with pytest.raises(PrivacyError, match="not on this sequence"):
        sequence.at_most(other)
    assert len(sequence.at_most(one)) == 1
    with pytest.raises(PrivacyError, match="not on this sequence"):
        sequence.at_most(one.merge(other))


def test_a_second_descent_takes_the_place_of_the_first() -> None:
    account = open_account()
    first = account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, HALF, NO), account.root)
    second = account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, HALF, NO), account.root)
    assert account.ledger.spent == 1
    with pytest.raises(PrivacyError, match="not on this sequence"):
        first.at_most(account.root)
    second.at_most(account.root)


def test_blocks_that_were_cut_are_not_tested() -> None:
    account, another = open_account(), open_account()
    sequence = account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, HALF, NO), account.root)
    halve(account.root)
    with pytest.raises(PrivacyError, match="were split"):
        sequence.at_most(account.root)
    with pytest.raises(PrivacyError, match="another account"):
        sequence.at_most(another.root)


class Seen(SeededNoise):
    """Noise that keeps what it was given."""

    def at_most(self, values: np.ndarray, threshold: int, mechanism: Laplace, bound: int) -> np.ndarray:
        self.values, self.mechanism = values.tolist(), mechanism
        return np.zeros(len(values), bool)


def on(counts: list[int], noise: Noise, bound: int = 1) -> Account:
    tensor = Tensor.from_arrays((len(counts),), np.arange(len(counts))[:, None], counts)
    return Account(MemoryBlockData.of(tensor), shape=(len(counts),), epsilon=Fraction(1), noise=noise, bound=bound)


def test_the_bias_grows_with_every_test_of_a_path_down_to_the_floor() -> None:
    """6 a test for scale 8.4 and decay 2; blocks tested more often are biased more, in one partition."""
    seen = Seen(1)
    account = on([90, 0, 0, 5, 0, 0, 0, 0], seen)
    test = BiasedThresholdTest(TOTAL, Fraction(3, 10), 2)
    assert (test.bias(1), test.floor(1)) == (7, -5)
    sequence = account.charge_threshold_sequence("tests", test, account.root)
    live = account.root
    told = []
    for _ in range(3):
        sequence.at_most(live)
        told.append(seen.values)
        live = halve(live)
    assert told == [[95], [88, -5], [76, -5, -5, -5]]
    assert isinstance(seen.mechanism, OneThresholdTest)
    assert seen.mechanism.of is test
    first, rest = live.select(np.arange(8) < 1)
    sequence.at_most(first)
    sequence.at_most(first.merge(rest))
    assert seen.values == [90 - 28, *[-5] * 7]


def test_a_first_test_may_have_any_number() -> None:
    seen = Seen(1)
    account = on([90, 0], seen)
    test = BiasedThresholdTest(TOTAL, Fraction(3, 10), first=4)
    account.charge_threshold_sequence("tests", test, account.root).at_most(account.root)
    assert seen.values == [90 - 28]


def test_biases_beyond_64_bits_are_at_the_floor() -> None:
    seen = Seen(1)
    account = on([2**58, 0], seen)
    test = BiasedThresholdTest(TOTAL, Fraction(1, 2**57), first=2**40)
    account.charge_threshold_sequence("tests", test, account.root).at_most(account.root)
    assert seen.values == [test.floor(1)]
    assert 2**57 < test.bias(1) < MOST_SHIFT // 8
    with pytest.raises(InputError, match="leaves only noise"):
        account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, Fraction(1, 2**60)), account.root)
    assert len(account.ledger.entries) == 1


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([TOTAL, DEVIATION]),
    st.fractions(Fraction(1, 10**9), 1000, max_denominator=10**9),
    st.fractions(Fraction(101, 100), 10**6, max_denominator=10**4),
    st.integers(1, 10**6),
)
def test_scale_and_bias_are_what_the_proof_needs(statistic, epsilon, decay, bound) -> None:  # type: ignore[no-untyped-def]
    test = BiasedThresholdTest(statistic, epsilon, decay=decay)
    lost = Fraction(statistic.sensitivity(bound)) / Fraction(test.scale(bound)) * test.tests
    assert lost <= epsilon
    assert lost > epsilon * Fraction(999999, 10**6)
    assert test.bias(bound) / test.scale(bound) >= math.log(decay) * (1 - 1e-15)
    assert (test.bias(bound) - 1) / test.scale(bound) <= math.log(decay) * (1 + 1e-11)
    assert test.tests == (2 * decay - 1) / (decay - 1) + (statistic is DEVIATION)  # as published


@pytest.mark.parametrize("statistic", [MIXTURE_OF_CUT, DEVIATION_OF_CUT], ids=lambda s: s.name)
def test_only_what_shrinks_with_a_block_is_tested(statistic) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PrivacyError, match="may be larger for a part of a block"):
        BiasedThresholdTest(statistic, HALF)


@pytest.mark.parametrize("wrong", [{"decay": Fraction(1)}, {"first": -1}, {"threshold": 2**54}], ids=str)
def test_figures_that_break_the_proof_are_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PrivacyError, match="a biased test needs"):
        BiasedThresholdTest(TOTAL, HALF, **wrong)


def test_a_descent_is_not_drawn_as_a_term() -> None:
    account = open_account()
    term = account.charge_query("tests", BiasedThresholdTest(TOTAL, HALF), account.root)
    with pytest.raises(PrivacyError, match="biased test cannot be drawn this way"):
        term.measure()
    with pytest.raises(PrivacyError, match="cannot be drawn this way"):
        account.charge_query("cut", Exponential(DEVIATION_OF_CUT, HALF), account.root).at_most(0)


@pytest.mark.parametrize("source", ["system", "seeded"])
def test_tests_pass_as_often_as_their_law_says(source: str) -> None:
    """2,000 blocks at once; a false alarm once in a million."""
    noise: Noise = SystemNoise() if source == "system" else SeededNoise(11)
    for count, level in ((3, 0), (3, 1), (40, 1), (0, 3)):
        account = on([count] * 2048, noise)
        live = account.root
        for _ in range(11):
            live = halve(live)
        test = BiasedThresholdTest(TOTAL, HALF, first=level)
        passed = int((~account.charge_threshold_sequence("tests", test, live).at_most(live)).sum())
        reached = max(count - level * test.bias(1), test.floor(1))
        expected = math.exp(laplace_above(np.array(-reached), test.scale(1)))
        assert agrees(np.array([passed, 2048 - passed]), np.array([expected, 1 - expected]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 30), min_size=2, max_size=9), st.data())
def test_a_part_has_no_larger_statistic(counts: list[int], data: st.DataObject) -> None:
    """The first step of proofs/biased_test.md."""
    tensor = Tensor.from_arrays((len(counts),), np.arange(len(counts))[:, None], counts)
    cells = MemoryBlockData.of(tensor)
    cut = data.draw(st.integers(1, len(counts) - 1))
    halves = cells.split(np.array([0]), np.array([cut]))
    for name in ("total", "deviation"):
        assert (halves.compute(STATISTICS[name], 0, 2) <= cells.compute(STATISTICS[name], 0, 1)).all()


def test_public_numbers_are_even() -> None:
    """A false alarm once in a million."""
    for noise in (SystemNoise(), SeededNoise(3)):
        drawn = noise.below(np.full(5000, 7))
        assert agrees(np.bincount(drawn, minlength=7), np.full(7, 1 / 7))
        assert noise.below(np.array([1, 1])).tolist() == [0, 0]
