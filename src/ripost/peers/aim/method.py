"""AIM: in each round, measure the marginal that the model fits worst (McKenna et al. 2022)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from ripost.methods.method import Method, PublicInputs, Sample
from ripost.methods.parameters import RECORDS, PositiveDelta, Reads
from ripost.peers.aim.rounds import AimRounds, candidates
from ripost.peers.graphical_model import Network, fit, guess_total, model_cells
from ripost.peers.junction_tree import Axes
from ripost.peers.marginals import AttributeCodes, check_size, count_requests, synthesize
from ripost.privacy.account import Account
from ripost.space.workload import Workload

ROUNDS = 1000  # of fitting, after each measurement
LAST_ROUNDS = 2500
NEARLY = 1e-4  # a fit between two choices ends if the loss falls by less than this share in a block
CELLS_OF_A_MEGABYTE = 2**20 // 8


@dataclass(frozen=True)
class Aim(Method):
    """Rounds of choice, measurement and fitting. The noise is halved when a measurement changes little (proof.md)."""

    name: ClassVar[str] = "aim"

    delta: PositiveDelta = 1e-9
    degree: Annotated[int, Field(ge=1, le=5)] = 2  # without a workload: all marginals of this many axes
    max_model_size: Annotated[float, Field(gt=0, le=10_000)] = 80  # megabytes
    reads: Reads = RECORDS
    workload: Workload | None = None

    def check(self, inputs: PublicInputs) -> None:
        codes = AttributeCodes.of(inputs.shape)
        wanted = count_requests(codes, self.workload, self.degree)
        check_size(self.name, codes.sizes, list(candidates(wanted, codes.sizes)))

    def run(self, account: Account) -> Sample:
        codes = AttributeCodes.of(account.shape)
        weights = candidates(count_requests(codes, self.workload, self.degree), codes.sizes)
        rounds = _NetworkRounds(account, codes, weights, self.max_model_size * CELLS_OF_A_MEGABYTE)
        rounds.run()
        measured = list(rounds.measured.values())
        model = fit(codes.sizes, measured, rounds.model, rounds=LAST_ROUNDS)
        return synthesize(account, codes, model, guess_total(measured))


class _NetworkRounds(AimRounds[Network]):
    """Rounds with a graphical model, which starts from the one before."""

    def __init__(
        self, account: Account, codes: AttributeCodes, weights: Mapping[Axes, float], most_cells: float
    ) -> None:
        super().__init__(account, codes, weights)
        self.most_cells = most_cells

    def fit_model(self) -> Network:
        start = getattr(self, "model", None)
        return fit(self.codes.sizes, list(self.measured.values()), start, rounds=ROUNDS, settled=NEARLY)

    def fits(self, axes: Axes, spent: float) -> bool:
        """Whether a model with one more marginal is small enough, or does not grow."""
        if any(set(axes) <= set(known) for known in self.measured):
            return True
        return model_cells(self.codes.sizes, [*self.measured, axes]) <= self.most_cells * spent
