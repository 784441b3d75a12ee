"""ripost+ with pair tables: every branch of the test of dependence and of the plan, by exact probabilities.

Tables of the audit are tiny, so the gates of the plan are lowered; shares of the budget are those of a release.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ripost.errors import BudgetExceeded
from ripost.estimate import mixture_fit
from ripost.methods import METHODS, combine, pair_plan, root_estimate, root_measurement
from ripost.methods.histograms import histogram_demand
from ripost.methods.ripost_plus import RipostPlus
from ripost.methods.root_measurement import CHOOSING, FEW, PLANNING, WORTH_CHOOSING
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.ledger import Charge, Ledger
from ripost.privacy.mechanisms import Gaussian, Laplace
from ripost.space.query_parameters import BinnedMargin
from ripost.statistics.dependence import LARGEST_DEPENDENCE
from ripost.statistics.statistic import Statistic
from ripost.statistics.totals import TOTAL_OF_PART
from tests.audit.faults import Fault, Patch, _fresh, alter_statistic, less_noise, omit_charges

from .concentrated import RhoAudit, audit_rho
from .enumeration import TOLERANCE, Audit, audit, runs
from .family import Family, Ints

LEAST_ROWS, MANY_ROWS = 200, 700  # in place of thousands
FEWER_A_CODE = (110, 150)  # in place of tens: 440 and 600 rows of a square
FEW_ROWS = tuple(rows / histogram_demand((2, 2), gaussian=True) for rows in (440, 600))  # the same with Gaussian noise
TEST = "test of dependence"
SQUARE, FLAT, CUBE = Family((2, 2)), Family((1, 2, 2), most=1), Family((2, 2, 2), most=1)
FEW_TENSORS = Family((2, 2), most=1)
DELTA = 1e-9


class Borders:
    """Where ripost+ decides, in steps of the measure: thresholds of the noisy total, and of the noisy dependence."""

    def __init__(self, family: Family, budget: Fraction, *, gaussian: bool = False) -> None:
        self.unit = family.bound
        self.scale = 1 / (2 * math.sqrt(budget)) if gaussian else 1 / float(budget)  # records, at the whole budget
        test = (Gaussian if gaussian else Laplace)(LARGEST_DEPENDENCE, budget * pair_plan.TESTING)
        self.test = math.sqrt(test.variance(family.bound) / 2) / family.bound
        few = FEW * (math.sqrt(len(family.shape)) if gaussian else len(family.shape))
        shares = [fewer * max(family.shape) * len(family.shape) for fewer in FEWER_A_CODE]
        if gaussian:
            shares = [fewer * histogram_demand(family.shape, gaussian=True) for fewer in FEW_ROWS]
        rows = [few, *(few + clear for _, clear in PLANNING), LEAST_ROWS, MANY_ROWS, *shares]
        if len(family.shape) > 2:
            rows = [LEAST_ROWS, WORTH_CHOOSING, 4 * WORTH_CHOOSING]  # fewer scripts: the others are the square's
        self.planning = sorted({math.ceil(number * self.scale * self.unit) - 1 for number in rows})
        self.rows = 0.0  # in noise scales, as they were when the table was last thought of for pairs

    def __call__(self, purpose: str) -> Sequence[int]:
        if purpose == TEST:
            return [bisect_left(range(10**9), True, key=self._is_dependent) - 1]
        return self.planning if "planning" in purpose else []

    def _is_dependent(self, noisy: int) -> bool:
        return pair_plan.is_dependent(noisy / self.unit, self.rows * self.scale, self.test)

    def watch(self, patch: Patch) -> None:
        """Note the rows that the plan is made for: what counts as dependent follows from them."""
        real = pair_plan.worth_testing

        def noted(shape: Sequence[int], rows: float, *, gaussian: bool) -> bool:
            self.rows = rows
            return real(shape, rows, gaussian=gaussian)

        patch.setattr(root_estimate, "worth_testing", noted)


@pytest.fixture(autouse=True)
def small_gates(monkeypatch: Patch) -> None:
    """Any table may get a mixture, of few components that are fitted in a step."""
    for name, value in {
        "LEAST_ATTRIBUTES": 2,
        "LEAST_ROWS": {False: LEAST_ROWS, True: LEAST_ROWS},
        "LEAST_ROWS_OF_A_PAIR": 0,
        "LEAST_CELLS": 1e-9,
        "MANY_ROWS_OF_A_PAIR": {False: MANY_ROWS / 2, True: MANY_ROWS / math.sqrt(2)},  # half of all is for one pair
        "HISTOGRAMS": dict(zip(FEWER_A_CODE, pair_plan.HISTOGRAMS.values(), strict=True)),
        "FEW_ROWS": dict(zip(FEW_ROWS, pair_plan.FEW_ROWS.values(), strict=True)),
        "COMPONENTS": 2,
        "MANY_COMPONENTS": 3,
    }.items():
        monkeypatch.setattr(pair_plan, name, value)
    monkeypatch.setattr(combine, "STEPS_WITH_PAIRS", 1)
    monkeypatch.setattr(mixture_fit, "EM_STEPS", 1)
    monkeypatch.setattr(mixture_fit, "STEPS", 1)


def run(patch: Patch, family: Family, epsilon: str = "1", *, first_fault: bool = False, **options: Any) -> Audit:
    """The audit by all outputs, as their probabilities add up to 1."""
    borders = Borders(family, Fraction(epsilon))
    borders.watch(patch)
    method = METHODS["ripost+"](**options)
    result = audit(method, family, Fraction(epsilon), cutpoints=borders, first_fault=first_fault)
    if not first_fault:
        np.testing.assert_allclose(result.mass, 1, atol=TOLERANCE)
    return result


def run_rho(patch: Patch, family: Family, rho: Fraction, *, first_fault: bool = False, **options: Any) -> RhoAudit:
    borders = Borders(family, rho, gaussian=True)
    borders.watch(patch)
    method = METHODS["ripost+"](delta=DELTA, **options)
    return audit_rho(method, family, rho, cutpoints=borders, first_fault=first_fault)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
def test_all_is_spent_and_no_more(epsilon: str, monkeypatch: Patch) -> None:
    result = run(monkeypatch, SQUARE, epsilon)
    assert result.sound
    assert result.spent == result.epsilon
    assert result.loss > 0.97 * float(result.epsilon)
    assert result.by_draw["discrete Laplace of total of part"] > 0.999


@pytest.mark.parametrize(
    ("family", "options"),
    [
        (Family((2, 3), most=1), {}),
        (Family((2, 1, 2)), {"choose_axes": False}),
        (Family((2, 2), most=3, bound=2), {}),
        (SQUARE, {"marginals": 0.66}),
        (SQUARE, {"depths": 2, "shrink": False, "adapt": False}),
    ],
    ids=str,
)
def test_other_domains_sums_and_options(family: Family, options: dict[str, Any], monkeypatch: Patch) -> None:
    result = run(monkeypatch, family, **options)
    assert result.sound
    assert result.spent == 1


@pytest.mark.parametrize("family", [FLAT, CUBE], ids=str)
def test_axes_are_chosen_with_a_mixture_too(family: Family, monkeypatch: Patch) -> None:
    """Also by a sample, where the total says that there are many rows, and by either plan."""
    monkeypatch.setattr(pair_plan, "MANY_ROWS_OF_A_PAIR", {False: WORTH_CHOOSING})
    monkeypatch.setattr(root_measurement, "ENOUGH_TO_CHOOSE", 2 * WORTH_CHOOSING)
    result = run(monkeypatch, family)
    assert result.sound
    assert result.spent == 1
    assert {"permute and flip of discrepancy", "choices by a sample of discrepancy"} <= result.by_draw.keys()


def summarize_ledger(ledger: Ledger) -> tuple[int, bool, Fraction, Fraction]:
    """Looks, whether dependence was tested, and what all histograms and all pair tables paid."""
    spent = {word: Fraction(0) for word in ("axis ", "pairs, ")}
    for entry in ledger.entries:
        for word in spent:
            spent[word] += entry.epsilon if entry.purpose.startswith(word) else 0
    purposes = [entry.purpose for entry in ledger.entries]
    return sum("look" in purpose for purpose in purposes), TEST in purposes, *spent.values()


def test_every_plan_is_met(monkeypatch: Patch) -> None:
    """Both outcomes of the test after one, two and three looks, and the shares of few rows and of many."""
    borders = Borders(SQUARE, Fraction(1))
    borders.watch(monkeypatch)
    found = [*runs(RipostPlus(), SQUARE, Fraction(1), cutpoints=borders)]
    met = {summarize_ledger(ledger) for _, ledger, _ in found}
    assert {tested for _, tested, *_ in met} == {True, False}
    assert all(pairs == 0 for _, tested, _, pairs in met if not tested)
    for looks in (1, 2, 3):
        assert {pairs > 0 for number, tested, _, pairs in met if tested and number == looks} == {True, False}
    assert one_look(met) == {told_of(plan) for plan in plans(gaussian=False)}
    assert all((view.mixture is not None) == (summarize_ledger(ledger)[-1] > 0) for _, ledger, view in found)
    with_pairs = [script.loss.max() for script, _, view in found if view.mixture is not None]
    assert max(with_pairs) > 1 - float(pair_plan.TESTING)  # a test of so few rows tells less than it may


def one_look(met: set[tuple[int, bool, Fraction, Fraction]]) -> set[tuple[Fraction, Fraction]]:
    """What histograms and pair tables paid where one look was enough."""
    return {(histograms, pairs) for looks, _, histograms, pairs in met if pairs > 0 and looks == 1}


def plans(*, gaussian: bool) -> set[pair_plan.PairPlan]:
    """Every plan that a square can have."""
    found = {pair_plan.plan_for((2, 2), rows, gaussian=gaussian) for rows in (400, 500, 650, 800)}
    assert len(found) == 4
    return found


def told_of(plan: pair_plan.PairPlan) -> tuple[Fraction, Fraction]:
    """What histograms and pair tables pay by a plan, after one look."""
    return plan.histograms, plan.pairs * (1 - PLANNING[0][0] - pair_plan.TESTING - plan.histograms)


def test_shares_leave_something_for_the_tree() -> None:
    """The largest shares of all that comes before the pair tables, which take a part of the rest."""
    before = sum(part for part, _ in PLANNING) + pair_plan.TESTING + CHOOSING
    known = plans(gaussian=False) | plans(gaussian=True)
    assert before + max(*(plan.histograms for plan in known), share("0.666", name="marginals"), Fraction(2, 3)) < 1
    assert all(0 < plan.pairs < 1 for plan in known)
    assert 0 < pair_plan.PROTECTED < 1


PROTECTED = {"protect": ((0, 1),)}


@pytest.mark.parametrize("family", [SQUARE, FLAT, CUBE], ids=str)
def test_protected_pairs_cost_no_more(family: Family, monkeypatch: Patch) -> None:
    """Of three pairs one is protected; of a pair of which one attribute has one code nothing is."""
    monkeypatch.setattr(root_measurement, "CHOOSING", Fraction(0))
    result = run(monkeypatch, family, **PROTECTED)
    assert result.sound
    assert result.spent == 1
    assert any("largest dependence" in draw for draw in result.by_draw) == (family is FLAT)


def test_with_delta_protected_pairs_cost_no_more(monkeypatch: Patch) -> None:
    result = run_rho(monkeypatch, FEW_TENSORS, Fraction(2), **PROTECTED)
    assert result.sound
    assert result.spent == 2


@pytest.mark.parametrize(
    ("family", "rho"),
    [
        (FEW_TENSORS, "2"),
        pytest.param(FEW_TENSORS, "1/20", marks=pytest.mark.slow),
        pytest.param(Family((2, 2), most=2, bound=2), "2", marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_with_delta_all_of_rho_is_spent_and_no_more(family: Family, rho: str, monkeypatch: Patch) -> None:
    """On the way every plan is met."""
    ledgers = record_ledgers(monkeypatch)
    result = run_rho(monkeypatch, family, Fraction(rho))
    assert result.sound
    assert result.spent == Fraction(rho)
    assert result.rho > 0.95 * float(result.spent)
    assert result.by_draw["discrete Gaussian of total of part"] > 0.999
    assert "discrete Gaussian of largest dependence" in result.by_draw
    if (family, rho) == (FEW_TENSORS, "2"):
        met = {summarize_ledger(ledger) for ledger in ledgers}
        assert {pairs > 0 for _, tested, _, pairs in met if tested} == {True, False}
        assert one_look(met) == {(2 * one, 2 * other) for one, other in map(told_of, plans(gaussian=True))}


def test_with_delta_choices_of_axes_cost_half_their_square(monkeypatch: Patch) -> None:
    """A path that chose pays a little less than was set aside, as roots are rounded down, and spends it at its end."""
    result = run_rho(monkeypatch, FLAT, Fraction(2))
    assert result.sound
    assert result.spent == 2
    assert "permute and flip of discrepancy" in result.by_draw


def record_ledgers(patch: Patch) -> list[Ledger]:
    """Every ledger that an account gives from now on."""
    ledgers: list[Ledger] = []
    real = Account.ledger.fget
    assert real is not None
    patch.setattr(Account, "ledger", property(lambda self: ledgers.append(real(self)) or ledgers[-1]))
    return ledgers


def cell_counted_twice(patch: Patch) -> None:
    """Pair tables count every cell in two combinations of bins."""

    def twice(found: Ints, question: Any) -> Ints:
        if not isinstance(question, BinnedMargin):
            return found
        table = found.reshape(-1, len(question))
        return (table + np.roll(table, 1, axis=1)).ravel()

    alter_statistic(patch, "total of part", twice)


def charged_half(word: str) -> Fault:
    """Draws whose purpose has this word pay half of their price."""

    def fault(patch: Patch) -> None:
        strict = Account.charge

        def charge(self: Account, states: Ints, entry: Charge) -> Ints:
            return strict(self, states, replace(entry, epsilon=entry.epsilon / 2) if word in entry.purpose else entry)

        patch.setattr(Account, "charge", charge)

    fault.__name__ = f"{word}_at_half_price"
    return fault


def less_gaussian_noise(statistic: Statistic, part: float) -> Fault:
    def fault(patch: Patch) -> None:
        right = Gaussian.scale
        patch.setattr(
            Gaussian,
            "scale",
            lambda self, bound: right(self, bound) / (part if self.statistic is statistic else 1),
        )

    fault.__name__ = f"less_noise_for_{statistic.name.replace(' ', '_')}"
    return fault


FAULTS: list[Fault] = [
    cell_counted_twice,
    omit_charges(TEST),
    charged_half(TEST),
    omit_charges("pairs"),
    charged_half("pairs"),
]
named: Callable[[Any], str] = lambda part: getattr(part, "__name__", "")  # noqa: E731


@pytest.mark.parametrize("fault", [*FAULTS, less_noise(LARGEST_DEPENDENCE, 3)], ids=named)
def test_a_fault_is_seen(fault: Fault, monkeypatch: Patch) -> None:
    fault(monkeypatch)
    assert not run(monkeypatch, _fresh(SQUARE), first_fault=True).sound


@pytest.mark.parametrize("fault", [cell_counted_twice, omit_charges("pairs"), charged_half("pairs")], ids=named)
def test_a_fault_breaks_the_promise_as_a_whole(fault: Fault, monkeypatch: Patch) -> None:
    fault(monkeypatch)
    assert run(monkeypatch, _fresh(FEW_TENSORS)).loss > 1.1


@pytest.mark.parametrize(
    "fault",
    [
        *(pytest.param(fault, marks=pytest.mark.slow) for fault in FAULTS[2:]),  # the same with epsilon is quick
        *FAULTS[:2],
        less_gaussian_noise(TOTAL_OF_PART, 1.01),
        less_gaussian_noise(LARGEST_DEPENDENCE, 3),
    ],
    ids=named,
)
def test_with_delta_a_fault_is_seen(fault: Fault, monkeypatch: Patch) -> None:
    fault(monkeypatch)
    assert not run_rho(monkeypatch, _fresh(FEW_TENSORS), Fraction(2), first_fault=True).sound


def test_a_plan_that_spends_more_than_there_is_ends_in_an_error(monkeypatch: Patch) -> None:
    monkeypatch.setattr(root_measurement, "plan_for", lambda *_, **__: pair_plan.PairPlan(Fraction(1, 2), Fraction(2)))
    with pytest.raises(BudgetExceeded):
        run(monkeypatch, SQUARE, marginals=0.66)
