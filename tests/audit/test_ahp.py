"""AHP: counts and clusters tell no more than was paid, by exact probabilities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from ripost.methods import METHODS
from ripost.privacy import mechanisms
from ripost.privacy.account import Account
from ripost.privacy.ledger import Charge
from tests.audit.faults import alter_statistic

from .enumeration import Audit, audit
from .family import Family, Ints

Patch = pytest.MonkeyPatch


def run(family: Family, epsilon: str = "1", **options: Any) -> Audit:
    """The audit over a grid of noisy counts, each of which may lead to other clusters."""

    def cutpoints(purpose: str) -> list[int]:
        return [0] if purpose == "cells" else []

    fresh = Family(family.shape, family.most, family.bound)
    return audit(METHODS["ahp"](**options), fresh, Fraction(epsilon), cutpoints=cutpoints, grid=True)


@pytest.mark.parametrize("family", [Family((2,)), Family((3,), most=1), Family((1, 2)), Family((2,), most=3, bound=2)])
@pytest.mark.parametrize(("epsilon", "options"), [("1", {}), ("3", {"share": 0.5, "eta": 0}), ("20", {})])
def test_it_keeps_its_promise(family: Family, epsilon: str, options: dict[str, Any]) -> None:
    result = run(family, epsilon, **options)
    assert result.sound
    assert result.spent == Fraction(epsilon)
    assert result.loss > 0.999 * float(epsilon)


def half_the_noise(patch: Patch) -> None:
    whole = mechanisms.Laplace.scale
    patch.setattr(mechanisms.Laplace, "scale", lambda self, bound: whole(self, bound) / 2)


def cells_not_paid(patch: Patch) -> None:
    strict = Account.charge

    def charge(self: Account, states: Ints, entry: Charge) -> Ints:
        return states if entry.purpose == "cells" else strict(self, states, entry)

    patch.setattr(Account, "charge", charge)


def counted_twice(patch: Patch) -> None:
    alter_statistic(patch, "total of part", lambda found, _: 2 * found)


@pytest.mark.parametrize("fault", [half_the_noise, cells_not_paid, counted_twice])
def test_a_fault_is_seen(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    assert run(Family((2,))).sound
    fault(monkeypatch)
    assert not run(Family((2,))).sound
