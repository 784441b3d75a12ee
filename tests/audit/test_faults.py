"""The audit sees what is wrong: each fault is put into the real code, while the ledger still states the price."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest

from ripost.data import cells
from ripost.errors import BudgetExceeded
from ripost.methods import METHODS, dense_plan
from ripost.methods import ripost as paper
from ripost.privacy import account as accounts
from ripost.privacy import mechanisms, sensitivity
from ripost.privacy.account import Account, Frontier
from ripost.privacy.budget import scale_for
from ripost.privacy.draws import Term
from ripost.privacy.ledger import Entry
from ripost.space.blocks import Blocks, Codes

from .enumeration import Audit, Engine, Script, audit
from .family import Family, Ints
from .test_audit import branches

Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]

# Nearly everything for tests, or for cuts; thresholds out of reach, so that every test tells all it can.
TESTS: dict[str, Any] = {"alpha": 0.98, "beta": 0.98, "gamma": 0.5, "k": 1, "theta_1": 9, "theta_2": 9}
CUTS: dict[str, Any] = {"alpha": 0.98, "beta": 0.02, "gamma": 0.02, "k": 1, "tight": True}


def run(family: Family, epsilon: int = 1, name: str = "ripost", *, first_fault: bool = False, **options: Any) -> Audit:
    def cutpoints(purpose: str) -> Sequence[int]:
        return branches(family, str(epsilon)) if "planning" in purpose else []

    return audit(METHODS[name](**options), family, Fraction(epsilon), cutpoints=cutpoints, first_fault=first_fault)


def half_the_noise(patch: Patch) -> None:
    whole = mechanisms.Laplace.scale
    patch.setattr(mechanisms.Laplace, "scale", lambda self, bound: whole(self, bound) / 2)


def a_tenth_less_noise(patch: Patch) -> None:
    whole = mechanisms.Laplace.scale
    patch.setattr(mechanisms.Laplace, "scale", lambda self, bound: whole(self, bound) * 0.9)


def deviation_counted_once(patch: Patch) -> None:
    _restate(patch, "DEVIATION", per_step=1)


def deviation_of_cut_counted_once(patch: Patch) -> None:
    _restate(patch, "DEVIATION_OF_CUT", per_step=1)


def choice_without_the_two(patch: Patch) -> None:
    patch.setattr(
        mechanisms.Choice, "scale", lambda self, bound: scale_for(self.statistic.sensitivity(bound), self.cost)
    )


def mixture_at_a_third(patch: Patch) -> None:
    whole = mechanisms.Choice.scale

    def scale(self: mechanisms.Choice, bound: int) -> float:
        return whole(self, bound) / (3 if self.statistic is sensitivity.MIXTURE_OF_CUT else 1)

    patch.setattr(mechanisms.Choice, "scale", scale)


def bound_forgotten(patch: Patch) -> None:
    patch.setattr(sensitivity.Statistic, "sensitivity", lambda self, bound: self.per_step + self.per_cell)


def deviation_in_tenths(patch: Patch) -> None:
    """A finer grid that kept the sensitivity of whole numbers."""
    coarse = cells.STATISTICS["deviation"]
    patch.setitem(cells.STATISTICS, "deviation", lambda layout: 10 * coarse(layout))


def leaves_drawn_twice(patch: Patch) -> None:
    once = Term.values

    def twice(self: Term, *asked: Any) -> Ints:
        first = once(self, *asked)
        self._drawn = False
        return (first + once(self, *asked)) // 2

    patch.setattr(Term, "values", twice)


def halves_that_forget(patch: Patch) -> None:
    """A block's halves start with a fresh budget."""
    remembering = Frontier.split

    def split(self: Frontier, axis: Codes, cut: Codes) -> Frontier:
        halves = remembering(self, axis, cut)
        halves._state = np.zeros_like(halves._state)
        return halves

    patch.setattr(Frontier, "split", split)


def charges_that_are_dropped(patch: Patch) -> None:
    """Tests are drawn and not paid for."""
    strict = Account.charge

    def charge(self: Account, states: Ints, entry: Entry) -> Ints:
        return states if "test" in entry.purpose else strict(self, states, entry)

    patch.setattr(Account, "charge", charge)


def uncharged(word: str) -> Fault:
    """Draws whose purpose has this word are not paid for."""

    def fault(patch: Patch) -> None:
        strict = Account.charge

        def charge(self: Account, states: Ints, entry: Entry) -> Ints:
            return states if word in entry.purpose else strict(self, states, entry)

        patch.setattr(Account, "charge", charge)

    fault.__name__ = f"uncharged_{word}"
    return fault


def less_noise(statistic: sensitivity.Statistic, part: int) -> Fault:
    """One statistic gets a part of its noise."""

    def fault(patch: Patch) -> None:
        for kind in (mechanisms.Laplace, mechanisms.Choice):
            whole = kind.scale

            def scale(self: Any, bound: int, whole: Callable[..., float] = whole) -> float:
                return whole(self, bound) / (part if self.statistic is statistic else 1)

            patch.setattr(kind, "scale", scale)

    fault.__name__ = f"less_noise_for_{statistic.name.replace(' ', '_')}"
    return fault


def counted_twice(name: str) -> Fault:
    """A statistic that moves twice as far as its sensitivity says."""

    def fault(patch: Patch) -> None:
        once = cells.STATISTICS[name]
        patch.setitem(cells.STATISTICS, name, lambda *asked: 2 * once(*asked))

    fault.__name__ = f"{name.replace(' ', '_')}_counted_twice"
    return fault


def weights_without_offset(patch: Patch) -> None:
    patch.setattr(paper, "weight", lambda depth, *, k: Fraction(k, depth * (depth + 1)))


def an_account_without_limit(patch: Patch) -> None:
    strict = Account.charge

    def charge(self: Account, states: Ints, entry: Entry) -> Ints:
        limit, self.epsilon = self.epsilon, Fraction(10**6)
        try:
            return strict(self, states, entry)
        finally:
            self.epsilon = limit

    patch.setattr(Account, "charge", charge)


def _restate(patch: Patch, name: str, **figures: int) -> None:
    wrong = replace(getattr(sensitivity, name), **figures)
    patch.setattr(paper, name, wrong)
    patch.setattr(accounts, "STATISTICS", (*sensitivity.STATISTICS, wrong))


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
        (uncharged(word), Family((2, 2)))
        for word in ("look 1", "look 2", "look 3", "axis 1", "axis 2", "total", "depth")
    ),
    (uncharged("axes"), Family((1, 2, 2), most=1)),
    (less_noise(sensitivity.TOTAL, 2), Family((2,))),
    (less_noise(sensitivity.TOTAL_OF_PART, 2), Family((2,))),
    (less_noise(sensitivity.DISCREPANCY, 3), Family((2, 2, 2), most=1)),
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
    """Not only some draw loses more than its price: the whole output tells neighbours apart by more than epsilon."""
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
    term = account.open("leaves", mechanisms.Laplace(sensitivity.TOTAL, Fraction(1)), account.root)
    term.values()
    with pytest.raises(BudgetExceeded, match="already made"):
        term.values()


@cache
def _sound_without_fault(family: Family, options: tuple[tuple[str, Any], ...]) -> bool:
    """Several faults share a family, which is audited once."""
    return run(_fresh(family), **dict(options)).sound


def _fresh(family: Family) -> Family:
    """The family with nothing worked out yet."""
    return Family(family.shape, family.most, family.bound)
