"""HDMM: the high-dimensional matrix mechanism of McKenna, Miklau, Hay and Machanavajjhala 2018.

A search over public strategies finds weighted sums of cells from which the queries of a workload follow with little
noise. These sums are measured once, and the cells are their least-squares solution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from ripost.arrays import Floats, Ints
from ripost.errors import InputError
from ripost.estimate.kronecker_union import along
from ripost.methods.method import Matrix, Method, PublicInputs, check_axes, check_cells
from ripost.peers.hdmm import p_identity, strategy
from ripost.peers.hdmm.statistics import WEIGHT, WEIGHTED_SUM, Product, Products
from ripost.peers.hdmm.strategy import Effort, Strategy
from ripost.peers.hdmm.workload_gram import WorkloadGram
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Laplace
from ripost.space.workload import Workload

MOST_CELLS = 2**24
MOST_CODES = 2**11  # of an axis
MOST_ROWS = 2**25
StrategyName = Literal["best", "kronecker", "union", "marginals"]


@dataclass(frozen=True)
class Hdmm(Method):
    """Strategies are public: they follow from the domain and the workload, or all ranges of every axis without one."""

    strategy: StrategyName = "best"  # the strategy of least expected error on the workload
    p: Sequence[Annotated[int, Field(ge=0)]] | None = None  # weighted sums per axis; None: one in 16 codes
    restarts: Annotated[int, Field(ge=1)] = 2
    steps: Annotated[int, Field(ge=1)] = 250  # of each search
    workload: Workload | None = None

    name: ClassVar[str] = "hdmm"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.p is not None:
            object.__setattr__(self, "p", tuple(self.p))

    def check(self, inputs: PublicInputs) -> None:
        check_cells(self.name, inputs.shape, MOST_CELLS)
        check_axes(self.name, inputs.shape)
        if max(inputs.shape) > MOST_CODES:
            raise InputError(
                f"hdmm needs a matrix of the {max(inputs.shape):,} codes of an axis and stops at {MOST_CODES:,}; "
                "choose another method"
            )
        if self.p is not None and len(self.p) != len(inputs.shape):
            raise InputError(f"p must hold a number for each of {len(inputs.shape)} axes, got {len(self.p)}")
        if self.strategy in ("union", "marginals"):  # the others always find a Kronecker product
            self.choose_strategy(inputs.shape)

    def run(self, account: Account) -> Matrix:
        chosen = self.choose_strategy(account.shape)
        noise = Laplace(WEIGHTED_SUM, account.epsilon)
        terms = tuple(
            Product(tuple(np.flatnonzero(measured).tolist()), tuple(compress(chosen.factors, measured)), weight)
            for measured, weight in zip(chosen.measured, chosen.weight.tolist(), strict=True)
        )
        noisy = account.charge_query("weighted sums", noise, account.root).measure(Products(terms))
        return Matrix(cells(chosen, noisy).ravel(), chosen.stack, noise.variance(account.bound))

    def choose_strategy(self, shape: Sequence[int]) -> Strategy:
        """The strategy for a domain of this shape."""
        asked = WorkloadGram.all_ranges(shape) if self.workload is None else WorkloadGram.of(self.workload, shape)
        extras = _affordable([p_identity.extras(size) for size in shape] if self.p is None else self.p, shape)
        effort = Effort(self.restarts, self.steps)
        plans: list[Strategy | None] = []
        if self.strategy in ("best", "kronecker"):
            plans.append(strategy.kronecker(asked, extras, effort, WEIGHT))
        if self.strategy == "union" or (self.strategy == "best" and len(asked.share) > 1):  # one group gives the same
            plans.append(strategy.union(asked, extras, effort, WEIGHT))
        if self.strategy in ("best", "marginals"):
            plans.append(strategy.marginals(asked, effort, WEIGHT))
        able = [plan for plan in plans if plan is not None and plan.rows <= MOST_ROWS]
        if not able:
            raise InputError(f"the {self.strategy} strategy of hdmm has too many tables here; choose kronecker")
        return min(able, key=lambda plan: asked.mean_variance(plan.stack))


def cells(chosen: Strategy, noisy: Ints) -> Floats:
    """The least-squares cells of noisy weighted sums, in the shape of the domain."""
    seen, first = [], 0
    for measured, weight in zip(chosen.measured, chosen.weight.tolist(), strict=True):
        factors = [factor.astype(np.float64) for factor in compress(chosen.factors, measured)]
        lengths = [len(factor) for factor in factors]
        sums = noisy[first : first + math.prod(lengths)].astype(np.float64).reshape(lengths)
        seen.append(weight * along([factor.T for factor in factors], sums))
        first += math.prod(lengths)
    return chosen.stack.solve(seen)


def _affordable(extras: Sequence[int], shape: Sequence[int]) -> list[int]:
    """The number of weighted sums of each axis; 0 for the shortest axes if there would be too many rows."""
    kept = list(extras)
    for axis in sorted(range(len(shape)), key=lambda axis: shape[axis]):
        if math.prod(size + p for size, p in zip(shape, kept, strict=True)) <= MOST_ROWS:
            break
        kept[axis] = 0
    return kept
