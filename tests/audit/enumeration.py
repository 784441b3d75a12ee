"""The exact audit: every output of a method, with its probability for every tensor of a family.

The method, the account and the statistics are those of a release. Only the noise is replaced: it does what a script
says and works out how likely that was for each tensor. Scripts are told in order until all have been, so the
probabilities add up to 1; the largest log ratio between neighbors is the epsilon that the method really spends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from ripost.arrays import Codes, Mask
from ripost.methods.method import Method, Release
from ripost.privacy.account import Account
from ripost.privacy.ledger import Ledger
from ripost.privacy.mechanisms import (
    Choice,
    Exponential,
    Laplace,
    LeastPartition,
    Mechanism,
    OneChoice,
    OneThresholdTest,
)
from ripost.privacy.subsampling import RowSampler
from ripost.space.blocks import Blocks
from ripost.space.query_parameters import QueryParameters
from ripost.space.runs import Runs
from ripost.statistics.statistic import Statistic
from tests.privacy import covers, distributions

from .family import Family, Ints, about

Floats = NDArray[np.float64]
Cutpoints = Callable[[str], Sequence[int]]  # purpose of noisy values -> thresholds that a method compares them with

FEW = 10_000
TOLERANCE = 1e-9  # floating-point error of sums of logarithms, far above it


@dataclass(frozen=True)
class Engine:
    """Boxes of every tensor of a family."""

    family: Family
    blocks: Blocks
    asked: list[Mask]  # cells that the latest statistic touched

    def compute(self, statistic: Statistic, first: int, last: int, question: QueryParameters | None = None) -> Ints:
        boxes = [*zip(self.blocks.lower[first:last], self.blocks.upper[first:last], strict=True)]
        touched = [self.family.inside(*box) for box in boxes]
        assert np.sum(touched, axis=0).max(initial=0) <= 1, "blocks share a cell"
        self.asked[:] = [np.any(touched, axis=0)]
        values = [np.zeros((0, len(self.family.counts)), np.int64)]
        found = [self.family.statistic(statistic, *box, about(question, row)) for row, box in enumerate(boxes)]
        return np.concatenate(values + found)

    def split(self, axis: Codes, cut: Codes) -> Engine:
        return Engine(self.family, self.blocks.split(axis, cut), self.asked)

    def select(self, mask: Mask) -> tuple[Engine, Engine]:
        parts = (Engine(self.family, self.blocks.take(side), self.asked) for side in (mask, ~mask))
        return next(parts), next(parts)

    def merge(self, others: Sequence[Engine]) -> Engine:
        parts = [self, *others]
        lower, upper = (np.concatenate([getattr(p.blocks, side) for p in parts]) for side in ("lower", "upper"))
        return Engine(self.family, Blocks(lower, upper), self.asked)

    def subsample(self, _: RowSampler) -> Engine:
        """A sample of a tensor of the family is one of its tensors: what is computed is that of every sample."""
        return self


@dataclass
class Script:
    """Noise that does as it is told.

    Noisy values are not told one by one. Where a method compares them with thresholds, a script says between which two
    they fall and takes the worst value there; with `grid` it says each value, from two below the least of all tensors
    to two above the largest. Values that nothing depends on count with their worst.
    """

    family: Family
    told: list[int]
    cutpoints: Cutpoints
    grid: bool = False
    entropy: str = "script"
    purpose: str = ""
    asked: list[Mask] = field(default_factory=list)
    options: list[int] = field(default_factory=list)
    draws: list[tuple[str, Fraction, float]] = field(default_factory=list)  # name, price, largest loss

    def __post_init__(self) -> None:
        self.log_probability = np.zeros(len(self.family.counts))
        self.loss = np.zeros(len(self.family.pairs[0]))  # of each pair of neighbours
        self.paid = [Fraction(0)] * len(self.family.cells)  # for each cell, by the draws that touched it
        self.together: dict[int, tuple[Floats, Mask]] = {}  # of tests paid for once: loss so far, cells that paid
        self.by_sample = np.zeros(len(self.family.counts))  # log probability of all choices by a sample, if it is this

    def watch(self, purpose: str, _: int) -> None:
        self.purpose = purpose

    def following(self) -> list[int] | None:
        """The next script, or None after the last."""
        told = (self.told + [0] * len(self.options))[: len(self.options)]
        while told:
            if told[-1] + 1 < self.options[len(told) - 1]:
                return [*told[:-1], told[-1] + 1]
            told.pop()
        return None

    def laplace(self, values: Ints, mechanism: Laplace, bound: int) -> Ints:
        scale, before = mechanism.scale(bound), self.loss.copy()
        cutpoints, said = tuple(self.cutpoints(self.purpose)), []
        for row in _rows(values):
            outcomes = _values(self.family, row.tobytes(), scale, cutpoints, self.grid and bool(cutpoints))
            said.append(self._tell(outcomes))
        self._note(mechanism, before)
        return np.array(said, np.int64)

    def prefetch_noise(self, mechanism: Laplace, bound: int, number: int) -> None:
        """Nothing is drawn before a value is known, so nothing is told."""

    def at_most(self, values: Ints, threshold: int, mechanism: Laplace, bound: int) -> Mask:
        scale, before = mechanism.scale(bound), self.loss.copy()
        said = [self._tell(_tests(self.family, row.tobytes(), scale, threshold)) for row in _rows(values)]
        self._note(mechanism, before)
        return np.array(said, bool)

    def choose(self, scores: Ints, start: Ints, mechanism: Choice, bound: int) -> Ints:
        scale, before = mechanism.scale(bound), self.loss.copy()
        said = []
        for first, last in pairwise(start.tolist()):
            block = _rows(scores[first:last])
            outcomes = _choices(self.family, block.tobytes(), len(block), scale, isinstance(mechanism, Exponential))
            if isinstance(mechanism, OneChoice):
                outcomes = self._by_samples(outcomes, mechanism.of.rate)
            said.append(self._tell(outcomes))
            if isinstance(mechanism, OneChoice):
                self.by_sample = outcomes[said[-1]].of_sample
        self._note(mechanism, before)
        return np.array(said, np.int64)

    def _by_samples(self, outcomes: Sequence[Outcome], rate: Fraction) -> list[Outcome]:
        """What a choice may say of each tensor, given all choices by the sample so far, over all samples of it."""
        so_far = _over_samples(self.family, rate, self.by_sample)
        found = []
        for outcome in outcomes:
            of_sample = self.by_sample + outcome.log_probability
            told = _outcome(self.family, outcome.said, _over_samples(self.family, rate, of_sample) - so_far)
            found.append(replace(told, of_sample=of_sample))
        return found

    def partition(self, costs: Ints, runs: Runs, price: Ints, mechanism: LeastPartition, bound: int) -> Ints:
        before, scale = self.loss.copy(), tuple(covers.scales(mechanism, runs, bound))
        asked = [tuple((runs.pieces(row) + price).tolist()) for row in costs.T]
        laws = [_cover_law(row, runs.place.tobytes(), runs, scale) for row in asked]
        said = sorted(laws[0])
        logs = np.log([[law[cover] for law in laws] for cover in said])
        outcomes = [_outcome(self.family, number, row) for number, row in enumerate(logs)]
        chosen = said[self._tell(outcomes)]
        self._note(mechanism, before)
        return np.array(chosen, np.int64)

    def sample(self, number: int, share: float) -> Mask:
        coins = [self._decide(2) == 0 for _ in range(number)]
        self.log_probability += sum(np.log(share if coin else 1 - share) for coin in coins)
        return np.array(coins, bool)

    def uniforms(self, number: int) -> Floats:
        """Public numbers, always the same: what is made of them is made of what was released."""
        return np.arange(1, number + 1) * 0.6180339887498949 % 1

    def below(self, bounds: Ints) -> Ints:
        self.log_probability -= np.log(bounds).sum()
        return np.array([self._decide(bound) for bound in bounds.tolist()], np.int64)

    def _decide(self, options: int) -> int:
        self.options.append(options)
        return self.told[len(self.options) - 1] if len(self.options) <= len(self.told) else 0

    def _tell(self, outcomes: Sequence[Outcome]) -> int:
        outcome = outcomes[self._decide(len(outcomes))]
        self.log_probability += outcome.log_probability
        self.loss += outcome.loss
        return outcome.said

    def _note(self, mechanism: Mechanism, before: Floats) -> None:
        """Charge the cells that were touched."""
        if isinstance(mechanism, OneThresholdTest | OneChoice):
            self._note_once(mechanism, before)
            return
        name = f"{mechanism.title} of {mechanism.statistic.name}"
        self.draws.append((name, mechanism.cost, float((self.loss - before).max(initial=0.0))))
        for cell in np.flatnonzero(self.asked[0]):
            self.paid[cell] += mechanism.cost

    def _note_once(self, mechanism: OneThresholdTest | OneChoice, before: Floats) -> None:
        """Hold all tests so far against the price of them together, which a cell pays with the first."""
        whole = mechanism.of
        nothing = np.zeros_like(self.loss), np.zeros(len(self.paid), bool)
        lost, charged = self.together.get(id(whole), nothing)
        lost = lost + self.loss - before
        self.draws.append((f"{whole.title} of {whole.statistic.name}", whole.cost, float(lost.max(initial=0.0))))
        for cell in np.flatnonzero(self.asked[0] & ~charged):
            self.paid[cell] += whole.cost
        self.together[id(whole)] = lost, charged | self.asked[0]


@dataclass(frozen=True)
class Outcome:
    """What one block's draw may say."""

    said: int
    log_probability: Floats  # of each tensor
    loss: Floats  # of each pair of neighbours
    of_sample: Floats = field(default_factory=lambda: np.zeros(0))  # log probability of this and all before, by sample


