"""one-way, two-way and residual-planner spend what their ledger says and no more, and faults put into them are seen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from ripost.errors import PrivacyError
from ripost.methods import METHODS
from ripost.peers.residual_planner import method, plan, statistics
from ripost.privacy import mechanisms
from ripost.statistics.statistic import Statistic

from .concentrated import RhoAudit, audit_rho
from .enumeration import Audit, audit
from .family import Family

Patch = pytest.MonkeyPatch
LAPLACE, PLANNED = ("one-way", "two-way"), ("residual-planner", "residual-planner+")
FAMILIES = [Family((1,)), Family((3,)), Family((2, 2)), Family((2, 1, 2)), Family((3, 2), most=1)]
SUMS = Family((2, 2), most=2, bound=2)
THREE = Family((2, 2, 2), most=1)


def run(name: str, family: Family, epsilon: str = "1") -> Audit:
    return audit(METHODS[name](), family, Fraction(epsilon))


def look(name: str, family: Family, rho: Fraction = Fraction(2)) -> RhoAudit:
    return audit_rho(METHODS[name](delta=1e-9), family, rho)


@pytest.mark.parametrize("family", [*FAMILIES, SUMS, THREE], ids=str)
@pytest.mark.parametrize("name", LAPLACE)
def test_tables_spend_all_of_epsilon_and_no_more(name: str, family: Family) -> None:
    result = run(name, family)
    assert result.sound
    assert result.spent == 1
    assert result.loss == pytest.approx(1)


@pytest.mark.parametrize("family", [*FAMILIES, SUMS, THREE], ids=str)
@pytest.mark.parametrize("name", [*LAPLACE, *PLANNED])
def test_tables_spend_all_of_rho_and_no_more(name: str, family: Family) -> None:
    result = look(name, family)
    assert result.sound
    assert result.spent == 2
    assert result.rho > 0.99 * 2


def less_noise(patch: Patch) -> None:
    for kind in (mechanisms.Laplace, mechanisms.Gaussian):
        whole = kind.scale
        patch.setattr(kind, "scale", lambda self, bound, whole=whole: whole(self, bound) * 0.9)


def bound_forgotten(patch: Patch) -> None:
    patch.setattr(Statistic, "sensitivity", lambda self, bound: self.per_count + self.per_cell)


@pytest.mark.parametrize("fault", [less_noise, bound_forgotten])
@pytest.mark.parametrize("name", [*LAPLACE, *PLANNED])
def test_a_fault_is_seen(name: str, fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    assert not look(name, replace(SUMS, _known={})).sound
    if name in LAPLACE:
        assert not run(name, replace(SUMS, _known={})).sound


def heavier(patch: Patch) -> None:
    """The plan hands out an eighth more than there is."""
    patch.setattr(plan, "LENGTH_OF_WEIGHTS", statistics.LENGTH_OF_WEIGHTS * 9 // 8)


def parts_that_do_not_share(patch: Patch) -> None:
    """Every residual is checked by itself, and each gets all that there is."""
    patch.setattr(statistics, "sum", max, raising=False)
    honest = plan.Plan.of.__func__

    def whole(cls: type[plan.Plan], grams: list[object]) -> plan.Plan:
        found = honest(cls, grams)
        lengths = dict.fromkeys(found.weights, 1.0)
        for part in lengths:
            for axis in part:
                lengths[part] *= found.bases[axis].cost ** 0.5
        return replace(found, weights={part: int(statistics.LENGTH_OF_WEIGHTS / lengths[part]) for part in lengths})

    patch.setattr(plan.Plan, "of", classmethod(whole))


@pytest.mark.parametrize("name", PLANNED)
def test_weights_that_are_not_checked_are_seen(name: str, monkeypatch: Patch) -> None:
    heavier(monkeypatch)
    with pytest.raises(PrivacyError, match="squares of the weights"):
        look(name, Family((2, 2)))
    monkeypatch.setattr(statistics, "LENGTH_OF_WEIGHTS", plan.LENGTH_OF_WEIGHTS)
    assert not look(name, Family((2, 2))).sound


@pytest.mark.parametrize("name", PLANNED)
def test_residuals_that_do_not_share_are_seen(name: str, monkeypatch: Patch) -> None:
    parts_that_do_not_share(monkeypatch)
    assert not look(name, Family((2, 2))).sound


def test_the_method_measures_by_this_statistic() -> None:
    assert method.SIGNED_SUM is statistics.SIGNED_SUM
