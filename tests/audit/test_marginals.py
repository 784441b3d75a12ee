"""mst, aim, aim-residuals, swift and privmrf: every draw, given those before it, loses no more rho than it pays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ripost.methods import METHODS
from ripost.peers.aim import rounds
from ripost.peers.mst import method as mst
from ripost.peers.privmrf import method as privmrf
from ripost.peers.swift import method as swift
from ripost.privacy.mechanisms import Exponential, Gaussian
from ripost.statistics.dependence import DEPENDENCE
from ripost.statistics.distance import DISTANCE

from .concentrated import RhoAudit, audit_rho
from .family import Family

FAMILIES = [Family((2,)), Family((2, 2)), Family((3, 2), most=1), Family((2, 2), most=2, bound=2)]
THREE = Family((2, 2, 2), most=1)
SOME = 4  # scripts: choices are followed in order, the last ones first

every = pytest.mark.parametrize("name", ["mst", "aim", "aim-residuals", "swift", "privmrf"])
choosing = pytest.mark.parametrize("name", ["mst", "aim", "aim-residuals"])  # by the exponential mechanism


def look(name: str, family: Family, rho: Fraction = Fraction(2)) -> RhoAudit:
    """With little rho the errors of `swift` have so much noise that its law is known in closed form (SMOOTH).

    With much, `privmrf` finds pairs useful even in tables of a few rows, so that single axes are left to be chosen.
    """
    return audit_rho(METHODS[name](), family, rho * {"swift": Fraction(1, 20), "privmrf": 25}.get(name, 1), most=SOME)


@every
@pytest.mark.parametrize("family", FAMILIES, ids=str)
def test_it_spends_all_and_no_more(name: str, family: Family) -> None:
    result = look(name, family)
    assert result.sound
    assert result.spent == result.budget
    assert result.by_draw["discrete Gaussian of total of part"] > 0.99


def test_errors_of_candidates_of_three_axes() -> None:
    result = look("swift", THREE, Fraction(5))
    assert result.sound
    assert result.spent == result.budget
    assert result.by_draw["discrete Gaussian of distance"] > 0.99


@pytest.mark.parametrize("family", [Family((2, 2)), THREE], ids=str)
def test_every_kind_of_draw_of_privmrf(family: Family) -> None:
    """A row changes a dependence by less than its sensitivity where there are few rows."""
    result = look("privmrf", family)
    assert result.sound
    assert result.spent == result.budget
    assert result.by_draw["discrete Gaussian of dependence"] > 0.05
    assert result.by_draw["discrete Gaussian of distance"] > 0.9
    assert result.by_draw["discrete Gaussian of total of part"] > 0.9


def test_a_dependence_that_counts_too_much_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sensitivity ten times too small."""
    right = Gaussian.scale
    monkeypatch.setattr(
        Gaussian, "scale", lambda self, bound: right(self, bound) / (10 if self.statistic is DEPENDENCE else 1)
    )
    assert not look("privmrf", Family((2, 2))).sound


@choosing
def test_choices_among_three_axes(name: str) -> None:
    result = look(name, THREE, Fraction(50))
    assert result.sound
    assert result.scripts > 1
    assert result.by_draw["exponential mechanism of distance"] > 0.001


@every
def test_noise_that_is_too_small_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Gaussian.scale
    monkeypatch.setattr(Gaussian, "scale", lambda self, bound: right(self, bound) / 1.01)
    assert not look(name, Family((2, 2))).sound


@every
def test_a_distance_that_counts_too_much_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sensitivity a hundred times too small."""
    small = replace(DISTANCE, per_count=10)
    monkeypatch.setattr("ripost.privacy.account.is_proved", lambda _: True)
    monkeypatch.setattr({"mst": mst, "swift": swift, "privmrf": privmrf}.get(name, rounds), "DISTANCE", small)
    drawn = name in ("swift", "privmrf")  # not only chosen by
    assert not (look(name, Family((2, 2))) if drawn else look(name, THREE, Fraction(50))).sound


@choosing
def test_a_choice_that_is_not_paid_for_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Exponential, "price", lambda self, _: self.cost**2 / 10**6)
    assert not look(name, THREE, Fraction(50)).sound
