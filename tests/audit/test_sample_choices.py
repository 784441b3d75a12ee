"""Choices by a secret sample lose no more than their one price, over all samples and all outcomes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.methods.method import Decomposition
from ripost.privacy import mechanisms
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Laplace, SampleChoices
from ripost.privacy.paid_queries import PaidSampleChoices
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import Pairs
from ripost.space.tree import Growth
from ripost.statistics.discrepancy import DISCREPANCY
from ripost.statistics.totals import TOTAL

from .enumeration import Audit, audit
from .family import Family

Patch = pytest.MonkeyPatch

NAME = "choices by a sample of discrepancy"
FAMILIES = [Family((2, 2)), Family((2, 2), most=3), Family((2, 2, 2), most=1), Family((2, 1, 2), most=2)]


@dataclass(frozen=True)
class Chosen:
    """The axis of the whole by a sample, then it may be of its halves, with a total of all rows in between."""

    rate: Fraction
    times: int
    total: Fraction = Fraction(1, 4)  # of epsilon

    def run(self, account: Account) -> Decomposition:
        price = account.epsilon * (1 - self.total)
        sample = account.charge_sample_choices(
            "axes", SampleChoices(DISCREPANCY, price, self.rate, self.times), account.root
        )
        growth, live, nodes = Growth(account.shape), account.root, np.array([0])
        for level in range(self.times):
            axis = sample.choose_axes(live, at_one(live.blocks), live.blocks.sizes > 1)
            if level == 0:
                account.charge_query("total", Laplace(TOTAL, account.epsilon * self.total), live).measure()
            cut = np.full(len(axis), 1)
            live, nodes = live.split(axis, cut), growth.split(nodes, axis, cut)
        tree = growth.tree()
        return Decomposition(tree, np.zeros(len(tree.leaves)), np.full(len(tree), np.inf))


def at_one(blocks: Blocks) -> Pairs:
    """Cuts at 1. Of the first axis nothing is expected left of it, of the others all: a row changes a score by 1."""
    number, axes = blocks.lower.shape
    return Pairs(
        np.full((number, axes), 1),
        np.tile(np.arange(axes) > 0, (number, 1)).astype(float),
        (np.array([1]),) * axes,
        (np.ones((number, 1)),) * axes,
        tuple(tuple(b for b in range(axes) if b != a) for a in range(axes)),
    )


def run(family: Family, epsilon: str, rate: str, times: int = 1) -> Audit:
    return audit(Chosen(Fraction(rate), times), family, Fraction(epsilon))  # type: ignore[arg-type]


@pytest.mark.parametrize("rate", ["1", "1/2", "1/16", "1/1024"])
@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_the_promise_holds(family: Family, rate: str) -> None:
    for epsilon, times in (("0.1", 1), ("1", 2), ("12", 2)):
        result = run(family, epsilon, rate, times)
        assert result.sound, result
        np.testing.assert_allclose(result.mass, 1, atol=1e-9)


@pytest.mark.parametrize("rate", ["1", "1/2", "1/8"])
def test_half_of_the_price_is_reached(rate: str) -> None:
    """A row here moves one of two scores; the price allows for both."""
    result = run(Family((2, 2), most=3), "0.1", rate)
    assert 0.4 < result.by_draw[NAME] < 0.51


def test_a_sample_tells_more_for_the_price() -> None:
    charged = mechanisms.PermuteAndFlip(DISCREPANCY, Fraction(1, 50)).scale(1)
    assert SampleChoices(DISCREPANCY, Fraction(1, 50), Fraction(1, 8)).scale(1) < charged / 7


def a_thinner_sample_is_charged(patch: Patch) -> None:
    """As if the rate were a sixteenth of what it is."""
    whole = SampleChoices.inside.fget
    assert whole is not None
    patch.setattr(
        SampleChoices,
        "inside",
        property(lambda self: whole(SampleChoices(self.statistic, self.cost, self.rate / 16, self.times))),
    )


def every_choice_costs_much(patch: Patch) -> None:
    patch.setattr(
        SampleChoices, "each", property(lambda self: mechanisms.OneChoice(self.statistic, 3 * self.inside, of=self))
    )


def all_records_are_looked_at(patch: Patch) -> None:
    """The noise of a sample, and no sample."""
    choices = PaidSampleChoices.choose_axes

    def axes(self: PaidSampleChoices, *asked: Any) -> Any:
        sampled = self.mechanism
        self.mechanism = AtRateOne(sampled, sampled.each)  # type: ignore[assignment]
        try:
            return choices(self, *asked)
        finally:
            self.mechanism = sampled

    patch.setattr(PaidSampleChoices, "choose_axes", axes)


class AtRateOne:
    """A mechanism that keeps its noise and forgets to sample."""

    def __init__(self, sampled: SampleChoices, each: mechanisms.OneChoice) -> None:
        whole = SampleChoices(sampled.statistic, sampled.cost, Fraction(1), sampled.times)
        self.statistic, self.times = sampled.statistic, sampled.times
        self.each = mechanisms.OneChoice(each.statistic, each.cost, of=whole)


@pytest.mark.parametrize("fault", [a_thinner_sample_is_charged, every_choice_costs_much, all_records_are_looked_at])
def test_a_fault_is_seen(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    family = Family((2, 2), most=3)
    assert run(family, "0.1", "1/8").sound
    fault(monkeypatch)
    assert not run(family, "0.1", "1/8").sound
