"""PrivSyn: noisy marginals of the pairs of axes that are worth their noise, and synthetic rows that fit them.

Zhang, Wang, Li, Honorio, Backes, He, Chen and Zhang, USENIX Security 2021. (epsilon, delta): the account counts rho.
docs/methods/privsyn.md lists the choices that the paper leaves open. peers/privsyn/proof.md proves what it spends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.errors import InputError
from ripost.methods.method import Method, PublicInputs, Sample
from ripost.methods.parameters import RECORDS, PositiveDelta, Reads, Share
from ripost.peers.consistent_marginals import NoisyMarginal, make_consistent
from ripost.peers.privsyn.gum import fit_rows
from ripost.peers.synthetic_rows import count_rows, draw_columns, number_of_rows
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Gaussian
from ripost.space.query_parameters import Couples, Grid
from ripost.statistics.dependence import DEPENDENCE
from ripost.statistics.totals import TOTAL_OF_PART

MOST_CELLS = 2**20  # of a marginal; larger pairs are left out
MOST_ROWS = 2**18  # beyond, each synthetic row stands for several

Axes = tuple[int, ...]


@dataclass(frozen=True)
class PrivSyn(Method):
    """Choose marginals by noisy scores of pairs, measure them, make them consistent, and fit rows to them."""

    name: ClassVar[str] = "privsyn"

    delta: PositiveDelta = 1e-9
    choosing: Share = 0.1  # share of rho for the scores of pairs
    single: Share = 0.1  # share of rho for the histograms of single axes
    rounds: Annotated[int, Field(ge=0, le=1000)] = 30  # of fitting the rows
    reads: Reads = RECORDS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.choosing + self.single >= 1:
            raise InputError(f"choosing and single must leave a share, got {self.choosing} and {self.single}")

    def check(self, inputs: PublicInputs) -> None:
        if max(inputs.shape) > MOST_CELLS:
            raise InputError(
                f"privsyn needs a histogram of {max(inputs.shape):,} codes of an axis and stops at {MOST_CELLS:,}; "
                "choose another method"
            )

    def run(self, account: Account) -> Sample:
        run = _PrivSynRun(self, account)
        pairs = run.pairs()
        return run.sample(run.measure(pairs))


class _PrivSynRun:
    """One run and its budget."""

    def __init__(self, method: PrivSyn, account: Account) -> None:
        self.method = method
        self.account = account
        self.rho = account.epsilon

    def pairs(self) -> list[Axes]:
        """The pairs of axes for which independence would cost more error than the noise of their marginal."""
        shape = self.account.shape
        long = [axis for axis, size in enumerate(shape) if size > 1]
        every = [pair for pair in combinations(long, 2) if self._cells(pair) <= MOST_CELLS]
        if not every:
            return []
        own = [Grid((axis,), (size,), (size,)) for axis, size in enumerate(shape)]
        price = self.rho * share(self.method.choosing, name="choosing") / len(every)
        scores = []
        for one, other in every:
            term = self.account.charge_query("dependence of a pair", Gaussian(DEPENDENCE, price), self.account.root)
            scores.append(2.0 * float(term.measure(Couples(((own[one], own[other]),)))[0]))
        room = float(self._left() - self._for_single()) / self.account.bound**2
        chosen = worth_their_noise(np.array(scores), np.array([self._cells(pair) for pair in every], float), room)
        return [every[number] for number in chosen]

    def measure(self, pairs: Sequence[Axes]) -> list[NoisyMarginal]:
        """Noisy histograms of all axes and noisy marginals of the pairs, which together spend the rest of rho."""
        single: list[Axes] = [(axis,) for axis in range(len(self.account.shape))]
        for_single = self._for_single() if pairs else self._left()
        prices = [*self._split(for_single, single), *self._split(self._left() - for_single, pairs)]
        return [self._marginal(axes, price) for axes, price in zip([*single, *pairs], prices, strict=True)]

    def sample(self, tables: Sequence[NoisyMarginal]) -> Sample:
        """Draw rows with independent axes, then fit them to the marginals of pairs."""
        agreed, total = make_consistent(tables)
        number, weight = number_of_rows(total, MOST_ROWS)
        noise, which = self.account.noise, np.zeros(number, np.int64)
        axes = len(self.account.shape)
        coords = np.stack([draw_columns(noise, table.values[None], which) for table in agreed[:axes]])
        if number and len(agreed) > axes:
            goals = [replace(table, values=table.values / weight) for table in agreed[axes:]]
            coords = fit_rows(noise, coords, goals, self.method.rounds)
        return count_rows(coords.T, weight)

    def _marginal(self, axes: Axes, price: Fraction) -> NoisyMarginal:
        sizes = tuple(self.account.shape[axis] for axis in axes)
        mechanism = Gaussian(TOTAL_OF_PART, price)
        purpose = "histogram" if len(axes) == 1 else "marginal of a pair"
        noisy = self.account.charge_query(purpose, mechanism, self.account.root).measure(Grid(axes, sizes, sizes))
        return NoisyMarginal(axes, noisy.astype(np.float64).reshape(sizes), mechanism.variance(self.account.bound))

    def _split(self, rho: Fraction, tables: Sequence[Axes]) -> list[Fraction]:
        """Shares of rho that minimize the sum of expected errors: proportional to cells^(2/3)."""
        weights = [math.ceil(2**10 * self._cells(axes) ** (2 / 3)) for axes in tables]
        return [rho * Fraction(weight, sum(weights)) for weight in weights]

    def _cells(self, axes: Axes) -> int:
        return math.prod(self.account.shape[axis] for axis in axes)

    def _for_single(self) -> Fraction:
        return self.rho * share(self.method.single, name="single")

    def _left(self) -> Fraction:
        (left,), _ = self.account.root.unspent
        return left


def worth_their_noise(scores: np.ndarray, cells: np.ndarray, rho: float) -> list[int]:
    """Choose marginals greedily, as long as the sum of errors falls.

    The error of a marginal that is left out is its score. With shares of rho as in `_split`, the errors of the others
    add up to (sum of cells^(2/3))^(3/2) / sqrt(pi rho), the expected sum of |noise|.
    """
    chosen: list[int] = []
    waiting = list(range(len(scores)))
    size, error = 0.0, 0.0
    while waiting:
        errors = (size + cells[waiting] ** (2 / 3)) ** 1.5 / math.sqrt(math.pi * rho)
        gains = scores[waiting] - (errors - error)
        best = int(gains.argmax())
        if gains[best] <= 0:
            break
        size, error = size + cells[waiting[best]] ** (2 / 3), float(errors[best])
        chosen.append(waiting.pop(best))
    return chosen
