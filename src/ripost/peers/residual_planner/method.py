"""ResidualPlanner: Gaussian noise for all two-way tables with the least sum of variances, in closed form.

Xiao, He, Zhang and Kifer, NeurIPS 2023. A table of some attributes is the sum of the residuals of all of its parts,
which are orthogonal. Every residual is measured once, with noise that depends on how many tables need it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ripost.arrays import Floats
from ripost.errors import InputError
from ripost.estimate.kronecker_union import along
from ripost.estimate.table_union import CompletedTables
from ripost.methods.method import Method, PublicInputs, Tables, check_codes
from ripost.methods.parameters import PositiveDelta
from ripost.peers.hdmm.statistics import Product, Products
from ripost.peers.noisy_tables import check_tables
from ripost.peers.residual_planner.plan import Plan, cells_gram, ranges_gram
from ripost.peers.residual_planner.statistics import SIGNED_SUM
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Gaussian

MOST_CODES = 2**13  # of all attributes
LEAST_WEIGHT = 8  # so that rounding it changes a variance by little


@dataclass(frozen=True)
class ResidualPlanner(Method):
    """Planned for the cells of all two-way tables. The whole budget is spent in one draw (proof.md)."""

    name: ClassVar[str] = "residual-planner"
    delta: PositiveDelta = 1e-9

    def check(self, inputs: PublicInputs) -> None:
        check_codes(self.name, inputs.shape, MOST_CODES)
        check_tables(self.name, inputs.shape, 2)
        if min(self.plan(inputs.shape).weights.values()) < LEAST_WEIGHT:
            raise InputError(f"{self.name} cannot weigh tables this large; give fewer, wider bins")

    def run(self, account: Account) -> Tables:
        plan, noise = self.plan(account.shape), Gaussian(SIGNED_SUM, account.epsilon)
        terms = tuple(
            Product(part, tuple(plan.bases[axis].matrix for axis in part), weight)
            for part, weight in plan.weights.items()
        )
        noisy = account.charge_query("residuals", noise, account.root).measure(Products(terms)).astype(np.float64)
        seen, first = [], 0
        for part, weight in plan.weights.items():
            sizes = [account.shape[axis] for axis in part]
            values = noisy[first : first + math.prod(sizes)].reshape(sizes) / weight
            seen.append(along([plan.bases[axis].matrix.T.astype(np.float64) for axis in part], values))
            first += math.prod(sizes)
        completed = CompletedTables.of(account.shape, plan.union.solve(seen))
        return Tables(completed, plan.union, noise.variance(account.bound))

    def plan(self, shape: Sequence[int]) -> Plan:
        """What is measured of a domain of this shape."""
        return Plan.of([self.gram_of(size) for size in shape])

    def gram_of(self, size: int) -> Floats:
        """The Gram matrix of what is asked of an attribute."""
        return cells_gram(size)


@dataclass(frozen=True)
class ResidualPlannerPlus(ResidualPlanner):
    """Planned for products of ranges of all pairs of attributes."""

    name: ClassVar[str] = "residual-planner+"

    def gram_of(self, size: int) -> Floats:
        return ranges_gram(size)
