"""The exact audit of accounts that count rho: Renyi divergences of neighbors, over all scripts, at several orders.

A draw adds the logarithm of sum P^alpha P'^(1 - alpha) over what it may say. Values that nothing depends on are summed
over at once; where a method compares them with thresholds, a script says between which two they fall. Scripts then add
up, and the largest divergence over alpha, in parts of alpha, is the rho that the method really spends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ripost.arrays import Mask
from ripost.methods.method import Method
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import Choice, Exponential, Gaussian, Laplace
from ripost.space.blocks import Blocks
from tests.privacy import distributions

from .enumeration import TOLERANCE, Cutpoints, Engine, Floats, Script
from .family import Family, Ints

SMOOTH = 1e4  # a wider discrete Gaussian differs from the normal law by exp(-2 (pi SMOOTH)^2)
ALPHAS = np.array([1.001, 1.5, 2.0, 3.0, 8.0, 32.0])


Law = Callable[[Any, float], Floats]  # of noise: values and a scale -> log probabilities


@dataclass
class RhoScript(Script):
    """A script that adds up moments of the loss, (alphas, pairs)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.moments = np.zeros((len(ALPHAS), len(self.family.pairs[0])))
        self.draw = np.zeros_like(self.moments)  # of one draw, over all that it may say
        self.shares: dict[str, float] = {}  # the most that a draw spends, in parts of its price

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        scale = mechanism.scale(bound)
        return self._values(values, mechanism, distributions.laplace, scale, 40 * scale)

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints:
        """Beyond a scale of SMOOTH, sums over whole numbers are those of the normal law to all digits."""
        scale = mechanism.scale(bound)
        if scale > SMOOTH and not self.cutpoints(self.purpose):
            one, other, _ = self.family.pairs
            for row in values:
                self._say([(ALPHAS * (ALPHAS - 1))[:, None] * ((row[one] - row[other]) / scale) ** 2 / 2])
            self._note(mechanism, self.loss)
            return values[:, :1].ravel()
        return self._values(values, mechanism, distributions.gaussian, scale, 9 * scale)

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask:
        scale, said = mechanism.scale(bound), []
        for row in values:
            gap = threshold - row
            logs = [distributions.laplace_at_most(gap, scale), distributions.laplace_above(gap, scale)]
            said.append(self._say([self._moments(log[None]) for log in logs]) == 0)
        self._note(mechanism, self.loss)
        return np.array(said, bool)

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints:
        law = distributions.exponential if isinstance(mechanism, Exponential) else distributions.permute_and_flip
        said = []
        for first, last in pairwise(start.tolist()):
            logs = law(scores[first:last], mechanism.scale(bound))
            said.append(self._say([self._moments(log[None]) for log in logs]))
        self._note(mechanism, self.loss)
        return np.array(said, np.int64)

    def _values(self, values: Ints, mechanism: Laplace | Gaussian, law: Law, scale: float, reach: float) -> Ints:
        cutpoints = tuple(sorted(self.cutpoints(self.purpose)))
        said = []
        for row in values:
            edges, moments = _moments_between(self.family, law, row.tobytes(), scale, reach, cutpoints)
            chosen = self._say(moments)
            said.append(int(row.mean()) if not cutpoints else edges[chosen + 1])
        self._note(mechanism, self.loss)
        return np.array(said, np.int64)

    def _moments(self, logs: Floats) -> Floats:
        return _moments(self.family, logs)

    def _say(self, options: Sequence[Floats]) -> int:
        chosen = self._decide(len(options))
        self.moments += options[chosen]
        self.draw += np.logaddexp.reduce(options, axis=0)
        return chosen

    def _note(self, mechanism: Laplace | Choice | Gaussian, before: Floats) -> None:
        price, name = mechanism.price(Currency.RHO), f"{mechanism.title} of {mechanism.statistic.name}"
        spent = float(_rho(self.draw)) / float(price)
        self.shares[name] = max(self.shares.get(name, 0.0), spent)
        self.draw = np.zeros_like(self.draw)
        for cell in np.flatnonzero(self.asked[0]):
            self.paid[cell] += price


def _moments(family: Family, logs: Floats) -> Floats:
    """Of outcomes that are not told apart, (outcomes, tensors)."""
    one, other, _ = family.pairs
    found = [alpha * logs[:, one] + (1 - alpha) * logs[:, other] for alpha in ALPHAS]
    return np.array([np.logaddexp.reduce(part, axis=0) for part in found])


@lru_cache(maxsize=1000)  # scripts begin alike
def _moments_between(
    family: Family, law: Law, row: bytes, scale: float, reach: float, cutpoints: tuple[int, ...]
) -> tuple[list[int], list[Floats]]:
    """The edges that cutpoints make, and the moments of a noisy value between each two of them."""
    values = np.frombuffer(row, np.int64)
    far = int(reach) + 2 + int(ALPHAS.max()) * family.bound
    points = np.arange(min([values.min(), *cutpoints]) - far, max([values.max(), *cutpoints]) + far + 1)
    logs = law(points[:, None] - values, scale)
    edges = [int(points[0]) - 1, *cutpoints, int(points[-1])]
    return edges, [_moments(family, logs[(points > low) & (points <= high)]) for low, high in pairwise(edges)]


def _rho(moments: Floats) -> float:
    """The rho that moments amount to."""
    return float((moments / (ALPHAS * (ALPHAS - 1))[:, None]).max(initial=0.0))


@dataclass(frozen=True)
class RhoAudit:
    """What came out."""

    budget: Fraction
    spent: Fraction
    rho: float  # really spent
    scripts: int
    honest: bool  # whether the ledger knows every draw and every block
    by_draw: dict[str, float]  # the most that a draw spends given those before it, in parts of its price

    @property
    def sound(self) -> bool:
        within = self.rho <= float(self.spent) * (1 + TOLERANCE) + TOLERANCE
        each = all(share <= 1 + 1e-7 for share in self.by_draw.values())
        return self.honest and self.spent <= self.budget and within and each


def audit_rho(
    method: Method,
    family: Family,
    rho: Fraction,
    *,
    cutpoints: Cutpoints = lambda _: (),
    most: int = 10**6,
    first_fault: bool = False,
) -> RhoAudit:
    """Run the method for every script, or the first so many, or up to the first fault, and compare neighbors.

    Scripts that were not told can only add to a sum, so what is found stays a lower bound; every draw is compared with
    its price by itself, given what was said before it.
    """
    told: list[int] | None = []
    total = np.full((len(ALPHAS), len(family.pairs[0])), -np.inf)
    spent, honest, scripts = Fraction(0), True, 0
    by_draw: dict[str, float] = {}
    while told is not None and scripts < most:
        script = RhoScript(family, told, cutpoints)
        account = Account(
            Engine(family, Blocks.whole(family.shape), script.asked),
            shape=family.shape,
            epsilon=rho,
            noise=script,
            bound=family.bound,
            watch=script.watch,
            currency=Currency.RHO,
        )
        found = method.run(account)
        total, scripts = np.logaddexp(total, script.moments), scripts + 1
        spent = max(spent, account.ledger.spent)
        honest &= account.ledger.blocks == found.blocks and account.ledger.spent == max(script.paid)
        for name, share in script.shares.items():
            by_draw[name] = max(by_draw.get(name, 0.0), share)
        told = script.following()
        result = RhoAudit(rho, spent, _rho(total), scripts, honest, by_draw)
        if first_fault and not result.sound:
            break
    return result
