"""The audit sees what is wrong: each fault is put into the real code, while the ledger still states the price."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from ripost.errors import BudgetExceeded
from ripost.methods import METHODS, dense_plan
from ripost.privacy import mechanisms
from ripost.privacy.account import Account
from ripost.space.blocks import Blocks
from ripost.statistics.discrepancy import DISCREPANCY
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART
from tests.audit.cases import branches
from tests.audit.faults import (
    Fault,
    Patch,
    _fresh,
    a_tenth_less_noise,
    an_account_without_limit,
    bound_forgotten,
    charges_that_are_dropped,
    choice_without_the_two,
    counted_twice,
    deviation_counted_once,
    deviation_in_tenths,
    deviation_of_cut_counted_once,
    half_the_noise,
    halves_that_forget,
    leaves_drawn_twice,
    less_noise,
    mixture_at_a_third,
    omit_charges,
    weights_without_offset,
)

from .enumeration import Audit, Engine, Script, audit
from .family import Family

# Nearly everything for tests, or for cuts; thresholds out of reach, so that every test tells all it can.
TESTS: dict[str, Any] = {"alpha": 0.98, "beta": 0.98, "gamma": 0.5, "k": 1, "theta_1": 9, "theta_2": 9}
CUTS: dict[str, Any] = {"alpha": 0.98, "beta": 0.02, "gamma": 0.02, "k": 1, "tight": True}


def run(family: Family, epsilon: int = 1, name: str = "ripost", *, first_fault: bool = False, **options: Any) -> Audit:
    def cutpoints(purpose: str) -> Sequence[int]:
        return branches(family, str(epsilon)) if "planning" in purpose else []

    return audit(METHODS[name](**options), family, Fraction(epsilon), cutpoints=cutpoints, first_fault=first_fault)


FAULTS: list[tuple[Fault, Family, dict[str, Any]]] = [
    (half_the_noise, Family((2,)), {}),
    (half_the_noise, Family((2,)), {"name": "identity"}),
    (a_tenth_less_noise, Family((2,)), {}),
    (a_tenth_less_noise, Family((2,)), {"name": "identity"}),
    (deviation_counted_once, Family((4,)), TESTS),
    (deviation_counted_once, Family((4,)), {}),
    (deviation_of_cut_counted_once, Family((4,), most=4), CUTS | {"epsilon": 30}),
    (choice_without_the_two, Family((4,), most=4), CUTS | {"epsilon": 30}),
    (mixture_at_a_third, Family((2, 3), most=1), {"tight": True}),
    (bound_forgotten, Family((2,), most=3, bound=2), {}),
    (bound_forgotten, Family((2,), most=3, bound=2), {"name": "identity"}),
    (deviation_in_tenths, Family((4,)), {}),
    (leaves_drawn_twice, Family((2,)), {}),
    (leaves_drawn_twice, Family((2,)), {"name": "identity"}),
    (halves_that_forget, Family((3,)), {"reuse_unspent": True}),
    (halves_that_forget, Family((3,)), {}),
    (charges_that_are_dropped, Family((2,)), {"reuse_unspent": True}),
    (charges_that_are_dropped, Family((2,)), {}),
]
PLUS_FAULTS: list[tuple[Fault, Family]] = [
    *(
        (omit_charges(word), Family((2, 2)))
        for word in ("look 1", "look 2", "look 3", "axis 1", "axis 2", "total", "depth")
    ),
    (omit_charges("axes"), Family((1, 2, 2), most=1)),
    (less_noise(TOTAL, 2), Family((2,))),
    (less_noise(TOTAL_OF_PART, 2), Family((2,))),
    (less_noise(DISCREPANCY, 3), Family((2, 2, 2), most=1)),
    (counted_twice("total"), Family((2,))),
    (counted_twice("total of part"), Family((2,))),
    (counted_twice("discrepancy"), Family((2, 2, 2), most=2)),
    (bound_forgotten, Family((2,), most=3, bound=2)),
    (leaves_drawn_twice, Family((2,))),
    (halves_that_forget, Family((2,))),
]
FAULTS += [(fault, family, {"name": "ripost+"}) for fault, family in PLUS_FAULTS]


@pytest.mark.parametrize(("fault", "family", "options"), FAULTS, ids=lambda part: getattr(part, "__name__", ""))
def test_a_fault_is_seen(fault: Fault, family: Family, options: dict[str, Any], monkeypatch: Patch) -> None:
    monkeypatch.setattr(dense_plan, "DENSE", ())  # so that axes of a small cube are chosen
    assert _sound_without_fault(family, tuple(options.items()))
    fault(monkeypatch)
    assert not run(_fresh(family), first_fault=True, **options).sound


@pytest.mark.parametrize(
    ("fault", "family", "options"),
    [
        (half_the_noise, Family((2,)), {}),
        (half_the_noise, Family((4,)), TESTS | {"gamma": 0.98, "theta_1": 12}),
        (leaves_drawn_twice, Family((2,)), {}),
        (deviation_counted_once, Family((4,), most=4), TESTS | {"gamma": 0.02}),
        (bound_forgotten, Family((2,), most=3, bound=2), {}),
        (halves_that_forget, Family((3,)), {"reuse_unspent": True}),
        (charges_that_are_dropped, Family((2,)), TESTS | {"reuse_unspent": True}),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)
def test_a_fault_breaks_the_promise_as_a_whole(
    fault: Fault, family: Family, options: dict[str, Any], monkeypatch: Patch
) -> None:
    """Not only some draw loses more than its price: the whole output tells neighbors apart by more than epsilon."""
    fault(monkeypatch)
    result = run(_fresh(family), **options)
    assert result.loss > result.epsilon


def test_weights_that_sum_to_more_than_one_are_refused(monkeypatch: Patch) -> None:
    weights_without_offset(monkeypatch)
    with pytest.raises(BudgetExceeded):
        run(Family((2,)))
    an_account_without_limit(monkeypatch)
    result = run(Family((3,)), **TESTS | {"k": 5})
    assert result.loss > result.epsilon
    assert not result.sound


def test_a_leaf_cannot_be_drawn_twice() -> None:
    """Without the fault above the account refuses."""
    family = Family((2,))
    script = Script(family, [], lambda _: ())
    engine = Engine(family, Blocks.whole(family.shape), script.asked)
    account = Account(engine, shape=family.shape, epsilon=Fraction(1), noise=script)
    term = account.charge_query("leaves", mechanisms.Laplace(TOTAL, Fraction(1)), account.root)
    term.measure()
    with pytest.raises(BudgetExceeded, match="already made"):
        term.measure()


@cache
def _sound_without_fault(family: Family, options: tuple[tuple[str, Any], ...]) -> bool:
    """Several faults share a family, which is audited once."""
    return run(_fresh(family), **dict(options)).sound
