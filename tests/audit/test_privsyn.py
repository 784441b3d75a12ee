"""PrivSyn: no neighbors are farther apart than the rho that was paid, by exact divergences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest

from ripost.methods import METHODS
from ripost.privacy.account import Account
from ripost.privacy.ledger import Charge
from ripost.privacy.mechanisms import Gaussian
from ripost.statistics.dependence import DEPENDENCE
from tests.audit.faults import Fault, Patch, _fresh, counted_twice

from .concentrated import RhoAudit, audit_rho
from .family import Family, Ints

RHOS = [Fraction(1, 20), Fraction(2)]
FAMILIES = [Family((2,)), Family((3,)), Family((2, 2)), Family((3, 2), most=1), Family((2, 2), bound=2)]


def look(family: Family, rho: Fraction) -> RhoAudit:
    """The audit; with one pair of axes its score decides whether the pair gets a marginal."""
    cells = math.prod(family.shape)
    border = math.floor(cells * family.bound / math.sqrt(math.pi * 0.8 * float(rho)) / 2)

    def cutpoints(purpose: str) -> Sequence[int]:
        return [border] if "dependence" in purpose else []

    return audit_rho(METHODS["privsyn"](rounds=1), family, rho, cutpoints=cutpoints)


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("rho", RHOS, ids=str)
def test_privsyn_spends_all_of_rho_and_no_more(family: Family, rho: Fraction) -> None:
    result = look(family, rho)
    assert result.sound
    assert result.spent == rho
    assert result.scripts == (2 if len(family.shape) == 2 else 1)
    assert result.rho > 0.85 * float(rho)


@pytest.mark.slow
def test_three_pairs_keep_the_promise() -> None:
    """Scores lead to some of the marginals; whichever values stand for their side, the whole loses no more."""
    border = [0]
    result = audit_rho(
        METHODS["privsyn"](rounds=1),
        Family((2, 2, 2), most=1),
        Fraction(2),
        cutpoints=lambda purpose: border if "dependence" in purpose else [],
    )
    assert result.sound
    assert result.scripts == 2**3


def less_noise(patch: Patch) -> None:
    right = Gaussian.scale
    patch.setattr(
        Gaussian,
        "scale",
        lambda self, bound: right(self, bound) / (1 if self.statistic is DEPENDENCE else 2),
    )


def omit_charges(patch: Patch) -> None:
    strict = Account.charge

    def charge(self: Account, states: Ints, entry: Charge) -> Ints:
        return states if "dependence" in entry.purpose else strict(self, states, entry)

    patch.setattr(Account, "charge", charge)


def bound_forgotten(patch: Patch) -> None:
    right = Gaussian.scale
    patch.setattr(Gaussian, "scale", lambda self, _: right(self, 1))


@pytest.mark.parametrize(
    ("fault", "family"),
    [
        (less_noise, Family((2,))),
        (omit_charges, Family((2, 2), most=1)),
        (bound_forgotten, Family((2,), bound=2)),
        (counted_twice("total of part"), Family((2,))),
    ],
)
def test_a_fault_is_seen(fault: Fault, family: Family, monkeypatch: Patch) -> None:
    assert look(family, Fraction(1, 2)).sound
    fault(monkeypatch)
    assert not look(_fresh(family), Fraction(1, 2)).sound