@dataclass
class Audit:
    """What came out."""

    epsilon: Fraction
    scripts: int = 0
    loss: float = 0.0  # the epsilon that is really spent
    excess: float = -np.inf  # the most that a pair loses beyond what the path of its cell paid
    spent: Fraction = Fraction(0)
    honest: bool = True  # whether the ledger knows every draw and every block
    mass: Floats = field(default_factory=lambda: np.zeros(1))
    by_draw: dict[str, float] = field(default_factory=dict)  # largest loss of a draw, in parts of its price

    @property
    def sound(self) -> bool:
        """Whether no neighbors can be told apart better than was paid for, draw by draw and in all."""
        return not self.faulty and self.loss - self.spent <= TOLERANCE

    @property
    def faulty(self) -> bool:
        """Whether a script so far was unsound by itself, which no further script can mend."""
        worst = max(self.excess, *(share - 1 for share in self.by_draw.values()))
        return not self.honest or self.spent > self.epsilon or worst > TOLERANCE

    def __str__(self) -> str:
        draws = ", ".join(f"{name} {share:.3f}" for name, share in sorted(self.by_draw.items()))
        share, spent = self.loss / self.epsilon, float(self.spent / self.epsilon)
        return f"loss {share:.4f}, ledger {spent:.4f} of epsilon; {self.scripts} scripts; of its price {draws}"


