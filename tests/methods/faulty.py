"""The smallest method, and faulty ones made from it, which the exam of methods must catch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ripost.errors import InputError
from ripost.methods.method import Decomposition, Method
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Laplace
from ripost.space.tree import Growth
from ripost.statistics.totals import TOTAL


@dataclass(frozen=True)
class OneBlock(Method):
    """The noisy total; the base of faulty methods."""

    name: ClassVar[str] = "one-block"

    def run(self, account: Account) -> Decomposition:
        noise = Laplace(TOTAL, account.epsilon)
        values = account.charge_query("total", noise, account.root).measure().astype(np.float64)
        return Decomposition(Growth(account.shape).tree(), values, np.full(1, noise.variance(account.bound)))


class Overspends(OneBlock):
    def run(self, account: Account) -> Decomposition:
        super().run(account)
        return super().run(account)


class SpendsNothing(OneBlock):
    def run(self, account: Account) -> Decomposition:
        return Decomposition(Growth(account.shape).tree(), np.zeros(1), np.full(1, np.nan))


class RefusesLate(OneBlock):
    def run(self, account: Account) -> Decomposition:
        if len(account.shape) > 20:
            raise InputError("too many attributes")
        return super().run(account)


class Dices(OneBlock):
    def run(self, account: Account) -> Decomposition:
        found = super().run(account)
        return replace(found, values=found.values + np.random.default_rng().normal(size=1))
