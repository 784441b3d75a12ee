"""AIM: in each round, measure the marginal that the model fits worst (McKenna et al. 2022)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.methods.method import Method, PublicInputs, Sample
from ripost.methods.parameters import RECORDS, PositiveDelta, Reads
from ripost.peers.graphical_model import Axes, MarginalMeasurement, Network, fit, guess_total, model_cells
from ripost.peers.marginals import AttributeCodes, check_size, measure, synthesize
from ripost.privacy.account import Account
from ripost.privacy.budget import root
from ripost.privacy.mechanisms import Exponential, Gaussian
from ripost.space.query_parameters import FULL, Distances
from ripost.space.workload import Workload
from ripost.statistics.distance import DISTANCE
from ripost.statistics.totals import TOTAL_OF_PART

ROUNDS = 1000  # of fitting, after each measurement
LAST_ROUNDS = 2500
TURNS = 16  # rounds per axis, if the noise is never halved
FOR_MEASURING = Fraction(9, 10)
MOST_CELLS_OF_ONE = 10_000  # larger marginals of the workload are left out
CELLS_OF_A_MEGABYTE = 2**20 // 8


@dataclass(frozen=True)
class Aim(Method):
    """Rounds of choice, measurement and fitting. The noise is halved when a measurement changes little (proof.md)."""

    name: ClassVar[str] = "aim"
    needs: ClassVar[tuple[str, ...]] = ("mbi",)
    extra: ClassVar[str] = "peers"

    delta: PositiveDelta = 1e-9
    degree: Annotated[int, Field(ge=1, le=5)] = 2  # without a workload: all marginals of this many axes
    max_model_size: Annotated[float, Field(gt=0, le=10_000)] = 80  # megabytes
    reads: Reads = RECORDS
    workload: Workload | None = None

    def check(self, inputs: PublicInputs) -> None:
        codes = AttributeCodes.of(inputs.shape)
        check_size(self.name, codes.sizes, list(candidates(self._count_requests(codes), codes.sizes)))

    def run(self, account: Account) -> Sample:
        codes = AttributeCodes.of(account.shape)
        weights = candidates(self._count_requests(codes), codes.sizes)
        run = _AimRun(account, codes, weights, self.max_model_size * CELLS_OF_A_MEGABYTE)
        run.alone()
        while run.left:
            run.turn()
        measured = list(run.measured.values())
        model = fit(codes.sizes, measured, run.model, rounds=LAST_ROUNDS)
        return synthesize(account, codes, model, guess_total(measured))

    def _count_requests(self, codes: AttributeCodes) -> dict[Axes, float]:
        """The marginals of the workload with their numbers of queries; a box of more axes counts for all its parts."""
        number = len(codes.axes)
        if self.workload is None:
            return dict.fromkeys(itertools.combinations(range(number), min(self.degree, number)), 1.0)
        whole = np.array([[0, size] for size in codes.sizes])
        lower, upper = (np.asarray(side)[:, list(codes.axes)] for side in (self.workload.lower, self.workload.upper))
        bounded = (lower > whole[:, 0]) | (upper < whole[:, 1])
        wanted: dict[Axes, float] = {}
        for some, times in zip(*np.unique(bounded, axis=0, return_counts=True), strict=True):
            axes = np.flatnonzero(some).tolist()
            for part in itertools.combinations(axes, min(self.degree, len(axes))):
                wanted[part] = wanted.get(part, 0.0) + float(times)
        return {axes: times for axes, times in wanted.items() if axes}


def candidates(wanted: Mapping[Axes, float], sizes: Sequence[int]) -> dict[Axes, float]:
    """Every marginal contained in one of the workload, if not too large, and its weight: the axes that they share."""
    kept = {axes: w for axes, w in wanted.items() if math.prod(sizes[i] for i in axes) <= MOST_CELLS_OF_ONE}
    closure = {part for axes in kept for n in range(1, len(axes) + 1) for part in itertools.combinations(axes, n)}
    closure |= {(i,) for i in range(len(sizes))}
    found = {part: sum(w * len(set(part) & set(axes)) for axes, w in kept.items()) for part in closure}
    return {part: found[part] for part in sorted(found, key=lambda part: (len(part), part))}


class _AimRun:
    """The current model and the price of a round."""

    def __init__(
        self, account: Account, codes: AttributeCodes, weights: Mapping[Axes, float], most_cells: float
    ) -> None:
        self.account = account
        self.codes = codes
        self.weights = weights
        self.most_cells = most_cells
        self.measured: dict[Axes, MarginalMeasurement] = {}
        turns = TURNS * len(codes.axes)
        self.for_measuring = FOR_MEASURING * account.epsilon / turns
        self.for_choosing = (1 - FOR_MEASURING) * account.epsilon / turns

    @property
    def left(self) -> Fraction:
        (left,), _ = self.account.root.unspent
        return left

    def alone(self) -> None:
        """Measure every one-way marginal before the first choice. If there is only one, it gets the whole budget."""
        for i, axis in enumerate(self.codes.axes):
            rho = self.left if len(self.weights) == 1 else self.for_measuring
            self._measure((i,), rho, f"axis {axis + 1}")
        self.model = self._fit_model(None)

    def turn(self) -> None:
        is_last = self.left < 2 * (self.for_measuring + self.for_choosing)
        if is_last:
            self.for_measuring, self.for_choosing = FOR_MEASURING * self.left, (1 - FOR_MEASURING) * self.left
        chosen = self._choose()
        before = self.model.table(chosen)
        noise = self._measure(chosen, self.left if is_last else self.for_measuring, "chosen marginals")
        self.model = self._fit_model(self.model)
        learned = float(np.abs(self.model.table(chosen) - before).sum())
        if learned <= noise * before.size:
            self.for_measuring, self.for_choosing = 4 * self.for_measuring, 4 * self.for_choosing

    def _choose(self) -> Axes:
        """Choose the marginal with the largest distance from the model, beyond the distance that noise would cause."""
        spent = 1 - (self.left - self.for_measuring - self.for_choosing) / self.account.epsilon
        stand = [axes for axes in self.weights if self._fits(axes, self.most_cells * float(spent))]
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

    def _fits(self, axes: Axes, cells: float) -> bool:
        """Whether a model with one more marginal is small enough, or does not grow."""
        if any(set(axes) <= set(known) for known in self.measured):
            return True
        return model_cells(self.codes.sizes, [*self.measured, axes]) <= cells

    def _noise(self, rho: Fraction) -> float:
        """The mean absolute noise of an entry: sqrt(2 / pi) standard deviations."""
        return math.sqrt(2 / math.pi * Gaussian(TOTAL_OF_PART, rho).variance(self.account.bound))

    def _measure(self, axes: Axes, rho: Fraction, purpose: str) -> float:
        found = measure(self.account, self.codes, axes, rho, purpose)
        self.measured[axes] = self.measured[axes].and_also(found) if axes in self.measured else found
        return self._noise(rho)

    def _fit_model(self, start: Network | None) -> Network:
        return fit(self.codes.sizes, list(self.measured.values()), start, rounds=ROUNDS)
