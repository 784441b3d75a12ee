"""AIM with residuals: marginals are chosen as by AIM, and tables are reconstructed in closed form.

Reconstruction is GReM-MLE (Mullins, Fuentes, Xiao, Kifer, Musco and Sheldon, NeurIPS 2024): a noisy marginal splits
into residuals, and residuals of the same axes are averaged by their precision. docs/methods/aim-residuals.md says how
this differs from AIM+GReM of the same authors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.arrays import Floats
from ripost.estimate.table_union import CompletedTables, Part, TableUnion
from ripost.methods.method import Method, PublicInputs, Tables
from ripost.methods.parameters import PositiveDelta
from ripost.peers.aim.rounds import AimRounds, candidates
from ripost.peers.graphical_model import MarginalMeasurement
from ripost.peers.junction_tree import Axes
from ripost.peers.marginals import AttributeCodes, check_size, count_requests
from ripost.privacy.account import Account
from ripost.space.workload import Workload


@dataclass(frozen=True)
class AimResiduals(Method):
    """The rounds of AIM with residuals in place of a graphical model (proof.md)."""

    name: ClassVar[str] = "aim-residuals"

    delta: PositiveDelta = 1e-9
    degree: Annotated[int, Field(ge=1, le=3)] = 2  # without a workload: all marginals of this many axes
    workload: Workload | None = None

    def check(self, inputs: PublicInputs) -> None:
        codes = AttributeCodes.of(inputs.shape)
        check_size(self.name, codes.sizes, list(self.candidates(codes)))

    def run(self, account: Account) -> Tables:
        codes = AttributeCodes.of(account.shape)
        rounds = _ResidualRounds(account, codes, self.candidates(codes))
        rounds.run()
        found = rounds.model
        return Tables(found.completed, found.union, found.variance)

    def candidates(self, codes: AttributeCodes) -> dict[Axes, float]:
        return candidates(count_requests(codes, self.workload, self.degree), codes.sizes)


@dataclass(frozen=True)
class ResidualModel:
    """The least-squares tables of all measured marginals, and what follows from them for any other."""

    axes: Axes  # those of more than one code, among all axes
    completed: CompletedTables
    union: TableUnion
    variance: float  # of a measurement of weight 1

    @classmethod
    def of(cls, shape: Sequence[int], axes: Axes, measured: Sequence[MarginalMeasurement]) -> ResidualModel:
        """The model of marginals whose axes are numbers among `axes`."""
        precision = np.array([float(one.precision.flat[0]) for one in measured])
        tables = tuple(tuple(axes[i] for i in one.axes) for one in measured)
        union = TableUnion(tuple(np.eye(size) for size in shape), tables, precision / precision.max())
        completed = CompletedTables.of(shape, union.solve([one.values for one in measured]))
        return cls(axes, completed, union, 1 / float(precision.max()))

    def table(self, which: Axes) -> Floats:
        """The marginal of some of the axes, rising: signed rows of its parts, times the densities of its other axes."""
        axes = [self.axes[i] for i in which]
        found = np.zeros([self.union.shape[axis] for axis in axes])
        for part in (part for n in range(len(axes) + 1) for part in combinations(axes, n) if part in self._rows):
            sides = [np.ones(1) if axis in part else self.completed.density[axis] for axis in axes]
            spread: Floats = reduce(np.multiply.outer, sides, np.ones(()))
            found += spread * self._rows[part].reshape([self.union.shape[a] if a in part else 1 for a in axes])
        return found

    @cached_property
    def _rows(self) -> dict[Part, Floats]:
        """The signed rows of each part."""
        sizes = [math.prod(self.union.shape[axis] for axis in part) for part in self.union.parts]
        return dict(zip(self.union.parts, np.split(self.completed.values, np.cumsum(sizes)[:-1]), strict=True))


class _ResidualRounds(AimRounds[ResidualModel]):
    """Rounds in which every model is solved anew: that takes milliseconds."""

    def fit_model(self) -> ResidualModel:
        return ResidualModel.of(self.account.shape, self.codes.axes, list(self.measured.values()))

    def fits(self, axes: Axes, spent: float) -> bool:  # noqa: ARG002  # of any size
        """Residuals need no larger tables than those measured."""
        return True
