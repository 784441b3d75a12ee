"""PrivMRF: a graph of dependent axes, marginals inside its cliques, and synthetic rows of the model that fits them.

Cai, Lei, Wei and Xiao, Data Synthesis via Differentially Private Markov Random Fields, VLDB 2021. (epsilon, delta): the
account counts rho. docs/methods/privmrf.md lists what differs. peers/privmrf/proof.md proves what it spends.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.errors import InputError
from ripost.methods.method import Method, PublicInputs, Sample
from ripost.methods.parameters import RECORDS, PositiveDelta, Reads, Share
from ripost.peers.graphical_model import SETTLED, MarginalMeasurement, Network, fit, guess_total
from ripost.peers.junction_tree import Axes
from ripost.peers.marginals import AttributeCodes, check_size, measure, pairs, synthesize
from ripost.peers.privmrf.dependency_graph import DependencyGraph, grow_graph
from ripost.peers.privmrf.initial_marginals import list_initial
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Gaussian
from ripost.space.query_parameters import FULL, Couples, Distances, Margin
from ripost.statistics.dependence import DEPENDENCE
from ripost.statistics.distance import DISTANCE
from ripost.statistics.totals import TOTAL_OF_PART

THETA = 6  # a marginal is useful if its mean count is this many times the mean absolute noise of an entry
MORE = Fraction(4, 5)  # marginals that are chosen later, per axis
MOST_STEPS = 8  # of choosing them
MOST_ASKED = 400  # candidates that get a noisy distance in a step
ROUNDS, LAST_ROUNDS = 1000, 3000  # of fitting, after each step and at the end
NEARLY = 1e-4  # a fit between two steps ends if the loss falls by less than this share in a block


@dataclass(frozen=True)
class PrivMrf(Method):
    """Noisy dependence of all pairs, initial marginals, then steps that measure what the model fits worst."""

    name: ClassVar[str] = "privmrf"

    delta: PositiveDelta = 1e-9
    graph: Share = 0.1  # share of rho for the dependence of pairs
    choosing: Share = 0.1  # share of rho for the distances of candidates from the model
    max_clique_size: Annotated[int, Field(ge=1, le=10**8)] = 200_000  # cells of a table of the model
    max_model_size: Annotated[int, Field(ge=1, le=10**9)] = 10**6  # cells of all tables of the model
    max_attributes: Annotated[int, Field(ge=2, le=10)] = 6  # of a marginal
    reads: Reads = RECORDS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.choosing + self.graph >= 1:
            raise InputError(f"choosing and graph must leave a share, got {self.choosing} and {self.graph}")

    def check(self, inputs: PublicInputs) -> None:
        sizes = AttributeCodes.of(inputs.shape).sizes
        check_size(self.name, sizes, [*pairs(len(sizes)), *((i,) for i in range(len(sizes)))])

    def run(self, account: Account) -> Sample:
        run = _PrivMrfRun(self, account)
        if len(run.codes.axes) == 1:
            found = [measure(account, run.codes, (0,), account.epsilon, f"axis {run.codes.axes[0] + 1}")]
            return synthesize(account, run.codes, fit(run.codes.sizes, found, rounds=0), guess_total(found))
        return run.synthesize()


class _PrivMrfRun:
    """One run on at least two axes, and its budget."""

    def __init__(self, method: PrivMrf, account: Account) -> None:
        self.method = method
        self.account = account
        self.codes = AttributeCodes.of(account.shape)
        self.sizes = self.codes.sizes
        self.measured: dict[Axes, MarginalMeasurement] = {}

    def synthesize(self) -> Sample:
        number = len(self.sizes)
        later = math.floor(MORE * number)
        total, scores = self._measure_pairs()
        graph = grow_graph(scores, self.sizes, self.method.max_clique_size, self.method.max_model_size)
        rest = self._left() - self.account.epsilon * share(self.method.choosing, name="choosing")
        most, uniforms = self._useful_cells(total, rest / (number + later)), self.account.noise.uniforms(number)
        initial = list_initial(graph.cliques, scores, self.sizes, most, self.method.max_attributes, uniforms)
        candidates = self._candidates(graph, self._useful_cells(total, rest / (len(initial) + later)))
        waiting = {axes: weight for axes, weight in candidates.items() if axes not in initial}
        later = min(later, len(waiting))
        price = (rest if later else self._left()) / (len(initial) + later)
        for axes in initial:
            self.measured[axes] = measure(self.account, self.codes, axes, price, "initial marginals")
        steps = _split(later, min(max(number // 2, 1), MOST_STEPS))
        model = self._fit(graph, None, LAST_ROUNDS if not steps else ROUNDS)
        for step, some in enumerate(steps):
            for axes in self._choose(model, waiting, some, len(steps)):
                self.measured[axes] = measure(self.account, self.codes, axes, price, "chosen marginals")
                del waiting[axes]
            model = self._fit(graph, model, LAST_ROUNDS if step == len(steps) - 1 else ROUNDS)
        return synthesize(self.account, self.codes, model, guess_total(list(self.measured.values())))

    def _measure_pairs(self) -> tuple[float, dict[tuple[int, int], float]]:
        """The noisy number of rows, and the noisy total variation distance of each pair from independent axes."""
        both = pairs(len(self.sizes))
        price = self.account.epsilon * share(self.method.graph, name="graph") / (len(both) + 1)
        rows = self.account.charge_query("number of rows", Gaussian(TOTAL_OF_PART, price), self.account.root)
        total = max(1.0, float(rows.measure(Margin((), ()))[0]))
        own = [self.codes.margin((i,)) for i in range(len(self.sizes))]
        scores = {}
        for one, other in both:
            term = self.account.charge_query("dependence of a pair", Gaussian(DEPENDENCE, price), self.account.root)
            scores[one, other] = float(term.measure(Couples(((own[one], own[other]),)))[0]) / total
        return total, scores

    def _useful_cells(self, total: float, price: Fraction) -> float:
        """The most cells of a marginal whose mean count is THETA times its mean absolute noise, at this price."""
        noise = math.sqrt(2 / math.pi * Gaussian(TOTAL_OF_PART, price).variance(self.account.bound))
        return total / max(noise, 1e-100) / THETA

    def _candidates(self, graph: DependencyGraph, most_cells: float) -> dict[Axes, float]:
        """Useful marginals smaller than their clique, and single axes, with weights that add up to axes^2 a clique."""
        found: dict[Axes, float] = {}
        for clique in graph.cliques:
            most = min(self.method.max_attributes, len(clique) - 1)
            parts = [
                part
                for length in range(1, most + 1)
                for part in combinations(clique, length)
                if length == 1 or math.prod(self.sizes[i] for i in part) < most_cells
            ]
            for part in parts:
                found[part] = found.get(part, 0.0) + len(clique) ** 2 / len(parts)
        return found

    def _choose(self, model: Network, waiting: dict[Axes, float], number: int, steps: int) -> list[Axes]:
        """If there are too many candidates, a random part of them by weight gets a noisy distance."""
        uniforms = self.account.noise.uniforms(len(waiting))
        keys = {axes: math.log(u or 1e-300) / waiting[axes] for axes, u in zip(waiting, uniforms, strict=True)}
        asked = sorted(waiting, key=lambda axes: keys[axes], reverse=True)[:MOST_ASKED]
        price = self.account.epsilon * share(self.method.choosing, name="choosing") / steps / len(asked)
        distances = {}
        for axes in asked:
            table = np.rint(model.table(axes)).astype(np.int64).ravel()
            question = Distances((self.codes.margin(axes),), (table,), np.array([FULL]), np.array([0]))
            term = self.account.charge_query("distances of candidates", Gaussian(DISTANCE, price), self.account.root)
            distances[axes] = int(term.measure(question)[0])
        return sorted(asked, key=lambda axes: distances[axes], reverse=True)[:number]

    def _fit(self, graph: DependencyGraph, start: Network | None, rounds: int) -> Network:
        settled = SETTLED if rounds == LAST_ROUNDS else NEARLY
        measured = list(self.measured.values())
        return fit(self.sizes, measured, start, rounds=rounds, settled=settled, order=graph.order)

    def _left(self) -> Fraction:
        (left,), _ = self.account.root.unspent
        return left


def _split(number: int, steps: int) -> list[int]:
    """A whole number in so many parts that differ by at most 1, the larger ones first, without those that are 0."""
    return [number // steps + (step < number % steps) for step in range(min(steps, number))]
