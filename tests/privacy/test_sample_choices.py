"""Choices by a sample: paid once, counted by the partition, and priced by amplification."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.errors import BudgetExceeded, PrivacyError
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import BiasedThresholdTest, Laplace, SampleChoices
from ripost.privacy.noise import SystemNoise
from ripost.privacy.paid_queries import PaidSampleChoices
from ripost.privacy.partition import Partition
from ripost.space.query_parameters import Pairs
from ripost.statistics.discrepancy import DISCREPANCY
from ripost.statistics.totals import TOTAL
from tests.privacy.accounts import halve, open_account
from tests.statistics_by_name import STATISTICS

from .agreement import agrees
from .distributions import permute_and_flip

HALF = Fraction(1, 2)


def charge_choices(account: Account, *, times: int = 2) -> PaidSampleChoices:
    return account.charge_sample_choices("axes", SampleChoices(DISCREPANCY, HALF, Fraction(1, 4), times), account.root)


def choose_axes(sample: PaidSampleChoices, partition: Partition) -> np.ndarray:
    number, axes = partition.blocks.lower.shape
    partners = tuple(tuple(b for b in range(axes) if b != a) for a in range(axes))
    edges = (np.array([1]),) * axes
    question = Pairs(
        partition.blocks.lower + 1, np.zeros((number, axes)), edges, (np.zeros((number, 1)),) * axes, partners
    )
    return sample.choose_axes(partition, question, partition.blocks.sizes > 1)


def test_choices_at_every_depth_are_paid_for_once() -> None:
    account = open_account()
    sample = charge_choices(account)
    live = account.root
    for axis in (0, 1):
        assert choose_axes(sample, live).shape == (len(live),)
        live = halve(live, axis)
    (entry,) = account.ledger.entries
    assert (entry.epsilon, entry.blocks, entry.mechanism) == (HALF, 1, "choices by a sample")
    assert entry.scale == sample.mechanism.each.scale(1)
    account.charge_query("leaves", Laplace(TOTAL, HALF), live).measure()
    assert account.ledger.spent == 1


def test_a_path_makes_no_more_choices_than_were_paid_for() -> None:
    account = open_account()
    sample = charge_choices(account, times=1)
    choose_axes(sample, account.root)
    with pytest.raises(BudgetExceeded, match="has made all its choices"):
        choose_axes(sample, account.root)
    parts = halve(account.root)
    with pytest.raises(BudgetExceeded, match="has made all its choices"):
        choose_axes(sample, parts)


def test_blocks_that_did_not_pay_choose_nothing() -> None:
    account = open_account()
    one, other = halve(account.root).select(np.array([True, False]))
    sample = account.charge_sample_choices("axes", SampleChoices(DISCREPANCY, HALF, Fraction(1, 4), 2), one)
    with pytest.raises(PrivacyError, match="not on this sequence"):
        choose_axes(sample, other)
    assert len(choose_axes(sample, one)) == 1
    with pytest.raises(PrivacyError, match="not on this sequence"):
        choose_axes(sample, one.merge(other))
    with pytest.raises(PrivacyError, match="another account"):
        choose_axes(sample, open_account().root)


def test_a_sample_goes_along_with_parts_and_joins() -> None:
    account = open_account()
    sample = charge_choices(account)
    one, other = halve(account.root).select(np.array([True, False]))
    assert len(choose_axes(sample, other.merge(one))) == 2


def test_another_descent_takes_its_place() -> None:
    account = open_account()
    sample = charge_choices(account)
    account.charge_threshold_sequence("tests", BiasedThresholdTest(TOTAL, Fraction(1, 4)), account.root)
    with pytest.raises(PrivacyError, match="not on this sequence"):
        choose_axes(sample, account.root)


def test_blocks_without_a_sample_are_refused() -> None:
    account = open_account()
    sample = charge_choices(account)
    account.root._sample = None
    with pytest.raises(PrivacyError, match="have no sample"):
        choose_axes(sample, account.root)


def test_a_block_that_cannot_be_cut_is_refused() -> None:
    account = open_account()
    sample = charge_choices(account)
    question = Pairs(
        account.root.blocks.lower + 1, np.zeros((1, 2)), (np.array([1]),) * 2, (np.zeros((1, 1)),) * 2, ((1,), (0,))
    )
    with pytest.raises(PrivacyError, match="no candidate"):
        sample.choose_axes(account.root, question, np.zeros((1, 2), bool))


def test_it_must_be_affordable_and_pure_and_of_rows() -> None:
    account = open_account()
    with pytest.raises(BudgetExceeded, match="axes: costs 2"):
        account.charge_sample_choices("axes", SampleChoices(DISCREPANCY, Fraction(2)), account.root)
    assert account.ledger.entries == () and account.root._sample is None
    with pytest.raises(PrivacyError, match="cannot be sampled by row"):
        charge_choices(open_account(bound=2))
    with pytest.raises(PrivacyError, match="proved for pure epsilon only"):
        charge_choices(open_account(currency=Currency.RHO))


@pytest.mark.parametrize(("rate", "times"), [(Fraction(0), 1), (Fraction(2), 1), (HALF, 0)])
def test_a_wrong_sample(rate: Fraction, times: int) -> None:
    with pytest.raises(PrivacyError, match="a rate above 0 and up to 1"):
        SampleChoices(DISCREPANCY, HALF, rate, times)


@given(st.fractions(Fraction(1, 10**6), 20), st.integers(0, 16), st.integers(1, 20))
def test_the_price_covers_what_the_sample_loses(cost: Fraction, thinner: int, times: int) -> None:
    """And is nearly reached where it is small."""
    mechanism = SampleChoices(DISCREPANCY, cost, Fraction(1, 2**thinner), times)
    inside = float(mechanism.inside)
    assert mechanism.each.cost * times == mechanism.inside
    lost = math.log1p(math.expm1(inside) / 2**thinner)
    assert lost <= float(cost) * (1 + 1e-12)
    if float(cost) * 2**thinner < 0.5:
        assert lost > 0.95 * float(cost)


def test_the_sample_has_the_rows_of_its_rate() -> None:
    account = open_account()
    total = account.root._compute(STATISTICS["total"], 0, 1)[0]
    account.charge_sample_choices("axes", SampleChoices(DISCREPANCY, HALF, Fraction(1, 4)), account.root)
    sample = account.root._sample
    assert sample is not None
    assert 0 < sample.compute(STATISTICS["total"], 0, 1)[0] < total / 2


@pytest.mark.parametrize("candidates", [3, 40])
def test_choices_with_fresh_noise_have_the_law_of_permute_and_flip(candidates: int) -> None:
    """Drawn for many blocks at once, or one by one where a block has many candidates."""
    mechanism = SampleChoices(DISCREPANCY, HALF, Fraction(1, 4)).each
    scores = np.arange(candidates) % 3
    law = np.exp(permute_and_flip(scores[:, None], mechanism.scale(1)))[:, 0]
    drawn = [SystemNoise().choose(scores, np.array([0, candidates]), mechanism, 1)[0] for _ in range(2000)]
    assert agrees(np.bincount(drawn, minlength=candidates), law)
