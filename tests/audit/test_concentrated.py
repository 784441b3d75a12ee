"""No neighbors are farther apart, in Renyi's divergence of any order looked at, than the rho that was paid."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest

from ripost.methods.method import Decomposition, Method
from ripost.privacy import mechanisms
from ripost.privacy.account import Account
from ripost.privacy.budget import root
from ripost.privacy.mechanisms import Choice, Exponential, Gaussian, Laplace, PermuteAndFlip
from ripost.space.cuts import Cuts
from ripost.space.tree import Growth
from ripost.statistics.cut_scores import MIXTURE_OF_CUT
from ripost.statistics.totals import TOTAL

from .concentrated import RhoAudit, audit_rho
from .family import Family

FAMILIES = [Family((2,)), Family((2, 2), most=1), Family((2,), most=3, bound=2)]
RHOS = [Fraction(1, 20), Fraction(2)]


@dataclass(frozen=True)
class Toy(Method):
    """A look at the total, a cut chosen by its score if there is something, and noise on both halves."""

    name: ClassVar[str] = "toy"
    delta: float = 1e-9
    kind: type[Choice] = Exponential
    look: type[Gaussian | Laplace] = Gaussian

    def run(self, account: Account) -> Decomposition:
        rho, growth, blocks = account.epsilon, Growth(account.shape), account.root
        first = Gaussian(TOTAL, rho / 4) if self.look is Gaussian else Laplace(TOTAL, root(rho / 2))
        if account.charge_query("look", first, blocks).measure()[0] > 1:
            choice = self.kind(MIXTURE_OF_CUT, root(rho * (2 if self.kind is Exponential else Fraction(1, 2))))
            axis, cut = Cuts.of(blocks.blocks).locate(account.charge_query("cut", choice, blocks).choose_cuts())
            blocks = blocks.split(axis, cut)
            growth.split(np.array([0]), axis, cut)
        (left,), _ = blocks.unspent
        values = account.charge_query("leaves", Gaussian(TOTAL, left), blocks).measure()
        tree = growth.tree()
        return Decomposition(tree, values.astype(float), np.ones(len(tree)))


def look(family: Family, rho: Fraction, **options: object) -> RhoAudit:
    return audit_rho(Toy(**options), family, rho, cutpoints=lambda purpose: [1] if purpose == "look" else [])


@pytest.mark.parametrize("family", FAMILIES, ids=str)
@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip], ids=lambda kind: kind.title)
def test_a_method_spends_all_of_rho_and_no_more(family: Family, kind: type[Choice]) -> None:
    for rho in RHOS:
        for way in (Gaussian, Laplace):
            result = look(family, rho, kind=kind, look=way)
            assert result.sound
            assert result.spent == rho
            assert result.scripts > 1
            assert result.rho > 0.5 * float(rho)


def test_noise_alone_spends_all() -> None:
    """At whole orders the bound of discrete Gaussian noise is reached."""
    result = audit_rho(Plain(), Family((2,)), Fraction(1, 8))
    assert result.sound
    assert result.rho > 0.999999 * float(result.spent)


@dataclass(frozen=True)
class Plain(Method):
    """Noise on the whole."""

    name: ClassVar[str] = "plain"

    def run(self, account: Account) -> Decomposition:
        values = account.charge_query("all", Gaussian(TOTAL, account.epsilon), account.root).measure()
        return Decomposition(Growth(account.shape).tree(), values.astype(float), np.ones(1))


def test_noise_that_is_too_small_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = mechanisms.gaussian_scale_for
    monkeypatch.setattr(mechanisms, "gaussian_scale_for", lambda *given: right(*given) / 1.01)
    assert not audit_rho(Plain(), Family((2,)), Fraction(1, 8)).sound


def test_a_choice_that_is_too_cheap_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice at a hundredth of its price, next to a little noise."""
    monkeypatch.setattr(Exponential, "price", lambda self, _: self.cost**2 / 800)
    assert not look(Family((2, 2)), Fraction(8), kind=Exponential).sound


def test_a_bound_that_is_forgotten_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Gaussian.scale
    monkeypatch.setattr(Gaussian, "scale", lambda self, _: right(self, 1))
    assert not audit_rho(Plain(), Family((3,), most=4, bound=2), Fraction(1, 8)).sound
