"""The rounds of AIM: choose the marginal that the model fits worst, measure it, and fit the model again."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

import numpy as np

from ripost.arrays import Floats
from ripost.peers.graphical_model import MarginalMeasurement
from ripost.peers.junction_tree import Axes
from ripost.peers.marginals import AttributeCodes, measure
from ripost.privacy.account import Account
from ripost.privacy.budget import root
from ripost.privacy.mechanisms import Exponential, Gaussian
from ripost.space.query_parameters import FULL, Distances
from ripost.statistics.distance import DISTANCE
from ripost.statistics.totals import TOTAL_OF_PART

TURNS = 16  # rounds per axis, if the noise is never halved
FOR_MEASURING = Fraction(9, 10)
MOST_CELLS_OF_ONE = 10_000  # larger marginals of the workload are left out


def candidates(wanted: Mapping[Axes, float], sizes: Sequence[int]) -> dict[Axes, float]:
    """Every marginal contained in one of the workload, if not too large, and its weight: the axes that they share."""
    kept = {axes: w for axes, w in wanted.items() if math.prod(sizes[i] for i in axes) <= MOST_CELLS_OF_ONE}
    closure = {part for axes in kept for n in range(1, len(axes) + 1) for part in itertools.combinations(axes, n)}
    closure |= {(i,) for i in range(len(sizes))}
    found = {part: sum(w * len(set(part) & set(axes)) for axes, w in kept.items()) for part in closure}
    return {part: found[part] for part in sorted(found, key=lambda part: (len(part), part))}


class MarginalModel(Protocol):
    """What the measured marginals say of any other."""

    def table(self, axes: Axes) -> Floats:
        """The marginal of some axes, in their order."""


M = TypeVar("M", bound=MarginalModel)


class AimRounds(ABC, Generic[M]):
    """The current model and the price of a round."""

    model: M

    def __init__(self, account: Account, codes: AttributeCodes, weights: Mapping[Axes, float]) -> None:
        self.account = account
        self.codes = codes
        self.weights = weights
        self.measured: dict[Axes, MarginalMeasurement] = {}
        turns = TURNS * len(codes.axes)
        self.for_measuring = FOR_MEASURING * account.epsilon / turns
        self.for_choosing = (1 - FOR_MEASURING) * account.epsilon / turns

    @abstractmethod
    def fit_model(self) -> M:
        """The model of all that was measured so far."""

    @abstractmethod
    def fits(self, axes: Axes, spent: float) -> bool:
        """Whether the model can take one more marginal, once this share of the budget is spent."""

    @property
    def left(self) -> Fraction:
        (left,), _ = self.account.root.unspent
        return left

    def run(self) -> None:
        """Measure every one-way marginal, then choose until nothing is left."""
        self._measure_single_axes()
        while self.left:
            self._turn()

    def _measure_single_axes(self) -> None:
        """If there is only one candidate, it gets the whole budget."""
        for i, axis in enumerate(self.codes.axes):
            rho = self.left if len(self.weights) == 1 else self.for_measuring
            self._measure((i,), rho, f"axis {axis + 1}")
        self.model = self.fit_model()

    def _turn(self) -> None:
        is_last = self.left < 2 * (self.for_measuring + self.for_choosing)
        if is_last:
            self.for_measuring, self.for_choosing = FOR_MEASURING * self.left, (1 - FOR_MEASURING) * self.left
        chosen = self._choose()
        before = self.model.table(chosen)
        noise = self._measure(chosen, self.left if is_last else self.for_measuring, "chosen marginals")
        self.model = self.fit_model()
        learned = float(np.abs(self.model.table(chosen) - before).sum())
        if learned <= noise * before.size:
            self.for_measuring, self.for_choosing = 4 * self.for_measuring, 4 * self.for_choosing

    def _choose(self) -> Axes:
        """Choose the marginal with the largest distance from the model, beyond the distance that noise would cause."""
        spent = 1 - (self.left - self.for_measuring - self.for_choosing) / self.account.epsilon
        stand = [axes for axes in self.weights if self.fits(axes, float(spent))]
        most = max(self.weights[axes] for axes in stand)
        weight = np.array([round(FULL * self.weights[axes] / most) if most else FULL for axes in stand])
        noise = self._noise(self.for_measuring)
        tables = [np.rint(self.model.table(axes)).astype(np.int64).ravel() for axes in stand]
        bias = np.array([noise * len(table) for table in tables])
        offset = -np.rint(np.minimum(weight * bias, 2.0**60)).astype(np.int64)
        question = Distances(tuple(self.codes.margin(axes) for axes in stand), tuple(tables), weight, offset)
        term = self.account.charge_query(
            "choices", Exponential(DISTANCE, root(8 * self.for_choosing)), self.account.root
        )
        return stand[term.choose_one(question)]

    def _noise(self, rho: Fraction) -> float:
        """The mean absolute noise of an entry: sqrt(2 / pi) standard deviations."""
        return math.sqrt(2 / math.pi * Gaussian(TOTAL_OF_PART, rho).variance(self.account.bound))

    def _measure(self, axes: Axes, rho: Fraction, purpose: str) -> float:
        found = measure(self.account, self.codes, axes, rho, purpose)
        self.measured[axes] = self.measured[axes].and_also(found) if axes in self.measured else found
        return self._noise(rho)
