"""SWIFT: all candidates get a noisy error, then those of one clique tree that are worth their noise are measured.

The algorithm of google/dpsynth (Scalable Workload-Informed Factor Tree), from its public code. docs/methods/swift.md
lists what differs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.errors import InputError
from ripost.methods.method import Method, PublicInputs, Sample
from ripost.methods.parameters import RECORDS, PositiveDelta, Reads, Share
from ripost.peers.graphical_model import MarginalMeasurement, Network, fit, guess_total
from ripost.peers.junction_tree import Axes
from ripost.peers.marginals import (
    AttributeCodes,
    check_attributes,
    count_requests,
    measure,
    merge_rare_codes,
    synthesize,
)
from ripost.peers.swift.allocation import Candidate, allocate
from ripost.peers.swift.clique_tree import best_tree
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Gaussian
from ripost.schema.domain import format_count
from ripost.space.query_parameters import FULL, Distances
from ripost.space.workload import Workload
from ripost.statistics.distance import DISTANCE

ROUNDS = 10_000
MOST_CELLS = 2**28  # of all candidates; their errors are computed one by one


@dataclass(frozen=True)
class Swift(Method):
    """Histograms, noisy errors of all candidates, then the chosen marginals, all with Gaussian noise (proof.md)."""

    name: ClassVar[str] = "swift"

    delta: PositiveDelta = 1e-9
    degree: Annotated[int, Field(ge=1, le=5)] = 3  # without a workload: all marginals of this many axes
    max_clique_size: Annotated[int, Field(ge=1, le=10**8)] = 10**5  # cells of a table of the model
    max_marginal_size: Annotated[int, Field(ge=1, le=10**7)] = 10**6  # cells of a candidate
    single: Share = 0.1  # share of rho for the histograms of single axes
    choosing: Share = 0.1  # share of rho for the errors of the candidates
    merge_rare: bool = False  # whether codes whose noisy counts may be mere noise share a bin
    reads: Reads = RECORDS
    workload: Workload | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.choosing + self.single >= 1:
            raise InputError(f"choosing and single must leave a share, got {self.choosing} and {self.single}")

    def check(self, inputs: PublicInputs) -> None:
        codes = AttributeCodes.of(inputs.shape)
        check_attributes(self.name, codes.sizes)
        cells = sum(math.prod(codes.sizes[i] for i in axes) for axes in self.candidates(codes))
        if cells > MOST_CELLS:
            raise InputError(
                f"{self.name} needs the errors of marginals of {format_count(cells)} cells and stops at "
                f"{MOST_CELLS:,}; lower degree or max_marginal_size, or choose another method"
            )

    def run(self, account: Account) -> Sample:
        codes, number = AttributeCodes.of(account.shape), len(AttributeCodes.of(account.shape).axes)
        for_one = account.epsilon * (share(self.single, name="single") if number > 1 else 1) / number
        measured = [measure(account, codes, (i,), for_one, f"axis {codes.axes[i] + 1}") for i in range(number)]
        if self.merge_rare:
            codes, measured = merge_rare_codes(codes, measured)
        model = fit(codes.binned, measured, rounds=0)
        if number > 1:
            weights = self.candidates(codes)
            errors = self._measure_errors(account, codes, weights, model)
            pairs = {(axes[0], axes[1]): error for axes, error in errors.items() if len(axes) == 2}
            tree = best_tree(pairs, codes.binned, self.max_clique_size)
            held = [axes for axes in weights if tree.holds(axes)]
            measured = _measure_best(account, codes, measured, {axes: (weights[axes], errors[axes]) for axes in held})
            model = fit(codes.binned, measured, model, rounds=ROUNDS, order=tree.elimination_order())
        return synthesize(account, codes, model, guess_total(measured))

    def candidates(self, codes: AttributeCodes) -> dict[Axes, float]:
        """Single axes and the parts of marginals asked for, if not too large, by the requests for each of their axes.

        A workload that bounds no axis asks for everything, as no workload does.
        """
        number = len(codes.axes)
        wanted = count_requests(codes, self.workload, self.degree) or count_requests(codes, None, self.degree)
        requests = [sum(times for axes, times in wanted.items() if i in axes) for i in range(number)]
        closure = {part for axes in wanted for n in range(1, len(axes) + 1) for part in itertools.combinations(axes, n)}
        closure |= {(i,) for i in range(number)}
        small = [part for part in closure if len(part) == 1 or _cells(codes, part) <= self.max_marginal_size]
        return {part: sum(requests[i] for i in part) for part in sorted(small, key=lambda part: (len(part), part))}

    def _measure_errors(
        self, account: Account, codes: AttributeCodes, weights: Mapping[Axes, float], model: Network
    ) -> dict[Axes, float]:
        """The noisy L1 distance of each candidate from independent axes."""
        price = account.epsilon * share(self.choosing, name="choosing") / len(weights)
        errors = {}
        for axes in weights:
            table = np.rint(model.table(axes)).astype(np.int64).ravel()
            question = Distances((codes.margin(axes),), (table,), np.array([FULL]), np.array([0]))
            term = account.charge_query("errors of candidates", Gaussian(DISTANCE, price), account.root)
            errors[axes] = float(term.measure(question)[0]) / FULL
        return errors


def _measure_best(
    account: Account,
    codes: AttributeCodes,
    before: Sequence[MarginalMeasurement],
    held: Mapping[Axes, tuple[float, float]],
) -> list[MarginalMeasurement]:
    """Measure the candidates that are worth their noise, with all that is left, beside what was measured before."""
    (left,), _ = account.root.unspent
    candidates = [Candidate(axes, _cells(codes, axes), *facts) for axes, facts in held.items() if facts[0] > 0]
    shares = allocate(candidates, 2 * float(left) / account.bound**2)
    whole = sum(shares.values())
    found = {one.axes: one for one in before}
    for axes, part in shares.items():
        noisy = measure(account, codes, axes, left * Fraction(part, whole), "chosen marginals")
        found[axes] = found[axes].and_also(noisy) if axes in found else noisy
    return list(found.values())


def _cells(codes: AttributeCodes, axes: Axes) -> int:
    return math.prod(codes.binned[i] for i in axes)