def audit(
    method: Method,
    family: Family,
    epsilon: Fraction,
    *,
    cutpoints: Cutpoints = lambda _: (),
    grid: bool = False,
    first_fault: bool = False,
) -> Audit:
    """Run the method once for every script, or until the first fault if that is enough, and compare neighbors."""
    where = family.pairs[2]
    result = Audit(epsilon, mass=np.zeros(len(family.counts)))
    for script, ledger, found in runs(method, family, epsilon, cutpoints=cutpoints, grid=grid):
        paid = np.array([*map(float, script.paid)])
        result.scripts += 1
        result.mass += np.exp(script.log_probability)
        result.loss = max(result.loss, float(script.loss.max()))
        result.excess = max(result.excess, float((script.loss - paid[where]).max()))
        result.spent = max(result.spent, ledger.spent)
        result.honest &= ledger.blocks == found.blocks and ledger.spent == max(script.paid)
        for name, cost, loss in script.draws:
            result.by_draw[name] = max(result.by_draw.get(name, 0.0), loss / float(cost))
        if first_fault and result.faulty:
            break
    return result


def runs(
    method: Method, family: Family, epsilon: Fraction, *, cutpoints: Cutpoints = lambda _: (), grid: bool = False
) -> Iterator[tuple[Script, Ledger, Release]]:
    """Every script that the method can follow, with what came of it."""
    told: list[int] | None = []
    while told is not None:
        script = Script(family, told, cutpoints, grid)
        engine = Engine(family, Blocks.whole(family.shape), script.asked)
        account = Account(
            engine,
            shape=family.shape,
            epsilon=epsilon,
            noise=script,
            bound=family.bound,
            watch=script.watch,
            spine=family.spine,
        )
        found = method.run(account)
        yield script, account.ledger, found
        told = script.following()


def _rows(values: Ints) -> Ints:
    """One row a value, one column a tensor."""
    return np.ascontiguousarray(values if values.ndim == 2 else values[:, None])


def _outcome(family: Family, said: int, logs: Floats) -> Outcome:
    one, other, _ = family.pairs
    return Outcome(said, logs, logs[one] - logs[other])


def _over_samples(family: Family, rate: Fraction, logs: Floats) -> Floats:
    """The logarithm of the mean over all samples of each tensor, given the logarithm for each sample.

    Cells are sampled each by itself, so the mean is taken cell by cell.
    """
    most, counts = float(logs.max()), np.arange(family.most + 1)
    law = binom.pmf(counts, counts[:, None], float(rate))  # (records, sampled)
    mean = np.exp(logs - most).reshape((len(counts),) * len(family.cells))
    for _ in family.cells:
        mean = np.tensordot(mean, law, axes=(0, 1))  # the first cell's samples give way to its records, which come last
    return most + np.log(mean.ravel())


# The same few boxes are asked for again and again: what a draw may say is worked out once. Two families never share
# an entry, as a family compares by what it holds.


@lru_cache(maxsize=100_000)
def _tests(family: Family, row: bytes, scale: float, threshold: int) -> list[Outcome]:
    gap = threshold - np.frombuffer(row, np.int64)
    return [
        _outcome(family, True, distributions.laplace_at_most(gap, scale)),
        _outcome(family, False, distributions.laplace_above(gap, scale)),
    ]


@lru_cache(maxsize=100_000)
def _choices(family: Family, rows: bytes, number: int, scale: float, is_exponential: bool) -> list[Outcome]:
    scores = np.frombuffer(rows, np.int64).reshape(number, -1)
    law = distributions.exponential if is_exponential else distributions.permute_and_flip
    return [_outcome(family, said, logs) for said, logs in enumerate(law(scores, scale))]


@lru_cache(maxsize=100_000)
def _values(family: Family, row: bytes, scale: float, cutpoints: tuple[int, ...], grid: bool) -> list[Outcome]:
    values = np.frombuffer(row, np.int64)
    least, largest = min([values.min(), *cutpoints]) - 2, max([values.max(), *cutpoints]) + 2
    points = np.arange(values.min() - 2, values.max() + 3)  # outside, all tensors' probabilities fall alike
    if len(points) > FEW:  # between two tensors' values the log ratio of any two is a straight line
        points = np.unique(values + np.arange(-2, 3)[:, None])
    points = np.arange(least, largest + 1) if grid else np.unique([*points, least, largest, *_around(cutpoints)])
    logs = distributions.laplace(points[:, None] - values, scale)
    if grid:
        return [_outcome(family, int(point), row) for point, row in zip(points, logs, strict=True)]
    one, other, _ = family.pairs
    ratios = logs[:, one] - logs[:, other]
    outcomes = []
    edges = [least - 1, *sorted(cutpoints), largest]  # beyond the grid the ratio stays what it is at its end
    for low, high in pairwise(edges):
        mass = np.ones_like(values, float)
        if high < largest:
            mass = np.exp(distributions.laplace_at_most(high - values, scale))
        if low >= least:
            mass = mass - np.exp(distributions.laplace_at_most(low - values, scale))
        within = (points > low) & (points <= high)
        with np.errstate(divide="ignore"):  # far out there may be nothing left
            outcomes.append(Outcome(int(high), np.log(mass), ratios[within].max(axis=0)))
    return outcomes


_LAWS: dict[tuple[object, ...], dict[covers.Cover, float]] = {}


def _cover_law(costs: tuple[int, ...], place: bytes, runs: Runs, scale: tuple[float, ...]) -> dict[covers.Cover, float]:
    """The law of one tensor's partition, worked out once."""
    key = costs, place, scale
    if key not in _LAWS:
        _LAWS[key] = covers.covers(list(costs), runs, list(scale))
    return _LAWS[key]


def _around(cutpoints: Sequence[int]) -> list[int]:
    return [point + side for point in cutpoints for side in (0, 1)]
